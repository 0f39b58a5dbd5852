/** Numbers that look random, the same ones for the same seed. */

/** From 0 to 1, without 1. */
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

/** A whole number from 0 to below `limit`. */
export const upTo = (random: Random, limit: number): number => Math.floor(random() * limit);

export const noise = (random: Random, length: number): Buffer =>
  Buffer.from(Array.from({ length }, () => upTo(random, 256)));

/** Of a list that is not empty. */
export const pick = <T>(random: Random, all: readonly T[]): T => all[upTo(random, all.length)]!;
