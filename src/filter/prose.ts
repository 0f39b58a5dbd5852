/**
 * Measures whether lines are prose, by the heuristics of C4 (Raffel et al. 2020, arXiv 1910.10683, section 2.2) and
 * those that FineWeb adds to it (Penedo et al. 2024, arXiv 2406.17557, section 3.6).
 *
 * C4: five sentences in lines that end with an end mark or a quotation mark, have three words, and mention neither
 * JavaScript nor a policy; no "lorem ipsum"; no curly brace. (Five and three are the values of datatrove, which made
 * FineWeb; the code that made C4 requires three sentences, in lines of five words.)
 * C4 also *drops* the other lines; here the labeller has chosen the lines, so only the verdict on the document is used.
 * FineWeb: more than .12 of the lines end with a mark, less than .67 have 30 characters or fewer, less than .01 of the
 * characters are in repeated lines, at most .3 line breaks per word. It uses C4 without the rule about end marks.
 *
 * Thai and Lao have no end marks, so measures that need them are skipped. Line lengths are in columns.
 */
import { countWords } from "../language/words.js";
import type { Measure } from "./filter.js";
import type { Kept } from "./kept-text.js";
import { countSentences, endsWithEllipsis, endsWithMark, hasEndMarks } from "./marks.js";
import { REPETITION_MEASURES } from "./repetition.js";
import { countColumns } from "./scripts.js";
import { share } from "./size.js";

const SHORT_COLUMNS = 30;
const FEWEST_WORDS = 3;
/** Lines with one of these phrases do not count as prose. The phrases are English, as published. */
export const POLICY_PHRASES = [
  "javascript",
  "terms of use",
  "privacy policy",
  "cookie policy",
  "uses cookies",
  "use of cookies",
  "use cookies",
] as const;

function isPolicy(line: string): boolean {
  const text = line.toLowerCase();
  return POLICY_PHRASES.some((phrase) => text.includes(phrase));
}

/** Counts the sentences in the lines that C4 would keep; undefined for scripts without end marks. */
function countProse({ lines, characters }: Kept, isRight: (line: string) => boolean): number | undefined {
  if (!hasEndMarks(characters.script)) return undefined;
  return lines
    .filter(({ text }) => isRight(text) && countWords(text) >= FEWEST_WORDS && !isPolicy(text))
    .reduce((sum, { text }) => sum + countSentences(text), 0);
}

function count(lines: Kept["lines"], phrase: string): number {
  return lines.reduce((sum, { text }) => sum + text.toLowerCase().split(phrase).length - 1, 0);
}

export const PROSE_MEASURES = {
  "ended-sentences": {
    says: "sentences in lines of three words or more that end with a mark",
    side: "at least",
    limit: 5,
    measure: (kept) => countProse(kept, (line) => endsWithMark(line) && !endsWithEllipsis(line)),
  },
  sentences: {
    says: "sentences in lines of three words or more",
    side: "at least",
    limit: 5,
    measure: (kept) => countProse(kept, () => true),
  },
  "lorem-ipsum": {
    says: 'number of times that "lorem ipsum" occurs',
    side: "at most",
    limit: 0,
    measure: ({ lines }) => count(lines, "lorem ipsum"),
  },
  "curly-braces": {
    says: "opening curly braces",
    side: "at most",
    limit: 0,
    measure: ({ lines }) => count(lines, "{"),
  },
  "line-ends": {
    says: "share of lines that end with a mark",
    side: "more than",
    limit: 0.12,
    measure: ({ lines, characters }) =>
      hasEndMarks(characters.script)
        ? share(lines.filter(({ text }) => endsWithMark(text)).length, lines.length)
        : undefined,
  },
  "short-lines": {
    says: `share of lines of ${SHORT_COLUMNS} columns or fewer`,
    side: "less than",
    limit: 0.67,
    measure: ({ lines }) =>
      share(lines.filter(({ text }) => countColumns(text) <= SHORT_COLUMNS).length, lines.length),
  },
  /** The same figure as Gopher's, with a limit of its own. */
  "line-copies": {
    ...REPETITION_MEASURES["repeated-line-characters"],
    side: "less than",
    limit: 0.01,
  },
  "line-breaks": {
    says: "line breaks per word",
    side: "at most",
    limit: 0.3,
    measure: ({ lines, words }) => share(lines.length - 1, words),
  },
} satisfies Readonly<Record<string, Measure>>;
