/** Computes the 4-gram score of scrapinghub's article-extraction-benchmark, as its `evaluate.py` counts it. */
import { pythonWords } from "./tokens.js";
import { countEach, sharedCount } from "./words.js";

const SHINGLE = 4;

/**
 * Counts of a page's shingles as shares of their sum, so that long pages weigh no more. They add up to 1, or to 0 if
 * both texts are empty.
 */
export interface ShingleCounts {
  readonly tp: number;
  readonly fp: number;
  readonly fn: number;
}

/** Counts one page. Case matters; a text of fewer than four words is one shingle. */
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
