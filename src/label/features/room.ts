/** Keeps memory for numbers from one document to the next: fresh memory must be handed in by the system, and collected. */

/** Numbers that are kept room for; a larger document gets room of its own. */
const MOST_KEPT = 1 << 18;

export interface Room {
  /** Of this size, with whatever numbers were there last; good until the next time that room is asked for. */
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
