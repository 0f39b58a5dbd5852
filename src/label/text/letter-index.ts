/**
 * Finds alphabetical indexes that stand one letter a line: "A", "B", "C", … above a glossary or a list of names.
 *
 * Four lines of one letter each that rise in the alphabet are boilerplate wherever people have labelled any: all of 223
 * such lines in nine documents of BoilerNet's and CleanEval's pages. No crawled text that trained has one, so the network
 * cannot know them; it took them for content, and doubted the entries beside them for their sake.
 */
export const WHY_LETTER_INDEX = "letter-index";

/** What P(content) of such a line is: none of 223 was content. */
export const LETTER_INDEX_SCORE = 0.01;

/** Shorter runs are answers of a test, or parts of a formula. */
const FEWEST = 4;

/** In any alphabet, capital or not; "Ä" may be written in two characters. Han characters are words, not letters. */
const LETTER = /^(?!\p{Script=Han})\p{L}\p{M}?$/u;
/** Code units of the longest: two pairs of surrogates. Nearly every line is longer, and needs no expression to be looked at. */
const LONGEST = 4;
/** Latin letters behind "z" end an alphabet in an order that differs from language to language. */
const LAST_LATIN = /^[{-ɏ]/u;

/** For each line whether it is of such an index. Blank lines have no place among them. */
export function findLetterIndexes(texts: readonly string[]): Uint8Array {
  const found = new Uint8Array(texts.length);
  for (let start = 0; start < texts.length;) {
    const end = endOfRun(texts, start);
    if (end - start >= FEWEST) found.fill(1, start, end);
    start = Math.max(end, start + 1);
  }
  return found;
}

/** The line behind those that rise from `start` on, which is `start` where no letter stands there. */
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
