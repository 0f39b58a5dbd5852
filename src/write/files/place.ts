/** Finds where an output lies, and names the files beside it and within it; makes the folders that it needs. */
import { createHash } from "node:crypto";
import { mkdir, readlink, realpath, stat } from "node:fs/promises";
import { basename, dirname, isAbsolute, join, sep } from "node:path";
import { OutputError } from "../../outcome.js";
import { codeOf } from "../../thrown.js";

export interface FilePlace {
  /** As the user named it, for messages. */
  readonly name: string;
  /** The target of a link, else the name. */
  readonly path: string;
  /** False for devices and pipes (`/dev/stdout`), which a file cannot replace. */
  readonly isFile: boolean;
  /** Whether it is written in place, over many runs, and not beside its name until it is complete. */
  readonly isGrowing?: boolean;
}

/** Links that are followed one after another, as Linux does. */
const MOST_LINKS = 40;

/** Throws OutputError for a directory, and for links without an end. */
export async function findPlace(name: string): Promise<FilePlace> {
  const existing = await stat(name).catch(() => undefined);
  if (existing?.isDirectory() === true) throw new OutputError(`cannot write ${name}: it is a directory`);
  if (existing === undefined) return { name, path: await followLinks(name), isFile: true };
  return existing.isFile()
    ? { name, path: await realpath(name), isFile: true }
    : { name, path: name, isFile: false };
}

/** Where a file that is not there yet has to be made, so that a link to it leads there. */
async function followLinks(name: string): Promise<string> {
  let path = name;
  for (let links = 0; links < MOST_LINKS; links += 1) {
    const target = await readlink(path).catch(() => undefined); // no link, or nothing at all
    if (target === undefined) return path;
    // As it stands: ".." leads up from where a linked folder really is.
    path = isAbsolute(target) ? target : `${await realpath(dirname(path))}${sep}${target}`;
  }
  throw new OutputError(`cannot write ${name}: too many links`);
}

/** Characters of a name that are kept: a file system that allows the name may not allow it with more around it. */
const MOST_CHARS = 40;

/** The path of a hidden file beside a place; the same one each time. */
export function besides(path: string, kind: string): string {
  const name = basename(path);
  const cut = createHash("sha256").update(name).digest("hex").slice(0, 8);
  const short = name.length <= MOST_CHARS ? name : `${name.slice(0, MOST_CHARS)}-${cut}`;
  return join(dirname(path), `.${short}.${kind}`);
}

/**
 * Makes a folder and all folders above it. Throws the system's error. Node's own `recursive` never returns for a place such
 * as `/proc`, where no folder can be made.
 */
export async function makeFolder(path: string): Promise<void> {
  const missing: string[] = [];
  for (let at = path; !(await isThere(at)); at = dirname(at)) missing.push(at);
  for (const folder of missing.reverse()) {
    try {
      await mkdir(folder);
    } catch (error) {
      // Another process may have made it in the meantime.
      if (!(await isThere(folder))) throw error;
    }
  }
}

async function isThere(path: string): Promise<boolean> {
  try {
    await stat(path);
    return true;
  } catch (error) {
    // A file or a loop of links is in the way: making the folder throws what is wrong.
    if (codeOf(error) === "ENOENT") return dirname(path) === path;
    throw error;
  }
}

/** Whether a name ends as those of folders do. */
export function isFolderName(name: string): boolean {
  return /[/\\]$/.test(name);
}

/** The characters that a name keeps, without extension and number: at four bytes each they fit the 255 that file systems allow. */
const LAST_CHARS = /.{0,60}$/su;
/** The devices of Windows, which are such with any extension: `aux.example.txt` is one. */
const RESERVED = /^(?:con|prn|aux|nul|(?:com|lpt)[\d¹²³])(?:\.|$)/i;

/**
 * Returns a function that gives each document id a file name of its own, safe on every file system: letters, digits, dots and dashes, no leading dot, never a
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
