/**
 * Reads a text once, reports its words (runs of letters and digits), and counts characters and word shapes by which
 * registers differ. Of a long text it reads only both ends. Words and marks count the same with or without spaces
 * between them, which some corpora have; a line break counts as a space, because some corpora have texts without lines.
 */
import { codeUnit } from "../../code-unit.js";
import { CHAR, CHAR_CLASSES, formOf, KIND, widthOf } from "../features/chars.js";
import type { TextSigns } from "./telling.js";

/** How much of a text is read from its beginning and from its end, in letters (`widthOf`). */
const FIRST_LETTERS = 2400;
const LAST_LETTERS = 600;
/** The first and the last class of characters in words, letters to digits; words also contain surrogates. */
const [FIRST_OF_WORD, LAST_OF_WORD] = [CHAR.lower, CHAR.digit] as const;
/** The start value of the FNV-1a hash, the first of a word's two hashes. */
const FIRST_HASH = 0x811c9dc5 | 0;
/** Longer runs, as in scripts without spaces or in text of no language, are cut into parts of this many code units. */
export const LONGEST_WORD = 24;
/** The most words read of a text: a code unit counts at least 1, and both parts may exceed their limits by 1. */
export const MOST_WORDS = FIRST_LETTERS + LAST_LETTERS + 2;

/** The counters of word shapes, in order. */
const SHAPES = ["words", "capitalised", "shouted", "numbers", "years", "short", "long", "repeated"] as const;

/** Marks with a counter of their own, besides that of their character class. */
const MARKS = "?!,;:@%#&/-_=+()[]\"'.";
const markOf = new Uint8Array(128);
for (const [at, mark] of Array.from(MARKS).entries()) markOf[mark.charCodeAt(0)] = at + 1;

/** The columns of a text, in the order of the network's input. */
export const TEXT_COLUMNS: readonly string[] = [
  ...Object.keys(CHAR).map((name) => `class:${name}`),
  ...Array.from(MARKS, (mark) => `mark:${mark}`),
  ...SHAPES.map((name) => `shape:${name}`),
  "log-words",
  "sentence-words",
  "word-letters",
];

/**
 * Called for each word with its offsets in the text and two 32-bit hashes that together identify it; returns whether
 * the same word was met before in this text.
 */
export type VisitWord = (text: string, start: number, end: number, one: number, other: number) => boolean;

/** The counts over the parts that were read; a run without spaces counts as words of LONGEST_WORD code units. */
export interface TextScan extends TextSigns {
  /** One value for each of TEXT_COLUMNS. */
  readonly columns: Float32Array;
}

interface Counts {
  readonly classes: Uint32Array;
  readonly marks: Uint32Array;
  readonly shapes: Uint32Array;
}

/** Counts the first and the last part of a text, and calls `visit` for each word in order. */
export function scanText(text: string, visit: VisitWord): TextScan {
  const counts: Counts = {
    classes: new Uint32Array(CHAR_CLASSES),
    marks: new Uint32Array(MARKS.length + 1),
    shapes: new Uint32Array(SHAPES.length),
  };
  const end = scanPart(text, 0, FIRST_LETTERS, counts, visit);
  scanPart(text, findLast(text, end), Infinity, counts, visit);
  const [words = 0, capitalised = 0, , numbers = 0, years = 0] = counts.shapes;
  const names = capitalised + numbers + years;
  return { columns: toColumns(counts), words, names, classes: counts.classes };
}

/** Returns the offset where the last LAST_LETTERS letters begin, at least `end`. */
function findLast(text: string, end: number): number {
  let left = LAST_LETTERS;
  let at = text.length;
  for (; at > end && left > 0; at--) left -= widthOf(codeUnit(text, at - 1));
  return at;
}

/** Reads `letters` letters from the offset `from` on, and returns the offset where it stopped. */
function scanPart(text: string, from: number, letters: number, counts: Counts, visit: VisitWord): number {
  const { classes, marks, shapes } = counts;
  let left = letters;
  let start = -1;
  let one = FIRST_HASH;
  let other = 0;
  let at = from;
  for (; at < text.length && left > 0; at++) {
    const unit = codeUnit(text, at);
    const kind = formOf(unit) & KIND;
    left -= widthOf(unit);
    classes[kind] = (classes[kind] ?? 0) + 1;
    if ((kind >= FIRST_OF_WORD && kind <= LAST_OF_WORD) || (unit >= 0xd800 && unit <= 0xdfff)) {
      if (at - start === LONGEST_WORD && start >= 0) {
        countWord(text, start, at, shapes, visit(text, start, at, one, other));
        start = -1;
      }
      if (start < 0) {
        start = at;
        one = FIRST_HASH;
        other = 0;
      }
      one = Math.imul(one ^ unit, 0x01000193);
      other = (Math.imul(other, 31) + unit) | 0;
      continue;
    }
    if (unit < 128) {
      const mark = markOf[unit] ?? 0;
      marks[mark] = (marks[mark] ?? 0) + 1;
    }
    if (start >= 0) countWord(text, start, at, shapes, visit(text, start, at, one, other));
    start = -1;
  }
  if (start >= 0) countWord(text, start, at, shapes, visit(text, start, at, one, other));
  return at;
}

const ZERO = 48;
const NINE = 57;

function countWord(text: string, start: number, end: number, shapes: Uint32Array, isRepeated: boolean): void {
  const length = end - start;
  const first = codeUnit(text, start);
  const kind = formOf(first) & KIND;
  add(shapes, 0);
  if (kind === CHAR.upper) add(shapes, length > 1 && isUpper(codeUnit(text, start + 1)) ? 2 : 1);
  if (kind === CHAR.digit) add(shapes, length === 4 && first > ZERO && first <= NINE ? 4 : 3);
  if (length <= 3) add(shapes, 5);
  if (length >= 10) add(shapes, 6);
  if (isRepeated) add(shapes, 7);
}

function isUpper(unit: number): boolean {
  return (formOf(unit) & KIND) === CHAR.upper;
}

function add(values: Uint32Array, at: number): void {
  values[at] = (values[at] ?? 0) + 1;
}

/**
 * Returns the columns: counts per 1,000 letters, and word shapes per 100 words, on a log scale, because the difference
 * between none and few matters more than that between many and more.
 */
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
