/** Fills the columns that depend only on the line itself. */
import { codeUnit } from "../../code-unit.js";
import * as chars from "./chars.js";
import { classOf, foldOf } from "./chars.js";
import * as columns from "./columns.js";
import { logCount } from "./columns.js";
import { UNSPACED_SHAPE_WIDTH } from "./scan-line.js";
import type { LineScan } from "./tokens.js";

// Constants of this module, for the reason given in `scan-line.ts`.
const { CHAR } = chars;
const { AT } = columns;

/** Width of the letters that count as one word in scripts without spaces. */
const WORD_WIDTH = UNSPACED_SHAPE_WIDTH;

/** Returns the number of words and numbers; in scripts without spaces, it estimates words from the width of letters. */
export function wordEquivalents(scan: LineScan): number {
  return scan.words + scan.numbers + scan.unspacedWidth / WORD_WIDTH;
}

function count(scan: LineScan, kind: number): number {
  return scan.counts[kind] ?? 0;
}

/** Fills the line's own columns of the row that begins at `base`. */
export function fillLine(scan: LineScan, text: string, row: Float32Array, base: number): void {
  fillSize(scan, row, base);
  fillEdges(text, row, base);
  fillCounts(scan, row, base);
  fillWordShares(scan, row, base);
}

function fillSize(scan: LineScan, row: Float32Array, base: number): void {
  const words = wordEquivalents(scan);
  const letters =
    count(scan, CHAR.lower) +
    count(scan, CHAR.upper) +
    count(scan, CHAR.caseless) +
    count(scan, CHAR.unspaced) +
    count(scan, CHAR.mark);
  let punctuation = 0;
  for (let kind: number = CHAR.sentenceEnd; kind <= CHAR.otherPunctuation; kind++)
    punctuation += count(scan, kind);
  const symbols = count(scan, CHAR.symbol) + count(scan, CHAR.damaged);
  // Letters count by their width, so that a comma weighs the same among Han letters as among Latin ones.
  const solid = Math.max(1, scan.length - count(scan, CHAR.space));
  const cased = count(scan, CHAR.lower) + count(scan, CHAR.upper);
  row[base + AT["log-length"]] = logCount(scan.length);
  row[base + AT["log-words"]] = logCount(words);
  row[base + AT["word-length"]] = words > 0 ? Math.min(20, (scan.wordWidth + scan.unspacedWidth) / words) : 0;
  row[base + AT["letter-share"]] =
    letters === 0 ? 0 : (solid - punctuation - symbols - count(scan, CHAR.digit)) / solid;
  row[base + AT["digit-share"]] = count(scan, CHAR.digit) / solid;
  row[base + AT["punctuation-share"]] = punctuation / solid;
  row[base + AT["symbol-share"]] = symbols / solid;
  row[base + AT["upper-share"]] = count(scan, CHAR.upper) / Math.max(1, cased);
}

const QUESTION = 63;
const ELLIPSIS = 0x2026;

function fillEdges(text: string, row: Float32Array, base: number): void {
  let end = text.length - 1;
  const closing = end >= 0 && classOf(codeUnit(text, end)) === CHAR.closing;
  // `He said "no.")` ends a sentence just like `He said no.`
  for (; end > 0; end--) {
    const kind = classOf(codeUnit(text, end));
    if (kind !== CHAR.space && kind !== CHAR.quote && kind !== CHAR.closing) break;
  }
  const last = end >= 0 ? classOf(codeUnit(text, end)) : CHAR.space;
  const lastForm = end >= 0 ? foldOf(codeUnit(text, end)) : 0;
  const dots = end > 0 && lastForm === 46 && foldOf(codeUnit(text, end - 1)) === 46;
  const ellipsis = lastForm === ELLIPSIS || dots;
  row[base + AT["ends-sentence"]] = last === CHAR.sentenceEnd && !ellipsis ? 1 : 0;
  row[base + AT["ends-question"]] = lastForm === QUESTION ? 1 : 0;
  row[base + AT["ends-ellipsis"]] = ellipsis ? 1 : 0;
  row[base + AT["ends-comma"]] = last === CHAR.comma ? 1 : 0;
  row[base + AT["ends-colon"]] = last === CHAR.colon ? 1 : 0;
  row[base + AT["ends-closing"]] = closing ? 1 : 0;
  row[base + AT["ends-digit"]] = last === CHAR.digit ? 1 : 0;
  row[base + AT["ends-letter"]] = last <= CHAR.mark ? 1 : 0;
  row[base + AT["ends-arrow"]] = last === CHAR.arrow || last === CHAR.bullet || last === CHAR.pipe ? 1 : 0;
  const first = text.length > 0 ? classOf(codeUnit(text, 0)) : CHAR.space;
  row[base + AT["begins-lower"]] = first === CHAR.lower ? 1 : 0;
  row[base + AT["begins-digit"]] = first === CHAR.digit ? 1 : 0;
  row[base + AT["begins-bullet"]] = first === CHAR.bullet ? 1 : 0;
  row[base + AT["begins-quote"]] = first === CHAR.quote ? 1 : 0;
  row[base + AT["begins-opening"]] = first === CHAR.opening ? 1 : 0;
  row[base + AT["begins-dash"]] = first === CHAR.dash ? 1 : 0;
  row[base + AT["begins-arrow"]] = first === CHAR.arrow || first === CHAR.pipe ? 1 : 0;
  row[base + AT["begins-mark"]] = first > CHAR.space && first !== CHAR.quote && first !== CHAR.dash ? 1 : 0;
}

