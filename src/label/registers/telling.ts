/** Checks whether a text shows enough to judge its registers; for other texts the network would give wrong answers. */
import { CHAR } from "../features/chars.js";

/** Counts of a text. */
export interface TextSigns {
  readonly words: number;
  /** Numbers, and words of which only the first letter is a capital. */
  readonly names: number;
  /** Characters by class, as CHAR numbers them. */
  readonly classes: ArrayLike<number>;
}

// The limits were set on 5,025 texts of the CORE family (23 November 2026); one in a hundred texts breaks a limit.

/** The corpora have no shorter texts. */
export const LEAST_WORDS = 20;
/** The most words per sentence end: lists, menus and tables have hardly any sentence ends. */
const MOST_SENTENCE_WORDS = 150;
/** The fewest letters per piece, by script: text in a language that the vocabulary lacks is cut into single letters. */
const LEAST_CASED = 1.9;
const LEAST_CASELESS = 1;
/** The highest share of letters outside the main kind of script; texts above it mix two languages. */
const MOST_FOREIGN = 0.4;
/** The most digits per letter. */
const MOST_DIGITS = 0.3;
/** The highest share of names and numbers among the words: lists and tables consist of them. */
const MOST_NAMES = 0.8;
/**
 * A text is in two languages if the second one has LEAST_SECOND of the distinct words of both plus WORDS_MORE, and both
 * have LEAST_KNOWN of all distinct words: in a language that the table lacks, few words seem to be of another language.
 * It finds .95 of made-up texts in two languages, and .018 of the corpora's, many of which quote another language
 * (26 November 2026).
 */
const LEAST_SECOND = 0.12;
const WORDS_MORE = 10;
const LEAST_KNOWN = 0.12;
/** How many letters one character of a script without spaces counts. */
const IDEOGRAPH = 3;

/** Checks whether a text is within the limits. `pieces`: how many pieces its words were cut into. */
export function tellsEnough({ words, names, classes }: TextSigns, pieces: number): boolean {
  const of = (kind: number): number => classes[kind] ?? 0;
  const kinds = [of(CHAR.lower) + of(CHAR.upper), of(CHAR.caseless), of(CHAR.unspaced) * IDEOGRAPH];
  const letters = kinds.reduce((sum, count) => sum + count, 0);
  const main = Math.max(...kinds);
  const ends = of(CHAR.sentenceEnd);
  return (
    words >= LEAST_WORDS &&
    names <= MOST_NAMES * words &&
    ends > 0 &&
    words <= MOST_SENTENCE_WORDS * ends &&
    letters >= (main === kinds[0] ? LEAST_CASED : LEAST_CASELESS) * pieces &&
    main >= (1 - MOST_FOREIGN) * letters &&
    of(CHAR.digit) <= MOST_DIGITS * letters
  );
}

/** Checks whether a text is in two languages. `languages`: counts of distinct words, as in `PooledText`. */
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
