/** Unpacks Zstandard frames (RFC 8878), if this version of Node.js can: from 22.15 and 23.8 on. */
import type { Transform } from "node:stream";
import * as zlib from "node:zlib";

export type ZstdStream = Transform & { readonly bytesWritten: number };

/** Functions of newer versions of Node.js, which the types of the oldest supported one do not declare. */
interface Zstd {
  readonly createZstdDecompress?: (options: Primed) => ZstdStream;
  readonly zstdDecompressSync?: (
    bytes: Uint8Array,
    options: Primed & { readonly maxOutputLength: number },
  ) => Buffer;
  readonly zstdCompressSync?: (bytes: Uint8Array, options?: Primed) => Buffer;
}
const { createZstdDecompress, zstdDecompressSync, zstdCompressSync } = zlib as Zstd; // each is checked for undefined below

/** The dictionary with which frames were packed, if any; unpacking needs it. */
export interface Primed {
  readonly dictionary?: Uint8Array;
}

/** Whether this version of Node.js can unpack zstd. */
export const HAS_ZSTD = createZstdDecompress !== undefined;

/** This version of Node.js cannot unpack the data; `message` says what to do. */
export class NoZstdError extends Error {
  override readonly name = "NoZstdError";
  readonly code = "NO_ZSTD";
  constructor(message = "zstd needs Node.js 22.15 or newer; or unpack it first: zstd -dc FILE | thresher -") {
    super(message);
  }
}

/** Magic numbers of frames with data, and of skippable frames, whose last four bits may have any value. */
const FRAME = 0xfd2fb528;
const SKIPPABLE = 0x184d2a50;
/** The skippable frame that holds a dictionary, by the proposal for WARC files. */
const DICTIONARY = 0x184d2a5d;
/** Bytes of the header of a skippable frame: its magic number and its length. */
export const SKIPPED_HEAD_BYTES = 8;
const MAX_BLOCK_BYTES = 1 << 17;

export const ZSTD_MAGIC = Buffer.from([0x28, 0xb5, 0x2f, 0xfd]);

export function isZstd(head: Uint8Array): boolean {
  const magic = readNumber(head);
  return magic === FRAME || isSkippable(magic);
}

/** Checks whether a frame begins here that holds the dictionary for all frames after it. */
export function isDictionary(head: Uint8Array): boolean {
  return readNumber(head) === DICTIONARY;
}

/** The most bytes of a dictionary, packed or not: a hundred times what `zstd --train` makes. */
export const MAX_DICTIONARY_BYTES = 1 << 24;

/**
 * Reads a dictionary from the content of a frame that `isDictionary` accepts; the dictionary may be packed itself.
 * Throws NoZstdError if this version of Node.js does not support dictionaries, and zlib's error for damaged data.
 */
export function readDictionary(content: Uint8Array): Uint8Array {
  if (!takesDictionaries())
    throw new NoZstdError(
      "this file has its own zstd dictionary, which needs Node.js 24.6 or newer; or unpack it with a tool that supports this",
    );
  return readNumber(content) === FRAME ? unpackFrame(content, MAX_DICTIONARY_BYTES) : Buffer.from(content);
}

/** Tests whether Node.js uses dictionaries: older versions ignore the option and pack as if it were absent. */
function takesDictionaries(): boolean {
  if (zstdCompressSync === undefined) return false;
  const words = Buffer.from("What is in the dictionary need not be said again.");
  return !zstdCompressSync(words, { dictionary: words }).equals(zstdCompressSync(words));
}

/** Reads four bytes as a little-endian number. */
function readNumber([a = 0, b = 0, c = 0, d = 0]: Uint8Array): number {
  return (a | (b << 8) | (c << 16) | (d << 24)) >>> 0;
}

function isSkippable(magic: number): boolean {
  return (magic & 0xfffffff0) >>> 0 === SKIPPABLE;
}

interface FrameHead {
  /** Bytes before the first block; for a skippable frame, all of its bytes. */
  readonly length: number;
  readonly isSkipped: boolean;
  readonly hasChecksum: boolean;
}

/** The most bytes of the header of a frame. */
export const FRAME_HEAD_BYTES = 18;

