/** Generates pseudo-random numbers that depend only on a seed. */

/** Returns the next number, in [0, 1). */
export type Random = () => number;

/** The mulberry32 generator (Tommy Ettinger 2017): a counter that is mixed, with 32 bits of state. */
export function createRandom(seed: number): Random {
  let state = seed >>> 0;
  return () => {
    state = (state + 0x6d2b79f5) >>> 0;
    let mixed = Math.imul(state ^ (state >>> 15), state | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  };
}

/** Returns a copy in random order (Fisher–Yates shuffle). */
export function shuffle<T>(values: readonly T[], random: Random): T[] {
  const shuffled = [...values];
  for (let last = shuffled.length - 1; last > 0; last -= 1) {
    const other = Math.floor(random() * (last + 1));
    // Both indexes are within the list.
    [shuffled[last], shuffled[other]] = [shuffled[other] as T, shuffled[last] as T];
  }
  return shuffled;
}
