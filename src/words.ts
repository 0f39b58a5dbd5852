/** Text into words, in any script, the same on every platform. */

/**
 * Scripts that put no spaces between words. Each of their letters counts as one token: dictionaries
 * (ICU's word breaker) differ between versions of Node, and a count must not.
 */
export const UNSPACED =
  "\\p{Script=Han}\\p{Script=Hiragana}\\p{Script=Katakana}\\p{Script=Thai}\\p{Script=Lao}\\p{Script=Khmer}\\p{Script=Myanmar}";

const WORD = new RegExp(
  `[${UNSPACED}]\\p{M}*|(?:(?![${UNSPACED}])[\\p{L}\\p{N}\\p{M}])+(?:['’\\u200c\\u200d-](?:(?![${UNSPACED}])[\\p{L}\\p{N}\\p{M}])+)*`,
  "gu",
);

/** The words of a text: runs of letters and digits, or single letters of a script without spaces. */
export function splitWords(text: string): string[] {
  return text.match(WORD) ?? [];
}

export function countWords(text: string): number {
  return splitWords(text).length;
}