function fillCounts(scan: LineScan, row: Float32Array, base: number): void {
  const words = wordEquivalents(scan);
  const commas = count(scan, CHAR.comma);
  row[base + AT["sentences"]] = logCount(scan.sentences);
  row[base + AT["words-per-sentence"]] = logCount(words / Math.max(1, scan.sentences));
  row[base + AT["commas"]] = logCount(commas);
  row[base + AT["comma-rate"]] = commas / Math.max(3, words);
  row[base + AT["question-marks"]] = logCount(scan.questions);
  row[base + AT["exclamation-marks"]] = logCount(scan.exclamations);
  row[base + AT["ellipses"]] = logCount(scan.ellipses);
  row[base + AT["quotes"]] = logCount(count(scan, CHAR.quote));
  row[base + AT["apostrophes"]] = logCount(count(scan, CHAR.apostrophe));
  row[base + AT["colons"]] = logCount(count(scan, CHAR.colon));
  row[base + AT["dashes"]] = logCount(count(scan, CHAR.dash));
  row[base + AT["addresses"]] = logCount(scan.addresses);
  row[base + AT["years"]] = logCount(scan.years);
  row[base + AT["dates"]] = logCount(scan.dates);
  row[base + AT["times"]] = logCount(scan.times);
  row[base + AT["numbers"]] = logCount(scan.numbers);
  row[base + AT["digit-series"]] = logCount(scan.longestDigits);
  row[base + AT["currencies"]] = logCount(count(scan, CHAR.currency));
  row[base + AT["copyright"]] = count(scan, CHAR.copyright) > 0 ? 1 : 0;
  row[base + AT["hashes"]] = logCount(scan.hashes);
  row[base + AT["pipes"]] = logCount(count(scan, CHAR.pipe));
  row[base + AT["slashes"]] = logCount(count(scan, CHAR.slash));
  row[base + AT["bullets"]] = logCount(count(scan, CHAR.bullet));
  row[base + AT["arrows"]] = logCount(scan.arrows);
  row[base + AT["brackets"]] = logCount(count(scan, CHAR.opening));
  row[base + AT["signs"]] = logCount(scan.signs);
  row[base + AT["damaged"]] = logCount(count(scan, CHAR.damaged));
  row[base + AT["glued-words"]] = logCount(scan.gluedWords);
  row[base + AT["glued-sentences"]] = logCount(scan.gluedSentences);
}

function fillWordShares(scan: LineScan, row: Float32Array, base: number): void {
  const words = Math.max(1, wordEquivalents(scan));
  const cased = Math.max(1, scan.casedWords);
  row[base + AT["title-share"]] = scan.titleWords / cased;
  row[base + AT["caps-share"]] = scan.capsWords / cased;
  row[base + AT["number-share"]] = scan.numbers / words;
  row[base + AT["one-letter-share"]] = scan.oneLetterWords / words;
  row[base + AT["short-share"]] = scan.shortWords / words;
  row[base + AT["long-share"]] = scan.longWords / words;
  row[base + AT["mixed-share"]] = scan.mixedWords / words;
  row[base + AT["mark-share"]] = scan.marks / Math.max(1, scan.marks + words);
}
