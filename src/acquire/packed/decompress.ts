/** Decompresses a byte stream, up to the point where it is damaged. */
import { createBrotliDecompress, createGunzip, createInflate, createInflateRaw } from "node:zlib";
import type { BrotliDecompress, Gunzip, Inflate, InflateRaw } from "node:zlib";
import { inPieces, type Chunks } from "../streams.js";
import { NOTHING } from "./packing.js";
import { createZstdStream, type Primed, type ZstdStream } from "./zstd.js";

export type Coding = "gzip" | "deflate" | "br";
/** The codings that an inflater takes: also a gzip member without its header, and one zstd frame. */
type RawCoding = Coding | "deflate-raw" | "zstd";
type Engine = Gunzip | Inflate | InflateRaw | BrotliDecompress | ZstdStream;

/**
 * Compressed bytes that zlib gets at once, always cut at the same offsets, however they were read; and the size of its
 * output chunks. Each piece goes to another thread and back, which would cost more than unpacking if pieces were small.
 */
const PIECE_BYTES = 1 << 14;
const OUTPUT_BYTES = 1 << 16;

/** The compressed data is damaged or ends too early; everything before the damage was yielded. */
export class DamagedError extends Error {
  override readonly name = "DamagedError";
}

/** Bytes that are not gzip follow the last member; the members before them are whole, and were yielded. */
export class TrailingError extends DamagedError {}

export function isGzip(head: Uint8Array): boolean {
  return head[0] === 0x1f && head[1] === 0x8b && head[2] === 0x08;
}

/** Checks for zlib's header, which "deflate" should have (RFC 9110). Many servers send the bare deflate stream. */
export function isZlib(head: Uint8Array): boolean {
  const [first = 0, second = 0] = head;
  return (first & 0x0f) === 8 && ((first << 8) | second) % 31 === 0;
}

/**
 * Values that servers send as codings although they are not: words for "no coding", charsets, types. Browsers ignore
 * them.
 */
const NO_CODING =
  /^(?:identity|none|null|plain|binary|[78]bit|(?:aws-)?chunked|[a-z]+\/[a-z0-9.+-]+|(?:charset=)?(?:utf-?(?:8|16)|(?:us-)?ascii|iso-?8859-\d{1,2}|(?:windows|cp)-?\d{3,4}|koi8-[ru]|gb(?:k|2312|18030)|big5|shift_jis|euc-(?:jp|kr)))$/;

/** The most codings that may be applied one after another. */
export const MAX_CODINGS = 3;

/** Returns the codings that a Content-Encoding names, in lower case and in the order in which they were applied. */
export function listCodings(contentEncoding: string): string[] {
  return contentEncoding
    .split(",")
    .map((name) => name.trim().toLowerCase())
    .filter((name) => name !== "" && !NO_CODING.test(name));
}

/** Bytes that show whether a body is already text. */
export const TEXT_SAMPLE_BYTES = 512;

/**
 * Checks whether bytes are text in an ASCII-compatible charset, and so not packed, whatever the response's headers say:
 * compressed data soon has control characters.
 */
export function isTextAlready(bytes: Uint8Array): boolean {
  return bytes
    .subarray(0, TEXT_SAMPLE_BYTES)
    .every(
      (byte) =>
        byte >= 0x20 || byte === 0x09 || byte === 0x0a || byte === 0x0c || byte === 0x0d || byte === 0x1b,
    );
}

export interface DecompressOptions {
  /** Output bytes after which it soon stops: 100 MB of NULs fit in 158 bytes of brotli. */
  readonly maxBytes?: number;
  /** Whether every byte before the damage is wanted; costs a second pass over the data. */
  readonly isSalvaged?: boolean;
}

/**
 * Decompresses a stream; gzip may have several members, and NULs between them. Throws DamagedError; a TrailingError only
 * if `isSalvaged` is set.
 */
export async function* decompress(
  chunks: Chunks,
  coding: Coding,
  { maxBytes = Number.POSITIVE_INFINITY, isSalvaged = false }: DecompressOptions = {},
): AsyncGenerator<Uint8Array> {
  let ahead: Inflater | undefined;
  // zlib drops the output of a piece if it finds damage in it. This inflater runs one piece behind, so that it can take
  // the bad piece byte by byte.
  let behind: Inflater | undefined;
  let previous: Uint8Array | undefined;
  let total = 0;
  /** Bytes that `ahead` was given. */
  let fed = 0;
  let isPadded = false;
  try {
    for await (let piece of inPieces(chunks, PIECE_BYTES)) {
      if (isPadded && ahead === undefined) piece = dropNuls(piece);
      while (piece.length > 0) {
        ahead ??= createInflater(coding, { head: piece, maxBytes });
        if (isSalvaged) behind ??= createInflater(coding, { head: piece, maxBytes });
        const [{ output, error, isOver }] = await Promise.all([
          ahead.feed(piece),
          previous && behind?.feed(previous),
        ]);
        previous = piece;
        fed += piece.length;
        for (const part of output) {
          total += part.length;
          yield part;
        }
        if (error !== undefined) {
          if (behind !== undefined) yield* pickCrumbs(behind, piece, Buffer.concat(output).length);
          throw behind !== undefined && error.message === NO_MEMBER ? trailing(error) : damaged(error);
        }
        if (total > maxBytes || (isOver && coding !== "gzip")) return;
        const left = fed - ahead.consumed();
        if (left === 0 || coding !== "gzip") break;
        // Node.js ends at a NUL after a member, and says nothing of what follows.
        ahead.destroy();
        behind?.destroy();
        ahead = behind = previous = undefined;
        fed = 0;
        isPadded = true;
        piece = dropNuls(piece.subarray(-left));
      }
    }
    if (ahead === undefined) return;
    const { output, error } = await ahead.feed(undefined);
    yield* output;
    if (error === undefined) return;
    const isOneMore =
      behind !== undefined &&
      previous !== undefined &&
      previous.at(-1) !== MAGIC_START &&
      ((isPadded && fed === 1) || (await endsBeforeLast(behind, previous)));
    throw isOneMore ? trailing(error) : damaged(error);
  } finally {
    ahead?.destroy();
    behind?.destroy();
  }
}