/** Reads the header of a frame; undefined if no frame begins here. */
export function readFrameHead(bytes: Uint8Array): FrameHead | undefined {
  const magic = readNumber(bytes);
  if (isSkippable(magic)) {
    return {
      length: SKIPPED_HEAD_BYTES + readNumber(bytes.subarray(4, 8)),
      isSkipped: true,
      hasChecksum: false,
    };
  }
  const flags = bytes[4] ?? 0;
  if (magic !== FRAME || (flags & 0x08) !== 0) return undefined;
  const isSingle = (flags & 0x20) !== 0;
  const dictionaryBytes = [0, 1, 2, 4][flags & 3] ?? 0;
  const sizeBytes = [isSingle ? 1 : 0, 2, 4, 8][flags >> 6] ?? 0;
  const length = 5 + (isSingle ? 0 : 1) + dictionaryBytes + sizeBytes;
  return { length, isSkipped: false, hasChecksum: (flags & 0x04) !== 0 };
}

export const BLOCK_HEAD_BYTES = 3;
export const CHECKSUM_BYTES = 4;

/** Reads the header of a block. `length` includes the header. Returns undefined if no block begins here. */
export function readBlock(
  bytes: Uint8Array,
): { readonly length: number; readonly isLast: boolean } | undefined {
  const [a = 0, b = 0, c = 0] = bytes;
  const head = a | (b << 8) | (c << 16);
  const type = (head >> 1) & 3;
  const size = head >> 3;
  if (type === 3 || (type !== 1 && size > MAX_BLOCK_BYTES)) return undefined;
  return { length: BLOCK_HEAD_BYTES + (type === 1 ? 1 : size), isLast: (head & 1) === 1 };
}

/**
 * Returns the length in bytes of the first frame: "cut" if the frame is longer than the bytes, "none" if no frame
 * begins here.
 */
export function measureFrame(bytes: Uint8Array): number | "cut" | "none" {
  const head = readFrameHead(bytes);
  if (head === undefined) return bytes.length < FRAME_HEAD_BYTES && isStart(bytes) ? "cut" : "none";
  let at = head.length;
  for (let isOver = head.isSkipped; !isOver;) {
    if (at + BLOCK_HEAD_BYTES > bytes.length) return "cut";
    const block = readBlock(bytes.subarray(at, at + BLOCK_HEAD_BYTES));
    if (block === undefined) return "none";
    at += block.length;
    isOver = block.isLast;
  }
  if (head.hasChecksum) at += CHECKSUM_BYTES;
  return at <= bytes.length ? at : "cut";
}

function isStart(bytes: Uint8Array): boolean {
  return bytes.length < ZSTD_MAGIC.length && ZSTD_MAGIC.subarray(0, bytes.length).equals(bytes);
}

/** Unpacks the first frame, with Node.js. Throws NoZstdError, or zlib's error for damaged data. */
export function unpackFrame(bytes: Uint8Array, maxOutputLength: number, primed: Primed = {}): Uint8Array {
  if (zstdDecompressSync === undefined) throw new NoZstdError();
  return zstdDecompressSync(bytes, { maxOutputLength, ...primed });
}

/** Unpacks all frames. Throws as `unpackFrame` does; bytes after the last whole frame are damage as well. */
export function unpackZstd(bytes: Uint8Array, maxOutputLength: number): Uint8Array {
  const parts: Uint8Array[] = [];
  let left = maxOutputLength;
  for (let rest = bytes; rest.length > 0;) {
    const length = measureFrame(rest);
    // If the frame is cut off or there is no frame, zlib's error is the best message.
    const frame = typeof length === "number" ? rest.subarray(0, length) : rest;
    if (readFrameHead(frame)?.isSkipped !== true || typeof length !== "number") {
      const part = unpackFrame(frame, Math.max(1, left));
      left -= part.length;
      parts.push(part);
    }
    rest = rest.subarray(frame.length);
  }
  return Buffer.concat(parts);
}

/** Throws NoZstdError if this version of Node.js cannot unpack zstd. */
export function createZstdStream(primed: Primed): ZstdStream {
  if (createZstdDecompress === undefined) throw new NoZstdError();
  return createZstdDecompress(primed);
}
