/** Computes the share of stop words in lines, for the stated language or the one that fits best. */
import { STOP_WORDS } from "./stop-words.js";

/** The languages that have stop words. */
export const STOP_LANGUAGES: readonly string[] = Object.keys(STOP_WORDS);

/** If no list has this share of the words of the long lines, no list fits a text without a stated language. */
const LEAST_SHARE = 0.2;
/** The stated language is often a template's: a list that fits more than this many times better replaces its list. */
const LIE = 2;

let bits: ReadonlyMap<string, number> | undefined;

/** Maps each stop word to its languages, one bit for each. Built once, when the first text is read. */
function readLists(): ReadonlyMap<string, number> {
  const found = new Map<string, number>();
  for (const [at, language] of STOP_LANGUAGES.entries())
    for (const word of (STOP_WORDS[language] ?? "").split(" "))
      found.set(word, (found.get(word) ?? 0) | (1 << at));
  return found;
}

/** Splits a line at whitespace, as jusText does, and returns for each word the bits of the languages that list it. */
export function readWords(
  text: string,
  lists: ReadonlyMap<string, number> = (bits ??= readLists()),
): Uint32Array {
  const words = text
    .toLowerCase()
    .split(/\s+/)
    .filter((word) => word !== "");
  const found = new Uint32Array(words.length);
  for (const [at, word] of words.entries()) found[at] = lists.get(word) ?? 0;
  return found;
}

/** Returns the share of a line's words that are stop words of `language`. */
export function stopShare(words: Uint32Array, language: string): number {
  return shareOf(words, 1 << STOP_LANGUAGES.indexOf(language));
}

/** Returns the share of words that have a bit; 0 if there are no words. */
export function shareOf(words: Uint32Array, bit: number): number {
  if (words.length === 0) return 0;
  let count = 0;
  for (const word of words) if ((word & bit) !== 0) count += 1;
  return count / words.length;
}

/**
 * Chooses the language whose stop words count, from the long lines of a text and the BCP 47 tag that it states, if any.
 * Returns undefined when no list fits or the stated language has none; then only length, links and neighbours decide.
 */
export function chooseLanguage(lines: readonly Uint32Array[], stated?: string): string | undefined {
  const shares = shareByLanguage(lines);
  const best = STOP_LANGUAGES.reduce<string | undefined>(
    (first, one) => (first === undefined || (shares[one] ?? 0) > (shares[first] ?? 0) ? one : first),
    undefined,
  );
  const top = best === undefined ? 0 : (shares[best] ?? 0);
  if (stated === undefined) return top >= LEAST_SHARE ? best : undefined;
  const base = stated.toLowerCase().split(/[-_]/)[0] ?? "";
  if (!STOP_LANGUAGES.includes(base)) return undefined;
  return top >= LEAST_SHARE && top > LIE * (shares[base] ?? 0) ? best : base;
}

function shareByLanguage(lines: readonly Uint32Array[]): Readonly<Record<string, number>> {
  const counts = STOP_LANGUAGES.map(() => 0);
  let words = 0;
  for (const line of lines) {
    words += line.length;
    for (const word of line)
      if (word !== 0)
        for (let at = 0; at < counts.length; at += 1)
          if ((word & (1 << at)) !== 0) counts[at] = (counts[at] ?? 0) + 1;
  }
  return Object.fromEntries(
    STOP_LANGUAGES.map((language, at) => [language, words === 0 ? 0 : (counts[at] ?? 0) / words]),
  );
}
