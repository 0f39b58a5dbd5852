/**
 * Describes packed files: members of gzip or frames of zstd, the pieces that they unpack to, and the input they are
 * read from.
 */
import type { Chunks } from "../streams.js";

/** Where a member begins. */
export interface MemberStart {
  /** Its offset in the file. */
  readonly offset: number;
  /** Whether its first bytes are those of a WARC record. */
  readonly startsRecord: boolean;
}

/** Unpacked bytes, or the bytes themselves of a file without members. */
interface BytesPiece {
  readonly kind: "bytes";
  readonly bytes: Uint8Array;
  /** Set where a member begins with these bytes. */
  readonly member?: MemberStart;
  /** Whether the member ends after these bytes, and its checksum is right. */
  readonly isWhole: boolean;
}

/** Bytes of the file of which nothing could be unpacked. */
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

/** The result of unpacking the bytes at hand. */
export type Trial =
  | { readonly kind: "whole"; readonly bytes: Uint8Array; readonly used: number }
  /** The member is longer than the bytes at hand. */
  | { readonly kind: "long" }
  /** `bytes` were unpacked before the damage, from `used` packed bytes. */
  | { readonly kind: "damaged"; readonly bytes: Uint8Array; readonly used: number; readonly detail: string };

/** A way to pack a file as members, each of which can be read without those before it. */
export interface Packing {
  /** The bytes that every member with data begins with. */
  readonly magic: Buffer;
  /** Unpacks the member at the beginning; `isAll` says that nothing follows these bytes. */
  unpack(packed: Uint8Array, isAll: boolean): Trial;
  /** Unpacks a longer one in pieces, and drops its bytes from the input; returns where that failed, if it did. */
  stream(input: PackedInput): AsyncGenerator<Piece, Failure | undefined>;
  /** Whether bytes that begin with the magic may be a member; quick to tell. */
  mayBegin(packed: Uint8Array): boolean;
  /** Whether a WARC record begins in such a member. */
  beginsRecord(packed: Uint8Array): boolean;
}

const RECORD = Buffer.from("WARC/");
/** Bytes that show whether a record begins with them. */
const RECORD_BYTES = RECORD.length;
/** Packed bytes from which at least RECORD_BYTES can be unpacked. */
export const TRIAL_BYTES = 1024;
/**
 * Packed bytes of a longer member that are kept, to look for the next member in them when this one turns out damaged.
 */
export const KEPT_BYTES = 1 << 20;
/** Unpacked bytes up to which a member is unpacked in one go. */
export const WHOLE_OUTPUT_BYTES = 1 << 22;
export const NOTHING = new Uint8Array(0);

/** Whether these are the first bytes of a WARC record. */
export function isRecord(bytes: Uint8Array): boolean {
  return RECORD.equals(bytes.subarray(0, RECORD.length));
}

/** Makes the piece with which a member begins. */
export function startPiece(bytes: Uint8Array, offset: number, isWhole: boolean): BytesPiece {
  return { kind: "bytes", bytes, member: { offset, startsRecord: isRecord(bytes) }, isWhole };
}

/** Makes pieces of the parts of a member; the first one is long enough to show whether a record begins with it. */
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

/** The packed bytes of a file, read as far as they are needed. */
export interface PackedInput {
  readonly window: ByteWindow;
  /** Reads until so many bytes are held, or the stream is over. */
  fill(count: number): Promise<void>;
  isOver(): boolean;
  /** Throws the error that ended the stream, if there was one. */
  rethrow(): void;
  close(): Promise<void>;
}

/** `start` is the offset of the first chunk in the file. */
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

/**
 * A part of a stream that is held in memory: bytes that were read are added behind, those that are done are dropped in
 * front.
 */
export interface ByteWindow {
  /** The bytes that are held; valid until the next `append`. */
  view(): Buffer;
  /** The place in the stream of the first byte that is held. */
  start(): number;
  /** The place of the byte after the last one. */
  end(): number;
  append(bytes: Uint8Array): void;
  /** Appends bytes that are not going to change: where nothing else is held, they are not copied. */
  adopt(bytes: Uint8Array): void;
  /** Whether the bytes of the view never change, whatever is added or dropped. */
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
