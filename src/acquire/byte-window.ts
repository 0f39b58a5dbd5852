/** A stream of bytes seen through a window: what is read is added behind, what is done with is dropped in front. */

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
