/** zstd as a packing of frames: a WARC has one for each record. */
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
import { codeOf } from "./read-errors.js";
import type { Chunks } from "./streams.js";
import {
  BLOCK_HEAD_BYTES,
  checkDictionary,
  CHECKSUM_BYTES,
  FRAME_HEAD_BYTES,
  measureFrame,
  readBlock,
  readFrameHead,
  unpackFrame,
  ZSTD_MAGIC,
} from "./zstd.js";

const CUT = "the file ends within a zstd frame";
const NONE = "no zstd frame begins here";

export const ZSTD: Packing = {
  magic: ZSTD_MAGIC,
  unpack: unpackOne,
  stream: streamFrame,
  mayBegin: (packed) => readFrameHead(packed) !== undefined,
  // A front of a frame does not show what is in it, but four bytes are not there by chance.
  beginsRecord: (packed) => readFrameHead(packed)?.isSkipped === false,
};

/** Whether a file that begins so holds WARC records; false where its first frame is longer. */
export function beginsRecordInZstd(head: Uint8Array): boolean {
  const trial = unpackOne(head, false);
  return trial.kind === "whole" && isRecord(trial.bytes);
}

/** All that a file holds. Throws DamagedError at the first damage. */
export async function* decompressZstd(chunks: Chunks): AsyncGenerator<Uint8Array> {
  for await (const piece of readMembers(chunks, ZSTD)) {
    if (piece.kind === "gap") throw new DamagedError(piece.detail);
    if (piece.bytes.length > 0) yield piece.bytes;
  }
}

function unpackOne(packed: Uint8Array, isAll: boolean): Trial {
  checkDictionary(packed);
  const used = measureFrame(packed);
  const damaged = (detail: string): Trial => ({ kind: "damaged", bytes: NOTHING, used: 0, detail });
  if (used === "none") return damaged(NONE);
  if (used === "cut") return isAll && packed.length < FRAME_HEAD_BYTES ? damaged(CUT) : { kind: "long" };
  if (readFrameHead(packed)?.isSkipped === true) return { kind: "whole", bytes: NOTHING, used };
  try {
    return { kind: "whole", bytes: unpackFrame(packed.subarray(0, used), WHOLE_OUTPUT_BYTES), used };
  } catch (error) {
    const code = codeOf(error);
    if (code === "ERR_BUFFER_TOO_LARGE") return { kind: "long" };
    if (code?.startsWith("Z") !== true || !(error instanceof Error)) throw error;
    // What came before the damage is there block by block.
    return { kind: "long" };
  }
}

/** A frame block by block, each of which unpacks to 128 KB at most. */
async function* streamFrame(input: PackedInput): AsyncGenerator<Piece, Failure | undefined> {
  const { window } = input;
  const offset = window.start();
  const head = readFrameHead(window.view());
  if (head === undefined) return { offset, detail: NONE };
  const toPiece = createStarter(offset);
  const inflater = createInflater("zstd");
  let at = offset;
  /** Hands the next bytes to zlib. */
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

/** Drops bytes up to a place. */
async function skip(input: PackedInput, place: number): Promise<string | undefined> {
  const { window } = input;
  while (window.start() < place) {
    await input.fill(1);
    if (window.view().length === 0) return CUT;
    window.dropTo(place);
  }
  return undefined;
}
