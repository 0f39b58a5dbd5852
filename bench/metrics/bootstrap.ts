/** Resamples documents to estimate how far a score would change on other documents of the same kind. */
import type { Score } from "./fractions.js";

const SAMPLES = 1000;
const SEED = 1;
/** Fewer documents get no interval, which would suggest more than is known. */
export const FEWEST_RESAMPLED = 5;

export interface ResamplingOptions {
  readonly samples?: number;
  readonly seed?: number;
}

export interface Interval {
  readonly value: Score;
  /** The 2.5th and 97.5th percentile of the resampled scores; null if no sample had a score. */
  readonly low: Score;
  readonly high: Score;
}

/** Returns a generator of numbers in [0, 1) from a seed: mulberry32, which gives the same numbers on every platform. */
export function seededRandom(seed: number): () => number {
  let state = seed >>> 0;
  return () => {
    state = (state + 0x6d2b79f5) >>> 0;
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4294967296;
  };
}

/**
 * Computes percentile intervals over documents drawn with replacement (Efron 1979). `score` gets a sample of documents
 * and returns all scores of it, so that one resampling serves all scores.
 */
export function bootstrap<T, K extends string>(
  documents: readonly T[],
  score: (sample: readonly T[]) => Readonly<Record<K, Score>>,
  { samples = SAMPLES, seed = SEED }: ResamplingOptions = {},
): Record<K, Interval> {
  const values = score(documents);
  const names = Object.keys(values) as K[]; // the keys of a Record<K, …>
  const resampled = new Map<K, number[]>(names.map((name) => [name, []]));
  const random = seededRandom(seed);
  for (let round = 0; round < samples && documents.length > 0; round += 1) {
    const sample = score(draw(documents, random));
    for (const name of names) if (sample[name] !== null) resampled.get(name)?.push(sample[name]);
  }
  const interval = (name: K): Interval => {
    const sorted = (resampled.get(name) ?? []).sort((a, b) => a - b);
    return { value: values[name], low: percentile(sorted, 0.025), high: percentile(sorted, 0.975) };
  };
  // fromEntries loses the key type
  return Object.fromEntries(names.map((name) => [name, interval(name)])) as Record<K, Interval>;
}

function draw<T>(documents: readonly T[], random: () => number): T[] {
  return documents.map(() => documents[Math.floor(random() * documents.length)]!);
}

/** Interpolates linearly between the two nearest values. */
function percentile(sorted: readonly number[], share: number): Score {
  if (sorted.length === 0) return null;
  const at = share * (sorted.length - 1);
  const [low, high] = [sorted[Math.floor(at)]!, sorted[Math.ceil(at)]!];
  return low + (high - low) * (at - Math.floor(at));
}

/** The results of two systems on one document. */
export interface Pair<T> {
  readonly a: T;
  readonly b: T;
}

export interface PairedTest {
  /** Score of a minus score of b on all documents, with its bootstrap interval. */
  readonly difference: Interval;
  /** Two-sided p of approximate randomisation; null if the difference has no value. */
  readonly p: Score;
}

/**
 * Compares two systems on the same documents. The bootstrap interval of the difference draws the same documents for
 * both. Approximate randomisation (Noreen 1989; Yeh 2000) counts how often swapping the two systems' outputs on random
 * documents makes a difference at least as large. p is (count + 1) / (rounds + 1), so it is never 0.
 */
export function comparePaired<T>(
  pairs: readonly Pair<T>[],
  score: (sample: readonly T[]) => Score,
  { samples = SAMPLES, seed = SEED }: ResamplingOptions = {},
): PairedTest {
  const difference = (sample: readonly Pair<T>[]): Score => {
    const a = score(sample.map((pair) => pair.a));
    const b = score(sample.map((pair) => pair.b));
    return a === null || b === null ? null : a - b;
  };
  const interval = bootstrap(pairs, (sample) => ({ difference: difference(sample) }), { samples, seed });
  const seen = interval.difference.value;
  if (seen === null) return { difference: interval.difference, p: null };
  const random = seededRandom(seed + 1);
  let asLarge = 0;
  for (let round = 0; round < samples; round += 1) {
    const swapped = pairs.map(({ a, b }) => (random() < 0.5 ? { a, b } : { a: b, b: a }));
    // rounding must not make an equal difference look smaller
    if (Math.abs(difference(swapped) ?? 0) >= Math.abs(seen) - 1e-12) asLarge += 1;
  }
  return { difference: interval.difference, p: (asLarge + 1) / (samples + 1) };
}
