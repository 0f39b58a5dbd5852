/**
 * Computes signatures of texts, by which texts that share runs of words are found.
 *
 * MinHash (Broder 1997) over the set of all runs of five words, with locality-sensitive hashing in 14 bands of 8
 * values, as for FineWeb (Penedo et al. 2024, section 3.5). Two texts with a Jaccard similarity s share a band with a
 * probability of 1 − (1 − s^8)^14: .05 at .5, .57 at .7, .92 at .8, 1 at .9. Texts that share a band are then compared
 * by their whole signatures, which keep eight bits of each value (b-bit minwise hashing, Li and König 2010). They count
 * as similar from an estimated similarity of .72 on, where the probability of the bands turns; so pairs at .5 are
 * hardly ever taken.
 */
import { hashRun, mix, type Terms } from "../terms.js";
import { digest } from "./digest-table.js";

export const BANDS = 14;
const VALUES_A_BAND = 8;
const VALUES = BANDS * VALUES_A_BAND;
/** The bytes of `Signature.bits`: one for each value. */
export const SIGNATURE_BYTES = VALUES;
const RUN_WORDS = 5;
/** (1 / 14)^(1 / 8). */
export const LEAST_SIMILARITY = 0.72;

/** One seed for each value, which gives it its own order of the runs. Multiples of an odd number are all different. */
const SEEDS = Uint32Array.from({ length: VALUES }, (_, value) => mix(Math.imul(value + 1, 0x9e3779b1)));

export interface Signature {
  /** The lowest eight bits of each value. */
  readonly bits: Uint8Array;
  /** A key for each band. */
  readonly bands: readonly Uint8Array[];
}

/** Computes the signature; undefined if there are no words. A text with fewer than five words is one run. */
export function signTerms(terms: Terms): Signature | undefined {
  if (terms.count === 0) return undefined;
  const size = Math.min(RUN_WORDS, terms.count);
  const values = new Uint32Array(VALUES).fill(0xffffffff);
  const seen = new Set<number>();
  for (let at = 0; at + size <= terms.count; at += 1) {
    const run = hashRun(terms, at, size);
    if (seen.has(run)) continue;
    if (seen.size < MOST_REMEMBERED) seen.add(run);
    for (let value = 0; value < VALUES; value += 1) {
      const order = mix(run ^ (SEEDS[value] ?? 0));
      if (order < (values[value] ?? 0)) values[value] = order;
    }
  }
  return { bits: Uint8Array.from(values, (value) => value & 0xff), bands: readBands(values) };
}

/** Runs that are remembered so that each is hashed only once, which saves time and does not change the result. */
const MOST_REMEMBERED = 100_000;

function readBands(values: Uint32Array): Uint8Array[] {
  return Array.from({ length: BANDS }, (_, band) => {
    const bytes = Buffer.alloc(1 + VALUES_A_BAND * 4);
    bytes[0] = band;
    for (let value = 0; value < VALUES_A_BAND; value += 1)
      bytes.writeUInt32LE(values[band * VALUES_A_BAND + value] ?? 0, 1 + value * 4);
    return digest(bytes);
  });
}

/** Counts the values that two signatures have in common. */
export function countEqual(one: Uint8Array, other: Uint8Array): number {
  let equal = 0;
  for (let value = 0; value < VALUES; value += 1) if (one[value] === other[value]) equal += 1;
  return equal;
}

/** Estimates the Jaccard similarity of two texts from the number of equal values, ± .04. */
export function toSimilarity(equal: number): number {
  // One value in 256 is equal by chance.
  const chance = 1 / 256;
  return Math.max(0, (equal / VALUES - chance) / (1 - chance));
}

/** Estimates the Jaccard similarity of two texts from the bits of their signatures. */
export function compareBits(one: Uint8Array, other: Uint8Array): number {
  return toSimilarity(countEqual(one, other));
}
