/**
 * Maps a code unit to its class (the kind of character) and its fold (lower case, and one form for equal characters).
 *
 * Classes come from Unicode properties when a character is first seen and are then kept in a flat table, because a
 * regular expression for every character would cost more than all other features. Only code points that one Unicode
 * version of Node leaves unassigned and the next one assigns can differ between platforms.
 */
import { codeUnit } from "../../code-unit.js";
import { UNSPACED } from "../../language/words.js";

/** The classes of characters. Code compares their order: letters come first, up to `unspaced`. */
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

/** Characters for which Unicode properties are too coarse, by class, with the form that they fold to. */
const LISTED: readonly (readonly [number, string, string])[] = [
  // [class, characters, the form that they fold to]
  [CHAR.sentenceEnd, ".。．｡।॥۔։።។။᙮⸼", "."],
  [CHAR.sentenceEnd, "!！", "!"],
  [CHAR.sentenceEnd, "?？؟;⁇፧", "?"], // the semicolon, too: it is the Greek question mark, and the models know it so
  [CHAR.sentenceEnd, "…⋯", "…"],
  [CHAR.comma, ",，、､،﹐﹑၊፣", ","],
  [CHAR.comma, "；؛", ";"],
  [CHAR.colon, ":：﹕∶", ":"],
  [CHAR.apostrophe, "'’‘ʼ＇", "'"],
  [CHAR.quote, '"“”„‟«»「」『』〝〞＂', '"'],
  [CHAR.bullet, "•·‧・･●○▪■□◆◇▶►▸‣⁃∙★☆✓✔※◎▲▼◀◄", "•"],
  [CHAR.bullet, "*＊", "*"],
  [CHAR.pipe, "|｜¦│┃‖", "|"],
  [CHAR.slash, "/／", "/"],
  [CHAR.slash, "\\＼", "\\"],
  [CHAR.arrow, ">＞›→⇒≫〉➔➜➤", ">"],
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
/** By code unit: its class in the low KIND_BITS bits and its fold above them; 0 if it was not seen yet. */
const forms = new Int32Array(UNITS);
const KIND_BITS = 5;
/** The bits of a form that are the class. */
export const KIND = (1 << KIND_BITS) - 1;
const ZERO = 48;

for (const [kind, characters, fold] of LISTED)
  for (const character of characters) forms[character.charCodeAt(0)] = joinForm(kind, fold.charCodeAt(0));

function joinForm(kind: number, fold: number): number {
  return kind | (fold << KIND_BITS);
}

/** Returns class and fold of one code unit in one number: `form & KIND` is the class, `foldIn(form)` the fold. */
export function formOf(unit: number): number {
  return forms[unit] || learn(unit);
}

export function foldIn(form: number): number {
  return form >>> KIND_BITS;
}

/** Returns the class of one code unit; for surrogate pairs use `classOfPair`. */
export function classOf(unit: number): number {
  return formOf(unit) & KIND;
}

/** Returns the folded code unit: lower case, digits as 0, full-width and national punctuation in one form. */
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
  // Full-width forms fold to ASCII.
  if (unit >= 0xff01 && unit <= 0xff5e)
    return String.fromCharCode(unit - 0xfee0)
      .toLowerCase()
      .charCodeAt(0);
  const lower = character.toLowerCase();
  return lower.length === 1 ? lower.charCodeAt(0) : unit;
}

/**
 * Returns the class of the character of a surrogate pair. Supplementary ideographs are `unspaced`, other supplementary
 * letters count as `caseless`, and everything else is a symbol.
 */
export function classOfPair(high: number, low: number): number {
  const codePoint = ((high - 0xd800) << 10) + (low - 0xdc00) + 0x10000;
  if (codePoint >= 0x20000 && codePoint < 0x3ffff) return CHAR.unspaced;
  if (codePoint >= 0x1f000 && codePoint < 0x20000) return CHAR.symbol;
  if (codePoint >= 0xe0000) return CHAR.symbol;
  return /^\p{L}$/u.test(String.fromCodePoint(codePoint)) ? CHAR.caseless : CHAR.symbol;
}

/** The first code unit that can be wider than one letter. */
const FIRST_WIDE = 0x1100;
/** Nearly all lines have only narrow letters; a pattern sees that in less time than a loop. */
const WIDE = /[\u1100-\uffff]/;

/**
 * Returns the width of a code unit in letters of an alphabet: a translation of 1,000 English words (about 5,500
 * characters with spaces) takes about 1,650 Han, 2,200 kana or 2,400 Hangul characters. All lengths are sums of widths;
 * otherwise a Chinese paragraph would look as short as a menu entry.
 */
export function widthOf(unit: number): number {
  if (unit < FIRST_WIDE) return 1;
  if (unit >= 0x3400 && unit <= 0x9fff) return 3;
  if (unit >= 0x3041 && unit <= 0x30ff) return 2.2;
  if (unit >= 0xac00 && unit <= 0xd7a3) return 2.2;
  // The first halves of surrogate pairs of supplementary ideographs.
  if (unit >= 0xd840 && unit <= 0xdbff) return 3;
  if (unit >= 0xf900 && unit <= 0xfaff) return 3;
  return 1;
}

/** Returns the length in letters of an alphabet; it stops counting once the length reaches `most`. */
export function countLetters(text: string, most: number): number {
  if (text.length <= most && !WIDE.test(text)) return text.length;
  let letters = 0;
  for (let at = 0; at < text.length && letters < most; at++) letters += widthOf(codeUnit(text, at));
  return letters;
}
