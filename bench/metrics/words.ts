/** Compares a system's text with a gold text by words and characters, and computes WCXB's word F1. */
import { alignText } from "./align/align.js";
import { harmonicMean, precisionRecall, type PrecisionRecall } from "./fractions.js";
import { pythonWords } from "./tokens.js";

export interface TextCounts {
  readonly words: { readonly right: number; readonly found: number; readonly wanted: number };
  readonly characters: { readonly right: number; readonly found: number; readonly wanted: number };
}

export interface TextScores {
  readonly words: PrecisionRecall;
  readonly characters: PrecisionRecall;
}

/**
 * Counts the words, and the characters of words, that gold and output share *in place*: the texts are aligned first, so
 * that a word counts once and in its place (unlike in a bag of words). Whitespace and punctuation do not count.
 */
export function countText(goldText: string, output: string): TextCounts {
  const alignment = alignText(goldText.split("\n"), output);
  return {
    words: {
      right: sum(alignment.placedWords),
      found: alignment.outputWords,
      wanted: sum(alignment.words),
    },
    characters: {
      right: alignment.characters.placed,
      found: alignment.characters.output,
      wanted: alignment.characters.gold,
    },
  };
}

export function scoreText({ words, characters }: TextCounts): TextScores {
  return {
    words: precisionRecall(words.right, words.found, words.wanted),
    characters: precisionRecall(characters.right, characters.found, characters.wanted),
  };
}

function sum(numbers: readonly number[]): number {
  return numbers.reduce((total, number) => total + number, 0);
}

/**
 * Computes WCXB's word score of one page (its `evaluate.py`): bags of Python's `\w+`, in lower case. An empty gold
 * scores 1 for an empty output, else 0. The corpus score is the mean over pages of each of the three, so the mean F1 is
 * not the F1 of the means.
 */
export function scoreWcxb(
  goldText: string,
  output: string,
): { readonly precision: number; readonly recall: number; readonly f1: number } {
  const gold = pythonWords(goldText.toLowerCase());
  const found = pythonWords(output.toLowerCase());
  if (gold.length === 0 || found.length === 0) {
    const same = gold.length === found.length ? 1 : 0;
    return { precision: same, recall: same, f1: same };
  }
  const right = sharedCount(countEach(gold), countEach(found));
  const [precision, recall] = [right / found.length, right / gold.length];
  return { precision, recall, f1: harmonicMean(precision, recall) };
}

export function countEach(tokens: Iterable<string>): Map<string, number> {
  const counts = new Map<string, number>();
  for (const token of tokens) counts.set(token, (counts.get(token) ?? 0) + 1);
  return counts;
}

/** Returns how many items two bags share, counting copies. */
export function sharedCount(a: ReadonlyMap<string, number>, b: ReadonlyMap<string, number>): number {
  let shared = 0;
  for (const [token, count] of a) shared += Math.min(count, b.get(token) ?? 0);
  return shared;
}
