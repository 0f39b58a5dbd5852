/**
 * Turns a code unit into its class (what kind of character it is) and its fold (lower case, one form for one meaning).
 *
 * Classes are filled in from Unicode properties when a character is first met and kept in flat tables: asking a regular
 * expression for every character would cost more than all the rest of the features. Code points that are unassigned
 * in one Node's Unicode version and assigned in the next are the only ones that could differ between platforms.
 */
import { codeUnit } from "../../code-unit.js";
import { UNSPACED } from "../../language/words.js";

/** What a character is, as far as boilerplate cares. The order is used: letters come first, up to `unspaced`. */
export const CHAR = {
  unknown: 0,
  lower: 1,
  upper: 2,
  /** A letter of a script without case and with spaces: Arabic, Hebrew, Devanagari, Hangul … */
  caseless: 3,
  /** A letter of a script that puts no spaces between words. */
  unspaced: 4,
  mark: 5,
  digit: 6,
  space: 7,
  sentenceEnd: 8,
  comma: 9,
  colon: 10,
  opening: 11,
  closing: 12,
  quote: 13,
  dash: 14,
  bullet: 15,
  pipe: 16,
  slash: 17,
  arrow: 18,
  currency: 19,
  copyright: 20,
  apostrophe: 21,
  otherPunctuation: 22,
  symbol: 23,
  damaged: 24,
} as const;
export const CHAR_CLASSES = 25;

/** Characters by class, where a Unicode property would be too coarse. Folds are given where one form is used for many. */
const LISTED: readonly (readonly [number, string, string])[] = [
  // [class, characters, what they fold to ("" keeps them apart)]
  [CHAR.sentenceEnd, ".。．｡।॥۔։።។။᙮⸼", "."],
  [CHAR.sentenceEnd, "!！", "!"],
  [CHAR.sentenceEnd, "?？؟;⁇፧", "?"],
  [CHAR.sentenceEnd, "…⋯", "…"],
  [CHAR.comma, ",，、､،،﹐﹑၊፣", ","],
  [CHAR.comma, ";；؛", ";"],
  [CHAR.colon, ":：﹕∶", ":"],
  [CHAR.apostrophe, "'’‘ʼ＇", "'"],
  [CHAR.quote, '"“”„‟«»「」『』〝〞＂', '"'],
  [CHAR.bullet, "•·‧・･●○▪■□◆◇▶►▸‣⁃∙★☆✓✔※◎▲▼◀◄", "•"],
  [CHAR.bullet, "*＊", "*"],
  [CHAR.pipe, "|｜¦│┃‖", "|"],
  [CHAR.slash, "/／", "/"],
  [CHAR.slash, "\\＼", "\\"],
  [CHAR.arrow, ">＞›→⇒»≫〉➔➜➤", ">"],
  [CHAR.arrow, "<＜‹←⇐≪〈", "<"],
  [CHAR.copyright, "©®™℗", "©"],
  [CHAR.damaged, "\ufffd\u0000", "\ufffd"],
];

const PROPERTIES: readonly (readonly [number, RegExp])[] = [
  [CHAR.unspaced, new RegExp(`^(?=\\p{L})[${UNSPACED}]$`, "u")],
  [CHAR.lower, /^\p{Ll}$/u],
  [CHAR.upper, /^[\p{Lu}\p{Lt}]$/u],
  [CHAR.caseless, /^\p{L}$/u],
  [CHAR.mark, /^[\p{M}\u200c\u200d]$/u],
  [CHAR.digit, /^\p{Nd}$/u],
  [CHAR.space, /^[\s\p{Z}\p{Cc}]$/u],
  [CHAR.opening, /^\p{Ps}$/u],
  [CHAR.closing, /^\p{Pe}$/u],
  [CHAR.quote, /^[\p{Pi}\p{Pf}]$/u],
  [CHAR.dash, /^\p{Pd}$/u],
  [CHAR.currency, /^\p{Sc}$/u],
  [CHAR.otherPunctuation, /^\p{P}$/u],
  [CHAR.damaged, /^\p{Co}$/u],
];

