/** What a packed file is made of: members of gzip or frames of zstd, unpacked into pieces; and the input they come from. */
import type { Chunks } from "../streams.js";

/** Where a member begins. */
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

/** Where reading failed, in the file, and why. */
export interface Failure {
  readonly offset: number;
  readonly detail: string;
}

/** What the bytes of a member at hand come to. */
export type Trial =
  | { readonly kind: "whole"; readonly bytes: Uint8Array; readonly used: number }
  /** It does not fit in what is at hand. */
  | { readonly kind: "long" }
  /** `bytes` is what came before the damage, `used` the packed bytes that it came from. */
  | { readonly kind: "damaged"; readonly bytes: Uint8Array; readonly used: number; readonly detail: string };

/** A way to pack a file in members, each of which can be read without those before it. */
export interface Packing {
  /** The bytes that every member with data begins with. */
  readonly magic: Buffer;
  /** Unpacks the member at the beginning; `isAll` says that nothing follows these bytes. */
  unpack(packed: Uint8Array, isAll: boolean): Trial;
  /** Unpacks a longer one bit by bit, and drops its bytes from the input; returns where that failed, if it did. */
  stream(input: PackedInput): AsyncGenerator<Piece, Failure | undefined>;
  /** Whether bytes that begin with the magic may be a member, told cheaply, and whether a WARC record begins in it. */
  mayBegin(packed: Uint8Array): boolean;
  beginsRecord(packed: Uint8Array): boolean;
}

const RECORD = Buffer.from("WARC/");
/** Bytes that show whether a record begins with them. */
export const RECORD_BYTES = RECORD.length;
/** Packed bytes from which so many can be unpacked. */
export const TRIAL_BYTES = 1024;
/** Packed bytes of a longer member that are kept, to look for the next one in them when this one turns out damaged. */
export const KEPT_BYTES = 1 << 20;
/** Unpacked bytes from which a member is a longer one. */
export const WHOLE_OUTPUT_BYTES = 1 << 22;
export const NOTHING = new Uint8Array(0);

/** Whether these are the first bytes of a WARC record. */
export function isRecord(bytes: Uint8Array): boolean {
  return RECORD.equals(bytes.subarray(0, RECORD.length));
}

export function startPiece(bytes: Uint8Array, offset: number, isWhole: boolean): BytesPiece {
  return { kind: "bytes", bytes, member: { offset, startsRecord: isRecord(bytes) }, isWhole };
}

/** The parts of a member, of which the first one is long enough to show whether a record begins with it. */
export function createStarter(
  offset: number,
): (part: Uint8Array, isWhole: boolean) => BytesPiece | undefined {
  let held: Uint8Array | undefined = NOTHING;
  return (part, isWhole) => {
    if (held === undefined) return { kind: "bytes", bytes: part, isWhole };
    const bytes = Buffer.concat([held, part]);
    held = bytes.length >= RECORD_BYTES || isWhole ? undefined : bytes;
    return held === undefined ? startPiece(bytes, offset, isWhole) : undefined;
  };
}

export interface PackedInput {
  readonly window: ByteWindow;
  /** Reads until so many bytes are held, or the stream is over. */
  fill(count: number): Promise<void>;
  isOver(): boolean;
  /** Throws what ended the stream, if that was an error. */
  rethrow(): void;
  close(): Promise<void>;
}

/** `start` is where in the file the first chunk stands. */
export function createInput(chunks: Chunks, start = 0): PackedInput {
  const iterator = chunks[Symbol.asyncIterator]();
  const window = createWindow(start);
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

/* MERGED src/acquire/packed/packing.ts: A stream of bytes seen through a window: what is read is added behind, what is done with is dropped in front. */

export interface ByteWindow {
  /** The bytes that are held; valid until the next `append`. */
  view(): Buffer;
  /** Where the first byte that is held stands in the stream. */
  start(): number;
  /** Where the byte after the last one stands. */
  end(): number;
  append(bytes: Uint8Array): void;
  /** The same for bytes that nobody is going to change: where nothing else is held, they stay where they are. */
  adopt(bytes: Uint8Array): void;
  /** Whether the bytes of the view stay as they are, whatever is added or dropped. */
  isLasting(): boolean;
  /** Forgets everything before this place in the stream. */
  dropTo(place: number): void;
}

/** Room for a chunk of a file as Node reads it. */
const FIRST_BYTES = 65_536;

/** `start` is the place of the first byte that is going to be added. */
export function createWindow(start = 0): ByteWindow {
  let own = Buffer.allocUnsafe(FIRST_BYTES);
  /** Our own, or adopted. */
  let buffer: Buffer = own;
  let from = 0;
  let to = 0;
  const append = (bytes: Uint8Array): void => {
    const held = to - from;
    const isOwn = buffer === own;
    if (!isOwn || to + bytes.length > own.length) {
      // Bytes move only when at least as many were dropped, so each is copied a bounded number of times.
      const hasRoom = (!isOwn || from >= held) && held + bytes.length <= own.length;
      const target = hasRoom ? own : Buffer.allocUnsafe(2 * (held + bytes.length));
      buffer.copy(target, 0, from, to);
      buffer = own = target;
      from = 0;
      to = held;
    }
    buffer.set(bytes, to);
    to += bytes.length;
  };
  return {
    view: () => buffer.subarray(from, to),
    start: () => start,
    end: () => start + to - from,
    append,
    adopt(bytes) {
      if (from < to) {
        append(bytes);
        return;
      }
      buffer = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength);
      from = 0;
      to = bytes.length;
    },
    isLasting: () => buffer !== own,
    dropTo(place) {
      const count = Math.max(0, Math.min(place - start, to - from));
      from += count;
      start += count;
      if (from === to) from = to = 0;
    },
  };
}
