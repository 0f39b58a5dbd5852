/** Computes the 4-gram score of scrapinghub's article-extraction-benchmark, as its `evaluate.py` counts it. */
import { harmonicMean, meanScore, type Score } from "./fractions.js";
import { pythonWords } from "./tokens.js";
import { countEach, sharedCount } from "./words.js";

const SHINGLE = 4;

/** Shares of a page's shingles: they add up to 1 unless both texts are empty, so long pages weigh no more. */
export interface ShingleCounts {
  readonly tp: number;
  readonly fp: number;
  readonly fn: number;
}

/** One page. Case counts; a text of fewer than four words is one shingle. */
export function countShingles(goldText: string, output: string): ShingleCounts {
  const [gold, found] = [shingles(goldText), shingles(output)];
  const tp = sharedCount(countEach(gold), countEach(found));
  const [fp, fn] = [found.length - tp, gold.length - tp];
  const all = tp + fp + fn;
  return all === 0 ? { tp, fp, fn } : { tp: tp / all, fp: fp / all, fn: fn / all };
}

function shingles(text: string): string[] {
  const words = pythonWords(text);
  if (words.length === 0) return [];
  const count = Math.max(1, words.length - SHINGLE + 1);
  return Array.from({ length: count }, (_, at) => words.slice(at, at + SHINGLE).join(" "));
}

/**
 * Mean precision over the pages with output, mean recall over the pages with gold, and the F1 of these two means. A
 * page where both are empty is in neither mean; the original fails where a mean has no page, here it is null.
 */
export function scoreShingles(pages: readonly ShingleCounts[]): {
  readonly precision: Score;
  readonly recall: Score;
  readonly f1: Score;
} {
  const precision = meanScore(pages.map(({ tp, fp }) => (tp + fp > 0 ? tp / (tp + fp) : null)));
  const recall = meanScore(pages.map(({ tp, fn }) => (tp + fn > 0 ? tp / (tp + fn) : null)));
  return {
    precision,
    recall,
    f1: precision === null || recall === null ? null : harmonicMean(precision, recall),
  };
}
