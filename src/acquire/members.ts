/** A gzip file into its members, each with its offset in the file, and into the gaps that damage tears between them. */
import { crc32 } from "node:zlib";
import { createWindow, type ByteWindow } from "./byte-window.js";
import { createInflater } from "./decompress.js";
import {
  beginsRecord,
  checkTrailer,
  CUT,
  inflateMember,
  isRecord,
  MAGIC,
  mayBeMember,
  RECORD_BYTES,
  TRAILER_BYTES,
  TRIAL_BYTES,
  type Sum,
} from "./inflate-member.js";
import type { Chunks } from "./streams.js";

/** Where a gzip member begins. */
export interface MemberStart {
  /** In the file. */
  readonly offset: number;
  /** Whether its first bytes are those of a WARC record. */
  readonly startsRecord: boolean;
}

/** Unpacked bytes; of a file without members, the bytes themselves. */
export interface BytesPiece {
  readonly kind: "bytes";
  readonly bytes: Uint8Array;
  /** Set where a member begins with these bytes. */
  readonly member?: MemberStart;
  /** The member ends after these bytes, and its checksum is right. */
  readonly isWhole: boolean;
}

/** Bytes of the file that gave nothing. */
export interface GapPiece {
  readonly kind: "gap";
  /** Where reading failed, and where it goes on, in the file. */
  readonly offset: number;
  readonly end: number;
  readonly detail: string;
}

export type Piece = BytesPiece | GapPiece;

/** A member of at most so many bytes is unpacked in one go; a longer one bit by bit. */
const WHOLE_BYTES = 1 << 19;
/** Packed bytes that zlib gets at once of a longer member: what they unpack to must fit in memory. */
const PIECE_BYTES = 4096;
/** Packed bytes of a longer member that are kept, to look for the next one in them when this one turns out damaged. */
const KEPT_BYTES = 1 << 20;
const NOTHING = new Uint8Array(0);
/** Places that look like a member and are none, after which the rest of the file is given up: made to waste our time. */
const MAX_TRIALS = 50_000;

/** Throws what the stream throws, after everything that came before it. */
export async function* readMembers(chunks: Chunks): AsyncGenerator<Piece> {
  const input = createInput(chunks);
  try {
    for (;;) {
      await input.fill(WHOLE_BYTES);
      const packed = input.window.view();
      if (packed.length === 0) break;
      const offset = input.window.start();
      const trial = inflateMember(packed, input.isOver());
      let failure: Failure | undefined;
      if (trial.kind === "whole") {
        yield startPiece(trial.bytes, offset, true);
        input.window.dropTo(offset + trial.used);
      } else if (trial.kind === "long") failure = yield* streamMember(input, offset + trial.headBytes);
      else {
        const isEmpty = trial.bytes.length === 0;
        if (!isEmpty) yield startPiece(trial.bytes, offset, false);
        failure = { offset: isEmpty ? offset : offset + trial.used, detail: trial.detail };
      }
      if (failure === undefined) continue;
      input.window.dropTo(offset + 1);
      const isFound = await findMember(input);
      const end = input.window.start();
      yield { kind: "gap", ...failure, offset: Math.min(failure.offset, end), end };
      if (!isFound) break;
    }
    input.rethrow();
  } finally {
    await input.close();
  }
}

interface Failure {
  readonly offset: number;
  readonly detail: string;
}

function startPiece(bytes: Uint8Array, offset: number, isWhole: boolean): BytesPiece {
  return { kind: "bytes", bytes, member: { offset, startsRecord: isRecord(bytes) }, isWhole };
}

interface Input {
  readonly window: ByteWindow;
  /** Reads until so many bytes are held, or the stream is over. */
  fill(count: number): Promise<void>;
  isOver(): boolean;
  /** Throws what ended the stream, if that was an error. */
  rethrow(): void;
  close(): Promise<void>;
}

function createInput(chunks: Chunks): Input {
  const iterator = chunks[Symbol.asyncIterator]();
  const window = createWindow();
  let isOver = false;
  let failure: { readonly error: unknown } | undefined;
  return {
    window,
    isOver: () => isOver,
    async fill(count) {
      while (!isOver && window.end() - window.start() < count) {
        try {
          const step = await iterator.next();
          if (step.done === true) isOver = true;
          else window.append(step.value);
        } catch (error) {
          failure = { error };
          isOver = true;
        }
      }
    },
    rethrow() {
      if (failure !== undefined) throw failure.error;
    },
    async close() {
      await iterator.return?.();
    },
  };
}

/** A member that is too long to be held, in pieces; returns where it failed, if it did. */
async function* streamMember(input: Input, body: number): AsyncGenerator<Piece, Failure | undefined> {
  const { window } = input;
  const offset = window.start();
  const inflater = createInflater("deflate-raw");
  let at = body;
  let sum: Sum = { crc: 0, length: 0 };
  let first: Uint8Array | undefined = NOTHING;
  try {
    for (;;) {
      window.dropTo(at - KEPT_BYTES);
      await input.fill(at - window.start() + PIECE_BYTES);
      const from = at - window.start();
      const packed = window.view().subarray(from, from + PIECE_BYTES);
      if (packed.length === 0) return { offset: at, detail: CUT };
      const { output, error, isOver } = await inflater.feed(packed);
      for (const part of output) {
        sum = { crc: crc32(part, sum.crc), length: sum.length + part.length };
        const bytes: Uint8Array = first === undefined ? part : Buffer.concat([first, part]);
        if (first === undefined) yield { kind: "bytes", bytes, isWhole: false };
        // Whether it begins a record shows as soon as there are enough bytes of it.
        else if (bytes.length >= RECORD_BYTES) yield startPiece(bytes, offset, false);
        first = first === undefined || bytes.length >= RECORD_BYTES ? undefined : bytes;
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
      yield first === undefined
        ? { kind: "bytes", bytes: NOTHING, isWhole: true }
        : startPiece(first, offset, true);
      window.dropTo(end + TRAILER_BYTES);
      return undefined;
    }
  } finally {
    inflater.destroy();
  }
}

/** Drops bytes up to the next member that begins a record; false where there is none, and nothing is left. */
async function findMember(input: Input): Promise<boolean> {
  const { window } = input;
  for (let trials = 0; trials < MAX_TRIALS;) {
    await input.fill(TRIAL_BYTES);
    const view = window.view();
    const at = view.indexOf(MAGIC);
    // The last two bytes may be the first of a magic number.
    window.dropTo(window.start() + (at === -1 ? Math.max(1, view.length - MAGIC.length + 1) : at));
    if (at === -1 && input.isOver()) window.dropTo(window.end());
    if (window.end() === window.start() && input.isOver()) return false;
    if (at === -1) continue;
    await input.fill(TRIAL_BYTES);
    const packed = window.view().subarray(0, TRIAL_BYTES);
    if (mayBeMember(packed)) {
      if (beginsRecord(packed)) return true;
      trials += 1;
    }
    window.dropTo(window.start() + 1);
  }
  while (window.end() > window.start()) {
    window.dropTo(window.end());
    await input.fill(1);
  }
  return false;
}
