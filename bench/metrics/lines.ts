/** Counts how a system treated the gold lines, and computes scores by line and by word from the counts. */
import type { GoldLine } from "../corpora/gold.js";
import type { OutputLine } from "../systems/system.js";
import type { Alignment } from "./align/align.js";
import { precisionRecall, ratio, type PrecisionRecall, type Score } from "./fractions.js";
import { tokenize } from "./tokens.js";

/** The counts of one document. Their sums are the counts of a corpus or of a bootstrap sample. */
export interface LineCounts {
  /** Lines: content kept, boilerplate kept, content lost, boilerplate removed. */
  readonly tp: number;
  readonly fp: number;
  readonly fn: number;
  readonly tn: number;
  /** Lines without a label, and lines without a letter or digit, on which no output text can be placed. */
  readonly unscored: number;
  /** The number of words on content lines, and how many of them the output holds. */
  readonly contentWords: number;
  readonly keptWords: number;
  /**
   * The number of words in the output. Those that are neither kept content nor placed boilerplate are nowhere on the
   * page.
   */
  readonly outputWords: number;
  readonly boilerplateWords: number;
  readonly movedWords: number;
}

export const NO_LINES: LineCounts = {
  ...{ tp: 0, fp: 0, fn: 0, tn: 0, unscored: 0 },
  ...{ contentWords: 0, keptWords: 0, outputWords: 0, boilerplateWords: 0, movedWords: 0 },
};

/** Returns the counts of a text that was aligned with the gold lines. */
export function countAligned(gold: readonly GoldLine[], alignment: Alignment): LineCounts {
  const counts = { ...NO_LINES, outputWords: alignment.outputWords };
  gold.forEach(({ label }, index) => {
    const placed = alignment.placedWords[index] ?? 0;
    if (label === null) {
      counts.outputWords -= placed;
    } else if (label === 1) {
      counts.contentWords += alignment.words[index] ?? 0;
      counts.keptWords += placed;
    } else {
      counts.boilerplateWords += placed;
    }
    countLine(counts, label, alignment.predicted[index] ?? null);
  });
  counts.movedWords = Math.round(alignment.movedShare * counts.outputWords);
  return counts;
}

/**
 * Returns the counts of labels given line by line, as on line corpora. Throws RangeError if the numbers of labels and
 * gold lines differ, because then the labels are not for these lines.
 */
export function countLabelled(
  gold: readonly GoldLine[],
  output: readonly Pick<OutputLine, "label">[],
): LineCounts {
  if (gold.length !== output.length) {
    throw new RangeError(`${output.length} labels for ${gold.length} gold lines`);
  }
  const counts = { ...NO_LINES };
  gold.forEach(({ text, label }, index) => {
    const words = tokenize(text).length;
    const said = output[index]?.label ?? 0;
    if (label === 1) counts.contentWords += words;
    if (said === 1 && label !== null) counts.outputWords += words;
    if (said === 1 && label === 1) counts.keptWords += words;
    if (said === 1 && label === 0) counts.boilerplateWords += words;
    countLine(counts, label, said);
  });
  return counts;
}

function countLine(
  counts: { -readonly [K in keyof LineCounts]: LineCounts[K] },
  label: GoldLine["label"],
  said: 0 | 1 | null,
): void {
  if (said === null || label === null) counts.unscored += 1;
  else if (label === 1) counts[said === 1 ? "tp" : "fn"] += 1;
  else counts[said === 1 ? "fp" : "tn"] += 1;
}

export interface LineScores {
  readonly lines: number;
  readonly accuracy: Score;
  readonly content: PrecisionRecall;
  readonly boilerplate: PrecisionRecall;
  /** Mean of the two F1. */
  readonly macroF1: Score;
  /** The accuracy of always choosing the more frequent label. */
  readonly majority: Score;
  /**
   * (accuracy − majority) / (1 − majority): the share of the majority's errors that is avoided; negative if there are
   * more errors. From Schäfer 2016, section 4.3, where the majority was always boilerplate.
   */
  readonly errorReduction: Score;
  /**
   * Laippala et al. 2020: the share of the output that is content, and the share of the raw page's content that is
   * lost.
   */
  readonly cleanliness: { readonly lines: Score; readonly words: Score };
  readonly loss: { readonly lines: Score; readonly words: Score };
  /** Shares of the output's words that are nowhere on the page, or out of order. */
  readonly unplaced: Score;
  readonly moved: Score;
}

export function scoreLines(counts: LineCounts): LineScores {
  const { tp, fp, fn, tn } = counts;
  const lines = tp + fp + fn + tn;
  const content = precisionRecall(tp, tp + fp, tp + fn);
  const boilerplate = precisionRecall(tn, tn + fn, tn + fp);
  const accuracy = ratio(tp + tn, lines);
  const majority = ratio(Math.max(tp + fn, tn + fp), lines);
  const { outputWords, contentWords, keptWords, boilerplateWords, movedWords } = counts;
  return {
    lines,
    accuracy,
    content,
    boilerplate,
    macroF1: content.f1 === null || boilerplate.f1 === null ? null : (content.f1 + boilerplate.f1) / 2,
    majority,
    errorReduction: accuracy === null || majority === null ? null : ratio(accuracy - majority, 1 - majority),
    cleanliness: { lines: content.precision, words: ratio(keptWords, outputWords) },
    loss: { lines: ratio(fn, tp + fn), words: ratio(contentWords - keptWords, contentWords) },
    unplaced: ratio(Math.max(0, outputWords - keptWords - boilerplateWords), outputWords),
    moved: ratio(movedWords, outputWords),
  };
}
