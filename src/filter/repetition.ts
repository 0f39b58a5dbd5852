/**
 * Measures how much a text repeats itself, as Gopher's repetition filter does (Rae et al. 2021, arXiv 2112.11446, table
 * A1).
 *
 * Lines and paragraphs that equal an earlier one: .3 of their number, .2 of their characters. The most frequent run of
 * two, three, four words: .20, .18, .16 of the characters. Runs of five to ten words that occurred before: .15, .14,
 * .13, .12, .11, .10. Characters are those of words, in columns, so that scripts with and without spaces are treated
 * alike.
 */
import type { Measure } from "./filter.js";
import type { Kept } from "./kept-text.js";
import { isUnspaced, type Script } from "./scripts.js";
import { share } from "./size.js";
import { hashRun, type Terms } from "./terms.js";

/**
 * Words that are read of a text: as many as Gopher allows in a document. This limits the cost of one text to some 50 ms
 * per measure.
 */
const MOST_WORDS = 100_000;

/** In scripts without spaces, each letter counts as a word, and two such letters make about one English word. */
const LETTERS_A_WORD = 2;

function runOf(size: number, script: Script | undefined): number {
  return isUnspaced(script) ? size * LETTERS_A_WORD : size;
}

interface Repeated {
  readonly items: number | undefined;
  readonly characters: number | undefined;
}

/** Returns the share of items that equal an earlier one, by number and by characters. */
function findRepeated(texts: readonly string[]): Repeated {
  const seen = new Set<string>();
  let items = 0;
  let characters = 0;
  let all = 0;
  for (const text of texts) {
    all += text.length;
    if (seen.has(text)) {
      items += 1;
      characters += text.length;
    } else seen.add(text);
  }
  return { items: share(items, texts.length), characters: share(characters, all) };
}

/**
 * Returns the share of characters in the most frequent run of this many words; overlapping occurrences count once. A
 * run that occurs only once does not count.
 */
function topRun({ terms, characters }: Kept, words: number): number | undefined {
  const size = runOf(words, characters.script);
  const counts = new Map<number, number>();
  const ends = new Map<number, number>();
  let most = 0;
  const end = Math.min(terms.count, MOST_WORDS) - size;
  for (let at = 0; at <= end; at += 1) {
    const run = hashRun(terms, at, size);
    if ((ends.get(run) ?? 0) > at) continue;
    const count = (counts.get(run) ?? 0) + 1;
    counts.set(run, count);
    ends.set(run, at + size);
    if (count > 1) most = Math.max(most, count * columnsOf(terms, at, size));
  }
  return share(most, totalOf(terms));
}

/** Returns the share of characters in runs of this many words that occurred before; each character counts once. */
function repeatedRuns({ terms, characters }: Kept, words: number): number | undefined {
  const size = runOf(words, characters.script);
  const seen = new Set<number>();
  let repeated = 0;
  let counted = 0;
  const end = Math.min(terms.count, MOST_WORDS) - size;
  for (let at = 0; at <= end; at += 1) {
    const run = hashRun(terms, at, size);
    if (seen.has(run)) {
      const from = Math.max(at, counted);
      counted = at + size;
      repeated += columnsOf(terms, from, counted - from);
    } else seen.add(run);
  }
  return share(repeated, totalOf(terms));
}

function columnsOf({ columns }: Terms, at: number, size: number): number {
  let sum = 0;
  for (let word = at; word < at + size; word += 1) sum += columns[word] ?? 0;
  return sum;
}

function totalOf(terms: Terms): number {
  return terms.count <= MOST_WORDS ? terms.totalColumns : columnsOf(terms, 0, MOST_WORDS);
}

function top(words: number, limit: number): Measure {
  const says = `share of the most frequent run of ${words} words`;
  return { says, side: "at most", limit, measure: (kept) => topRun(kept, words) };
}

function repeated(words: number, limit: number): Measure {
  const says = `share of runs of ${words} words that occurred before`;
  return { says, side: "at most", limit, measure: (kept) => repeatedRuns(kept, words) };
}

const textsOf = ({ lines }: Kept): string[] => lines.map(({ text }) => text);

export const REPETITION_MEASURES = {
  "repeated-lines": {
    says: "share of lines that equal an earlier one",
    side: "at most",
    limit: 0.3,
    measure: (kept) => findRepeated(textsOf(kept)).items,
  },
  "repeated-paragraphs": {
    says: "share of paragraphs that equal an earlier one",
    side: "at most",
    limit: 0.3,
    measure: (kept) => findRepeated(kept.paragraphs).items,
  },
  "repeated-line-characters": {
    says: "share of characters in lines that equal an earlier one",
    side: "at most",
    limit: 0.2,
    measure: (kept) => findRepeated(textsOf(kept)).characters,
  },
  "repeated-paragraph-characters": {
    says: "share of characters in paragraphs that equal an earlier one",
    side: "at most",
    limit: 0.2,
    measure: (kept) => findRepeated(kept.paragraphs).characters,
  },
  "top-2-words": top(2, 0.2),
  "top-3-words": top(3, 0.18),
  "top-4-words": top(4, 0.16),
  "repeated-5-words": repeated(5, 0.15),
  "repeated-6-words": repeated(6, 0.14),
  "repeated-7-words": repeated(7, 0.13),
  "repeated-8-words": repeated(8, 0.12),
  "repeated-9-words": repeated(9, 0.11),
  "repeated-10-words": repeated(10, 0.1),
} satisfies Readonly<Record<string, Measure>>;
