/** The path of an output into the place where it lies, and the names of what lies beside it while it is made. */
import { createHash } from "node:crypto";
import { realpath, stat, mkdir } from "node:fs/promises";
import { basename, dirname, join } from "node:path";
import { OutputError } from "../../outcome.js";

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

/* MERGED src/write/files/place.ts: A path into a folder that is there, with all folders above it. */

/** Throws the system's error. Node's own `recursive` never comes back from a place such as `/proc` that takes no folders. */
export async function makeFolder(path: string): Promise<void> {
  const missing: string[] = [];
  for (let at = path; !(await isThere(at)); at = dirname(at)) missing.push(at);
  for (const folder of missing.reverse()) {
    try {
      await mkdir(folder);
    } catch (error) {
      // Somebody else may have made it in the meantime.
      if (!(await isThere(folder))) throw error;
    }
  }
}

async function isThere(path: string): Promise<boolean> {
  try {
    await stat(path);
    return true;
  } catch (error) {
    // A file or a loop of links stands in the way: making the folder says so.
    if (error instanceof Error && "code" in error && error.code === "ENOENT") return dirname(path) === path;
    throw error;
  }
}

/* MERGED src/write/files/place.ts: Document ids into file names that are safe on every file system. */

/** The characters that a name keeps, extension and number left out: four bytes each still fit the 255 that file systems allow. */
const LAST_CHARS = /.{0,60}$/su;
const RESERVED = /^(con|prn|aux|nul|com\d|lpt\d)$/i;

/**
 * A function that gives each id a name of its own: letters, digits, dots and dashes, no leading dot, never a
 * path. Ids that would share a name get -2, -3 … in the order they come, ignoring case.
 */
export function createNamer(extension: string): (id: string) => string {
  /** For each name taken, in lower case, the next number to try when it is wanted again. */
  const taken = new Map<string, number>();
  return (id) => {
    const base = toName(id);
    let name = base;
    for (let copy = taken.get(base.toLowerCase()) ?? 1; taken.has(name.toLowerCase()); copy += 1) {
      name = `${base}-${copy}`;
      taken.set(base.toLowerCase(), copy + 1);
    }
    taken.set(name.toLowerCase(), 2);
    return `${name}${extension}`;
  };
}

function toName(id: string): string {
  const safe = id
    .normalize("NFC")
    .replace(/^[a-z]+:\/\//i, "")
    .replace(/\.(html?|xhtml|txt)(\.gz)?$/i, "")
    .replace(/[^\p{L}\p{N}\p{M}._-]+/gu, "_")
    .replace(/^[._-]+|[._-]+$/g, "");
  const short = (LAST_CHARS.exec(safe)?.[0] ?? "").replace(/^[._-]+/, "");
  return short === "" || RESERVED.test(short) ? `page_${short}` : short;
}
