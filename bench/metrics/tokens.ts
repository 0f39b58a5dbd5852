/** Splits text into the tokens that are compared: words of any script, ignoring case, layout marks and Unicode form. */

/**
 * Scripts without spaces between words: each letter is a token, as in the product's own word count. A dictionary would
 * give different tokens in different versions of Node.
 */
const UNSPACED =
  "\\p{Script=Han}\\p{Script=Hiragana}\\p{Script=Katakana}\\p{Script=Thai}\\p{Script=Lao}\\p{Script=Khmer}\\p{Script=Myanmar}";
const HAS_UNSPACED = new RegExp(`[${UNSPACED}]`, "u");
const PIECE = new RegExp(`[${UNSPACED}]\\p{M}*|(?:(?![${UNSPACED}])[\\p{L}\\p{N}\\p{M}])+`, "gu");
const RUN = /[\p{L}\p{N}\p{M}]+/gu;

/** Invisible characters, and marks that Markdown may put inside a word (`**T**he`, `snake\_case`). */
const DROPPED = /[\u00ad\u200b-\u200f\u202a-\u202e\u2060-\u2069\ufeff\u061c*_`~\\]/g;

/** A Markdown link target, from `](` to `)`; the repetitions are bounded so that no text makes it slow. */
const TARGET = '\\]\\((?:[^()\\s]|\\([^()\\s]{0,500}\\)){0,2000}(?:\\s+"[^"\\n]{0,500}")?\\)';
const IMAGE = new RegExp(`!\\[[^\\]\\n]{0,1000}${TARGET}`, "g");
const LINK_TARGET = new RegExp(TARGET, "g");

/** Removes what Markdown adds to the words of a page: images and link targets. */
export function stripMarkdown(text: string): string {
  return text.includes("](") ? text.replace(IMAGE, " ").replace(LINK_TARGET, " ") : text;
}

/** Normalises a text: NFKC, lower case, no invisible characters. Gold and output are treated the same. */
function foldText(text: string): string {
  return text.replace(DROPPED, "").normalize("NFKC").toLowerCase();
}

/** Returns the tokens of a text; punctuation and symbols are not tokens. */
export function tokenize(text: string): string[] {
  const runs = foldText(text).match(RUN) ?? [];
  if (!runs.some((run) => HAS_UNSPACED.test(run))) return runs;
  return runs.flatMap((run) => run.match(PIECE) ?? []);
}

/**
 * Returns how strongly a token identifies a place in the text: 1 for a word, 0.5 for a letter of a script without
 * spaces.
 */
export function tokenEvidence(token: string): number {
  return token.length <= 2 && HAS_UNSPACED.test(token) ? 0.5 : 1;
}

/**
 * Returns the matches of Python's `\w+`, which several of the originals count: letters, numbers and the underscore, but
 * no combining marks.
 */
export function pythonWords(text: string): string[] {
  return text.match(/[\p{L}\p{N}_]+/gu) ?? [];
}

/** Splits like Python's `str.split()`. */
export function whitespaceTokens(text: string): string[] {
  const trimmed = text.trim();
  return trimmed === "" ? [] : trimmed.split(/\s+/u);
}
