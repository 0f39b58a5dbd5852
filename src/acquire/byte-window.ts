/** A stream of bytes seen through a window: what is read is added behind, what is done with is dropped in front. */

export interface ByteWindow {
  /** The bytes that are held; valid until the next `append`. */
  view(): Buffer;
  /** Where the first byte that is held stands in the stream. */
  start(): number;
  /** Where the byte after the last one stands. */
  end(): number;
  append(bytes: Uint8Array): void;
  /** Forgets everything before this place in the stream. */
  dropTo(place: number): void;
}

/** Room for a chunk of a file as Node reads it. */
const FIRST_BYTES = 65_536;

/** `start` is the place of the first byte that is going to be added. */
export function createWindow(start = 0): ByteWindow {
  let buffer = Buffer.allocUnsafe(FIRST_BYTES);
  let from = 0;
  let to = 0;
  return {
    view: () => buffer.subarray(from, to),
    start: () => start,
    end: () => start + to - from,
    append(bytes) {
      const held = to - from;
      if (to + bytes.length > buffer.length) {
        // Bytes move only when at least as many were dropped, so each is copied a bounded number of times.
        const target =
          from >= held && held + bytes.length <= buffer.length
            ? buffer
            : Buffer.allocUnsafe(2 * (held + bytes.length));
        buffer.copy(target, 0, from, to);
        buffer = target;
        from = 0;
        to = held;
      }
      buffer.set(bytes, to);
      to += bytes.length;
    },
    dropTo(place) {
      const count = Math.max(0, Math.min(place - start, to - from));
      from += count;
      start += count;
      if (from === to) from = to = 0;
    },
  };
}
