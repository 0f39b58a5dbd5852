/** Describes a file, or a part of a file, that is read as it would be within the whole, and opens its bytes. */
import { createReadStream } from "node:fs";
import { Readable } from "node:stream";
import type { InputKind } from "./kind.js";
import type { Chunks } from "./streams.js";
import type { WarcStart } from "./warc/warc.js";

export interface InputPart {
  /** The prefix of the ids of documents that have no id of their own. */
  readonly id: string;
  /** The path or URL of the bytes. */
  readonly path: string;
  /** The first byte; 0 when absent. */
  readonly offset?: number;
  /** Bytes of the part; up to the end of the file when absent. */
  readonly length?: number;
  /** The etag that an object must still have. */
  readonly etag?: string;
  /** The kind that was detected for the whole file; a part may not show it. */
  readonly kind?: InputKind;
  /** The number of the first line, if JSON Lines start within a file. */
  readonly line?: number;
  /** Where reading starts within an archive. */
  readonly start?: WarcStart;
  /** Offsets of the wanted records in an archive; all records when absent. */
  readonly only?: ReadonlySet<number>;
}

/** Bytes of a file that are read at once. With Node's default of 64 KB, a WARC takes a tenth longer. */
export const READING = { highWaterMark: 1 << 18 };

/** Opens the bytes of a part of a local file. */
export function openFilePart({ path, offset = 0, length }: InputPart): Chunks {
  // Node.js cannot open a range without bytes.
  if (length === 0) return Readable.from([]);
  // A pipe has no offsets, and even `start: 0` fails.
  const start = offset === 0 ? {} : { start: offset };
  const end = length === undefined ? {} : { end: offset + length - 1 };
  return createReadStream(path, { ...READING, ...start, ...end });
}
