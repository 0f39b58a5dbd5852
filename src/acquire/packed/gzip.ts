/** Reads gzip as members (RFC 1952), each of which can be unpacked on its own. */
import { constants, crc32, inflateRawSync, type InflateRaw } from "node:zlib";
import { createInflater } from "./decompress.js";
import {
  isRecord,
  NOTHING,
  TRIAL_BYTES,
  WHOLE_OUTPUT_BYTES,
  type Trial,
  createStarter,
  KEPT_BYTES,
  type Failure,
  type PackedInput,
  type Packing,
  type Piece,
} from "./packing.js";
import { codeOf } from "../../thrown.js";

/** The first bytes of a gzip member packed by deflate, the only method that exists. */
const MAGIC = Buffer.from([0x1f, 0x8b, 0x08]);
/** Bytes of the checksum and the length at the end of a member. */
const TRAILER_BYTES = 8;
const CUT = "the file ends within a gzip member";
/** Sizes of zlib's output buffers: one that fits if the length is known, otherwise several. */
const BLOCK_BYTES = { least: 64, usual: 1 << 16, most: 1 << 20 };

/** Packed bytes that zlib gets at once: their unpacked bytes must fit in memory. */
const PIECE_BYTES = 4096;

/** Unpacks short members in one go, long ones in pieces. */
export const GZIP: Packing = {
  magic: MAGIC,
  unpack: inflateMember,
  stream: streamMember,
  mayBegin: mayBeMember,
  beginsRecord,
};

/** Unpacks the first member; `isAll` means that nothing follows these bytes. */
function inflateMember(packed: Uint8Array, isAll: boolean): Trial {
  const head = measureHead(packed);
  if (typeof head !== "number") return { kind: "damaged", bytes: NOTHING, used: 0, detail: head.detail };
  const body = packed.subarray(head);
  try {
    const { bytes, used } = inflate(body, WHOLE_OUTPUT_BYTES);
    if (body.length < used + TRAILER_BYTES) {
      if (!isAll) return { kind: "long" };
      return { kind: "damaged", bytes, used: head + used, detail: CUT };
    }
    const detail = checkTrailer(body.subarray(used), { crc: crc32(bytes), length: bytes.length });
    if (detail !== undefined) return { kind: "damaged", bytes, used: head + used, detail };
    return { kind: "whole", bytes, used: head + used + TRAILER_BYTES };
  } catch (error) {
    const code = codeOf(error);
    if (code === "ERR_BUFFER_TOO_LARGE" || (code === "Z_BUF_ERROR" && !isAll)) return { kind: "long" };
    if (code?.startsWith("Z_") !== true || !(error instanceof Error)) throw error;
    const { bytes, used } = inflateFront(body);
    return {
      kind: "damaged",
      bytes,
      used: head + used,
      detail: code === "Z_BUF_ERROR" ? CUT : error.message,
    };
  }
}

/**
 * Unpacks the first member of a body that has other bytes after it, like a line break that a server's script prints
 * last. `error` is zlib's. Returns undefined for any other error, or if the member is too long to unpack in one go.
 */
export function unpackFirst(packed: Uint8Array, error: unknown): Uint8Array | undefined {
  if (!(error instanceof Error) || !FOLLOWED.has(error.message)) return undefined;
  const trial = inflateMember(packed, true);
  if (trial.kind !== "whole") return undefined;
  const rest = packed.subarray(trial.used, trial.used + MAGIC.length);
  // What follows may also be the next member, or the beginning of one that is cut off.
  return MAGIC.subarray(0, rest.length).equals(rest) ? undefined : trial.bytes;
}

/** What zlib says of other bytes after a member; the second message is for a single byte. */
const FOLLOWED: ReadonlySet<string> = new Set(["incorrect header check", "unexpected end of file"]);

interface Inflated {
  readonly bytes: Uint8Array;
  readonly used: number;
}

function inflate(body: Uint8Array, maxOutputLength: number, finishFlush = constants.Z_FINISH): Inflated {
  const chunkSize = guessLength(body);
  const options = { info: true, maxOutputLength, finishFlush, chunkSize };
  // With `info`, the function returns this object, which its types do not declare.
  const { buffer, engine } = inflateRawSync(body, options) as unknown as {
    readonly buffer: Uint8Array;
    readonly engine: InflateRaw;
  };
  return { bytes: buffer, used: engine.bytesWritten };
}

/**
 * Guesses the unpacked length of a member, and adds one: its trailer states the length, if the next member begins where
 * it seems to. A wrong guess only costs memory.
 */
function guessLength(body: Uint8Array): number {
  const next = Buffer.from(body.buffer, body.byteOffset, body.byteLength).indexOf(MAGIC, TRAILER_BYTES);
  const end = next === -1 ? body.length : next;
  if (end < TRAILER_BYTES) return BLOCK_BYTES.least;
  const stated = new DataView(body.buffer, body.byteOffset + end - 4, 4).getUint32(0, true);
  return stated < BLOCK_BYTES.most ? Math.max(stated + 1, BLOCK_BYTES.least) : BLOCK_BYTES.usual;
}

