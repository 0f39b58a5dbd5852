/** Counts the characters, words and sentences of a line's text, from which its features are computed. */
import { codeUnit } from "../../../code-unit.js";
import { CHAR, classOf, classOfPair } from "../../features/chars.js";

/** Reused from line to line. Characters are code points. */
export interface TextCounts {
  characters: number;
  letters: number;
  uppers: number;
  numbers: number;
  punctuation: number;
  /** Separated by whitespace; a letter of a script without spaces is half a word. */
  words: number;
  sentences: number;
  /** Whether any character can end a sentence. */
  hasEnd: boolean;
  /** Whether the text ends with the end of a sentence. */
  endsSentence: boolean;
  hasCopyright: boolean;
  addresses: number;
  links: number;
  hashtags: number;
  years: number;
}

export function createTextCounts(): TextCounts {
  return {
    characters: 0,
    letters: 0,
    uppers: 0,
    numbers: 0,
    punctuation: 0,
    words: 0,
    sentences: 0,
    hasEnd: false,
    endsSentence: false,
    hasCopyright: false,
    addresses: 0,
    links: 0,
    hashtags: 0,
    years: 0,
  };
}

// Neighbouring parts of these patterns share no character or have bounds, so that no match takes long.
const ADDRESS = /[\w.+-]{1,64}@[\w-]{1,63}(?:\.[\w-]{1,63}){1,8}/g;
const LINK = /\b(?:https?:\/\/|ftp:\/\/|www\.)[^\s<>"]/gi;
const HASHTAG = /(?<![\p{L}\p{N}_&/])#(?=[\p{N}_]{0,63}\p{L})/gu;
const YEAR = /(?<![\p{L}\p{N}])(?:18|19|20)\d\d(?![\p{L}\p{N}])/gu;

/** Overwrites `counts` with those of the text. */
export function countText(text: string, counts: TextCounts): void {
  countCharacters(text, counts);
  counts.hasCopyright = text.includes("©");
  counts.addresses = text.includes("@") ? countMatches(text, ADDRESS) : 0;
  counts.links = text.includes("/") || text.includes(".") ? countMatches(text, LINK) : 0;
  counts.hashtags = text.includes("#") ? countMatches(text, HASHTAG) : 0;
  counts.years = counts.numbers > 3 ? countMatches(text, YEAR) : 0;
}

function countMatches(text: string, pattern: RegExp): number {
  return text.match(pattern)?.length ?? 0;
}

/** The state of the loop over a line. */
interface Progress {
  halfWords: number;
  isInWord: boolean;
  /** Whether the last characters end a sentence if a space or nothing follows. */
  isEnding: boolean;
  /** Whether letters or numbers have followed the last sentence. */
  isOpen: boolean;
}

/** From this code unit on, full stops are full-width and need no space after them. */
const WIDE = 0x3000;

function countCharacters(text: string, counts: TextCounts): void {
  const progress: Progress = { halfWords: 0, isInWord: false, isEnding: false, isOpen: false };
  counts.characters = 0;
  counts.letters = 0;
  counts.uppers = 0;
  counts.numbers = 0;
  counts.punctuation = 0;
  counts.sentences = 0;
  counts.hasEnd = false;
  const { length } = text;
  for (let at = 0; at < length; at += 1) {
    const unit = codeUnit(text, at);
    let kind = kindOf(unit);
    if (unit >= 0xd800 && unit <= 0xdbff && at + 1 < length) {
      at += 1;
      kind = kindOfPair(unit, codeUnit(text, at));
    }
    counts.characters += 1;
    if ((kind & (LETTER | NUMBER)) !== 0) addWordPart(kind, counts, progress);
    else addMark(kind, unit >= WIDE, counts, progress);
  }
  counts.endsSentence = progress.isEnding;
  if (progress.isOpen) counts.sentences += 1;
  counts.words = progress.halfWords / 2;
}

function addWordPart(kind: number, counts: TextCounts, progress: Progress): void {
  if ((kind & NUMBER) !== 0) counts.numbers += 1;
  else counts.letters += 1;
  if ((kind & UPPER) !== 0) counts.uppers += 1;
  if ((kind & UNSPACED) !== 0) progress.halfWords += 1;
  else if (!progress.isInWord) progress.halfWords += 2;
  progress.isInWord = (kind & UNSPACED) === 0;
  progress.isEnding = false;
  progress.isOpen = true;
}

function addMark(kind: number, isWide: boolean, counts: TextCounts, progress: Progress): void {
  if ((kind & PUNCTUATION) !== 0) counts.punctuation += 1;
  if ((kind & END) !== 0) {
    counts.hasEnd = true;
    progress.isEnding = true;
    if (isWide) endSentence(counts, progress);
  } else if ((kind & SPACE) !== 0) {
    progress.isInWord = false;
    if (progress.isEnding) endSentence(counts, progress);
  } else if ((kind & CLOSER) === 0) progress.isEnding = false;
}

function endSentence(counts: TextCounts, progress: Progress): void {
  if (progress.isOpen) counts.sentences += 1;
  progress.isOpen = false;
}

/* The kinds of a code unit, as bit flags: letter, number, end of a sentence … */

const LETTER = 1;
const UPPER = 2;
const NUMBER = 4;
const PUNCTUATION = 8;
/** A character that can end a sentence: anywhere, or only before a space, a quote or the end of the line. */
const END = 16;
const SPACE = 32;
/** A character that may follow the end of a sentence before a space. */
const CLOSER = 64;
/** A letter of a script without spaces. */
const UNSPACED = 128;
const MET = 256;

const UNITS = 65_536;
/** The flags of each code unit; 0 until the first use. */
const kinds = new Uint16Array(UNITS);

function kindOf(unit: number): number {
  return kinds[unit] || learn(unit);
}

/** Returns the flags of the character of a surrogate pair. */
function kindOfPair(high: number, low: number): number {
  const kind = classOfPair(high, low);
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
