/** Splits a text into tokens and tells for offsets into it how many tokens stand before them. */
import { tokenize } from "../tokens.js";

const WORD = /[\p{L}\p{N}\p{M}]/u;

export interface TokenOffsets {
  readonly tokens: readonly string[];
  /** Tokens before an offset; a word that the offset is in counts as before it. Only for offsets that were given. */
  readonly before: (offset: number) => number;
}

/** An offset inside of a word (`<b>T</b>he`) is moved behind it, so that no word is cut. */
export function locateTokens(text: string, offsets: Iterable<number>): TokenOffsets {
  const sorted = [...new Set(offsets)].sort((a, b) => a - b);
  const counts = new Map<number, number>();
  const tokens: string[] = [];
  let at = 0;
  for (const offset of sorted) {
    const cut = Math.max(at, endWord(text, offset));
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

/** A half of a surrogate pair is taken for a letter: no pair is cut. */
function isWordAt(text: string, at: number): boolean {
  const character = text.charAt(at);
  return WORD.test(character) || /[\ud800-\udfff]/.test(character);
}
