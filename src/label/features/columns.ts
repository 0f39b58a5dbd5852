/**
 * Lists the hand features of a line in the order in which the model reads them.
 *
 * This file owns the order. `model.json` repeats it and a model whose order differs is refused, so a column may be
 * added, moved or renamed only together with a new model folder. No column is constant over a document, because it
 * would identify the document to the model, and a model that memorises documents is weak on unseen ones.
 */

export const COLUMNS = [
  // Size. Lengths are in letters of an alphabet and in word equivalents, so that they mean the same in every script.
  "log-length",
  "log-words",
  "word-length",
  // Shares of characters that are not spaces.
  "letter-share",
  "digit-share",
  "punctuation-share",
  "symbol-share",
  "upper-share",
  // How the line ends and begins.
  "ends-sentence",
  "ends-question",
  "ends-ellipsis",
  "ends-comma",
  "ends-colon",
  "ends-closing",
  "ends-digit",
  "ends-letter",
  "ends-arrow",
  "begins-lower",
  "begins-digit",
  "begins-bullet",
  "begins-quote",
  "begins-opening",
  "begins-dash",
  "begins-arrow",
  "begins-mark",
  // Sentences.
  "sentences",
  "words-per-sentence",
  "commas",
  "comma-rate",
  "question-marks",
  "exclamation-marks",
  "ellipses",
  "quotes",
  "apostrophes",
  "colons",
  "dashes",
  // Things that are typical of furniture, metadata and tables.
  "addresses",
  "years",
  "dates",
  "times",
  "numbers",
  "digit-series",
  "currencies",
  "copyright",
  "hashes",
  "pipes",
  "slashes",
  "bullets",
  "arrows",
  "brackets",
  "signs",
  "damaged",
  "glued-words",
  "glued-sentences",
  // Shares of words.
  "title-share",
  "caps-share",
  "number-share",
  "one-letter-share",
  "short-share",
  "long-share",
  "mixed-share",
  "mark-share",
  // Position in the document.
  "position",
  "lines-before",
  "lines-after",
  // Copies and templates in the document.
  "copy",
  "copied-later",
  "copies",
  "near-copy",
  "near-copied-later",
  "near-copies",
  "same-shape",
  "same-beginning",
  "same-ending",
  // Comparison with the rest of the document.
  "length-to-mean",
  "length-to-median",
  "length-to-longest",
  "length-to-previous",
  "length-to-next",
  "words-seen-elsewhere",
  "long-words-seen-elsewhere",
  "words-of-long-lines",
  "words-of-first-line",
  "word-spread",
] as const;

export type Column = (typeof COLUMNS)[number];
export const COLUMN_COUNT = COLUMNS.length;

/** The index of each column in a row, by name. */
export const AT = Object.freeze(
  Object.fromEntries(COLUMNS.map((name, place) => [name, place])),
  // The keys are exactly the names in COLUMNS, which fromEntries cannot express.
) as Readonly<Record<Column, number>>;

/* Logarithms of counts; those of small counts come from a table and equal the computed ones to the last digit. */

const SMALL = 512;
const logs = Float64Array.from({ length: SMALL }, (_, count) => Math.log1p(count));

/** Returns log(1 + count), from a table for whole numbers from 0 to SMALL - 1. */
export function logCount(count: number): number {
  // An index outside the table would make the engine compile the callers again and again.
  const place = count | 0;
  return place === count && place >= 0 && place < SMALL ? (logs[place] ?? 0) : Math.log1p(count);
}
