/** Draws numbers, bytes and items with a generator of pseudo-random numbers. */
import type { Random } from "../../src/random.js";

/** Returns a whole number from 0 to below `limit`. */
export const upTo = (random: Random, limit: number): number => Math.floor(random() * limit);

export const noise = (random: Random, length: number): Buffer =>
  Buffer.from(Array.from({ length }, () => upTo(random, 256)));

/** Picks an item of a list that is not empty. */
export const pick = <T>(random: Random, all: readonly T[]): T => all[upTo(random, all.length)]!;
