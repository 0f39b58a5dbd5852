/** Corrects the scores of a network by the hand columns of a line: what training on a little gold of one's own adds to it. */
import type { Manifest } from "../models/manifest.js";

/** What is added to the log-odds of a line: the sum of its columns, each standardised, times a weight. */
export interface Correction {
  readonly means: ArrayLike<number>;
  readonly deviations: ArrayLike<number>;
  readonly weights: ArrayLike<number>;
}

/** So many deviations from the mean at most: a line unlike all of the gold must not be carried away by one column. */
const FARTHEST = 3;

/** Absent in models as they ship. Throws UsageError for one that does not fit the columns. */
export function correctionAt(about: Manifest, columns: number): Correction | undefined {
  if (!about.has("correction")) return undefined;
  const read = (name: string): number[] => about.numbers(`correction.${name}`, columns);
  const deviations = read("deviations");
  if (deviations.some((deviation) => deviation <= 0))
    about.refuse(`"correction.deviations" holds a number that is not above 0`);
  return { means: read("means"), deviations, weights: read("weights") };
}

/** Of a value of a column, as a correction sees it. */
export function standardise(value: number, mean: number, deviation: number): number {
  return Math.max(-FARTHEST, Math.min(FARTHEST, (value - mean) / deviation));
}

/** `hand` is rows × columns. */
export function correctRow(
  hand: Float32Array,
  row: number,
  { means, deviations, weights }: Correction,
): number {
  const base = row * weights.length;
  let sum = 0;
  for (let column = 0; column < weights.length; column++) {
    const weight = weights[column] ?? 0;
    if (weight === 0) continue;
    sum += weight * standardise(hand[base + column] ?? 0, means[column] ?? 0, deviations[column] ?? 1);
  }
  return sum;
}
