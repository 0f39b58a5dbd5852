/** Reads zstd as frames: a WARC file has one frame for each record. */
import type { Chunks } from "../streams.js";
import { createInflater, DamagedError } from "./decompress.js";
import { readMembers } from "./members.js";
import {
  createStarter,
  isRecord,
  KEPT_BYTES,
  NOTHING,
  WHOLE_OUTPUT_BYTES,
  type Failure,
  type PackedInput,
  type Packing,
  type Piece,
  type Trial,
} from "./packing.js";
import {
  BLOCK_HEAD_BYTES,
  CHECKSUM_BYTES,
  FRAME_HEAD_BYTES,
  isDictionary,
  MAX_DICTIONARY_BYTES,
  measureFrame,
  readBlock,
  readDictionary,
  readFrameHead,
  SKIPPED_HEAD_BYTES,
  unpackFrame,
  ZSTD_MAGIC,
  type Primed,
} from "./zstd.js";
import { codeOf } from "../../thrown.js";

const CUT = "the file ends within a zstd frame";
const NONE = "no zstd frame begins here";

/**
 * Creates the packing for one file that is read from its beginning: the first frame may hold a dictionary that all
 * others need.
 */
export function createZstd(): Packing {
  let primed: Primed = {};
  return {
    magic: ZSTD_MAGIC,
    // A dictionary may be longer than the available bytes.
    unpack: (packed, isAll) => (isDictionary(packed) ? { kind: "long" } : unpackOne(packed, isAll, primed)),
    async *stream(input) {
      if (!isDictionary(input.window.view())) return yield* streamFrame(input, primed);
      const read = await takeDictionary(input);
      if (!("dictionary" in read)) return read;
      primed = read;
      return undefined;
    },
    mayBegin: (packed) => readFrameHead(packed) !== undefined,
    // The first bytes of a frame do not show its content, but its four magic bytes are unlikely to occur by chance.
    beginsRecord: (packed) => readFrameHead(packed)?.isSkipped === false,
  };
}

async function takeDictionary(input: PackedInput): Promise<Required<Primed> | Failure> {
  const { window } = input;
  const offset = window.start();
  const length = readFrameHead(window.view())?.length ?? 0;
  if (length > MAX_DICTIONARY_BYTES)
    return { offset, detail: `the zstd dictionary is too large (${length} bytes)` };
  await input.fill(length);
  const frame = window.view().subarray(0, length);
  if (frame.length < length) return { offset, detail: CUT };
  try {
    const dictionary = readDictionary(frame.subarray(SKIPPED_HEAD_BYTES));
    window.dropTo(offset + length);
    return { dictionary };
  } catch (error) {
    const code = codeOf(error);
    if (code === "NO_ZSTD" || !(error instanceof Error) || code === undefined) throw error;
    return { offset, detail: `the zstd dictionary: ${error.message}` };
  }
}

/**
 * Checks whether a file that begins with these bytes holds WARC records; false if its first frame is longer than that.
 */
export function beginsRecordInZstd(head: Uint8Array): boolean {
  // Only WARC files have their own dictionary.
  if (isDictionary(head)) return true;
  const trial = unpackOne(head, false, {});
  return trial.kind === "whole" && isRecord(trial.bytes);
}

/** Unpacks a whole file. Throws DamagedError at the first damage. */
export async function* decompressZstd(chunks: Chunks): AsyncGenerator<Uint8Array> {
  for await (const piece of readMembers(chunks, createZstd())) {
    if (piece.kind === "gap") throw new DamagedError(piece.detail);
    if (piece.bytes.length > 0) yield piece.bytes;
  }
}

function unpackOne(packed: Uint8Array, isAll: boolean, primed: Primed): Trial {
  const used = measureFrame(packed);
  const damaged = (detail: string): Trial => ({ kind: "damaged", bytes: NOTHING, used: 0, detail });
  if (used === "none") return damaged(NONE);
  if (used === "cut") return isAll && packed.length < FRAME_HEAD_BYTES ? damaged(CUT) : { kind: "long" };
  if (readFrameHead(packed)?.isSkipped === true) return { kind: "whole", bytes: NOTHING, used };
  try {
    return { kind: "whole", bytes: unpackFrame(packed.subarray(0, used), WHOLE_OUTPUT_BYTES, primed), used };
  } catch (error) {
    const code = codeOf(error);
    if (code === "ERR_BUFFER_TOO_LARGE") return { kind: "long" };
    if (code?.startsWith("Z") !== true || !(error instanceof Error)) throw error;
    // Unpacking block by block gives everything that came before the damage.
    return { kind: "long" };
  }
}

/** Unpacks a frame block by block; each block holds at most 128 KB. */
async function* streamFrame(input: PackedInput, primed: Primed): AsyncGenerator<Piece, Failure | undefined> {
  const { window } = input;
  const offset = window.start();
  const head = readFrameHead(window.view());
  if (head === undefined) return { offset, detail: NONE };
  const toPiece = createStarter(offset);
  const inflater = createInflater("zstd", { primed });
  let at = offset;
  /** Passes the next bytes to zlib; returns what is wrong, if anything. */
  async function* feed(length: number): AsyncGenerator<Piece, string | undefined> {
    await input.fill(at - window.start() + length);
    const from = at - window.start();
    const packed = window.view().subarray(from, from + length);
    const { output, error } = await inflater.feed(packed);
    for (const part of output) {
      const piece = toPiece(part, false);
      if (piece !== undefined) yield piece;
    }
    if (error !== undefined) return error.message;
    at += packed.length;
    window.dropTo(at - KEPT_BYTES);
    return packed.length < length ? CUT : undefined;
  }
  try {
    let failure = head.isSkipped ? await skip(input, offset + head.length) : yield* feed(head.length);
    for (let isOver = head.isSkipped; !isOver && failure === undefined;) {
      await input.fill(at - window.start() + BLOCK_HEAD_BYTES);
      const from = at - window.start();
      const start = window.view().subarray(from, from + BLOCK_HEAD_BYTES);
      if (start.length < BLOCK_HEAD_BYTES) return { offset: at, detail: CUT };
      const block = readBlock(start);
      if (block === undefined) return { offset: at, detail: "no zstd block begins here" };
      isOver = block.isLast;
      failure = yield* feed(block.length + (isOver && head.hasChecksum ? CHECKSUM_BYTES : 0));
    }
    if (failure !== undefined) return { offset: at, detail: failure };
    const last = head.isSkipped ? undefined : toPiece(NOTHING, true);
    if (last !== undefined) yield last;
    window.dropTo(Math.max(at, window.start()));
    return undefined;
  } finally {
    inflater.destroy();
  }
}

/** Drops bytes up to a position; returns what is wrong, if anything. */
async function skip(input: PackedInput, place: number): Promise<string | undefined> {
  const { window } = input;
  while (window.start() < place) {
    await input.fill(1);
    if (window.view().length === 0) return CUT;
    window.dropTo(place);
  }
  return undefined;
}
