/** Judges a system's output for one document: what it adds to the scores. */
import { PAGE_TYPES, type PageType } from "thresher";
import { alignText, type Alignment } from "../../metrics/align/align.js";
import { goldText } from "../../metrics/groups.js";
import { countAligned, countLabelled, type LineCounts } from "../../metrics/lines.js";
import { ROUGE_KINDS, scoreRouge } from "../../metrics/rouge.js";
import { countSegments } from "../../metrics/segments.js";
import { countShingles } from "../../metrics/shingles.js";
import { tokenize } from "../../metrics/tokens.js";
import { countText, scoreWcxb } from "../../metrics/words.js";
import type { GoldDocument, GoldLine } from "../../corpora/gold.js";
import type { Cost, OutputLine, SystemOutput } from "../../systems/system.js";
import type { Failure } from "../failures.js";
import { toColumns, type Column, type Columns } from "./score-sums.js";
import { mapScores } from "./map-scores.js";

type Answered = Extract<SystemOutput, { readonly ok: true }>;

export interface Judged {
  readonly id: string;
  readonly failure?: Failure;
  readonly columns: Columns;
  /** For each gold line, 1 if it was returned, 0 if not, and -1 if the line is not scored. */
  readonly said?: Int8Array;
  /** For each gold line, the system's P(content); NaN if its extractor had dropped the line. */
  readonly scores?: Float32Array;
  /** The page type in the corpus and from the system, if both give one that our types include. */
  readonly pageType?: { readonly gold: PageType; readonly said: string };
  readonly cost?: Cost;
}

export interface JudgeOptions {
  /** Whether to compute ROUGE, which costs more than all other scores together; true when absent. */
  readonly hasRouge?: boolean | undefined;
}

export function judge(
  document: GoldDocument,
  output: SystemOutput,
  { hasRouge = true }: JudgeOptions = {},
): Judged {
  const cost = output.cost === undefined ? {} : { cost: output.cost };
  if (!output.ok) {
    const { failure, detail } = output;
    return { id: document.id, failure: { failure, detail }, columns: countFailed(document), ...cost };
  }
  const lines = document.lines === undefined ? undefined : judgeLines(document.lines, document, output);
  const pageType = judgeType(document, output);
  const columns = toColumns({
    ...lines?.counts,
    ...textColumns(goldText(document), output.text),
    ...(hasRouge ? rougeColumns(goldText(document), output.text) : {}),
    ...segmentColumns(document, output.text),
    ...nothingColumns(document, output.text),
    ...(pageType === undefined ? {} : { typed: 1, typedRight: pageType.gold === pageType.said ? 1 : 0 }),
  });
  const typed = pageType === undefined ? {} : { pageType };
  const said = lines === undefined ? {} : { said: lines.said };
  const scores = lines?.scores === undefined ? {} : { scores: lines.scores };
  return { id: document.id, columns, ...said, ...scores, ...typed, ...cost };
}

/**
 * Returns the columns of a failed page. It counts in the scores that include failures, in WCXB's and the segment
 * scores, as in their originals, and among the pages with or without main content; no other score includes it.
 */
function countFailed(document: GoldDocument): Columns {
  const content = (document.lines ?? []).filter(({ label }) => label === 1);
  const words = content.map(({ text }) => tokenize(text).length);
  const gold = goldText(document);
  return toColumns({
    failedLines: words.filter((count) => count > 0).length,
    failedWords: words.reduce((sum, count) => sum + count, 0),
    ...(gold === undefined ? {} : { wcxb: 1, failedTextWords: tokenize(gold).length }),
    ...segmentColumns(document, undefined),
    ...nothingColumns(document, undefined),
  });
}

interface JudgedLines {
  readonly counts: LineCounts;
  readonly said: Int8Array;
  readonly scores?: Float32Array;
}

