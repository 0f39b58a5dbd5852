/** Names a file, or a part of a file, that is read as it would be within the whole, and opens the bytes of it. */
import { createReadStream } from "node:fs";
import type { InputKind } from "./kind.js";
import type { Chunks } from "./streams.js";
import type { WarcStart } from "./warc/warc.js";

export interface InputPart {
  /** What documents without an id of their own are named after. */
  readonly id: string;
  /** Where the bytes lie. */
  readonly path: string;
  /** The first byte; 0 when absent. */
  readonly offset?: number;
  /** Bytes; to the end of the file when absent. */
  readonly length?: number;
  /** Of an object: what it must still be. */
  readonly etag?: string;
  /** What the whole file was found to be. A part need not show it. */
  readonly kind?: InputKind;
  /** The number of the first line, of JSON Lines that begin within a file. */
  readonly line?: number;
  /** Where reading an archive starts within a file. */
  readonly start?: WarcStart;
  /** Of an archive: where the records begin that are wanted; all of them when absent. */
  readonly only?: ReadonlySet<number>;
}

/** Opens the bytes of a part. */
export type PartBytes = (part: InputPart) => Chunks;

/** Bytes of a file that are read at once: with Node's 64 KB a WARC takes a tenth longer. */
export const READING = { highWaterMark: 1 << 18 };

/** Opens those of a local file. */
export function openFilePart({ path, offset = 0, length }: InputPart): Chunks {
  // A pipe has no offsets: to name even the first one fails.
  const start = offset === 0 ? {} : { start: offset };
  const end = length === undefined ? {} : { end: offset + length - 1 };
  return createReadStream(path, { ...READING, ...start, ...end });
}
