/**
 * Labels lines by a short table of rules, then by their neighbours (the labeller `rules`).
 *
 * It is a simpler jusText without stop words, so it works in any language. It is the baseline that the models must
 * beat, and a fallback for places where no model may run.
 */
import type { Document, LabelledLine, Line } from "../document.js";
import { CHAR } from "./features/chars.js";
import { wordEquivalents } from "./features/line-columns.js";
import { scanLine } from "./features/scan-line.js";
import { createScan, type LineScan } from "./features/tokens.js";
import type { Focus, Labeller, LabellerOptions } from "./labeller.js";
import { isSolid, labelEach, labelLine } from "./label-line.js";

// Lengths in word equivalents; link density as share of characters. The values are jusText's orders of magnitude.
const LONG_WORDS = 25;
const SHORT_WORDS = 10;
const MOST_LINKED = 0.33;
const MOST_SYMBOLS = 0.35;
/** How many lines on each side are searched for a decided neighbour of an undecided line. */
const REACH = 6;

/** Scores are points on a scale and not probabilities, because they are not calibrated. */
const SCORE = { certain: 0.95, likely: 0.75, even: 0.45, unlikely: 0.2, never: 0.05 } as const;
const CUTS: Readonly<Record<Focus, number>> = { precision: 0.8, balanced: 0.5, recall: 0.3 };

interface Facts {
  readonly words: number;
  readonly linked: number;
  readonly symbols: number;
  readonly sentences: number;
  readonly isCopyright: boolean;
}

interface LineRule {
  readonly why: string;
  readonly test: (facts: Facts) => boolean;
  /** Undefined: the neighbours decide. */
  readonly score: number | undefined;
}

/** The rules in order: the first that matches decides. */
export const LINE_RULES: readonly LineRule[] = [
  { why: "copyright", test: (f) => f.isCopyright && f.words < LONG_WORDS, score: SCORE.never },
  { why: "mostly-links", test: (f) => f.linked > MOST_LINKED, score: SCORE.never },
  { why: "mostly-symbols", test: (f) => f.symbols > MOST_SYMBOLS, score: SCORE.unlikely },
  { why: "long-with-sentences", test: (f) => f.words >= LONG_WORDS && f.sentences > 0, score: SCORE.certain },
  { why: "long", test: (f) => f.words >= LONG_WORDS, score: SCORE.likely },
  { why: "sentence", test: (f) => f.words >= SHORT_WORDS && f.sentences > 0, score: SCORE.likely },
  { why: "middling", test: (f) => f.words >= SHORT_WORDS, score: undefined },
  { why: "short", test: () => true, score: undefined },
];

export function createRulesLabeller({ focus, cut: given }: LabellerOptions): Labeller {
  const cut = given ?? CUTS[focus];
  return {
    name: "rules",
    label: (batch) => Promise.resolve(batch.map((document) => labelDocument(document, cut))),
    close: () => Promise.resolve(),
  };
}

function labelDocument(document: Document, cut: number): Document<LabelledLine> {
  const scan = createScan();
  const solid = document.lines.filter(isSolid);
  const rules = solid.map((line) => ruleOf(factsOf(line, scan)));
  const lines = labelEach(document.lines, (line, at) => {
    const rule = rules[at];
    if (rule?.score !== undefined) return labelLine(line, rule.score, cut, rule.why);
    const { score, why } = askNeighbours(rules, at);
    return labelLine(line, score, cut, why);
  });
  return { ...document, lines };
}

function ruleOf(facts: Facts): LineRule | undefined {
  return LINE_RULES.find((rule) => rule.test(facts));
}

function factsOf(line: Line, scan: LineScan): Facts {
  scanLine(scan, line.text);
  const { counts, length } = scan;
  const count = (kind: number): number => counts[kind] ?? 0;
  const marks =
    count(CHAR.pipe) + count(CHAR.slash) + count(CHAR.arrow) + count(CHAR.bullet) + count(CHAR.symbol);
  return {
    words: wordEquivalents(scan),
    linked: line.linkChars / Math.max(1, line.text.length),
    symbols: (marks + count(CHAR.digit)) / Math.max(1, length - count(CHAR.space)),
    sentences: scan.sentences,
    isCopyright: count(CHAR.copyright) > 0,
  };
}

/** Scores an undecided line by the nearest decided lines; a short line between content and boilerplate is even. */
function askNeighbours(rules: readonly (LineRule | undefined)[], at: number): { score: number; why: string } {
  const before = nearest(rules, at, -1);
  const after = nearest(rules, at, 1);
  const votes = [before, after].filter((score) => score !== undefined);
  const content = votes.filter((score) => score > SCORE.even).length;
  const middling = rules[at]?.why === "middling";
  if (content === 2) return { score: SCORE.likely, why: "between-content" };
  if (content === 1) return { score: middling ? SCORE.likely : SCORE.even, why: "beside-content" };
  return { score: votes.length === 0 && middling ? SCORE.even : SCORE.unlikely, why: "far-from-content" };
}

function nearest(rules: readonly (LineRule | undefined)[], at: number, step: 1 | -1): number | undefined {
  for (let distance = 1; distance <= REACH; distance++) {
    const score = rules[at + step * distance]?.score;
    if (score !== undefined) return score;
  }
  return undefined;
}
