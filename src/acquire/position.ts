/**
 * Numbers the places of inputs, with a digest of the places before, so that a later reader can continue where one
 * stopped.
 */
import { createHash } from "node:crypto";
import { stat } from "node:fs/promises";
import { findPlaces } from "./files.js";
import type { Found, OnOtherFile } from "./place.js";
import type { Chunks } from "./streams.js";
import type { WarcStart } from "./warc/warc.js";
import { codeOf } from "../thrown.js";

/** How far inputs have been read, as a plain value that a file can store. */
export interface Position {
  /** The number of the place that is being read, from 0. */
  readonly place: number;
  /** A hash of the names, sizes and times of all places up to this one. */
  readonly digest: string;
  /** Outcomes that this place gave from its beginning, or from `start` if that is known. */
  readonly outcomes: number;
  readonly start?: WarcStart;
  /** Bytes of the files before this place. */
  readonly bytes: number;
  /** Records without a page before `start`, or before this place, by type. */
  readonly passedOver: Readonly<Record<string, number>>;
}

interface NumberedPlace {
  readonly found: Found;
  readonly number: number;
  readonly digest: string;
  /** Bytes of the place; undefined if unknown. */
  readonly size: number | undefined;
}

/** Yields all places in the order in which they are read. */
export async function* walkPlaces(
  inputs: readonly string[],
  signal: AbortSignal,
  onOtherFile?: OnOtherFile,
): AsyncGenerator<NumberedPlace> {
  let number = 0;
  let digest = "";
  for (const input of inputs) {
    for await (const found of findPlaces(input, signal, onOtherFile)) {
      const facts =
        "ok" in found || found.kind === "url" || found.kind === "stdin"
          ? undefined
          : (found.facts ?? (await factsOf(found.id)));
      digest = createHash("sha256")
        .update(JSON.stringify([digest, found.id, facts]))
        .digest("base64");
      yield { found, number, digest, size: facts?.size };
      number += 1;
    }
  }
}

/** Checks whether the places up to a position are the same as when it was taken. */
export async function isUnchanged(
  inputs: readonly string[],
  position: Position,
  signal: AbortSignal,
): Promise<boolean> {
  for await (const { number, digest } of walkPlaces(inputs, signal))
    if (number === position.place) return digest === position.digest;
  return false;
}

/** Sums the bytes of all inputs; undefined if an input is a URL or stdin. */
export async function measureInputs(
  inputs: readonly string[],
  signal: AbortSignal,
): Promise<number | undefined> {
  let bytes = 0;
  for await (const { found, size } of walkPlaces(inputs, signal)) {
    if (!("ok" in found) && (found.kind === "url" || found.kind === "stdin")) return undefined;
    bytes += size ?? 0;
  }
  return bytes;
}

interface Facts {
  readonly size: number;
  readonly mtimeMs: number;
}

/** Returns undefined for a missing file: reading it reports that. */
async function factsOf(path: string): Promise<Facts | undefined> {
  try {
    const { size, mtimeMs } = await stat(path);
    return { size, mtimeMs };
  } catch (error) {
    if (codeOf(error) === undefined) throw error;
    return undefined;
  }
}

/** Counts what a source has read, and gives the position from which another source can continue. */
export interface Progress {
  /** Records that reading a place begins, or continues after a position in it. */
  onPlace(place: NumberedPlace, after?: Position): void;
  /** Records that reading could start here, at the record whose outcome comes next. */
  onStart(start: WarcStart): void;
  onOutcome(): void;
  onPassedOver(type: string): void;
  /** Passes the bytes of a place through and counts them. */
  count(chunks: Chunks): Chunks;
  /** Records how many bytes of the place were read, if they are not read in order. */
  onRead(bytes: number): void;
  position(): Position | undefined;
  passedOver(): ReadonlyMap<string, number>;
  bytesRead(): number;
}

/** Counts from the beginning of the inputs, or from the position `after`. */
export function createProgress(after: Position | undefined): Progress {
  let position = after;
  const passedOver = new Map(Object.entries(after?.passedOver ?? {}));
  /** Bytes of the files before the current place, the size of that place, and how much of it was read. */
  let before = after?.bytes ?? 0;
  let size: number | undefined = 0;
  let read = 0;
  /** The position after the next outcome. It is separate because it is valid only once that outcome was given. */
  let next: Position | undefined;
  return {
    onPlace({ number, digest, size: bytes }, half) {
      before = half?.bytes ?? before + (size ?? read);
      size = bytes;
      read = half?.start?.offset ?? 0;
      const counts = Object.fromEntries(passedOver);
      next = { place: number, digest, bytes: before, passedOver: counts, ...half, outcomes: 0 };
    },
    onStart(start) {
      if (next === undefined) return;
      const { place, digest, bytes } = next;
      next = { place, digest, bytes, start, outcomes: 0, passedOver: Object.fromEntries(passedOver) };
    },
    onOutcome() {
      if (next === undefined) return;
      next = { ...next, outcomes: next.outcomes + 1 };
      position = next;
    },
    onPassedOver(type) {
      passedOver.set(type, (passedOver.get(type) ?? 0) + 1);
    },
    async *count(chunks) {
      for await (const chunk of chunks) {
        read += chunk.length;
        yield chunk;
      }
    },
    onRead(bytes) {
      read = bytes;
    },
    position: () => position,
    passedOver: () => passedOver,
    bytesRead: () => before + read,
  };
}
