/** gzip as a packing of members: unpacked in one go where they are short, in pieces where they are long. */
import { crc32 } from "node:zlib";
import { createInflater } from "./decompress.js";
import {
  beginsRecord,
  checkTrailer,
  CUT,
  inflateMember,
  MAGIC,
  mayBeMember,
  measureHead,
  TRAILER_BYTES,
  type Sum,
} from "./inflate-member.js";
import {
  createStarter,
  KEPT_BYTES,
  NOTHING,
  type Failure,
  type PackedInput,
  type Packing,
  type Piece,
} from "./packing.js";

export const GZIP: Packing = {
  magic: MAGIC,
  unpack: inflateMember,
  stream: streamMember,
  mayBegin: mayBeMember,
  beginsRecord,
};

/** Packed bytes that zlib gets at once: what they unpack to must fit in memory. */
const PIECE_BYTES = 4096;

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
