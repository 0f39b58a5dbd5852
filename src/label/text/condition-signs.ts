/**
 * Measures by what shows in which condition a text is, in any language: how long its lines are, where short ones stand, and
 * how many end as sentences do. No word is looked at, since the words that a model knows tell it the language first.
 */
import { codeUnit } from "../../code-unit.js";

/** Lines that are looked at: what a longer text is like shows in them. */
const MOST_LINES = 500;
/** Shares are of lines unless their name says otherwise; "short" is below 40. */
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
/** Characters at the end of a line, and at its beginning, that are looked at. */
const ENDS = 3;
const MOST_CHARACTERS = 1000;

/** One number for each of CONDITION_SIGNS, of lines that are not blank; at least one. */
export function measureSigns(texts: readonly string[]): number[] {
  const lines = texts.slice(0, MOST_LINES);
  const lengths = lines.map(measureLength);
  const all = sum(lengths);
  const isShort = lengths.map((length) => length < SHORT);
  const isSentence = lines.map((text) => SENTENCE_END.test(text.slice(-ENDS)));
  const heads = lines.map((text) => text.slice(0, MOST_CHARACTERS));
  const share = (test: (at: number) => boolean): number =>
    sum(lines.map((_, at) => Number(test(at)))) / lines.length;
  const lengthShare = (test: (at: number) => boolean): number =>
    sum(lengths.map((length, at) => (test(at) ? length : 0))) / all;
  const between = (from: number, to: number): number =>
    share((at) => (lengths[at] ?? 0) >= from && (lengths[at] ?? 0) < to);
  const edge = Math.min(EDGE, lines.length);
  const run = longestRun(isShort);
  return [
    Math.log(lines.length),
    Math.log(all + 1) / 2,
    between(0, 15),
    between(15, SHORT),
    between(SHORT, 100),
    between(250, Infinity),
    lengthShare((at) => isShort[at] === true),
    lengthShare((at) => (lengths[at] ?? 0) >= 100),
    share((at) => isSentence[at] === true),
    lengthShare((at) => isSentence[at] === true),
    (lines.length - new Set(lines).size) / lines.length,
    Math.log(1 + run),
    run / lines.length,
    sum(isShort.slice(0, edge).map(Number)) / edge,
    sum(isShort.slice(-edge).map(Number)) / edge,
    Number(isShort[0]),
    Number(isShort.at(-1)),
    share((at) => MARK.test(heads[at] ?? "")),
    share((at) => !LETTER.test(heads[at] ?? "")),
    sum(isShort.map((short, at) => Number(at > 0 && short !== isShort[at - 1]))) /
      Math.max(1, lines.length - 1),
    Number(lines.length < 4),
  ];
}

/** From here on characters of East Asia, each of which says about as much as this many Latin letters. */
const WIDE = 0x2e80;
const WIDTH = 2.5;

function measureLength(text: string): number {
  let length = 0;
  for (let at = 0; at < text.length; at += 1) length += codeUnit(text, at) >= WIDE ? WIDTH : 1;
  return length;
}

function longestRun(flags: readonly boolean[]): number {
  let longest = 0;
  let run = 0;
  for (const flag of flags) {
    run = flag ? run + 1 : 0;
    longest = Math.max(longest, run);
  }
  return longest;
}

function sum(numbers: readonly number[]): number {
  return numbers.reduce((total, number) => total + number, 0);
}
