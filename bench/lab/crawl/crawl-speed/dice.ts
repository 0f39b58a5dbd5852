/** Draws pseudo-random numbers; the same seed gives the same numbers. */

/** Returns an integer from 0 up to, but not including, `limit`. */
export type Dice = (limit: number) => number;

/** Mulberry32; each returned generator has a state of its own. */
export function createDice(seed: number): Dice {
  let state = seed;
  return (limit) => {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), state | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return Math.floor((((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32) * limit);
  };
}
