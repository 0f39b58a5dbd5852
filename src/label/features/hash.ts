/** Hashes of what the features count: FNV-1a over folded code units, finished so that its low bits are good. */

export const HASH_START = 0x811c9dc5 | 0;

/** One step of FNV-1a over a 16-bit unit. */
export function hashStep(hash: number, unit: number): number {
  return Math.imul(hash ^ unit, 0x01000193);
}

/** Joins two hashes, order-sensitive: an n-gram is the join of its parts. */
export function hashJoin(left: number, right: number): number {
  return Math.imul(Math.imul(left, 0x5bd1e995) ^ (right >>> 15) ^ right, 0x01000193);
}

/** Spreads the bits of a hash; mask the result to get a bucket. */
export function hashFinish(hash: number): number {
  const a = Math.imul(hash ^ (hash >>> 16), 0x85ebca6b);
  const b = Math.imul(a ^ (a >>> 13), 0xc2b2ae35);
  return (b ^ (b >>> 16)) >>> 0;
}