/** Finds the longest prefix of damaged data that can be unpacked, because zlib returns nothing for all of it. */
function inflateFront(body: Uint8Array): Inflated {
  let good: Inflated = { bytes: NOTHING, used: 0 };
  let low = 0;
  let high = body.length;
  while (low < high) {
    const middle = Math.ceil((low + high) / 2);
    try {
      good = inflate(body.subarray(0, middle), WHOLE_OUTPUT_BYTES, constants.Z_SYNC_FLUSH);
      low = middle;
    } catch (error) {
      if (codeOf(error) === undefined) throw error;
      high = middle - 1;
    }
  }
  return good;
}

/** Unpacks a long member in pieces. */
async function* streamMember(input: PackedInput): AsyncGenerator<Piece, Failure | undefined> {
  const { window } = input;
  const offset = window.start();
  const head = measureHead(window.view());
  if (typeof head !== "number") return { offset, detail: head.detail };
  const body = offset + head;
  const toPiece = createStarter(offset);
  const inflater = createInflater("deflate-raw");
  let sum: Sum = { crc: 0, length: 0 };
  try {
    for (let at = body; ;) {
      window.dropTo(at - KEPT_BYTES);
      await input.fill(at - window.start() + PIECE_BYTES);
      const from = at - window.start();
      const packed = window.view().subarray(from, from + PIECE_BYTES);
      if (packed.length === 0) return { offset: at, detail: CUT };
      const { output, error, isOver } = await inflater.feed(packed);
      for (const part of output) {
        sum = { crc: crc32(part, sum.crc), length: sum.length + part.length };
        const piece = toPiece(part, false);
        if (piece !== undefined) yield piece;
      }
      if (error !== undefined) return { offset: at, detail: error.message };
      at += packed.length;
      if (!isOver) continue;
      const end = body + inflater.consumed();
      await input.fill(end - window.start() + TRAILER_BYTES);
      const trailer = window.view().subarray(end - window.start());
      if (trailer.length < TRAILER_BYTES) return { offset: end, detail: CUT };
      const detail = checkTrailer(trailer, sum);
      if (detail !== undefined) return { offset: end, detail };
      const last = toPiece(NOTHING, true);
      if (last !== undefined) yield last;
      window.dropTo(end + TRAILER_BYTES);
      return undefined;
    }
  } finally {
    inflater.destroy();
  }
}

/** Returns the length in bytes of a member's header (RFC 1952), or says what is wrong with it. */
function measureHead(packed: Uint8Array): number | { readonly detail: string } {
  if (!MAGIC.equals(packed.subarray(0, MAGIC.length))) return { detail: "no gzip member begins here" };
  const flags = packed[3] ?? 0;
  if (flags > 0x1f) return { detail: "a gzip header with unknown flags" };
  let at = 10;
  if ((flags & 0x04) !== 0) at += 2 + (packed[at] ?? 0) + ((packed[at + 1] ?? 0) << 8);
  // The name and then the comment end with a NUL.
  for (const flag of [0x08, 0x10]) {
    if ((flags & flag) === 0) continue;
    const end = packed.indexOf(0, at);
    if (end === -1) return { detail: "a gzip header that does not end" };
    at = end + 1;
  }
  if ((flags & 0x02) !== 0) at += 2;
  return at <= packed.length ? at : { detail: "the file ends within a gzip header" };
}

interface Sum {
  readonly crc: number;
  readonly length: number;
}

/** Checks the checksum and the length at the end of a member; returns what is wrong, if anything. */
function checkTrailer(bytes: Uint8Array, { crc, length }: Sum): string | undefined {
  const trailer = new DataView(bytes.buffer, bytes.byteOffset, TRAILER_BYTES);
  if (trailer.getUint32(0, true) !== crc) return "the checksum of a gzip member is wrong";
  return trailer.getUint32(4, true) === length % 2 ** 32 ? undefined : "the length of a gzip member is wrong";
}

/**
 * Checks whether a gzip member may begin with these bytes. Most cannot, and trying with zlib takes a hundred times
 * longer.
 */
function mayBeMember(packed: Uint8Array): boolean {
  const head = measureHead(packed);
  return typeof head === "number" && mayBeDeflate(packed.subarray(head));
}

/** Checks whether a gzip stream that begins with these bytes holds WARC records. */
export function beginsRecord(packed: Uint8Array): boolean {
  const head = measureHead(packed);
  if (typeof head !== "number") return false;
  try {
    const options = { finishFlush: constants.Z_SYNC_FLUSH, chunkSize: 4096 };
    return isRecord(inflateRawSync(packed.subarray(head, head + TRIAL_BYTES), options));
  } catch (error) {
    if (codeOf(error)?.startsWith("Z_") !== true) throw error;
    return false;
  }
}

/** Checks whether the first deflate block can begin with these bytes (RFC 1951). */
function mayBeDeflate([first = 0, second = 0, third = 0, fourth = 0, fifth = 0]: Uint8Array): boolean {
  const type = (first >> 1) & 3;
  if (type === 0) return second === (fourth ^ 0xff) && third === (fifth ^ 0xff);
  // A block with its own tables: 257 to 286 codes for literals and lengths, 1 to 30 for distances.
  return type === 1 || (type === 2 && first >> 3 <= 29 && (second & 0x1f) <= 29);
}
