/** Sums the columns of documents, and computes the measures of `MEASURES` from the sums. */
import { harmonicMean, ratio, type Score } from "../../metrics/fractions.js";
import { scoreLines } from "../../metrics/lines.js";
import type { MeasureName } from "../../metrics/measures.js";
import { scoreSegments } from "../../metrics/segments.js";
import { scoreText } from "../../metrics/words.js";
import type { NothingCounts } from "../../report/results.js";

const LINES = [
  ...["tp", "fp", "fn", "tn", "unscored", "contentWords", "keptWords"],
  ...["outputWords", "boilerplateWords", "movedWords"],
] as const;

/** Every measure is a function of the sums of these columns, so that resampling a group only adds vectors. */
const COLUMNS = [
  ...LINES,
  // content of the pages on which the system failed, by gold lines and by gold text
  "failedLines",
  "failedWords",
  "failedTextWords",
  ...["wordsRight", "wordsFound", "wordsWanted", "charactersRight", "charactersFound", "charactersWanted"],
  // means over documents: the number of documents and the sum of each score
  ...["rouge", "rougePrecision", "rougeRecall", "rougeF1", "rougeBevendorff"],
  ...["segmentTp", "segmentFp", "segmentFn", "segmentTn"],
  ...["shingleFound", "shinglePrecision", "shingleWanted", "shingleRecall"],
  ...["wcxb", "wcxbPrecision", "wcxbRecall", "wcxbF1"],
  // pages without and with main content, and on how many of them the system gave no text
  ...["emptyPages", "emptySaid", "fullPages", "fullSaid"],
  ...["typed", "typedRight"],
] as const;

export type Column = (typeof COLUMNS)[number];
export type Columns = Float64Array;

/** The columns by name. */
type Sums = Readonly<Record<Column, number>>;

/** Returns the columns of a document; absent values are 0. */
export function toColumns(values: Readonly<Partial<Record<Column, number>>>): Columns {
  return Float64Array.from(COLUMNS, (name) => values[name] ?? 0);
}

export function sumColumns(documents: readonly Columns[]): Columns {
  const sums = new Float64Array(COLUMNS.length);
  for (const columns of documents) {
    for (let at = 0; at < sums.length; at += 1) sums[at]! += columns[at]!;
  }
  return sums;
}

function nameColumns(columns: Columns): Sums {
  const sums: Partial<Record<Column, number>> = {};
  for (let at = 0; at < COLUMNS.length; at += 1) sums[COLUMNS[at]!] = columns[at]!;
  return sums as Sums; // the loop has set every name
}

/** Returns the share of the returned words that are nowhere on the page. */
export function unplacedShare(columns: Columns): Score {
  return scoreLines(nameColumns(columns)).unplaced;
}

/**
 * Returns how often a system gave no text, and on how many pages. Failed pages count as pages, but never as giving no
 * text.
 */
export function countNothing(columns: Columns): NothingCounts {
  const { emptyPages, emptySaid, fullPages, fullSaid } = nameColumns(columns);
  return { emptyPages, emptySaid, fullPages, fullSaid };
}

/**
 * Computes all measures from summed columns. By default it runs a thousand times for each interval, so it must be fast.
 */
export function measure(columns: Columns): Record<MeasureName, Score> {
  const sums = nameColumns(columns);
  return {
    ...measureLines(sums),
    ...measureText(sums),
    rougePrecision: ratio(sums.rougePrecision, sums.rouge),
    rougeRecall: ratio(sums.rougeRecall, sums.rouge),
    rougeF1: ratio(sums.rougeF1, sums.rouge),
    rougeBevendorff: ratio(sums.rougeBevendorff, sums.rouge),
    ...measureShingles(
      ratio(sums.shinglePrecision, sums.shingleFound),
      ratio(sums.shingleRecall, sums.shingleWanted),
    ),
    wcxbPrecision: ratio(sums.wcxbPrecision, sums.wcxb),
    wcxbRecall: ratio(sums.wcxbRecall, sums.wcxb),
    wcxbF1: ratio(sums.wcxbF1, sums.wcxb),
    ...measureSegments(sums),
    nothingHere: ratio(sums.emptySaid, sums.emptyPages),
    falseAlarms: ratio(sums.fullSaid, sums.fullPages),
    pageType: ratio(sums.typedRight, sums.typed),
  };
}

type Named<K extends MeasureName> = Record<K, Score>;

function measureLines(sums: Sums) {
  const { content, boilerplate, accuracy, macroF1, errorReduction, cleanliness, loss, moved } =
    scoreLines(sums);
  const { tp, fp, fn, contentWords, keptWords, failedLines, failedWords } = sums;
  return {
    wordCleanliness: cleanliness.words,
    wordLoss: loss.words,
    lineCleanliness: cleanliness.lines,
    lineLoss: loss.lines,
    lineF1: content.f1,
    lineF1WithFailures: ratio(2 * tp, 2 * tp + fp + fn + failedLines),
    wordLossWithFailures: ratio(contentWords + failedWords - keptWords, contentWords + failedWords),
    lineAccuracy: accuracy,
    errorReduction,
    linePrecision: content.precision,
    lineRecall: content.recall,
    boilerplatePrecision: boilerplate.precision,
    boilerplateRecall: boilerplate.recall,
    boilerplateF1: boilerplate.f1,
    macroF1,
    moved,
  };
}

function measureText(sums: Sums) {
  const { words, characters } = scoreText({
    words: { right: sums.wordsRight, found: sums.wordsFound, wanted: sums.wordsWanted },
    characters: {
      right: sums.charactersRight,
      found: sums.charactersFound,
      wanted: sums.charactersWanted,
    },
  });
  return {
    wordPrecision: words.precision,
    wordRecall: words.recall,
    wordF1: words.f1,
    wordF1WithFailures: ratio(2 * sums.wordsRight, sums.wordsFound + sums.wordsWanted + sums.failedTextWords),
    characterPrecision: characters.precision,
    characterRecall: characters.recall,
    characterF1: characters.f1,
  };
}

/**
 * Returns the mean precision over the pages with output, the mean recall over the pages with gold, and the F1 of these
 * two means, as in scrapinghub's evaluation. If a mean has no pages, the original fails and this returns null.
 */
function measureShingles(
  precision: Score,
  recall: Score,
): Named<"shinglePrecision" | "shingleRecall" | "shingleF1"> {
  const f1 = precision === null || recall === null ? null : harmonicMean(precision, recall);
  return { shinglePrecision: precision, shingleRecall: recall, shingleF1: f1 };
}

function measureSegments(sums: Sums) {
  const { precision, recall, accuracy, f1 } = scoreSegments({
    tp: sums.segmentTp,
    fp: sums.segmentFp,
    fn: sums.segmentFn,
    tn: sums.segmentTn,
  });
  return { segmentPrecision: precision, segmentRecall: recall, segmentAccuracy: accuracy, segmentF1: f1 };
}

/** A results file keeps five decimal places. */
const DIGITS = 1e5;

export function round(score: Score): Score {
  return score === null ? null : Math.round(score * DIGITS) / DIGITS;
}