/** What zlib says of bytes after a member that do not begin another one. */
const NO_MEMBER = "incorrect header check";
/** The first byte of a gzip member. */
const MAGIC_START = 0x1f;

function damaged(cause: Error): DamagedError {
  return new DamagedError(cause.message, { cause });
}

function trailing(cause: Error): TrailingError {
  return new TrailingError("the bytes after the last gzip member are not gzip, and were not read", { cause });
}

function dropNuls(piece: Uint8Array): Uint8Array {
  const at = piece.findIndex((byte) => byte !== 0);
  return piece.subarray(at === -1 ? piece.length : at);
}

/** Checks whether the data would be whole without its last byte: zlib waits for a second one before it refuses it. */
async function endsBeforeLast(behind: Inflater, last: Uint8Array): Promise<boolean> {
  if (last.length > 1) await behind.feed(last.subarray(0, -1));
  return (await behind.feed(undefined)).error === undefined;
}

/** Unpacks a bad piece byte by byte up to the damage, and skips what was already yielded. */
async function* pickCrumbs(
  behind: Inflater,
  piece: Uint8Array,
  delivered: number,
): AsyncGenerator<Uint8Array> {
  let skip = delivered;
  for (let at = 0; at < piece.length; at += 1) {
    const { output, error } = await behind.feed(piece.subarray(at, at + 1));
    for (const part of output) {
      if (part.length > skip) yield part.subarray(skip);
      skip = Math.max(0, skip - part.length);
    }
    if (error !== undefined) return;
  }
}

function createEngine(coding: RawCoding, { head = NOTHING, primed = {} }: InflaterOptions): Engine {
  if (coding === "gzip") return createGunzip({ chunkSize: OUTPUT_BYTES });
  if (coding === "deflate-raw") return createInflateRaw();
  if (coding === "br") return createBrotliDecompress();
  if (coding === "zstd") return createZstdStream(primed);
  return isZlib(head) ? createInflate() : createInflateRaw();
}

interface FeedResult {
  readonly output: readonly Uint8Array[];
  readonly error?: Error;
  /** Whether it is finished: the stream has ended, or gave more than `maxBytes`. */
  readonly isOver: boolean;
}

/** A decompressor that takes one piece at a time. */
interface Inflater {
  /** Takes one piece, or `undefined` for the end, and returns all output of it. */
  feed(piece: Uint8Array | undefined): Promise<FeedResult>;
  /** Bytes that it used; at the end, the offset where the compressed data ended. */
  consumed(): number;
  destroy(): void;
}

interface InflaterOptions {
  /** The first bytes, for "deflate", which may or may not have zlib's header. */
  readonly head?: Uint8Array;
  readonly maxBytes?: number;
  /** The dictionary, for zstd. */
  readonly primed?: Primed;
}

/** Drives a zlib stream by hand, because its own iterator drops output if an error follows. */
export function createInflater(coding: RawCoding, options: InflaterOptions = {}): Inflater {
  const { maxBytes = Number.POSITIVE_INFINITY } = options;
  const engine = createEngine(coding, options);
  let output: Uint8Array[] = [];
  let length = 0;
  let isOver = false;
  let failure: Error | undefined;
  let settle = (): void => undefined;
  engine.on("data", (part: Uint8Array) => {
    if (isOver) return;
    output.push(part);
    length += part.length;
    if (length <= maxBytes) return;
    isOver = true;
    engine.destroy();
    settle();
  });
  engine.on("end", () => {
    isOver = true;
    settle();
  });
  engine.on("error", (error: Error) => {
    failure ??= error;
    settle();
  });
  return {
    feed: (piece) =>
      new Promise((resolve) => {
        output = [];
        settle = () => {
          resolve({ output, isOver, ...(failure === undefined ? {} : { error: failure }) });
        };
        if (failure !== undefined || isOver) settle();
        else if (piece === undefined) engine.end();
        // An error has its own event, so the callback must not settle then.
        else
          engine.write(piece, (error) => {
            if (error === null || error === undefined) settle();
          });
      }),
    consumed: () => engine.bytesWritten,
    destroy() {
      engine.destroy();
    },
  };
}
