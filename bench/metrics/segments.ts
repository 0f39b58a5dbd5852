/** Computes the with/without score of Trafilatura's own evaluation, as its `tests/evaluate.py` counts it. */
import { ratio, type Score } from "./fractions.js";

export interface SegmentCounts {
  readonly tp: number;
  readonly fp: number;
  readonly fn: number;
  readonly tn: number;
}

/**
 * One page: a `with` snippet that the output contains is a true positive, one that it lacks a false negative; a
 * `without` snippet that it contains is a false positive, one that it lacks a true negative. White space is collapsed
 * on both sides (the originals' `norm`, since 2026); case and Unicode form count. A crash is `undefined`: every
 * `with` is missed and every `without` is right.
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

/** Over the summed counts of all pages. The original writes 0 where this says null (nothing to count). */
export function scoreSegments({ tp, fp, fn, tn }: SegmentCounts): SegmentScores {
  return {
    precision: ratio(tp, tp + fp),
    recall: ratio(tp, tp + fn),
    accuracy: ratio(tp + tn, tp + fp + fn + tn),
    f1: ratio(2 * tp, 2 * tp + fp + fn),
  };
}
