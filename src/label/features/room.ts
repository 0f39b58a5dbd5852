/** Reuses one buffer of floats from document to document, because allocating and collecting a new one costs time. */

/** The most floats of the reused buffer; larger requests get a new array. */
const MOST_KEPT = 1 << 18;

export interface Room {
  /** Returns an array of this size with arbitrary content; it is valid until the next call. */
  take(size: number): Float32Array;
}

export function createRoom(): Room {
  let kept = new Float32Array(0);
  return {
    take(size) {
      if (size > MOST_KEPT) return new Float32Array(size);
      if (kept.length < size) kept = new Float32Array(Math.min(MOST_KEPT, Math.max(size, 2 * kept.length)));
      return kept.subarray(0, size);
    },
  };
}
