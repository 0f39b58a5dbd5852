/** The text of a line into words and signs, and into counts of those that BoilerNet knows. */
import type { LineEncoder } from "./encoder.js";

/** Characters of a line that are read; longer ones are generated. */
const MOST_CHARACTERS = 20_000;

/** A run of letters and digits, or one other sign, as the tokeniser of the paper cuts them for the most part. */
const WORD = /[\p{L}\p{M}\p{N}]+|[^\s\p{L}\p{M}\p{N}]/gu;

export function wordsOf(text: string): string[] {
  return text.slice(0, MOST_CHARACTERS).toLowerCase().match(WORD) ?? [];
}

/** One value for each known word and one for all others. */
export function createWordEncoder(words: readonly string[]): LineEncoder {
  const known = new Map(words.map((word, at) => [word, at]));
  const width = words.length + 1;
  return {
    width,
    encode(texts) {
      const values = new Float32Array(texts.length * width);
      for (const [line, text] of texts.entries()) {
        for (const word of wordsOf(text)) {
          const at = line * width + (known.get(word) ?? words.length);
          values[at] = (values[at] ?? 0) + 1;
        }
      }
      return Promise.resolve(values);
    },
    close: () => Promise.resolve(),
  };
}
