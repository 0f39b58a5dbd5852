/** The path of an output into the place where it lies, and the names of what lies beside it while it is made. */
import { createHash } from "node:crypto";
import { realpath, stat } from "node:fs/promises";
import { basename, dirname, join } from "node:path";
import { OutputError } from "../outcome.js";

export interface FilePlace {
  /** As somebody named it, for messages. */
  readonly name: string;
  /** Where a link leads to. */
  readonly path: string;
  /** Whether a file is, or will be, there: devices and pipes (`/dev/stdout`) cannot be replaced by one. */
  readonly isFile: boolean;
  /** Whether it grows where it lies, over many runs, and not beside until it is complete. */
  readonly isGrowing?: boolean;
}

export async function findPlace(name: string): Promise<FilePlace> {
  const existing = await stat(name).catch(() => undefined);
  if (existing?.isDirectory() === true) throw new OutputError(`cannot write ${name}: it is a directory`);
  if (existing === undefined) return { name, path: name, isFile: true };
  return existing.isFile()
    ? { name, path: await realpath(name), isFile: true }
    : { name, path: name, isFile: false };
}

/** Characters of a name that stay: a file system that takes the name whole may not take it with more around it. */
const MOST_CHARS = 40;

/** A hidden file beside a place, the same one each time. */
export function besides(path: string, kind: string): string {
  const name = basename(path);
  const cut = createHash("sha256").update(name).digest("hex").slice(0, 8);
  const short = name.length <= MOST_CHARS ? name : `${name.slice(0, MOST_CHARS)}-${cut}`;
  return join(dirname(path), `.${short}.${kind}`);
}
