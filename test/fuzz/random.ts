/** Makes pseudo-random numbers, the same ones for the same seed. */

/** Returns a number from 0 to below 1. */
export type Random = () => number;

export function createRandom(seed: number): Random {
  let state = seed;
  return () => {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), state | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  };
}

/** Returns a whole number from 0 to below `limit`. */
export const upTo = (random: Random, limit: number): number => Math.floor(random() * limit);

export const noise = (random: Random, length: number): Buffer =>
  Buffer.from(Array.from({ length }, () => upTo(random, 256)));

/** Picks an item of a list that is not empty. */
export const pick = <T>(random: Random, all: readonly T[]): T => all[upTo(random, all.length)]!;
