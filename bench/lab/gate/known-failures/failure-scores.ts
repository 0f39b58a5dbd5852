/** Scores a labeller's labels on marked documents: accuracy by kind of failure, with intervals over documents. */
import { bootstrap, comparePaired, type Interval, type PairedTest } from "../../../metrics/bootstrap.js";
import { meanScore, ratio, type Score } from "../../../metrics/fractions.js";
import { FAILURE_KINDS, type FailureKind, type MarkedDocument } from "./marked-documents.js";

/** The labeller's answer for each line of a document: 1 is content, 0 is boilerplate. */
export type Said = readonly (0 | 1)[];

export interface Answer {
  readonly document: MarkedDocument;
  readonly said: Said;
}

/**
 * The lines that an accuracy is about: marked lines, marked content, marked boilerplate, or all lines of the documents.
 */
const PARTS = ["marked", "content", "boilerplate", "all"] as const;
export type Part = (typeof PARTS)[number];

export interface KindScore {
  readonly kind: FailureKind | typeof EVERY_KIND;
  readonly documents: number;
  readonly languages: number;
  readonly markedLines: number;
  readonly accuracy: Readonly<Record<Part, Interval>>;
}

/** The mean over kinds: each kind counts the same, however many lines show it. */
const EVERY_KIND = "mean of kinds";

interface Count {
  readonly kind: FailureKind;
  readonly right: Readonly<Record<Part, number>>;
  readonly of: Readonly<Record<Part, number>>;
}

/** Returns one row for each kind that has documents, and one row for their mean. */
export function scoreKinds(answers: readonly Answer[]): KindScore[] {
  const kinds = FAILURE_KINDS.filter((kind) => answers.some(({ document }) => document.kind === kind));
  const describe = (kind: KindScore["kind"], own: readonly Answer[]): Omit<KindScore, "accuracy"> => ({
    kind,
    documents: own.length,
    languages: new Set(own.map(({ document }) => document.lang)).size,
    markedLines: own.reduce((sum, answer) => sum + countRight(answer).of.marked, 0),
  });
  const rows = kinds.map((kind) => {
    const own = answers.filter(({ document }) => document.kind === kind);
    return { ...describe(kind, own), accuracy: bootstrap(own.map(countRight), accuracies) };
  });
  return [
    ...rows,
    { ...describe(EVERY_KIND, answers), accuracy: bootstrap(answers.map(countRight), meanOfKinds) },
  ];
}

export interface KindDifference {
  readonly kind: KindScore["kind"];
  /** The accuracy of the second labeller on the marked lines, minus the accuracy of the first. */
  readonly marked: PairedTest;
}

/** Compares two labellers on the same documents in the same order. */
export function compareKinds(base: readonly Answer[], other: readonly Answer[]): KindDifference[] {
  const pairs = other.map((answer, at) => ({ a: countRight(answer), b: countRight(base[at]!) }));
  const kinds = FAILURE_KINDS.filter((kind) => pairs.some(({ a }) => a.kind === kind));
  const rows = kinds.map((kind) => ({
    kind,
    marked: comparePaired(
      pairs.filter(({ a }) => a.kind === kind),
      (sample) => accuracies(sample).marked,
    ),
  }));
  return [
    ...rows,
    { kind: EVERY_KIND, marked: comparePaired(pairs, (sample) => meanOfKinds(sample).marked) },
  ];
}

function countRight({ document, said }: Answer): Count {
  const right = { marked: 0, content: 0, boilerplate: 0, all: 0 };
  const of = { ...right };
  for (const [at, { label, cls }] of document.lines.entries()) {
    const one = said[at] === label ? 1 : 0;
    const parts: Part[] = ["all"];
    if (cls !== undefined) parts.push("marked", label === 1 ? "content" : "boilerplate");
    for (const part of parts) {
      of[part] += 1;
      right[part] += one;
    }
  }
  return { kind: document.kind, right, of };
}

function accuracies(counts: readonly Count[]): Record<Part, Score> {
  return eachPart((part) => {
    const sum = (of: "right" | "of"): number => counts.reduce((total, count) => total + count[of][part], 0);
    return ratio(sum("right"), sum("of"));
  });
}

function meanOfKinds(counts: readonly Count[]): Record<Part, Score> {
  const kinds = FAILURE_KINDS.map((kind) => accuracies(counts.filter((count) => count.kind === kind)));
  return eachPart((part) => meanScore(kinds.map((scores) => scores[part])));
}

function eachPart(score: (part: Part) => Score): Record<Part, Score> {
  return {
    marked: score("marked"),
    content: score("content"),
    boilerplate: score("boilerplate"),
    all: score("all"),
  };
}