const UNITS = 65_536;
/** By code unit: its class, and above KIND_BITS its fold; 0 where it was not met yet. */
const forms = new Int32Array(UNITS);
const KIND_BITS = 5;
/** What of a form is the class. */
export const KIND = (1 << KIND_BITS) - 1;
const ZERO = 48;

for (const [kind, characters, fold] of LISTED) {
  for (const character of characters) {
    const unit = character.charCodeAt(0);
    if (forms[unit] === 0) forms[unit] = joinForm(kind, fold.charCodeAt(0));
  }
}

function joinForm(kind: number, fold: number): number {
  return kind | (fold << KIND_BITS);
}

/** Class and fold of one code unit in one number: `form & KIND`, and `foldIn(form)`. */
export function formOf(unit: number): number {
  return forms[unit] || learn(unit);
}

export function foldIn(form: number): number {
  return form >>> KIND_BITS;
}

/** The class of one code unit; halves of surrogate pairs go through `classOfPair`. */
export function classOf(unit: number): number {
  return formOf(unit) & KIND;
}

/** The folded code unit: lower case, digits to 0, full-width and national punctuation to one form. */
export function foldOf(unit: number): number {
  return foldIn(formOf(unit));
}

function learn(unit: number): number {
  const character = String.fromCharCode(unit);
  const kind = PROPERTIES.find(([, pattern]) => pattern.test(character))?.[0] ?? CHAR.symbol;
  const form = joinForm(kind, fold(unit, kind, character));
  forms[unit] = form;
  return form;
}

function fold(unit: number, kind: number, character: string): number {
  if (kind === CHAR.digit) return ZERO;
  if (kind === CHAR.dash) return 45;
  if (kind === CHAR.quote) return 34;
  if (kind === CHAR.space) return 32;
  // Full-width forms of ASCII.
  if (unit >= 0xff01 && unit <= 0xff5e)
    return String.fromCharCode(unit - 0xfee0)
      .toLowerCase()
      .charCodeAt(0);
  const lower = character.toLowerCase();
  return lower.length === 1 ? lower.charCodeAt(0) : unit;
}

/**
 * The class of a surrogate pair's code point. Ideographs of the supplementary planes are letters without spaces,
 * the letters of the other supplementary scripts are caseless letters for us, everything else there is a symbol.
 */
export function classOfPair(codePoint: number): number {
  if (codePoint >= 0x20000 && codePoint < 0x3ffff) return CHAR.unspaced;
  if (codePoint >= 0x1f000 && codePoint < 0x20000) return CHAR.symbol;
  if (codePoint >= 0xe0000) return CHAR.symbol;
  return /^\p{L}$/u.test(String.fromCodePoint(codePoint)) ? CHAR.caseless : CHAR.symbol;
}

/** No character below is worth more than one letter. */
const FIRST_WIDE = 0x1100;

/**
 * What one letter is worth in letters of an alphabet: a translation of 1,000 English words (about 5,500 characters
 * with spaces) takes about 1,650 Han, 2,200 kana or 2,400 Hangul characters. Lengths are summed in these, or
 * a Chinese paragraph looks like a menu entry.
 */
export function widthOf(unit: number): number {
  if (unit < FIRST_WIDE) return 1;
  if (unit >= 0x3400 && unit <= 0x9fff) return 3;
  if (unit >= 0x3041 && unit <= 0x30ff) return 2.2;
  if (unit >= 0xac00 && unit <= 0xd7a3) return 2.2;
  // Ideographs of the supplementary planes come as two halves.
  if (unit >= 0xd840 && unit <= 0xdbff) return 3;
  if (unit >= 0xf900 && unit <= 0xfaff) return 3;
  return 1;
}

/** Length in letters of an alphabet, counted no further than to `most`. */
export function countLetters(text: string, most: number): number {
  const end = Math.min(text.length, most);
  let at = 0;
  // Most lines are of narrow letters alone.
  while (at < end && codeUnit(text, at) < FIRST_WIDE) at += 1;
  let letters = at;
  for (; at < text.length && letters < most; at++) letters += widthOf(codeUnit(text, at));
  return letters;
}
