/** Computes precision–recall curves and calibration from line scores and their gold labels. */
import { ratio, type Score } from "./fractions.js";

export interface ScoredLabel {
  /** P(content), 0..1. */
  readonly score: number;
  readonly label: 0 | 1;
}

export interface CurvePoint {
  /** Lines with at least this score count as content. */
  readonly threshold: number;
  readonly precision: Score;
  readonly recall: Score;
}

/** Returns precision and recall at thresholds 0, .01 … 1, the steps of Schäfer 2016. */
export function precisionRecallCurve(lines: readonly ScoredLabel[], steps = 100): CurvePoint[] {
  const ranked = rank(lines);
  const content = lines.filter(({ label }) => label === 1).length;
  return Array.from({ length: steps + 1 }, (_, step) => {
    const threshold = step / steps;
    const last = ranked.findLast(({ score }) => score >= threshold);
    const [found, right] = [last?.found ?? 0, last?.right ?? 0];
    return { threshold, precision: ratio(right, found), recall: ratio(right, content) };
  });
}

/**
 * Returns the average precision: the sum over distinct scores, from the highest, of precision times the recall gained
 * (as in scikit-learn, without interpolation). null if no line is content.
 */
export function averagePrecision(lines: readonly ScoredLabel[]): Score {
  const ranked = rank(lines);
  const content = ranked.at(-1)?.right ?? 0;
  if (content === 0) return null;
  let [sum, before] = [0, 0];
  for (const { found, right } of ranked) {
    sum += ((right - before) / content) * (right / found);
    before = right;
  }
  return sum;
}

/**
 * Returns the threshold at which precision and recall are closest to each other, the highest one if several tie; null
 * if no line is content.
 */
export function breakEven(lines: readonly ScoredLabel[]): CurvePoint | null {
  const ranked = rank(lines);
  const content = ranked.at(-1)?.right ?? 0;
  let best: CurvePoint | null = null;
  let least = Infinity;
  for (const { score, found, right } of ranked) {
    if (content === 0 || right === 0) continue;
    const distance = Math.abs(right / found - right / content);
    if (distance >= least) continue;
    least = distance;
    best = { threshold: score, precision: right / found, recall: right / content };
  }
  return best;
}

interface RankedScore {
  readonly score: number;
  /** The number of lines with at least this score, and how many of them are content. */
  readonly found: number;
  readonly right: number;
}

/** Returns one entry for each distinct score, highest first. */
function rank(lines: readonly ScoredLabel[]): RankedScore[] {
  const sorted = [...lines].sort((a, b) => b.score - a.score);
  const ranked: RankedScore[] = [];
  let right = 0;
  sorted.forEach(({ score, label }, index) => {
    right += label;
    if (sorted[index + 1]?.score !== score) ranked.push({ score, found: index + 1, right });
  });
  return ranked;
}

export interface ReliabilityBin {
  readonly from: number;
  readonly to: number;
  readonly lines: number;
  /** The mean score, and the share of lines that are content; null for an empty bin. */
  readonly said: Score;
  readonly true: Score;
}

export interface Calibration {
  readonly bins: readonly ReliabilityBin[];
  /** Expected calibration error: mean of |said − true| over lines (Guo et al. 2017, for the positive label). */
  readonly error: Score;
  /** Mean squared difference of score and label (Brier 1950). */
  readonly brier: Score;
}

/** Sorts lines into bins of equal width; a score of 1 is in the last bin. Throws RangeError for a score that is NaN. */
export function calibrate(lines: readonly ScoredLabel[], bins = 10): Calibration {
  const sums = Array.from({ length: bins }, () => ({ lines: 0, said: 0, true: 0 }));
  let squares = 0;
  for (const { score, label } of lines) {
    const bin = sums[Math.min(bins - 1, Math.max(0, Math.floor(score * bins)))];
    if (bin === undefined) throw new RangeError(`score ${score} is not a number`);
    bin.lines += 1;
    bin.said += score;
    bin.true += label;
    squares += (score - label) ** 2;
  }
  return {
    bins: sums.map((bin, index) => ({
      from: index / bins,
      to: (index + 1) / bins,
      lines: bin.lines,
      said: ratio(bin.said, bin.lines),
      true: ratio(bin.true, bin.lines),
    })),
    error: ratio(
      sums.reduce((sum, bin) => sum + Math.abs(bin.said - bin.true), 0),
      lines.length,
    ),
    brier: ratio(squares, lines.length),
  };
}