function judgeLines(gold: readonly GoldLine[], document: GoldDocument, output: Answered): JudgedLines {
  const { lines } = output;
  // On pages every system's text is aligned, so that the same lines are scored for all.
  if (document.html === undefined && lines !== undefined && matchLineByLine(gold, lines)) {
    const scores = hasScores(lines)
      ? Float32Array.from(lines, ({ score }) => score ?? Number.NaN)
      : undefined;
    return {
      counts: countLabelled(gold, lines),
      said: Int8Array.from(lines, ({ label }, at) => (gold[at]?.label === null ? -1 : label)),
      ...(scores === undefined ? {} : { scores }),
    };
  }
  const alignment: Alignment = alignText(
    gold.map(({ text }) => text),
    output.text,
  );
  return {
    counts: countAligned(gold, alignment),
    said: Int8Array.from(alignment.predicted, (label, at) => (gold[at]?.label === null ? -1 : (label ?? -1))),
    ...(lines !== undefined && (hasScores(lines) || lines.length === 0)
      ? { scores: mapScores(gold, lines) }
      : {}),
  };
}

function hasScores(lines: readonly OutputLine[]): boolean {
  return lines.some(({ score }) => score !== undefined);
}

function matchLineByLine(gold: readonly GoldLine[], lines: readonly OutputLine[]): boolean {
  return (
    gold.length === lines.length &&
    gold.every(({ text }, index) => collapse(text) === collapse(lines[index]?.text ?? ""))
  );
}

function collapse(text: string): string {
  return text.normalize("NFC").replace(/\s+/gu, " ").trim();
}

function textColumns(gold: string | undefined, text: string): Partial<Record<Column, number>> {
  if (gold === undefined) return {};
  const { words, characters } = countText(gold, text);
  const shingles = countShingles(gold, text);
  const found = shingles.tp + shingles.fp;
  const wanted = shingles.tp + shingles.fn;
  const wcxb = scoreWcxb(gold, text);
  return {
    wordsRight: words.right,
    wordsFound: words.found,
    wordsWanted: words.wanted,
    charactersRight: characters.right,
    charactersFound: characters.found,
    charactersWanted: characters.wanted,
    shingleFound: found > 0 ? 1 : 0,
    shinglePrecision: found > 0 ? shingles.tp / found : 0,
    shingleWanted: wanted > 0 ? 1 : 0,
    shingleRecall: wanted > 0 ? shingles.tp / wanted : 0,
    wcxb: 1,
    wcxbPrecision: wcxb.precision,
    wcxbRecall: wcxb.recall,
    wcxbF1: wcxb.f1,
  };
}

function rougeColumns(gold: string | undefined, text: string): Partial<Record<Column, number>> {
  if (gold === undefined) return {};
  const { precision, recall, f1 } = scoreRouge(gold, text, ROUGE_KINDS.words);
  return {
    rouge: 1,
    rougePrecision: precision,
    rougeRecall: recall,
    rougeF1: f1,
    rougeBevendorff: scoreRouge(gold, text, ROUGE_KINDS.bevendorff).f1,
  };
}

/**
 * Returns both page types, or undefined if one is missing. Types of the corpus that are not in `PAGE_TYPES` are left
 * out, because no system could return them.
 */
function judgeType({ pageType: wanted }: GoldDocument, { pageType: said }: Answered): Judged["pageType"] {
  const gold = PAGE_TYPES.find((type) => type === wanted);
  return gold === undefined || said === undefined ? undefined : { gold, said };
}

const WORDS = /[\p{L}\p{N}]/u;

/**
 * Counts whether the system gave no text, on pages with and without main content. `text` is undefined if the system
 * failed, which never counts as giving no text.
 */
function nothingColumns(document: GoldDocument, text: string | undefined): Partial<Record<Column, number>> {
  const gold = goldText(document);
  if (gold === undefined) return {};
  const saidNothing = text !== undefined && !WORDS.test(text) ? 1 : 0;
  if (WORDS.test(gold)) {
    // A gold text with no content line on the page was rendered by scripts: then neither answer is wrong.
    const isOnPage = document.lines === undefined || document.lines.some(({ label }) => label === 1);
    return isOnPage ? { fullPages: 1, fullSaid: saidNothing } : {};
  }
  // A gold without text but with snippets is unfinished.
  return (document.with ?? []).length > 0 ? {} : { emptyPages: 1, emptySaid: saidNothing };
}

function segmentColumns(document: GoldDocument, text: string | undefined): Partial<Record<Column, number>> {
  if (document.with === undefined && document.without === undefined) return {};
  const { tp, fp, fn, tn } = countSegments(document, text);
  return { segmentTp: tp, segmentFp: fp, segmentFn: fn, segmentTn: tn };
}
