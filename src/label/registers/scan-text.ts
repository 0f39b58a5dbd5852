/**
 * Reads a text once: tells its words, as runs of letters and digits, and counts characters and shapes of words, by which
 * kinds of text differ. It looks at both ends of a long text. Words and marks count alike whether marks stand apart from
 * words, as in some corpora, or beside them; where lines end does not count, because corpora have texts without lines.
 */
import { codeUnit } from "../../code-unit.js";
import { CHAR, CHAR_CLASSES, formOf, KIND, widthOf } from "../features/chars.js";
import type { TextSigns } from "./telling.js";

/** Letters of an alphabet that are looked at, from the front and from the back of a text. */
const FIRST_LETTERS = 2400;
const LAST_LETTERS = 600;
/** A run of a script without spaces, or of no language at all, is cut into such parts. */
export const LONGEST_WORD = 24;
/** No text has more words that are looked at: a letter is worth at least one, and a letter more may pass each end. */
export const MOST_WORDS = FIRST_LETTERS + LAST_LETTERS + 2;

/** Shapes of words, in the order in which they are counted. */
const SHAPES = ["words", "capitalised", "shouted", "numbers", "years", "short", "long", "repeated"] as const;

/** Marks that count by themselves, beside the classes of characters that they are in. */
const MARKS = "?!,;:@%#&/-_=+()[]\"'.";
const markOf = new Uint8Array(128);
for (const [at, mark] of Array.from(MARKS).entries()) markOf[mark.charCodeAt(0)] = at + 1;

/** The columns of a text, in the order in which the network takes them. */
export const TEXT_COLUMNS: readonly string[] = [
  ...Object.keys(CHAR).map((name) => `class:${name}`),
  ...Array.from(MARKS, (mark) => `mark:${mark}`),
  ...SHAPES.map((name) => `shape:${name}`),
  "log-words",
  "sentence-words",
  "word-letters",
];

/** Called for each word with its place in the text; it returns whether the same word was met before in this text. */
export type VisitWord = (text: string, start: number, end: number) => boolean;

/** Of what was looked at; a run of a script without spaces counts as words of LONGEST_WORD letters. */
export interface TextScan extends TextSigns {
  /** As TEXT_COLUMNS names them. */
  readonly columns: Float32Array;
}

interface Counts {
  readonly classes: Float64Array;
  readonly marks: Float64Array;
  readonly shapes: Float64Array;
}

export function scanText(text: string, visit: VisitWord): TextScan {
  const counts: Counts = {
    classes: new Float64Array(CHAR_CLASSES),
    marks: new Float64Array(MARKS.length + 1),
    shapes: new Float64Array(SHAPES.length),
  };
  const end = findEnd(text);
  scanPart(text, 0, end, counts, visit);
  const last = findLast(text, end);
  if (last < text.length) scanPart(text, last, text.length, counts, visit);
  return { columns: toColumns(counts), words: counts.shapes[0] ?? 0, classes: counts.classes };
}

/** Where the first letters end that are looked at. */
function findEnd(text: string): number {
  let left = FIRST_LETTERS;
  let at = 0;
  for (; at < text.length && left > 0; at++) left -= widthOf(codeUnit(text, at));
  return at;
}

/** Where the last letters begin, behind the first ones. */
function findLast(text: string, end: number): number {
  let left = LAST_LETTERS;
  let at = text.length;
  for (; at > end && left > 0; at--) left -= widthOf(codeUnit(text, at - 1));
  return at;
}

function scanPart(text: string, from: number, to: number, counts: Counts, visit: VisitWord): void {
  const { classes, marks, shapes } = counts;
  let start = -1;
  for (let at = from; at < to; at++) {
    const unit = codeUnit(text, at);
    const kind = formOf(unit) & KIND;
    classes[kind] = (classes[kind] ?? 0) + 1;
    if ((kind >= CHAR.lower && kind <= CHAR.digit) || (unit >= 0xd800 && unit <= 0xdfff)) {
      if (start < 0) start = at;
      else if (at - start === LONGEST_WORD) {
        countWord(text, start, at, shapes, visit);
        start = at;
      }
      continue;
    }
    if (unit < 128) {
      const mark = markOf[unit] ?? 0;
      marks[mark] = (marks[mark] ?? 0) + 1;
    }
    if (start >= 0) countWord(text, start, at, shapes, visit);
    start = -1;
  }
  if (start >= 0) countWord(text, start, to, shapes, visit);
}

const ZERO = 48;
const NINE = 57;

function countWord(text: string, start: number, end: number, shapes: Float64Array, visit: VisitWord): void {
  const length = end - start;
  const first = codeUnit(text, start);
  const kind = formOf(first) & KIND;
  add(shapes, 0);
  if (kind === CHAR.upper) add(shapes, length > 1 && isUpper(codeUnit(text, start + 1)) ? 2 : 1);
  if (kind === CHAR.digit) add(shapes, length === 4 && first > ZERO && first <= NINE ? 4 : 3);
  if (length <= 3) add(shapes, 5);
  if (length >= 10) add(shapes, 6);
  if (visit(text, start, end)) add(shapes, 7);
}

function isUpper(unit: number): boolean {
  return (formOf(unit) & KIND) === CHAR.upper;
}

function add(values: Float64Array, at: number): void {
  values[at] = (values[at] ?? 0) + 1;
}

/** Rates in a thousand letters, and of words in a hundred, as logarithms: few and none differ more than many and more. */
function toColumns({ classes, marks, shapes }: Counts): Float32Array {
  const of = (kind: number): number => classes[kind] ?? 0;
  const letters =
    of(CHAR.lower) + of(CHAR.upper) + of(CHAR.caseless) + of(CHAR.unspaced) * 3 + of(CHAR.digit) + 1;
  const words = (shapes[0] ?? 0) + 1;
  const columns = new Float32Array(TEXT_COLUMNS.length);
  let next = 0;
  for (const count of classes) columns[next++] = Math.log1p((1000 * count) / letters);
  for (const count of marks.subarray(1)) columns[next++] = Math.log1p((1000 * count) / letters);
  for (const count of shapes) columns[next++] = Math.log1p((100 * count) / words);
  columns[next++] = Math.log(words);
  columns[next++] = Math.log(words / (of(CHAR.sentenceEnd) + 1));
  columns[next] = Math.log(letters / words);
  return columns;
}
