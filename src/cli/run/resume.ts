/**
 * Saves the progress of a run beside its output, and finds the point where the same command continues, or why it
 * cannot.
 */
import { createHash } from "node:crypto";
import { open, readFile, rm, stat } from "node:fs/promises";
import { join } from "node:path";
import { isUnchanged, type Position } from "../../acquire/position.js";
import { OutputError } from "../../outcome.js";
import { moveFile } from "../../write/files/move-file.js";
import { besides, type FilePlace } from "../../write/files/place.js";
import { draftOf } from "../../write/files/sink.js";
import type { Figures } from "../report/run-figures.js";
import type { Destination } from "./destination.js";
import { recordsOf, type OutputMark } from "./output.js";
import { messageOf } from "../../thrown.js";

/** A point between two outcomes; everything before it is on disk. */
export interface SavedRun {
  /** Digest of everything that shapes the output. */
  readonly job: string;
  readonly position: Position;
  /** Set if only the renaming of files is left. */
  readonly end?: EndOfRun;
  readonly output: OutputMark;
  /** Bytes of the rejects file and of the list of kept documents, if there are such files. */
  readonly rejects: number;
  readonly kept: number;
  readonly figures: Figures;
  /** Seconds that all runs took so far. */
  readonly seconds: number;
}

/** What is known about the inputs once they are read. */
export interface EndOfRun {
  /** Number of records that hold no page and are no failure, by type. */
  readonly passedOver: Readonly<Record<string, number>>;
  /** Number of files in folders whose names are not those of pages or records. */
  readonly otherFiles?: number;
  /** Number of files in folders that would be read, but are hidden (the name begins with a dot). */
  readonly hiddenFiles?: number;
  readonly bytesRead: number;
}

/** Paths where a run stores what a later run needs: beside an output file, or inside an output directory. */
export interface Home {
  /** The name of the output in messages. */
  readonly name: string;
  readonly state: string;
  /** List of the ids and deduplication entries of kept documents. */
  readonly kept: string;
  readonly lock: string;
  /** The unfinished data: the whole file, or one document of a directory. */
  readonly draft: string;
  /** The records that are packed at the end of the run. */
  readonly records: string;
}

/** Returns undefined if documents are sent at once, to stdout or a device. */
export function findHome(destination: Destination, job: string): Home | undefined {
  if (destination.kind === "stdout" || destination.kind === "device") return undefined;
  if (destination.kind === "file")
    return { name: destination.place.name, ...nameFiles(destination.place.path) };
  // Several commands may write into one directory at the same time, so the names have the job's digest.
  return { name: destination.path, ...nameFiles(join(destination.path, `thresher-${job.slice(0, 12)}`)) };
}

function nameFiles(path: string): Omit<Home, "name"> {
  return {
    state: besides(path, "resume"),
    kept: besides(path, "kept"),
    lock: besides(path, "lock"),
    draft: besides(path, "partial"),
    records: recordsOf({ path }).path,
  };
}

/** Returns the digest that identifies a job. The number 1 is the version of the state files. */
export function digestJob(parts: Readonly<Record<string, unknown>>): string {
  return createHash("sha256")
    .update(JSON.stringify([1, parts]))
    .digest("hex");
}

interface Expected {
  readonly job: string;
  readonly inputs: readonly string[];
  readonly destination: Destination;
  readonly rejects: FilePlace | undefined;
  readonly signal: AbortSignal;
}

type Loaded =
  | { readonly kind: "none" }
  | { readonly kind: "saved"; readonly run: SavedRun }
  | { readonly kind: "useless"; readonly why: string };

/** Reads the saved run and checks that this run can continue it; otherwise returns why it cannot. */
export async function loadRun(home: Home, expected: Expected): Promise<Loaded> {
  const run = await readState<SavedRun>(home.state);
  if (run === undefined) return { kind: "none" };
  const isComplete = run.end !== undefined;
  const useless = (why: string): Loaded => ({ kind: "useless", why });
  if (run.job !== expected.job) return useless("was made with other options, inputs or models");
  if (!(await isUnchanged(expected.inputs, run.position, expected.signal)))
    return useless("read inputs that have changed since");
  const { destination, rejects } = expected;
  const { bytes, isOfRecords } = run.output;
  const placeOf = (place: FilePlace): FilePlace => (isOfRecords === true ? recordsOf(place) : place);
  const isThere =
    (destination.kind !== "file" || (await hasBytes(placeOf(destination.place), bytes, isComplete))) &&
    (rejects?.isFile !== true || (await hasBytes(rejects, run.rejects, isComplete))) &&
    (isComplete || (await sizeOf(home.kept)) >= run.kept);
  return isThere ? { kind: "saved", run } : useless("has lost a part of its output");
}

/** Throws OutputError if the state cannot be written. */
export async function saveRun(home: Home, run: SavedRun): Promise<void> {
  await writeState(home.state, run, home.name);
}

/** Removes everything that a run left except its finished files. */
export async function forgetRun(home: Home): Promise<void> {
  for (const path of [home.state, home.kept, home.draft, home.records]) await rm(path, { force: true });
}

/** Checks that the bytes are on disk; a complete file may have its final name already. */
async function hasBytes(place: FilePlace, bytes: number, isComplete: boolean): Promise<boolean> {
  const isDraftThere = (await sizeOf(draftOf(place))) >= bytes;
  if (!isComplete) return isDraftThere;
  return (isDraftThere && bytes > 0) || (await sizeOf(place.path)) === bytes;
}

/** Returns the length of a file in bytes; 0 if it does not exist. */
export async function sizeOf(path: string): Promise<number> {
  return (await stat(path).catch(() => undefined))?.size ?? 0;
}

/**
 * Writes a value with its digest to a small file that is complete or absent. `value` must survive JSON. `name` is the
 * name of the output in messages. Throws OutputError.
 */
export async function writeState(path: string, value: unknown, name: string): Promise<void> {
  const json = JSON.stringify(value);
  const draft = `${path}.new`;
  try {
    const file = await open(draft, "w");
    try {
      await file.writeFile(`${digest(json)}\n${json}\n`);
      await file.sync();
    } finally {
      await file.close();
    }
    await moveFile(draft, path);
  } catch (cause) {
    await rm(draft, { force: true }).catch(() => undefined); // the first error tells more
    throw new OutputError(`cannot save the state of the run beside ${name}: ${messageOf(cause)}`, { cause });
  }
}

/** Reads what `writeState` wrote; undefined if the file does not exist or was changed. */
export async function readState<T>(path: string): Promise<T | undefined> {
  let text: string;
  try {
    text = await readFile(path, "utf8");
  } catch {
    return undefined; // the usual case: no run was interrupted
  }
  const [stated, json = ""] = text.split("\n");
  return stated === digest(json) ? (JSON.parse(json) as T) : undefined; // `writeState` wrote it
}

function digest(json: string): string {
  return createHash("sha256").update(json).digest("hex");
}
