/** Computes precision, recall and F1 from counts, with one rule for undefined ratios: they are null. */

/**
 * A ratio, or null if its denominator is 0, so that there was nothing to get right or wrong. Mean values leave null
 * out; it does not count as 0.
 */
export type Score = number | null;

export interface PrecisionRecall {
  readonly precision: Score;
  readonly recall: Score;
  readonly f1: Score;
}

export function ratio(part: number, whole: number): Score {
  return whole === 0 ? null : part / whole;
}

/** Returns precision, recall and F1 of `found` things of which `right` are among the `wanted` ones. */
export function precisionRecall(right: number, found: number, wanted: number): PrecisionRecall {
  return {
    precision: ratio(right, found),
    recall: ratio(right, wanted),
    f1: ratio(2 * right, found + wanted),
  };
}

/** Returns the harmonic mean; 0 if both values are 0. */
export function harmonicMean(a: number, b: number): number {
  return a + b === 0 ? 0 : (2 * a * b) / (a + b);
}

/** Returns the mean of the scores that are not null; null if all are null. */
export function meanScore(scores: readonly Score[]): Score {
  const known = scores.filter((score) => score !== null);
  return ratio(
    known.reduce((sum, score) => sum + score, 0),
    known.length,
  );
}
