/** Reports on a system's line scores: precision–recall curve, calibration, and accuracy by position and length. */
import { ratio, type Score } from "../../metrics/fractions.js";
import { accuracyByLength, accuracyByPosition, type JudgedLine } from "../../metrics/positions.js";
import {
  averagePrecision,
  breakEven,
  calibrate,
  precisionRecallCurve,
  type ScoredLabel,
} from "../../metrics/scored.js";
import type { ScoredReport } from "../../report/results.js";
import type { GoldDocument } from "../../corpora/gold.js";
import type { Judged } from "./judge.js";
import { round } from "./score-sums.js";

/** A score below every threshold, for lines that the extractor had dropped: no threshold brings them back. */
const DROPPED = -1;

/**
 * Returns undefined if no line has a score. Lines that the system dropped before scoring count in recall, but not in
 * calibration.
 */
export function reportScores(
  judged: readonly Judged[],
  documents: ReadonlyMap<string, GoldDocument>,
): ScoredReport | undefined {
  const all = judged.flatMap((one) => readScores(one, documents));
  const seen = all.filter(({ score }) => score !== DROPPED);
  if (seen.length === 0) return undefined;
  const { bins, error } = calibrate(seen);
  const even = breakEven(all);
  const lines = judged.flatMap((one) => (one.scores === undefined ? [] : [judgedLines(one, documents)]));
  return {
    curve: precisionRecallCurve(all).map(({ threshold, precision, recall }) => ({
      threshold,
      precision: round(precision),
      recall: round(recall),
    })),
    averagePrecision: round(averageOver(seen, all)),
    breakEven:
      even === null || even.threshold === DROPPED
        ? null
        : { threshold: even.threshold, precision: round(even.precision), recall: round(even.recall) },
    calibrationError: round(error),
    bins: bins.map(({ from, to, lines: count, said, true: content }) => ({
      low: from,
      high: to,
      lines: count,
      score: round(said),
      content: round(content),
    })),
    byPosition: accuracyByPosition(lines).map(rounded),
    byLength: accuracyByLength(lines).map(rounded),
  };
}

function rounded<T extends { readonly accuracy: Score }>(bucket: T): T {
  return { ...bucket, accuracy: round(bucket.accuracy) };
}

/**
 * Returns the average precision of the scored lines, relative to all content: dropped content is recall that is never
 * gained.
 */
function averageOver(seen: readonly ScoredLabel[], all: readonly ScoredLabel[]): Score {
  const average = averagePrecision(seen);
  const share = ratio(countContent(seen), countContent(all));
  return average === null || share === null ? null : average * share;
}

function countContent(lines: readonly ScoredLabel[]): number {
  return lines.filter(({ label }) => label === 1).length;
}

function readScores(one: Judged, documents: ReadonlyMap<string, GoldDocument>): ScoredLabel[] {
  const gold = documents.get(one.id)?.lines ?? [];
  const labels: ScoredLabel[] = [];
  one.scores?.forEach((score, index) => {
    const label = gold[index]?.label ?? null;
    if (label === null || one.said?.[index] === -1) return; // a line without a word is not scored either
    labels.push({ score: Number.isNaN(score) ? DROPPED : score, label });
  });
  return labels;
}

function judgedLines(one: Judged, documents: ReadonlyMap<string, GoldDocument>): JudgedLine[] {
  return (documents.get(one.id)?.lines ?? []).map(({ text, label }, index) => {
    const said = one.said?.[index];
    return { text, gold: label, said: said === 1 ? 1 : said === 0 ? 0 : null };
  });
}
