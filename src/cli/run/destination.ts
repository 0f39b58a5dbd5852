/** Reads from `-o` and `--to` where documents go, and in which format. */
import { extname } from "node:path";
import { UsageError } from "../../outcome.js";
import { findPlace, isFolderName, type FilePlace } from "../../write/files/place.js";
import { lookAt } from "./check-places.js";
import { extensionsOf, findWriter, WRITER_NAMES, type WriterName } from "../../write/registry.js";

/** Where the output goes: stdout, a device or a pipe, a file, or a directory. */
export type Destination =
  | { readonly kind: "stdout" }
  | { readonly kind: "device"; readonly path: string }
  | { readonly kind: "file"; readonly place: FilePlace }
  | { readonly kind: "directory"; readonly path: string };

/** Programs that compress output that is piped into them, by suffix. */
const PACKERS: ReadonlyMap<string, string> = new Map([
  [".zst", "zstd"],
  [".bz2", "bzip2"],
  [".xz", "xz"],
]);

/**
 * Returns the format of a file's suffix, if it has one; a suffix without a letter, as in `corpus-1.2`, does not count.
 * Throws UsageError for a suffix that no format has, which lists the formats that the command writes.
 */
export function formatOfName(
  path: string,
  names: readonly WriterName[] = WRITER_NAMES,
): WriterName | undefined {
  const suffix = extname(path.replace(/\.gz$/i, ""));
  const format = findWriter(suffix);
  if (format !== undefined || !/\p{L}/u.test(suffix)) return format;
  const packer = PACKERS.get(suffix.toLowerCase());
  const advice =
    packer === undefined
      ? ""
      : `; the only compression is gzip (.gz); for another one, pipe the output: -o - --to jsonl | ${packer} > FILE`;
  const known = names.map((name) => `${name} (${extensionsOf(name).join(", ")})`).join(", ");
  throw new UsageError(
    `no format has the suffix of ${path}; there are ${known}; or give the format with --to${advice}`,
  );
}

/**
 * Returns the format that is known before the first document; undefined if the first one decides. Throws UsageError if
 * the file's suffix belongs to no format.
 */
export function findFormat(
  path: string | undefined,
  to: WriterName | undefined,
  names?: readonly WriterName[],
): WriterName | undefined {
  if (to !== undefined || path === undefined) return to;
  return isDirectory(path) ? "text" : formatOfName(path, names);
}

/** Throws OutputError for a path with too many links. */
export async function findDestination(path: string | undefined): Promise<Destination> {
  if (path === undefined) return { kind: "stdout" };
  if (isDirectory(path)) return { kind: "directory", path };
  const place = await findPlace(path);
  return place.isFile ? { kind: "file", place } : { kind: "device", path };
}

function isDirectory(path: string): boolean {
  return isFolderName(path) || lookAt(path)?.isDirectory() === true;
}
