/** A byte stream into its lines, none longer than a cap in memory. */
import type { Chunks } from "./streams.js";

export interface ByteLine {
  /** From 1, blank lines counted. */
  readonly number: number;
  /** Without the line break; undefined where the line is longer than the cap. */
  readonly bytes: Uint8Array | undefined;
  /** The stream broke within the line; its error is thrown next. */
  readonly isCut: boolean;
}

/** Splits at LF; a CR before it is left to the JSON parser, which skips it. */
export async function* splitLines(chunks: Chunks, maxBytes: number): AsyncGenerator<ByteLine> {
  let number = 1;
  let parts: Uint8Array[] = [];
  let length = 0;
  const add = (part: Uint8Array): void => {
    length += part.length;
    // Past the cap the line is only counted.
    if (length > maxBytes) parts = [];
    else if (part.length > 0) parts.push(part);
  };
  const take = (isCut: boolean): ByteLine => {
    const line = { number, bytes: length > maxBytes ? undefined : Buffer.concat(parts, length), isCut };
    number += 1;
    parts = [];
    length = 0;
    return line;
  };
  try {
    for await (const chunk of chunks) {
      let from = 0;
      for (let at = chunk.indexOf(0x0a); at !== -1; at = chunk.indexOf(0x0a, from)) {
        add(chunk.subarray(from, at));
        yield take(false);
        from = at + 1;
      }
      add(chunk.subarray(from));
    }
  } catch (error) {
    if (length > 0) yield take(true);
    throw error;
  }
  if (length > 0) yield take(false);
}
