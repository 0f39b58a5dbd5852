/**
 * Measures signs of a text's condition that work in any language: the lengths of its lines, the places of short lines,
 * and how many lines end like sentences. It reads no words, because a model would learn the language from them instead.
 */
import { codeUnit } from "../../code-unit.js";

/** The most lines measured; they show what a longer text is like. */
const MOST_LINES = 500;
/** The names of the signs. Shares are of lines unless the name says otherwise; "short" is a length below 40. */
export const CONDITION_SIGNS = [
  "log-lines",
  "log-length",
  "below-15",
  "15-to-40",
  "40-to-100",
  "from-250",
  "length-in-short",
  "length-in-100",
  "sentence-ends",
  "length-in-sentences",
  "repeated",
  "log-longest-run-of-short",
  "longest-run-of-short",
  "short-among-first-8",
  "short-among-last-8",
  "first-is-short",
  "last-is-short",
  "marks",
  "without-letters",
  "changes-of-short",
  "below-4-lines",
] as const;

const SHORT = 40;
const EDGE = 8;
const SENTENCE_END = /[.!?…。！？।॥؟][»”"'）)」]?$/;
const MARK = /[|»›→•©]/;
const LETTER = /\p{L}/u;
/** Characters searched: from the end of a line for a sentence end, from its beginning for marks and letters. */
const ENDS = 3;
const MOST_CHARACTERS = 1000;

/** Returns one number for each of CONDITION_SIGNS. `texts`: lines that are not blank, at least one. */
export function measureSigns(texts: readonly string[]): number[] {
  const lines = texts.length > MOST_LINES ? texts.slice(0, MOST_LINES) : texts;
  const count = lines.length;
  const lengths = lines.map(measureLength);
  const short = lengths.map((length) => Number(length < SHORT));
  const edge = Math.min(EDGE, count);
  const run = longestRun(short);
  const { all, below15, below40, below100, from250, inLong, inShort } = measureLengths(lengths);
  const { sentences, inSentences, marks, bare } = measureTexts(lines, lengths);
  return [
    Math.log(count),
    Math.log(all + 1) / 2,
    below15 / count,
    below40 / count,
    below100 / count,
    from250 / count,
    inShort / all,
    inLong / all,
    sentences / count,
    inSentences / all,
    (count - new Set(lines).size) / count,
    Math.log(1 + run),
    run / count,
    sum(short.slice(0, edge)) / edge,
    sum(short.slice(-edge)) / edge,
    short[0] ?? 0,
    short[count - 1] ?? 0,
    marks / count,
    bare / count,
    countChanges(short) / Math.max(1, count - 1),
    Number(count < 4),
  ];
}

/** Counts lines by length, and sums the lengths of short and of long lines. */
function measureLengths(
  lengths: readonly number[],
): Readonly<Record<"all" | "below15" | "below40" | "below100" | "from250" | "inShort" | "inLong", number>> {
  const found = { all: 0, below15: 0, below40: 0, below100: 0, from250: 0, inShort: 0, inLong: 0 };
  for (const length of lengths) {
    found.all += length;
    if (length < 15) found.below15 += 1;
    else if (length < SHORT) found.below40 += 1;
    else if (length < 100) found.below100 += 1;
    else if (length >= 250) found.from250 += 1;
    if (length < SHORT) found.inShort += length;
    else if (length >= 100) found.inLong += length;
  }
  return found;
}

/** Counts lines that end like sentences, sums their lengths, and counts lines with marks and lines without letters. */
function measureTexts(
  lines: readonly string[],
  lengths: readonly number[],
): Readonly<Record<"sentences" | "inSentences" | "marks" | "bare", number>> {
  const found = { sentences: 0, inSentences: 0, marks: 0, bare: 0 };
  for (const [at, text] of lines.entries()) {
    if (SENTENCE_END.test(text.slice(-ENDS))) {
      found.sentences += 1;
      found.inSentences += lengths[at] ?? 0;
    }
    const head = text.length > MOST_CHARACTERS ? text.slice(0, MOST_CHARACTERS) : text;
    if (MARK.test(head)) found.marks += 1;
    if (!LETTER.test(head)) found.bare += 1;
  }
  return found;
}

/** From this code unit on, a character (mostly East Asian) says about as much as WIDTH Latin letters. */
const WIDE = 0x2e80;
const WIDTH = 2.5;

function measureLength(text: string): number {
  let length = 0;
  for (let at = 0; at < text.length; at += 1) length += codeUnit(text, at) >= WIDE ? WIDTH : 1;
  return length;
}

function longestRun(flags: readonly number[]): number {
  let longest = 0;
  let run = 0;
  for (const flag of flags) {
    run = flag === 1 ? run + 1 : 0;
    longest = Math.max(longest, run);
  }
  return longest;
}

function countChanges(flags: readonly number[]): number {
  let changes = 0;
  for (let at = 1; at < flags.length; at += 1) if (flags[at] !== flags[at - 1]) changes += 1;
  return changes;
}

function sum(numbers: readonly number[]): number {
  return numbers.reduce((total, number) => total + number, 0);
}
