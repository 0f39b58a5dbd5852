/**
 * Finds the objects that one command-line input names: one object, those below a prefix, or those that a glob matches.
 */
import { reject } from "../../outcome.js";
import { isSearchedFor, SEARCHED_EXTENSIONS } from "../kind.js";
import { toReject } from "../read-errors.js";
import type { Found, OnOtherFile } from "../place.js";
import { formatObjectAddress, parseKeyPattern, parseObjectAddress, type ObjectAddress } from "./address.js";
import type { ListedObject, ObjectFacts, Objects } from "./objects.js";
import { openObjects } from "./s3.js";

/**
 * Yields objects sorted by key, and a reject if there are none. Throws UsageError if the store cannot be used at all.
 */
export async function* findObjects(
  input: string,
  signal: AbortSignal,
  onOtherFile: OnOtherFile,
): AsyncGenerator<Found> {
  const at = parseObjectAddress(input);
  const objects = await openObjects();
  try {
    yield* find(objects, { at, input, signal, onOtherFile });
  } catch (error) {
    if (signal.aborted) return;
    yield toReject({ id: input, url: "" }, error);
  } finally {
    await objects.close();
  }
}

interface Search {
  readonly at: ObjectAddress;
  readonly input: string;
  readonly signal: AbortSignal;
  readonly onOtherFile: OnOtherFile;
}

async function* find(objects: Objects, { at, input, signal, onOtherFile }: Search): AsyncGenerator<Found> {
  const pattern = parseKeyPattern(at.key);
  if (pattern !== undefined) {
    const prefix = { ...at, key: pattern.prefix };
    yield* orNothing(input, "no object matches", pick(objects.list(prefix, signal), at, pattern.matches));
    return;
  }
  const isPrefix = at.key === "" || at.key.endsWith("/");
  const facts = isPrefix ? undefined : await objects.look(at, signal);
  if (facts !== undefined) {
    yield toPlace(at, facts, false);
    return;
  }
  const prefix = { ...at, key: isPrefix ? at.key : `${at.key}/` };
  const why = `no such object, and no pages below it (${SEARCHED_EXTENSIONS})`;
  yield* orNothing(
    input,
    why,
    pick(objects.list(prefix, signal), at, (key) => {
      // Hidden files and files with other names are skipped, as in a directory.
      const hasPages = isSearchedFor(key.slice(key.lastIndexOf("/") + 1));
      const isOpen = !isHidden(key, prefix.key);
      if (hasPages !== isOpen) onOtherFile(isOpen ? "name" : "hidden");
      return hasPages && isOpen;
    }),
  );
}

function isHidden(key: string, prefix: string): boolean {
  return key
    .slice(prefix.length)
    .split("/")
    .some((part) => part.startsWith("."));
}

async function* pick(
  listed: AsyncIterable<ListedObject>,
  { bucket }: ObjectAddress,
  isWanted: (key: string) => boolean,
): AsyncGenerator<Found> {
  // Some tools represent a folder as an object whose key ends in a slash.
  for await (const { key, ...facts } of listed)
    if (!key.endsWith("/") && isWanted(key)) yield toPlace({ bucket, key }, facts, true);
}

function toPlace(at: ObjectAddress, { bytes, etag }: ObjectFacts, isOneOfMany: boolean): Found {
  return { kind: "object", id: formatObjectAddress(at), isOneOfMany, facts: { size: bytes, etag } };
}

async function* orNothing(input: string, why: string, places: AsyncIterable<Found>): AsyncGenerator<Found> {
  let isAny = false;
  for await (const place of places) {
    isAny = true;
    yield place;
  }
  if (!isAny) yield reject({ id: input, url: "" }, "acquire", "not-found", why);
}
