/** Counts how a labelling agrees with gold, and computes the reported figures with intervals over documents. */
import type { Document, LabelledLine } from "../document.js";
import { isBlank } from "../label/label-line.js";
import { createRandom } from "../random.js";
import { countWords } from "../language/words.js";
import { lossOf } from "./fit/logistic.js";

export const FIGURES = ["lineAccuracy", "lineF1", "wordF1", "macroF1", "calibrationError"] as const;
export type FigureName = (typeof FIGURES)[number];
export type Figures = Readonly<Record<FigureName | "logLoss", number>>;

export interface Interval {
  readonly value: number;
  /** The 2.5th and 97.5th percentile over resampled documents (bootstrap, Efron 1979). */
  readonly low: number;
  readonly high: number;
  /** The share of draws with a value above 0. */
  readonly above: number;
}

/** Number of score ranges in which the mean score is compared with the share of content. */
const BINS = 10;
/**
 * Offsets in the counts of a document: lines and then words for each pair of gold and label, then the bins, then the
 * loss.
 */
const WORDS_AT = 4;
const BINS_AT = 8;
const LOSS_AT = BINS_AT + 3 * BINS;
const SIZE = LOSS_AT + 2;
/** Least distance of a score from 0 and 1, because scores are written with three decimals. */
const LEAST_PROBABILITY = 0.0005;

/** The counts of one document; counts of several documents are added up. */
export type Counts = Float64Array;

/** Skips blank lines and lines without a label. */
export function countDocument({ lines }: Document<LabelledLine>, labels: readonly (0 | 1 | null)[]): Counts {
  const counts = new Float64Array(SIZE);
  const add = (at: number, by: number): void => {
    counts[at] = (counts[at] ?? 0) + by;
  };
  for (const [at, line] of lines.entries()) {
    const gold = labels[at] ?? null;
    if (gold === null || isBlank(line.text)) continue;
    const kind = 2 * gold + (line.label === "content" ? 1 : 0);
    add(kind, 1);
    add(WORDS_AT + kind, countWords(line.text));
    const score = line.ownScore ?? line.score;
    const bin = BINS_AT + 3 * Math.min(BINS - 1, Math.floor(score * BINS));
    add(bin, 1);
    add(bin + 1, score);
    add(bin + 2, gold);
    const probability = Math.min(1 - LEAST_PROBABILITY, Math.max(LEAST_PROBABILITY, score));
    add(LOSS_AT, lossOf(Math.log(probability / (1 - probability)), gold));
    add(LOSS_AT + 1, 1);
  }
  return counts;
}

/** All figures are from 0 to 1, except the log loss in nats per line. */
export function computeFigures(counts: Counts): Figures {
  const at = (place: number): number => counts[place] ?? 0;
  const lines = at(0) + at(1) + at(2) + at(3);
  let error = 0;
  for (let bin = BINS_AT; bin < LOSS_AT; bin += 3) error += Math.abs(at(bin + 1) - at(bin + 2));
  const [ofLines, ofWords] = [f1s(counts, 0), f1s(counts, WORDS_AT)];
  return {
    lineAccuracy: lines === 0 ? 0 : (at(0) + at(3)) / lines,
    lineF1: ofLines.content,
    wordF1: ofWords.content,
    macroF1: (ofLines.content + ofLines.boilerplate + ofWords.content + ofWords.boilerplate) / 4,
    calibrationError: lines === 0 ? 0 : error / lines,
    logLoss: at(LOSS_AT) / Math.max(1, at(LOSS_AT + 1)),
  };
}

/** `counts` has the order: boilerplate dropped, boilerplate kept, content lost, content kept. */
function f1s(counts: Counts, from: number): { readonly content: number; readonly boilerplate: number } {
  const [dropped = 0, wronglyKept = 0, lost = 0, kept = 0] = counts.subarray(from, from + 4);
  const f1 = (right: number): number => {
    const all = 2 * right + wronglyKept + lost;
    return all === 0 ? 0 : (2 * right) / all;
  };
  return { content: f1(kept), boilerplate: f1(dropped) };
}

function sumCounts(documents: readonly Counts[]): Counts {
  const sums = new Float64Array(SIZE);
  for (const counts of documents)
    for (let at = 0; at < SIZE; at += 1) sums[at] = (sums[at] ?? 0) + (counts[at] ?? 0);
  return sums;
}

export interface Comparison {
  readonly before: Readonly<Record<FigureName, Interval>>;
  readonly after: Readonly<Record<FigureName, Interval>>;
  readonly difference: Readonly<Record<FigureName, Interval>>;
  /** How much smaller the loss is than that of a guess by the share of content alone, in nats per line. */
  readonly skill: Interval;
}

/** Number of draws of documents, with replacement. */
export const DRAWS = 1000;

/**
 * Draws the same documents for both. `shares` has each document's share of content, by which a guess without scores
 * goes.
 */
export function compare(
  before: readonly Counts[],
  after: readonly Counts[],
  { seed, shares }: { readonly seed: number; readonly shares: readonly number[] },
): Comparison {
  const guesses = after.map((counts, at) => lossOfGuess(counts, shares[at] ?? 0.5));
  const random = createRandom(seed);
  const all = before.map((_, at) => at);
  const draws = Array.from({ length: DRAWS }, () =>
    measure(all.map(() => Math.floor(random() * all.length))),
  );
  const whole = measure(all);
  function measure(sample: readonly number[]) {
    const pick = (from: readonly Counts[]): Figures =>
      computeFigures(sumCounts(sample.flatMap((at) => from[at] ?? [])));
    const [one, other] = [pick(before), pick(after)];
    const lines = sample.reduce((sum, at) => sum + (after[at]?.[LOSS_AT + 1] ?? 0), 0);
    const guess = sample.reduce((sum, at) => sum + (guesses[at] ?? 0), 0) / Math.max(1, lines);
    return { before: one, after: other, skill: guess - other.logLoss };
  }
  const intervals = (of: (from: typeof whole, name: FigureName) => number) =>
    Object.fromEntries(
      FIGURES.map((name) => [
        name,
        intervalOf(
          of(whole, name),
          draws.map((draw) => of(draw, name)),
        ),
      ]),
      // The keys are exactly the figures, which the type of `fromEntries` cannot express.
    ) as Record<FigureName, Interval>;
  return {
    before: intervals((from, name) => from.before[name]),
    after: intervals((from, name) => from.after[name]),
    difference: intervals((from, name) => from.after[name] - from.before[name]),
    skill: intervalOf(
      whole.skill,
      draws.map(({ skill }) => skill),
    ),
  };
}

function lossOfGuess(counts: Counts, share: number): number {
  const [boilerplate, content] = [(counts[0] ?? 0) + (counts[1] ?? 0), (counts[2] ?? 0) + (counts[3] ?? 0)];
  return -(content * Math.log(share) + boilerplate * Math.log(1 - share));
}

function intervalOf(value: number, draws: readonly number[]): Interval {
  const sorted = [...draws].sort((a, b) => a - b);
  const at = (share: number): number => sorted[Math.round(share * (sorted.length - 1))] ?? value;
  const above = draws.filter((draw) => draw > 0).length / Math.max(1, draws.length);
  return { value, low: at(0.025), high: at(0.975), above };
}
