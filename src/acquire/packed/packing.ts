/** Describes packed files: gzip members or zstd frames, the pieces that they unpack to, and their input. */
import type { Chunks } from "../streams.js";

/** Where a member begins. */
export interface MemberStart {
  /** Its offset in the file. */
  readonly offset: number;
  /** Whether its first bytes are those of a WARC record. */
  readonly startsRecord: boolean;
}

/** Unpacked bytes, or the original bytes of a file without members. */
interface BytesPiece {
  readonly kind: "bytes";
  readonly bytes: Uint8Array;
  /** Set if a member begins with these bytes. */
  readonly member?: MemberStart;
  /** Whether the member ends after these bytes, and its checksum is right. */
  readonly isWhole: boolean;
}

/** Bytes of the file that could not be unpacked. */
export interface GapPiece {
  readonly kind: "gap";
  /** The file offsets where reading failed, and where it continues. */
  readonly offset: number;
  readonly end: number;
  readonly detail: string;
}

export type Piece = BytesPiece | GapPiece;

/** The file offset where reading failed, and why. */
export interface Failure {
  readonly offset: number;
  readonly detail: string;
}

/** The result of unpacking the available bytes. */
export type Trial =
  | { readonly kind: "whole"; readonly bytes: Uint8Array; readonly used: number }
  /** The member is longer than the available bytes. */
  | { readonly kind: "long" }
  /** `bytes` were unpacked before the damage, from `used` packed bytes. */
  | { readonly kind: "damaged"; readonly bytes: Uint8Array; readonly used: number; readonly detail: string };

/** A format of packed members, each of which can be unpacked without those before it. */
export interface Packing {
  /** The first bytes of every member with data. */
  readonly magic: Buffer;
  /** Unpacks the first member; `isAll` means that nothing follows these bytes. */
  unpack(packed: Uint8Array, isAll: boolean): Trial;
  /** Unpacks a longer member in pieces, and drops its bytes from the input. Returns where that failed, if it did. */
  stream(input: PackedInput): AsyncGenerator<Piece, Failure | undefined>;
  /** Checks quickly whether bytes that begin with the magic number may be a member. */
  mayBegin(packed: Uint8Array): boolean;
  /** Checks whether the member begins with a WARC record, as far as its first bytes show. */
  beginsRecord(packed: Uint8Array): boolean;
}

const RECORD = Buffer.from("WARC/");
/** Bytes that are needed to recognise a record. */
const RECORD_BYTES = RECORD.length;
/** Packed bytes from which at least `RECORD_BYTES` can be unpacked. */
export const TRIAL_BYTES = 1024;
/** Packed bytes of a long member that are kept, so that the next member can be found in them if this one is damaged. */
export const KEPT_BYTES = 1 << 20;
/** Unpacked bytes up to which a member is unpacked in one go. */
export const WHOLE_OUTPUT_BYTES = 1 << 22;
export const NOTHING = new Uint8Array(0);

/** Checks for the first bytes of a WARC record. */
export function isRecord(bytes: Uint8Array): boolean {
  return RECORD.equals(bytes.subarray(0, RECORD.length));
}

/** Makes the first piece of a member. */
export function startPiece(bytes: Uint8Array, offset: number, isWhole: boolean): BytesPiece {
  return { kind: "bytes", bytes, member: { offset, startsRecord: isRecord(bytes) }, isWhole };
}

/** Makes pieces from the parts of a member. The first piece is long enough to show whether a record begins with it. */
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

/** The packed bytes of a file, read as they are needed. */
export interface PackedInput {
  readonly window: ByteWindow;
  /** Reads until `count` bytes are held, or the stream has ended. */
  fill(count: number): Promise<void>;
  isOver(): boolean;
  /** Throws the error that ended the stream, if any. */
  rethrow(): void;
  close(): Promise<void>;
}

/** `start` is the file offset of the first chunk. */
export function createInput(chunks: Chunks, start: number): PackedInput {
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

/** The part of a stream that is held in memory: bytes are appended at its end and dropped from its start. */
export interface ByteWindow {
  /** The bytes that are held; valid until the next `append`. */
  view(): Buffer;
  /** The position in the stream of the first byte that is held. */
  start(): number;
  /** The position after the last byte that is held. */
  end(): number;
  append(bytes: Uint8Array): void;
  /** Appends bytes that will not change: if the window is empty, they are not copied. */
  adopt(bytes: Uint8Array): void;
  /** Whether the bytes of the view never change, whatever is appended or dropped. */
  isLasting(): boolean;
  /** Drops all bytes before this position in the stream. */
  dropTo(place: number): void;
}

/** Room for one chunk of a file as Node.js reads it. */
const FIRST_BYTES = 65_536;

/** `start` is the position of the first byte that will be appended. */
export function createWindow(start: number): ByteWindow {
  let own = Buffer.allocUnsafe(FIRST_BYTES);
  /** Our own buffer, or an adopted one. */
  let buffer: Buffer = own;
  let from = 0;
  let to = 0;
  const append = (bytes: Uint8Array): void => {
    const held = to - from;
    const isOwn = buffer === own;
    if (!isOwn || to + bytes.length > own.length) {
      // Bytes move only if at least as many were dropped, so each is copied a bounded number of times.
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
