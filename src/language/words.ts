/** Splits text into words, in any script, the same on every platform. */
import { codeUnit } from "../code-unit.js";

/**
 * Scripts that put no spaces between words. Each of their letters counts as one word: the dictionaries of ICU's word
 * breaker differ between Node.js versions, and the counts must not.
 */
export const UNSPACED_SCRIPTS = ["Han", "Hiragana", "Katakana", "Thai", "Lao", "Khmer", "Myanmar"] as const;

/** The letters of these scripts, as a part of a class of characters in a regular expression. */
export const UNSPACED = UNSPACED_SCRIPTS.map((script) => `\\p{Script=${script}}`).join("");

const WORD = new RegExp(
  `[${UNSPACED}]\\p{M}*|(?:(?![${UNSPACED}])[\\p{L}\\p{N}\\p{M}])+(?:['’\\u200c\\u200d-](?:(?![${UNSPACED}])[\\p{L}\\p{N}\\p{M}])+)*`,
  "gu",
);

/** The words of a text: runs of letters and digits, or single letters of a script without spaces. */
export function splitWords(text: string): string[] {
  return text.match(WORD) ?? [];
}

/** Bit flags for the role of a character in a word; a mark may be a letter as well. */
const OTHER = 1;
const LETTER = 2;
const ALONE = 4;
const MARK = 8;
/** A character that joins two words into one. */
const JOINER = 16;

/**
 * The flags of the characters seen so far, by code point; 0 for unseen ones. Pages of the array that are never touched
 * take no memory.
 */
const kinds = new Uint8Array(0x110000);

const IS_ALONE = new RegExp(`^[${UNSPACED}]`, "u");

function learnKind(code: number): number {
  const kind = findKind(String.fromCodePoint(code));
  kinds[code] = kind;
  return kind;
}

function findKind(character: string): number {
  const mark = /^\p{M}/u.test(character) ? MARK : 0;
  if (IS_ALONE.test(character)) return ALONE | mark;
  if (/^['’\u200c\u200d-]/u.test(character)) return JOINER | mark;
  return (/^[\p{L}\p{N}\p{M}]/u.test(character) ? LETTER : OTHER) | mark;
}

/* Where a text is: outside words, in a word, behind a joiner in it, behind a letter that is a word alone. */
const [OUTSIDE, IN_WORD, JOINED, BEHIND_ALONE] = [0, 1, 2, 3] as const;
/** The flags that continue a word in each of these states. */
const GOES_ON = [0, LETTER | JOINER, LETTER, MARK] as const;
/** Added to the state if a word begins. */
const BEGINS = 4;

function findStep(state: number, kind: number): number {
  if ((kind & (GOES_ON[state] ?? 0)) !== 0) {
    if (state === BEHIND_ALONE) return BEHIND_ALONE;
    // After a joiner, only a letter continues the word.
    return (kind & JOINER) === 0 ? IN_WORD : JOINED;
  }
  if ((kind & LETTER) !== 0) return IN_WORD | BEGINS;
  return (kind & ALONE) === 0 ? OUTSIDE : BEHIND_ALONE | BEGINS;
}

/** The steps from each state with each kind. Counting by them takes three quarters of the time that branches take. */
const STEPS = Uint8Array.from({ length: 4 << 5 }, (_one, index) => findStep(index >> 5, index & 31));

/** Counts the words that `splitWords` would return, at a fraction of its cost because it creates no strings. */
export function countWords(text: string): number {
  let words = 0;
  let state: number = OUTSIDE;
  const { length } = text;
  for (let at = 0; at < length; at += 1) {
    let code = codeUnit(text, at);
    if (code >= 0xd800 && code <= 0xdbff) {
      code = text.codePointAt(at) ?? code;
      if (code > 0xffff) at += 1;
    }
    const step = STEPS[(state << 5) | (kinds[code] || learnKind(code))] ?? OUTSIDE;
    words += step >> 2;
    state = step & 3;
  }
  return words;
}

/**
 * Calls `visit` with the offsets [start, end) of each word that `splitWords` would return, in order, and creates no
 * strings.
 */
export function forEachWord(text: string, visit: (start: number, end: number) => void): void {
  let start = -1;
  let end = 0;
  let goesOn = 0;
  const { length } = text;
  for (let at = 0; at < length; at += 1) {
    const from = at;
    let code = codeUnit(text, at);
    if (code >= 0xd800 && code <= 0xdbff) {
      code = text.codePointAt(at) ?? code;
      if (code > 0xffff) at += 1;
    }
    const kind = kinds[code] || learnKind(code);
    if ((kind & goesOn) !== 0) {
      if (goesOn !== MARK) goesOn = (kind & JOINER) !== 0 ? LETTER : LETTER | JOINER;
      // A joiner belongs to the word only if a letter follows it.
      if ((kind & JOINER) === 0) end = at + 1;
      continue;
    }
    if (start >= 0) visit(start, end);
    start = (kind & (LETTER | ALONE)) === 0 ? -1 : from;
    end = at + 1;
    goesOn = start < 0 ? 0 : (kind & LETTER) !== 0 ? LETTER | JOINER : MARK;
  }
  if (start >= 0) visit(start, end);
}
