/** Checks the paths that a run writes to before any work: all differ, none is an input, each is writable. */
import { statSync, type BigIntStats } from "node:fs";
import { appendFile } from "node:fs/promises";
import { basename, dirname, isAbsolute, relative, resolve, sep } from "node:path";
import { findPlaces, isUrl } from "../../acquire/files.js";
import { kindOfName } from "../../acquire/kind.js";
import { UsageError } from "../../outcome.js";
import { findPlace, isFolderName, makeFolder } from "../../write/files/place.js";
import { awaitReader, openFile } from "../../write/files/sink.js";
import { AMONG_RECORDS } from "./rejects.js";
import { explained } from "../../write-error.js";

/** Paths that the options `--output`, `--rejects`, `--log`, `--stats`, `--outcomes` and `--export` name. */
interface NamedPlaces {
  readonly to?: string | undefined;
  readonly output?: string | undefined;
  readonly rejects?: string | undefined;
  readonly log?: string | undefined;
  readonly stats?: string | undefined;
  readonly outcomes?: string | undefined;
  readonly export?: string | undefined;
}

const WRITTEN = ["output", "rejects", "log", "stats", "outcomes", "export"] as const;

/** Options that write no data, so "-" would be a file of that name. */
const FILES_ONLY: ReadonlySet<string> = new Set(["--log", "--stats", "--outcomes"]);

/**
 * Throws UsageError if two outputs share a file and so would overwrite each other, or if an output would replace an
 * input.
 */
export async function checkPlaces(
  named: NamedPlaces,
  inputs: readonly string[],
  signal: AbortSignal,
): Promise<void> {
  const { to, output, rejects } = named;
  const places = WRITTEN.map((name) => [`--${name}`, named[name]] as const);
  const isAmong = rejects === AMONG_RECORDS;
  if (isAmong && output === undefined && to !== "jsonl")
    throw new UsageError("--rejects - puts rejects among the records on stdout: it needs --to jsonl");
  const taken = new Map<string, string>();
  for (const [option, path] of places) {
    if (path === undefined || (isAmong && option === "--rejects")) continue;
    if (path === "") throw new UsageError(`${option} needs a path`);
    if (path === "-" && FILES_ONLY.has(option))
      throw new UsageError(`${option} needs a file; use /dev/stdout or /dev/stderr instead of -`);
    if (option !== "--output" && isFolderName(path))
      throw new UsageError(`${option} needs a file, not the folder ${path}`);
    if (isUrl(path))
      throw new UsageError(
        `${option} needs a path, not ${path}; to write to s3://, plan a job there: thresher shard plan --help`,
      );
    const place = resolve(path);
    const other = taken.get(place);
    if (other !== undefined && !place.startsWith("/dev/"))
      throw new UsageError(`${other} and ${option} cannot write to the same file ${path}`);
    taken.set(place, option);
  }
  await checkInputs(taken, inputs, signal);
}

/**
 * `places` maps each path to its option. Directories and patterns count as the files in them; only existing files can
 * match.
 */
async function checkInputs(
  places: ReadonlyMap<string, string>,
  inputs: readonly string[],
  signal: AbortSignal,
): Promise<void> {
  const written = new Map<string, string>();
  for (const [path, option] of places) {
    const file = identify(path);
    if (file !== undefined) written.set(file, option);
  }
  if (written.size === 0) return;
  for (const input of inputs) {
    if (input === "-" || isUrl(input)) continue;
    for await (const found of findPlaces(input, signal)) {
      const option = "ok" in found ? undefined : written.get(identify(found.id) ?? "");
      if (option !== undefined) throw new UsageError(`${option} would overwrite the input ${found.id}`);
    }
  }
}

/** Returns a sentence for each output in an input directory that the next run would read as a page. */
export function findReadAgain(named: NamedPlaces, inputs: readonly string[]): string[] {
  const places = WRITTEN.map((name) => named[name]).filter((path) => path !== undefined);
  return places.flatMap((path) => {
    const isRead = isFolder(path) || isFolderName(path) || kindOfName(basename(path)) !== undefined;
    const within = isRead ? inputs.find((input) => isFolder(input) && isWithin(path, input)) : undefined;
    return within === undefined
      ? []
      : [`${path} is in the input directory ${within}: the next run would read it as pages`];
  });
}

function isWithin(path: string, folder: string): boolean {
  const way = relative(resolve(folder), resolve(path));
  return way.split(sep)[0] !== ".." && !isAbsolute(way);
}

function isFolder(path: string): boolean {
  return lookAt(path)?.isDirectory() === true;
}

/**
 * Returns device and inode; undefined for anything but a file: missing paths, URLs, patterns, stdin, folders. There may
 * be very many inputs.
 */
export function identify(path: string): string | undefined {
  const found = lookAt(path);
  return found?.isFile() === true ? `${found.dev}:${found.ino}` : undefined;
}

/**
 * Returns undefined if nothing is there. Uses bigints, because file ids on Windows are too long for numbers, which would
 * make two files look like one (and because of pipes: see closed-stdout.ts).
 */
export function lookAt(path: string): BigIntStats | undefined {
  try {
    return statSync(path, { throwIfNoEntry: false, bigint: true });
  } catch {
    return undefined; // opening it reports the error
  }
}

/**
 * Checks early that the rejects, the log and the statistics can be written. The log is opened for each line and the
 * statistics at the very end, so an error would otherwise show only after hours of work. Throws UsageError for a name
 * that promises a compressed file, and OutputError.
 */
export async function checkSideFiles(
  { rejects, log, stats }: Pick<NamedPlaces, "rejects" | "log" | "stats">,
  signal: AbortSignal,
): Promise<void> {
  for (const [name, path = ""] of Object.entries({ rejects, log, stats }))
    if (/\.gz$/i.test(path))
      throw new UsageError(`--${name} is not compressed; leave out the .gz of ${path}`);
  if (log !== undefined && (await findPlace(log)).isFile)
    await explained(`the log ${log}`, async () => {
      await makeFolder(dirname(resolve(log)));
      await appendFile(log, "");
    });
  // A pipe stays open until the process ends: its reader would else see its end after each line of the log.
  else if (log !== undefined) await explained(`the log ${log}`, () => awaitReader(log, signal));
  if (stats !== undefined && (await findPlace(stats)).isFile) await (await openFile(stats)).discard();
}
