/** Resolves the path of an output, names files beside it and within it, and creates the folders that it needs. */
import { createHash } from "node:crypto";
import { mkdir, readlink, realpath, stat } from "node:fs/promises";
import { basename, dirname, isAbsolute, join, sep } from "node:path";
import { OutputError } from "../../outcome.js";
import { codeOf } from "../../thrown.js";
import { cannotWrite } from "../../write-error.js";

export interface FilePlace {
  /** The path as the user gave it, for messages. */
  readonly name: string;
  /** The path with symbolic links resolved; for devices and pipes, the path as given. */
  readonly path: string;
  /** False for devices, pipes and open streams (`/dev/stdout`), which a file cannot replace. */
  readonly isFile: boolean;
  /** Whether the file is written in place, over many runs, instead of under a draft name until it is complete. */
  readonly isGrowing?: boolean;
}

/** Most symbolic links to follow in a row; Linux has the same limit. */
const MOST_LINKS = 40;

/** Names of open streams. The file that one leads to (`>> file`) may hold more than this program writes. */
const STREAM = /^\/(?:dev\/(?:stdout|stderr|fd\/\d+)|proc\/self\/fd\/\d+)$/;

/** Finds the place of an output. Throws OutputError for a directory, a name that is too long, and endless links. */
export async function findPlace(name: string): Promise<FilePlace> {
  const existing = await stat(name).catch((cause: unknown) => {
    // The draft has a shorter name, so only the end of the run would fail.
    if (codeOf(cause) === "ENAMETOOLONG") throw cannotWrite(name, cause);
  });
  if (existing?.isDirectory() === true) throw new OutputError(`cannot write ${name}: it is a directory`);
  if (existing === undefined) return { name, path: await followLinks(name), isFile: true };
  return existing.isFile() && !STREAM.test(name)
    ? { name, path: await realpath(name), isFile: true }
    : { name, path: name, isFile: false };
}

/** Resolves the links of a file that does not exist yet, so that it is created where the link points. */
async function followLinks(name: string): Promise<string> {
  let path = name;
  for (let links = 0; links < MOST_LINKS; links += 1) {
    const target = await readlink(path).catch(() => undefined); // not a link, or missing
    if (target === undefined) return path;
    // The target is not normalised: its ".." is relative to the real folder of the link.
    path = isAbsolute(target) ? target : `${await realpath(dirname(path))}${sep}${target}`;
  }
  throw new OutputError(`cannot write ${name}: too many links`);
}

/** Characters of the file name that are kept: a file system that allows the name may not allow a longer one. */
const MOST_CHARS = 40;

/** The path of a hidden file beside another file; the same on each call. */
export function besides(path: string, kind: string): string {
  const name = basename(path);
  const cut = createHash("sha256").update(name).digest("hex").slice(0, 8);
  const short = name.length <= MOST_CHARS ? name : `${name.slice(0, MOST_CHARS)}-${cut}`;
  return join(dirname(path), `.${short}.${kind}`);
}

/**
 * Creates a folder and its parents. Throws the system's error. Node's own `recursive` never returns for a path like
 * `/proc`, where folders cannot be created. `mode` is that of new folders.
 */
export async function makeFolder(path: string, mode?: number): Promise<void> {
  const missing: string[] = [];
  for (let at = path; !(await isThere(at)); at = dirname(at)) missing.push(at);
  for (const folder of missing.reverse()) {
    try {
      await mkdir(folder, { mode });
    } catch (error) {
      // Another process may have created it meanwhile.
      if (!(await isThere(folder))) throw error;
    }
  }
}

async function isThere(path: string): Promise<boolean> {
  try {
    await stat(path);
    return true;
  } catch (error) {
    // A file or a loop of links is in the way: creating the folder then throws the error.
    if (codeOf(error) === "ENOENT") return dirname(path) === path;
    throw error;
  }
}

/** Whether a name ends with a slash or backslash, as folder names do. */
export function isFolderName(name: string): boolean {
  return /[/\\]$/.test(name);
}

/**
 * The end of an id that a file name keeps, besides extension and number: at four bytes each, 60 characters fit the 255
 * bytes that file systems allow.
 */
const LAST_CHARS = /.{0,60}$/su;
/** The device names of Windows, which are reserved with any extension: `aux.example.txt` is one. */
const RESERVED = /^(?:con|prn|aux|nul|(?:com|lpt)[\d¹²³])(?:\.|$)/i;

/**
 * Returns a function that gives each document id a unique file name, safe on every file system: letters, digits, dots,
 * dashes and underscores, no leading dot, never a path. Ids that would share a name get -2, -3 … in the order of the
 * calls, ignoring case.
 */
export function createNamer(extension: string): (id: string) => string {
  /** For each used name, in lower case, the next number to try when it is requested again. */
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
