/** Unpacks one frame of Zstandard data (RFC 8878), where this version of Node.js can: from 22.15 and 23.8 on. */
import type { Transform } from "node:stream";
import * as zlib from "node:zlib";

export type ZstdStream = Transform & { readonly bytesWritten: number };

/** Functions that newer versions of Node.js have, and that the types of the oldest supported one do not list. */
interface Zstd {
  readonly createZstdDecompress?: (options: Primed) => ZstdStream;
  readonly zstdDecompressSync?: (
    bytes: Uint8Array,
    options: Primed & { readonly maxOutputLength: number },
  ) => Buffer;
  readonly zstdCompressSync?: (bytes: Uint8Array, options?: Primed) => Buffer;
}
const { createZstdDecompress, zstdDecompressSync, zstdCompressSync } = zlib as Zstd; // each is checked for undefined below

/** The dictionary with which frames were packed, if any: it is needed to unpack them. */
export interface Primed {
  readonly dictionary?: Uint8Array;
}

/** Whether this Node.js can unpack zstd. */
export const HAS_ZSTD = createZstdDecompress !== undefined;

/** This Node.js cannot unpack it; `message` says what to do. */
export class NoZstdError extends Error {
  override readonly name = "NoZstdError";
  readonly code = "NO_ZSTD";
  constructor(message = "zstd needs Node.js 22.15 or newer; or unpack it first: zstd -dc FILE | thresher -") {
    super(message);
  }
}

/** Magic numbers of frames with data, and of frames to skip, whose last four bits may be any. */
const FRAME = 0xfd2fb528;
const SKIPPABLE = 0x184d2a50;
/** The frame to skip that holds a dictionary, by the proposal for WARC files. */
const DICTIONARY = 0x184d2a5d;
/** Bytes at the beginning of a frame to skip: its magic number, and how many bytes follow. */
export const SKIPPED_HEAD_BYTES = 8;
const MAX_BLOCK_BYTES = 1 << 17;

export const ZSTD_MAGIC = Buffer.from([0x28, 0xb5, 0x2f, 0xfd]);

export function isZstd(head: Uint8Array): boolean {
  const magic = readNumber(head);
  return magic === FRAME || isSkippable(magic);
}

/** Whether a frame begins here that holds the dictionary of all frames after it. */
export function isDictionary(head: Uint8Array): boolean {
  return readNumber(head) === DICTIONARY;
}

/** Bytes that a dictionary may have, packed or not: a hundred times what `zstd --train` makes. */
export const MAX_DICTIONARY_BYTES = 1 << 24;

/**
 * Reads a dictionary from the content of a frame that `isDictionary` accepts; it may be packed itself. Throws
 * NoZstdError where this Node.js takes no dictionary, and the error of zlib for damaged data.
 */
export function readDictionary(content: Uint8Array): Uint8Array {
  if (!takesDictionaries())
    throw new NoZstdError(
      "this file is packed with a zstd dictionary of its own, which needs Node.js 24.6 or newer; or unpack it with a tool that knows it",
    );
  return readNumber(content) === FRAME ? unpackFrame(content, MAX_DICTIONARY_BYTES) : Buffer.from(content);
}

/** Tries whether this Node.js uses dictionaries: older versions ignore one, and pack as without. */
function takesDictionaries(): boolean {
  if (zstdCompressSync === undefined) return false;
  const words = Buffer.from("What is in the dictionary need not be said again.");
  return !zstdCompressSync(words, { dictionary: words }).equals(zstdCompressSync(words));
}

/** Reads four bytes as a number, the lowest byte first. */
function readNumber([a = 0, b = 0, c = 0, d = 0]: Uint8Array): number {
  return (a | (b << 8) | (c << 16) | (d << 24)) >>> 0;
}

function isSkippable(magic: number): boolean {
  return (magic & 0xfffffff0) >>> 0 === SKIPPABLE;
}

interface FrameHead {
  /** Bytes before its first block; of a frame to skip, all of it. */
  readonly length: number;
  readonly isSkipped: boolean;
  readonly hasChecksum: boolean;
}

/** Bytes that the head of a frame may have. */
export const FRAME_HEAD_BYTES = 18;

/** Reads the head of a frame; undefined where no frame begins. */
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

/** Reads the head of a block; `length` includes it. Undefined where no block begins. */
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

/** Measures the frame at the beginning, in bytes: "cut" where it ends beyond them, "none" where none begins. */
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

/** Unpacks the first frame, as Node.js does. Throws NoZstdError, or the error of zlib for damaged data. */
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
    // For a frame that is cut or none, the error of zlib says best what is wrong.
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

export function createZstdStream(primed: Primed = {}): ZstdStream {
  if (createZstdDecompress === undefined) throw new NoZstdError();
  return createZstdDecompress(primed);
}
