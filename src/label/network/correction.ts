/** Corrects a network's scores by a line's hand columns, with weights trained on a little gold of the user's own. */
import type { Manifest } from "../models/manifest.js";

/** Adds the weighted sum of a line's standardised columns to its log-odds. Each array has one entry per column. */
export interface Correction {
  readonly means: ArrayLike<number>;
  readonly deviations: ArrayLike<number>;
  readonly weights: ArrayLike<number>;
}

/** Values are clamped to this many deviations from the mean, so that one column cannot decide an unusual line alone. */
const FARTHEST = 3;

/** Reads a model's correction, or undefined as in shipped models. Throws UsageError if it does not fit the columns. */
export function correctionAt(about: Manifest, columns: number): Correction | undefined {
  if (!about.has("correction")) return undefined;
  const read = (name: string): number[] => about.numbers(`correction.${name}`, columns);
  const deviations = read("deviations");
  if (deviations.some((deviation) => deviation <= 0))
    about.refuse(`"correction.deviations" holds a number that is not above 0`);
  return { means: read("means"), deviations, weights: read("weights") };
}

/** Returns a column's value in deviations from its mean, clamped to ±FARTHEST. */
export function standardise(value: number, mean: number, deviation: number): number {
  return Math.max(-FARTHEST, Math.min(FARTHEST, (value - mean) / deviation));
}

/** Returns what a correction adds to the log-odds of a row. `hand` is rows × columns. */
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
