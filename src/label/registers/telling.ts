/** Says whether a text tells of its kind at all: on others the network would have an answer, and be wrong. */
import { CHAR } from "../features/chars.js";

/** What is counted of a text. */
export interface TextSigns {
  readonly words: number;
  /** Characters by class, as CHAR numbers them. */
  readonly classes: ArrayLike<number>;
}

// Limits on 5,025 texts of the CORE family (23 November 2026): one in a hundred texts breaks one of them.

/** The corpora have no shorter texts. */
export const LEAST_WORDS = 20;
/** Words for each end of a sentence: a list, a menu or a table has hardly any. */
const MOST_SENTENCE_WORDS = 150;
/** Letters for each piece that a word is cut into: what no language of the vocabulary writes falls into single letters. */
const LEAST_CASED = 1.9;
const LEAST_CASELESS = 1;
/** The share of the letters that are not of the main kind of script: halves of two languages. */
const MOST_FOREIGN = 0.4;
/** Digits for each letter. */
const MOST_DIGITS = 0.3;
/**
 * The second language's share of the different words that are known to be of it or of the first, with so many more, and the share
 * of both in all different words: of a language that the table does not know, few words seem to be of some other. Of made texts in
 * two languages .95 are found so, and .018 of the corpora's, many of which quote another language (26 November 2026).
 */
const LEAST_SECOND = 0.12;
const WORDS_MORE = 10;
const LEAST_KNOWN = 0.12;
/** What an ideograph is worth in letters of an alphabet. */
const IDEOGRAPH = 3;

/** `pieces`: into how many pieces the words were cut. */
export function tellsEnough({ words, classes }: TextSigns, pieces: number): boolean {
  const of = (kind: number): number => classes[kind] ?? 0;
  const kinds = [of(CHAR.lower) + of(CHAR.upper), of(CHAR.caseless), of(CHAR.unspaced) * IDEOGRAPH];
  const letters = kinds.reduce((sum, count) => sum + count, 0);
  const main = Math.max(...kinds);
  const ends = of(CHAR.sentenceEnd);
  return (
    words >= LEAST_WORDS &&
    ends > 0 &&
    words <= MOST_SENTENCE_WORDS * ends &&
    letters >= (main === kinds[0] ? LEAST_CASED : LEAST_CASELESS) * pieces &&
    main >= (1 - MOST_FOREIGN) * letters &&
    of(CHAR.digit) <= MOST_DIGITS * letters
  );
}

/** Whether a text is in two languages; `languages`: how many of its different words are of each, first those of none. */
export function isMixed(languages: ArrayLike<number>): boolean {
  let words = languages[0] ?? 0;
  let first = 0;
  let second = 0;
  for (let at = 1; at < languages.length; at++) {
    const count = languages[at] ?? 0;
    words += count;
    if (count > first) {
      second = first;
      first = count;
    } else if (count > second) second = count;
  }
  const known = first + second;
  return second >= LEAST_SECOND * (known + WORDS_MORE) && known >= LEAST_KNOWN * words;
}
