/** Computes the with/without score of Trafilatura's own evaluation, as its `tests/evaluate.py` counts it. */
import { ratio, type Score } from "./fractions.js";

export interface SegmentCounts {
  readonly tp: number;
  readonly fp: number;
  readonly fn: number;
  readonly tn: number;
}

/**
 * Counts one page. A `with` snippet is a true positive if the output contains it, else a false negative; a `without`
 * snippet is a false positive if the output contains it, else a true negative. Whitespace is collapsed on both sides
 * (as in the original's `norm`, since 2026); case and Unicode form matter. For a crash pass `undefined`: every `with`
 * snippet is missed and every `without` snippet is right.
 */
export function countSegments(
  gold: { readonly with?: readonly string[]; readonly without?: readonly string[] },
  output: string | undefined,
): SegmentCounts {
  const text = collapse(output ?? "");
  const holds = (snippet: string): boolean => output !== undefined && text.includes(collapse(snippet));
  const tp = (gold.with ?? []).filter(holds).length;
  const fp = (gold.without ?? []).filter(holds).length;
  return { tp, fp, fn: (gold.with ?? []).length - tp, tn: (gold.without ?? []).length - fp };
}

function collapse(text: string): string {
  return text.replace(/\s+/gu, " ").trim();
}

export interface SegmentScores {
  readonly precision: Score;
  readonly recall: Score;
  readonly accuracy: Score;
  readonly f1: Score;
}

/** Scores the summed counts of all pages. The original gives 0 where this gives null (nothing to count). */
export function scoreSegments({ tp, fp, fn, tn }: SegmentCounts): SegmentScores {
  return {
    precision: ratio(tp, tp + fp),
    recall: ratio(tp, tp + fn),
    accuracy: ratio(tp + tn, tp + fp + fn + tn),
    f1: ratio(2 * tp, 2 * tp + fp + fn),
  };
}
