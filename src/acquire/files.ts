/** Finds the places that one command-line input names: a URL, stdin, a file, or the files of a directory or glob. */
import { readdir, realpath, stat } from "node:fs/promises";
import type { Dirent } from "node:fs";
import { basename, isAbsolute, sep } from "node:path";
import { reject } from "../outcome.js";
import { isSearchedFor, kindOfName, SEARCHED_EXTENSIONS } from "./kind.js";
import { isObjectAddress } from "./objects/address.js";
import type { Found, OnOtherFile } from "./place.js";
import { NOT_UTF8, toReject } from "./read-errors.js";
import { codeOf } from "../thrown.js";
import { compareTexts } from "../text-order.js";

/** Yields the places of one input in a fixed order, and a reject for each that leads to nothing. */
export async function* findPlaces(
  input: string,
  signal: AbortSignal,
  onOtherFile: OnOtherFile = () => undefined,
): AsyncGenerator<Found> {
  if (input === "-") {
    yield { kind: "stdin", id: "stdin", isOneOfMany: false };
    return;
  }
  if (isObjectAddress(input)) {
    // Imported only for object addresses: loading the client takes a while.
    const { findObjects } = await import("./objects/find-objects.js");
    yield* findObjects(input, signal, onOtherFile);
    return;
  }
  const kind = await kindOfPath(input);
  if (kind === "directory") yield* walk(input, signal, onOtherFile);
  else if (kind === "file") yield { kind: "file", id: input, isOneOfMany: false };
  else if (isUrl(input)) yield { kind: "url", id: input, isOneOfMany: false };
  // Imported only here: loading it takes a twentieth of the start-up time, and an existing file does not need it.
  else if ((await import("tinyglobby")).isDynamicPattern(toSlashes(input))) yield* match(input, signal);
  else if (looksLikeAddress(input))
    yield reject({ id: input, url: "" }, "acquire", "not-found", "a web address must begin with https://");
  // Reading it will report what is wrong with it.
  else yield { kind: "file", id: input, isOneOfMany: false };
}

/** Accepts any scheme, so that a URL that cannot be fetched is refused as a URL and not as a missing file. */
export function isUrl(input: string): boolean {
  return /^[a-z][a-z0-9+.-]*:\/\//i.test(input);
}

/**
 * Checks whether an input is an address without a scheme, like `example.org/post`, which a browser would open, and not
 * a file name with a known extension.
 */
function looksLikeAddress(input: string): boolean {
  return (
    /^[\p{L}\p{N}-]+(?:\.[\p{L}\p{N}-]+)*\.\p{L}{2,24}(?::\d{1,5})?(?:\/.*)?$/u.test(input) &&
    kindOfName(basename(input)) === undefined
  );
}

/**
 * Replaces this system's path separators with slashes. Windows accepts slashes too, and in a glob a backslash is not a
 * separator.
 */
export function toSlashes(path: string, separator: string = sep): string {
  return path.replaceAll(separator, "/");
}

/** Removes the slashes at the end of a directory. A drive keeps one, because `D:` alone means its current directory. */
export function toRoot(directory: string, separator: string = sep): string {
  return toSlashes(directory, separator).replace(/(?<=.)(?<!^[a-z]:)\/+$/i, "");
}

async function kindOfPath(path: string): Promise<"directory" | "file" | undefined> {
  try {
    return (await stat(path)).isDirectory() ? "directory" : "file";
  } catch (error) {
    if (codeOf(error) === undefined) throw error;
    return undefined;
  }
}

async function* match(pattern: string, signal: AbortSignal): AsyncGenerator<Found> {
  const { glob } = await import("tinyglobby");
  const paths = await glob(toSlashes(pattern), {
    absolute: isAbsolute(pattern),
    expandDirectories: false,
    signal,
  });
  if (signal.aborted) return;
  if (paths.length === 0) yield reject({ id: pattern, url: "" }, "acquire", "not-found", "no file matches");
  for (const id of paths.sort(compareTexts)) yield { kind: "file", id, isOneOfMany: true };
}

/**
 * Finds the pages under a directory, sorted by path. Skips hidden files and files with other names. `onOtherFile` gets
 * the latter, and hidden files that would be read otherwise.
 */
async function* walk(
  directory: string,
  signal: AbortSignal,
  onOtherFile: OnOtherFile,
): AsyncGenerator<Found> {
  const root = toRoot(directory);
  const found: Found[] = [];
  const seen = new Set<string>();
  const open = [root];
  let others = 0;
  for (let path = open.pop(); path !== undefined && !signal.aborted; path = open.pop()) {
    try {
      // A symbolic link may lead back to a parent directory.
      const real = await realpath(path);
      if (seen.has(real)) continue;
      seen.add(real);
      for (const entry of await readdir(path, { withFileTypes: true })) {
        if (entry.name.startsWith(".")) {
          if (entry.isFile() && isSearchedFor(entry.name)) onOtherFile("hidden");
          continue;
        }
        const id = path.endsWith("/") ? `${path}${entry.name}` : `${path}/${entry.name}`;
        if (await isUnnameable(entry.name, id)) {
          found.push(reject({ id, url: "" }, "acquire", "unreadable", NOT_UTF8));
          continue;
        }
        const kind = await kindOfEntry(entry, id);
        if (kind === "directory") open.push(id);
        else if (kind === "file" && isSearchedFor(basename(id)))
          found.push({ kind: "file", id, isOneOfMany: true });
        else if (kind === "file") {
          others += 1;
          onOtherFile("name");
        }
      }
    } catch (error) {
      found.push(toReject({ id: path, url: "" }, error));
    }
  }
  if (signal.aborted) return;
  if (found.length === 0) {
    const glob = others === 0 ? "" : `; "${root}/**/*" reads files with other names`;
    const why = `no pages in this directory (${SEARCHED_EXTENSIONS})${glob}`;
    yield reject({ id: directory, url: "" }, "acquire", "not-found", why);
  }
  yield* found.sort((a, b) => compareTexts(a.id, b.id));
}

/** Checks whether a name is not valid UTF-8: Node.js replaced its bad bytes with U+FFFD, so no path opens the file. */
async function isUnnameable(name: string, path: string): Promise<boolean> {
  return name.includes("\ufffd") && (await kindOfPath(path)) === undefined;
}

/** Follows a symbolic link. A broken link counts as a file, so that reading it reports the error. */
async function kindOfEntry(entry: Dirent, path: string): Promise<"directory" | "file" | undefined> {
  if (entry.isDirectory()) return "directory";
  if (entry.isFile()) return "file";
  return entry.isSymbolicLink() ? ((await kindOfPath(path)) ?? "file") : undefined;
}
