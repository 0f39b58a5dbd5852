/**
 * Finds alphabetical indexes with one letter on each line: "A", "B", "C", … above a glossary or a list of names.
 *
 * Runs of four or more lines with one letter each, in alphabetical order, are boilerplate in all labelled data: 223
 * lines in nine documents of BoilerNet's and CleanEval's pages. The crawled text for training has no index like this,
 * so the network cannot know them; it called them content, and gave the entries next to them lower scores.
 */
export const WHY_LETTER_INDEX = "letter-index";

/** The P(content) of a line in an index: not one of 223 was content. */
export const LETTER_INDEX_SCORE = 0.01;

/** The fewest lines of an index: shorter runs are answers of a test, or parts of a formula. */
const FEWEST = 4;

/** One letter of any alphabet, in either case; "Ä" may be two characters. Han characters are words, not letters. */
const LETTER = /^(?!\p{Script=Han})\p{L}\p{M}?$/u;
/** The most code units of a match: two surrogate pairs. Most lines are longer and skip the regular expression. */
const LONGEST = 4;
/** Latin letters after "z" come last in an alphabet, in an order that differs by language. */
const LAST_LATIN = /^[{-ɏ]/u;

/** Returns 1 for each line that is part of an index, else 0. `texts`: the lines that are not blank. */
export function findLetterIndexes(texts: readonly string[]): Uint8Array {
  const found = new Uint8Array(texts.length);
  for (let start = 0; start < texts.length;) {
    const end = endOfRun(texts, start);
    if (end - start >= FEWEST) found.fill(1, start, end);
    start = Math.max(end, start + 1);
  }
  return found;
}

/** Returns the end (exclusive) of the run of letters in order from `start` on; `start` if that line is not a letter. */
function endOfRun(texts: readonly string[], start: number): number {
  let before = "";
  let end = start;
  for (; end < texts.length; end++) {
    const text = texts[end] ?? "";
    if (text.length > LONGEST || !LETTER.test(text)) break;
    const letter = text.toLowerCase();
    const isLast = LAST_LATIN.test(letter) && LAST_LATIN.test(before);
    if (isLast ? letter === before : letter <= before) break;
    before = letter;
  }
  return end;
}
