/** Zstandard data into the bytes it holds, where this Node.js can: from 22.15 and 23.8 on. */
import * as zlib from "node:zlib";
import type { Transform } from "node:stream";

export type ZstdStream = Transform & { readonly bytesWritten: number };

/** What newer versions have, and the types of the oldest one we run on do not know. */
interface Zstd {
  readonly createZstdDecompress?: () => ZstdStream;
  readonly zstdDecompressSync?: (bytes: Uint8Array, options: { readonly maxOutputLength: number }) => Buffer;
}
const { createZstdDecompress, zstdDecompressSync } = zlib as Zstd; // whether they are there is asked below

/** This Node.js cannot unpack it; `message` says what to do. */
export class NoZstdError extends Error {
  override readonly name = "NoZstdError";
  readonly code = "NO_ZSTD";
  constructor() {
    super("zstd needs Node.js 22.15 or newer; or unpack it first: zstd -dc FILE | thresher -");
  }
}

/** A frame with data, or one to skip, as the dictionary of a WARC file is. */
export function isZstd([a, b, c, d]: Uint8Array): boolean {
  return (a === 0x28 && b === 0xb5 && c === 0x2f && d === 0xfd) || isSkippable(a, b, c, d);
}

function isSkippable(a?: number, b?: number, c?: number, d?: number): boolean {
  return a !== undefined && a >> 4 === 5 && b === 0x2a && c === 0x4d && d === 0x18;
}

/** Throws NoZstdError, or what zlib says of damaged data. */
export function unpackZstd(bytes: Uint8Array, maxOutputLength: number): Uint8Array {
  if (zstdDecompressSync === undefined) throw new NoZstdError();
  return zstdDecompressSync(bytes, { maxOutputLength });
}

export function createZstdStream(): ZstdStream {
  if (createZstdDecompress === undefined) throw new NoZstdError();
  return createZstdDecompress();
}
