/** Computes precision, recall and F1 from counts, with one rule for what cannot be said. */

/** null where nothing was there to be right or wrong about: not a zero, and left out of means. */
export type Score = number | null;

export interface PrecisionRecall {
  readonly precision: Score;
  readonly recall: Score;
  readonly f1: Score;
}

export function ratio(part: number, whole: number): Score {
  return whole === 0 ? null : part / whole;
}

/** Precision, recall and F1 of `found` things of which `right` are among `wanted`. */
export function precisionRecall(right: number, found: number, wanted: number): PrecisionRecall {
  return {
    precision: ratio(right, found),
    recall: ratio(right, wanted),
    f1: ratio(2 * right, found + wanted),
  };
}

/** The harmonic mean; 0 if both are. */
export function harmonicMean(a: number, b: number): number {
  return a + b === 0 ? 0 : (2 * a * b) / (a + b);
}

/** The mean of what can be said. */
export function meanScore(scores: readonly Score[]): Score {
  const known = scores.filter((score) => score !== null);
  return ratio(
    known.reduce((sum, score) => sum + score, 0),
    known.length,
  );
}
