/** Counts the characters of lines: letters by script, digits, and the columns that they fill. */
import { UNSPACED_SCRIPTS } from "../language/words.js";

/**
 * The scripts that are told apart; letters of all other scripts count as "Other". The order is that of the numbers
 * below, so new scripts go to the end.
 */
const SCRIPTS = [
  "Latin",
  "Han",
  "Hiragana",
  "Katakana",
  "Bopomofo",
  "Hangul",
  "Cyrillic",
  "Arabic",
  "Devanagari",
  "Greek",
  "Hebrew",
  "Thai",
  "Lao",
  "Khmer",
  "Myanmar",
  "Tibetan",
  "Bengali",
  "Gurmukhi",
  "Gujarati",
  "Oriya",
  "Tamil",
  "Telugu",
  "Kannada",
  "Malayalam",
  "Sinhala",
  "Georgian",
  "Armenian",
  "Ethiopic",
] as const;
export type Script = (typeof SCRIPTS)[number] | "Other";

/**
 * Scripts that are written together: letters of the others are not foreign beside those of the first. Latin letters are
 * foreign in no script, because names, units and technical terms use them everywhere. If they were, 58 % of the Chinese
 * and 42 % of the Hindi documents of the CORE corpora would have more than .02 foreign letters (and none of the
 * French).
 */
const AT_HOME: Readonly<Partial<Record<Script, readonly Script[]>>> = {
  Han: ["Hiragana", "Katakana", "Bopomofo"],
  Hiragana: ["Han", "Katakana"],
  Katakana: ["Han", "Hiragana"],
  Bopomofo: ["Han"],
  Hangul: ["Han"],
};

const UNSPACED: ReadonlySet<Script | undefined> = new Set<Script | undefined>(UNSPACED_SCRIPTS);

/** Checks whether a script puts no spaces between words. */
export function isUnspaced(script: Script | undefined): boolean {
  return UNSPACED.has(script);
}

/** Scripts of no language that `language.ts` knows: it would judge by the few words in other scripts between them. */
const UNIDENTIFIABLE: ReadonlySet<Script | undefined> = new Set<Script | undefined>([
  "Khmer",
  "Myanmar",
  "Tibetan",
  "Sinhala",
  "Other",
]);

/** Checks whether no language of the script can be identified. */
export function isUnidentifiable(script: Script | undefined): boolean {
  return UNIDENTIFIABLE.has(script);
}

const OTHER = SCRIPTS.length;
/** The kinds of characters; a letter of script n has the kind FIRST_LETTER + n. */
const KIND = { unknown: 0, rest: 1, digit: 2, space: 3, mark: 4, letter: 5 } as const;
const FIRST_LETTER = 6;
/** Added to the kind of characters that fill two columns. */
const WIDE = 0x80;

/** The kinds of the characters seen so far, by code point. The system allocates only the memory pages that are used. */
const kinds = new Uint8Array(0x110000);

const EXPRESSIONS = SCRIPTS.map((script) => new RegExp(`^\\p{Script=${script}}`, "u"));
/** Ideographs, kana, Hangul and full-width forms, by their blocks (Unicode Standard Annex 11). */
const IS_WIDE =
  /^[\u1100-\u115f\u2e80-\u303e\u3041-\ua4cf\ua960-\ua97f\uac00-\ud7a3\uf900-\ufaff\ufe30-\ufe6f\uff01-\uff60\uffe0-\uffe6\u{1f300}-\u{1faff}\u{20000}-\u{3fffd}]/u;

function learnKind(code: number): number {
  const character = String.fromCodePoint(code);
  const kind = findKind(character) | (IS_WIDE.test(character) ? WIDE : 0);
  kinds[code] = kind;
  return kind;
}

function findKind(character: string): number {
  if (/^\p{Nd}/u.test(character)) return KIND.digit;
  if (/^\s/u.test(character)) return KIND.space;
  if (/^[\p{M}\p{Cf}]/u.test(character)) return KIND.mark;
  if (!/^\p{L}/u.test(character)) return KIND.rest;
  const script = EXPRESSIONS.findIndex((expression) => expression.test(character));
  if (script >= 0) return FIRST_LETTER + script;
  // Letters that several scripts share, such as the kana lengthening mark, are foreign in no script.
  return /^\p{Script=Common}/u.test(character) ? KIND.letter : FIRST_LETTER + OTHER;
}

/** Counts of the characters of a text. */
export interface Characters {
  /** Letters, without combining marks. */
  readonly letters: number;
  readonly digits: number;
  /** All characters including whitespace; wide ones count twice. */
  readonly columns: number;
  /**
   * The script with the most letters, including those of scripts written with it; undefined if there are no letters.
   */
  readonly script: Script | undefined;
  /** Letters of scripts that are not written together with that script. */
  readonly foreign: number;
}

/** Counts the characters of all lines. */
export function countCharacters(lines: readonly string[]): Characters {
  const counts = new Float64Array(FIRST_LETTER + OTHER + 1);
  let wide = 0;
  for (const line of lines) {
    for (let at = 0; at < line.length; at += 1) {
      const code = line.codePointAt(at) ?? 0;
      if (code > 0xffff) at += 1;
      const found = kinds[code] || learnKind(code);
      const kind = found & ~WIDE;
      counts[kind] = (counts[kind] ?? 0) + 1;
      if (kind !== found) wide += 1;
    }
  }
  const byScript = counts.subarray(FIRST_LETTER);
  const digits = counts[KIND.digit] ?? 0;
  const letters = byScript.reduce((sum, count) => sum + count, counts[KIND.letter] ?? 0);
  const weights = byScript.map((_, at) => weigh(byScript, at));
  const most = weights.reduce((best, weight, at) => (weight > (weights[best] ?? 0) ? at : best), 0);
  const columns = counts.reduce((sum, count) => sum + count, wide);
  const counted = { letters, digits, columns };
  if ((byScript[most] ?? 0) === 0) return { ...counted, script: undefined, foreign: 0 };
  const script = SCRIPTS[most] ?? "Other";
  const home = [script, "Latin", ...(AT_HOME[script] ?? [])];
  const foreign = byScript.reduce(
    (sum, count, at) => (home.includes(SCRIPTS[at] ?? "Other") ? sum : sum + count),
    0,
  );
  return { ...counted, script, foreign };
}

/**
 * Counts the letters of a script, and adds those of each script written with it that has no more letters. Japanese uses
 * three scripts, and a text about technology may have more Latin letters than any one of them.
 */
function weigh(byScript: Float64Array, at: number): number {
  const own = byScript[at] ?? 0;
  return (AT_HOME[SCRIPTS[at] ?? "Other"] ?? []).reduce((sum, script) => {
    const count = byScript[SCRIPTS.findIndex((name) => name === script)] ?? 0;
    return count <= own ? sum + count : sum;
  }, own);
}

/**
 * Returns the length of a text in columns: two for a wide character, one for any other. So lengths that were published
 * for English apply to other languages: a Han letter or a Hangul syllable says as much as two letters of an alphabet,
 * and is as wide as two.
 */
export function countColumns(text: string, start = 0, end = text.length): number {
  let columns = 0;
  for (let at = start; at < end; at += 1) {
    const code = text.codePointAt(at) ?? 0;
    if (code > 0xffff) at += 1;
    columns += ((kinds[code] || learnKind(code)) & WIDE) === 0 ? 1 : 2;
  }
  return columns;
}
