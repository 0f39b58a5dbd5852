/** A code unit of text into what it can be to the features of a line: letter, number, end of a sentence … */
import { CHAR, classOf, classOfPair } from "../features/chars.js";

export const LETTER = 1;
export const UPPER = 2;
export const NUMBER = 4;
export const PUNCTUATION = 8;
/** Ends a sentence: wherever it stands, or only before a space, a quote or the end of the line. */
export const END = 16;
export const SPACE = 32;
/** What may stand between the end of a sentence and the space behind it. */
export const CLOSER = 64;
/** A letter of a script without spaces. */
export const UNSPACED = 128;
const MET = 256;

const UNITS = 65_536;
/** By code unit; 0 where nobody has met it yet. */
const kinds = new Uint16Array(UNITS);

export function kindOf(unit: number): number {
  return kinds[unit] || learn(unit);
}

/** Of the character whose halves these are. */
export function kindOfPair(high: number, low: number): number {
  const kind = classOfPair(((high - 0xd800) << 10) + (low - 0xdc00) + 0x10000);
  if (kind === CHAR.unspaced) return LETTER | UNSPACED;
  return kind === CHAR.caseless ? LETTER : 0;
}

function learn(unit: number): number {
  const character = String.fromCharCode(unit);
  const kind = classOf(unit);
  let is = MET;
  if (/^\p{L}$/u.test(character)) is |= LETTER;
  if (/^[\p{Lu}\p{Lt}]$/u.test(character)) is |= UPPER;
  if (/^\p{Nd}$/u.test(character)) is |= NUMBER;
  if (/^\p{P}$/u.test(character)) is |= PUNCTUATION;
  if (/^[\p{Pe}\p{Pi}\p{Pf}"'＂]$/u.test(character)) is |= CLOSER;
  if (kind === CHAR.sentenceEnd) is |= END;
  if (kind === CHAR.space) is |= SPACE;
  if (kind === CHAR.unspaced) is |= UNSPACED;
  kinds[unit] = is;
  return is;
}
