/** Splits a text into tokens and converts character offsets to token counts. */
import { tokenize } from "../tokens.js";

const WORD = /[\p{L}\p{N}\p{M}]/u;

export interface TokenOffsets {
  readonly tokens: readonly string[];
  /**
   * Returns the number of tokens before an offset; a word that contains the offset counts as before it. Only for
   * offsets that were passed to `locateTokens`.
   */
  readonly before: (offset: number) => number;
}

/**
 * Splits a text at offsets. An offset inside a word (`<b>T</b>he`) moves to the end of the word, so that no word is
 * cut.
 */
export function locateTokens(text: string, offsets: Iterable<number>): TokenOffsets {
  const sorted = [...new Set(offsets)].sort((a, b) => a - b);
  const counts = new Map<number, number>();
  const tokens: string[] = [];
  let at = 0;
  for (const offset of sorted) {
    // An offset before the last cut is inside of the word that ends there.
    const cut = offset < at ? at : endWord(text, offset);
    for (const token of tokenize(text.slice(at, cut))) tokens.push(token);
    at = cut;
    counts.set(offset, tokens.length);
  }
  for (const token of tokenize(text.slice(at))) tokens.push(token);
  return { tokens, before: (offset) => counts.get(offset) ?? 0 };
}

function endWord(text: string, offset: number): number {
  let end = offset;
  if (end === 0 || !isWordAt(text, end - 1)) return end;
  while (end < text.length && isWordAt(text, end)) end += 1;
  return end;
}

/** Whether the character is part of a word. Half of a surrogate pair counts as a letter, so that no pair is cut. */
function isWordAt(text: string, at: number): boolean {
  const character = text.charAt(at);
  return WORD.test(character) || /[\ud800-\udfff]/.test(character);
}
