/**
 * Scans one line of text into counts and tokens, in one pass over its code units.
 *
 * It gathers everything that the features and the bags need, in a workspace that is reused for every line. Tokens are
 * words, numbers, single letters of scripts without spaces, and runs of one punctuation mark. Counts cover the whole
 * line, however long.
 */
import { codeUnit } from "../../code-unit.js";
import * as chars from "./chars.js";
import { classOf, classOfPair, foldIn, foldOf, formOf, widthOf } from "./chars.js";
import { HASH_START, hashStep, hashWord } from "./hash.js";
import * as tokens from "./tokens.js";
import { clearScan, keepToken, slotOf, type LineScan } from "./tokens.js";

// The engine inlines a module's own constants but looks imported ones up at each use, a quarter of the time of a scan.
const { CHAR, KIND } = chars;
const { MAX_TOKEN_UNITS, TOKEN } = tokens;

/** Returns the class of the character at `at`; a surrogate pair is one character. */
function classAt(text: string, at: number): number {
  const unit = codeUnit(text, at);
  if (unit < 0xd800 || unit > 0xdbff || at + 1 >= text.length) return classOf(unit);
  const next = codeUnit(text, at + 1);
  if (next < 0xdc00 || next > 0xdfff) return CHAR.damaged;
  return classOfPair(unit, next);
}

/** Returns how many code units the character at `at` has: 1 or 2. */
function sizeAt(text: string, at: number): number {
  const unit = codeUnit(text, at);
  if (unit < 0xd800 || unit > 0xdbff || at + 1 >= text.length) return 1;
  const next = codeUnit(text, at + 1);
  return next >= 0xdc00 && next <= 0xdfff ? 2 : 1;
}

/** Scans a line into the workspace and overwrites the line before. */
export function scanLine(scan: LineScan, text: string): void {
  clearScan(scan);
  const { length } = text;
  let at = 0;
  while (at < length) {
    const kind = classAt(text, at);
    if (kind === CHAR.space) {
      scan.counts[CHAR.space] = (scan.counts[CHAR.space] ?? 0) + 1;
      scan.length += 1;
      at += 1;
    } else if (kind === CHAR.unspaced) at = scanUnspaced(scan, text, at);
    else if (kind <= CHAR.digit) at = scanWord(scan, text, at);
    else at = scanMark(scan, text, at, kind);
  }
}

/** Scans one letter of a script without spaces, with its combining marks; returns the index after it. */
function scanUnspaced(scan: LineScan, text: string, start: number): number {
  const slot = slotOf(scan.tokens);
  let at = start + sizeAt(text, start);
  let width = widthOf(codeUnit(text, start));
  scan.counts[CHAR.unspaced] = (scan.counts[CHAR.unspaced] ?? 0) + 1;
  while (at < text.length && classOf(codeUnit(text, at)) === CHAR.mark) {
    scan.counts[CHAR.mark] = (scan.counts[CHAR.mark] ?? 0) + 1;
    width += 1;
    at += 1;
  }
  let hash = HASH_START;
  const end = Math.min(at, start + MAX_TOKEN_UNITS);
  for (let i = start; i < end; i++) {
    const folded = foldOf(codeUnit(text, i));
    hash = hashStep(hash, folded);
    scan.folded[slot * MAX_TOKEN_UNITS + i - start] = folded;
  }
  // 2011年12月9日: the character for "month" after a number makes a date.
  if (scan.numberEnd === start && codeUnit(text, start) === 0x6708) scan.dates += 1;
  scan.length += width;
  scan.unspacedWidth += width;
  keepToken(scan, slot, TOKEN.unspaced, hash);
  scan.width[slot] = width;
  scan.units[slot] = end - start;
  return at;
}

const SHAPE_LOWER = 1;
const SHAPE_UPPER = 2;
const SHAPE_DIGIT = 3;

/** Scans a run of letters, marks and digits, with apostrophes inside it; returns the index after it. */
function scanWord(scan: LineScan, text: string, start: number): number {
  const { counts, folded } = scan;
  const slot = slotOf(scan.tokens);
  const base = slot * MAX_TOKEN_UNITS;
  const size = text.length;
  let hash = HASH_START;
  let shape = HASH_START;
  let lastShape = 0;
  let lastKind = 0;
  let kept = 0;
  let lower = 0;
  let upper = 0;
  let caseless = 0;
  let digits = 0;
  let width = 0;
  let at = start;
  for (; at < size; at++) {
    let unit = codeUnit(text, at);
    let form = formOf(unit);
    let kind = form & KIND;
    if (kind > CHAR.digit || kind === CHAR.unspaced) {
      if (isPairOfLetter(text, at)) {
        at += 1;
        unit = codeUnit(text, at);
        form = formOf(unit);
        kind = CHAR.caseless;
      } else if (kind !== CHAR.apostrophe || lower + upper + caseless === 0 || !isLetter(text, at + 1)) break;
    }
    let s = SHAPE_LOWER;
    width += unit < 0x1100 ? 1 : widthOf(unit);
    if (kind === CHAR.lower) lower += 1;
    else if (kind === CHAR.upper) {
      upper += 1;
      s = SHAPE_UPPER;
      if (lastKind === CHAR.lower) scan.gluedWords += 1;
    } else if (kind === CHAR.digit) {
      digits += 1;
      if (lastKind === CHAR.digit) continue;
      s = SHAPE_DIGIT;
    } else if (kind === CHAR.caseless) caseless += 1;
    else counts[kind] = (counts[kind] ?? 0) + 1;
    lastKind = kind;
    hash = hashStep(hash, foldIn(form));
    if (kept < MAX_TOKEN_UNITS) folded[base + kept++] = foldIn(form);
    if (s !== lastShape) shape = hashStep(shape, s);
    lastShape = s;
  }
  scan.length += width;
  scan.shape[slot] = hashStep(shape, sizeBucket(width));
  scan.width[slot] = width;
  scan.units[slot] = kept;
  keepToken(scan, slot, lower + upper + caseless === 0 ? TOKEN.number : TOKEN.word, hash);
  counts[CHAR.digit] = (counts[CHAR.digit] ?? 0) + digits;
  if (lower + upper + caseless === 0) countNumber(scan, text, start, at);
  else countWord(scan, { lower, upper, caseless, digits, width, hash });
  return at;
}

/** Checks whether a surrogate pair at `at` is a letter of a script with spaces. */
function isPairOfLetter(text: string, at: number): boolean {
  const unit = codeUnit(text, at);
  return unit >= 0xd800 && unit <= 0xdbff && classAt(text, at) === CHAR.caseless;
}

/** Checks whether the code unit at `at` is a letter of a script with spaces. */
function isLetter(text: string, at: number): boolean {
  return at < text.length && classOf(codeUnit(text, at)) <= CHAR.caseless;
}

/** Groups word lengths: 1, 2, 3–4, 5–7, 8–11, and 12 or more letters. */
function sizeBucket(width: number): number {
  return width <= 2 ? width | 0 : width < 5 ? 3 : width < 8 ? 4 : width < 12 ? 5 : 6;
}

const HTTP = hashWord("http");
const HTTPS = hashWord("https");
const WWW = hashWord("www");
/** The shape of letters of a script without spaces that together make a word: a lower-case word of medium length. */
export const UNSPACED_SHAPE = hashStep(hashStep(HASH_START, SHAPE_LOWER), sizeBucket(6));
/** Letters of a script without spaces make a word once their widths (see `widthOf`) sum to this. */
export const UNSPACED_SHAPE_WIDTH = 5.5;

interface Word {
  readonly lower: number;
  readonly upper: number;
  readonly caseless: number;
  readonly digits: number;
  readonly width: number;
  readonly hash: number;
}

function countWord(scan: LineScan, { lower, upper, caseless, digits, width, hash }: Word): void {
  const { counts } = scan;
  const letters = lower + upper + caseless;
  counts[CHAR.lower] = (counts[CHAR.lower] ?? 0) + lower;
  counts[CHAR.upper] = (counts[CHAR.upper] ?? 0) + upper;
  counts[CHAR.caseless] = (counts[CHAR.caseless] ?? 0) + caseless;
  scan.words += 1;
  scan.wordWidth += width;
  if (digits > 0) scan.mixedWords += 1;
  if (width < 2) scan.oneLetterWords += 1;
  if (width < 4) scan.shortWords += 1;
  if (width >= 9) scan.longWords += 1;
  if (letters > 2 && letters < 6 && (hash === HTTP || hash === HTTPS || hash === WWW)) scan.addresses += 1;
  if (upper + lower === 0) return;
  scan.casedWords += 1;
  if (upper > 0 && lower === 0 && letters > 1) scan.capsWords += 1;
  else if (upper > 0 && upper < 3 && scan.tokens > 1) scan.titleWords += 1;
}

const FULL_STOP = 46;
const SLASH = 47;
const HYPHEN = 45;
const COLON = 58;

function countNumber(scan: LineScan, text: string, start: number, end: number): void {
  scan.numbers += 1;
  const digits = end - start;
  // Thai years begin with 25, ours with 19 or 20: a year is any four digits, of any script, that begin with 1 or 2.
  const first = codeUnit(text, start) & 15;
  if (digits === 4 && (first === 1 || first === 2)) scan.years += 1;
  const gap = start - scan.numberEnd;
  const between = gap > 0 && gap <= 2 ? foldOf(codeUnit(text, scan.numberEnd)) : 0;
  const joins = between === FULL_STOP || between === SLASH || between === HYPHEN;
  if (gap === 1 && between === COLON && digits === 2) scan.times += 1;
  if (joins && gap === 1) {
    scan.seriesParts += 1;
    if (scan.seriesParts === 3) scan.dates += 1;
  } else scan.seriesParts = 1;
  scan.seriesDigits =
    joins || between === 32 || between === 40 || between === 41 ? scan.seriesDigits + digits : digits;
  if (scan.seriesDigits > scan.longestDigits) scan.longestDigits = scan.seriesDigits;
  scan.numberEnd = end;
}

const AT = 64;
const QUESTION = 63;
const EXCLAMATION = 33;
const ELLIPSIS = 0x2026;
const HASH = 35;
const SIGNS = new Set([38, 43, 61, 64, 95, 126, 94, 123, 125, 36, 37]);

/** Scans a run of one punctuation mark or symbol; returns the index after it. */
function scanMark(scan: LineScan, text: string, start: number, kind: number): number {
  const unit = codeUnit(text, start);
  const size = sizeAt(text, start);
  let at = start + size;
  while (size === 1 && at < text.length && codeUnit(text, at) === unit) at += 1;
  const length = at - start;
  const slot = slotOf(scan.tokens);
  const folded = size === 1 ? foldOf(unit) : unit;
  let hash = hashStep(HASH_START, folded);
  if (size === 2) hash = hashStep(hash, codeUnit(text, start + 1));
  scan.counts[kind] = (scan.counts[kind] ?? 0) + length;
  scan.length += length;
  scan.shape[slot] = size === 1 ? hashStep(HASH_START, folded + 16) : hashStep(HASH_START, 5);
  scan.width[slot] = 0;
  scan.units[slot] = 0;
  keepToken(scan, slot, TOKEN.mark, hash);
  const next = at < text.length ? classAt(text, at) : CHAR.space;
  scan.marks += 1;
  if (kind === CHAR.sentenceEnd) {
    if (folded === QUESTION) scan.questions += 1;
    else if (folded === EXCLAMATION) scan.exclamations += 1;
    else if (folded === ELLIPSIS || length > 2) scan.ellipses += 1;
    if (
      next === CHAR.upper &&
      unit === FULL_STOP &&
      start > 0 &&
      classOf(codeUnit(text, start - 1)) === CHAR.lower
    )
      scan.gluedSentences += 1;
    // A mark outside ASCII ends a sentence whatever follows; an ASCII one must have a space, quote or bracket after it.
    if (unit > 0x7f || next === CHAR.space || next === CHAR.quote || next === CHAR.closing)
      scan.sentences += 1;
  } else if (
    folded === AT &&
    next <= CHAR.caseless &&
    start > 0 &&
    classOf(codeUnit(text, start - 1)) <= CHAR.digit
  )
    scan.addresses += 1;
  else if (folded === HASH && next <= CHAR.digit) scan.hashes += 1;
  else if (kind === CHAR.arrow || ((unit === 0xbb || unit === 0xab) && isAlone(text, start, at)))
    scan.arrows += 1;
  if (SIGNS.has(folded)) scan.signs += length;
  return at;
}

/** Checks for spaces on both sides: a guillemet between spaces ("Home » News") is an arrow and not a quote. */
function isAlone(text: string, start: number, end: number): boolean {
  const before = start === 0 || classOf(codeUnit(text, start - 1)) === CHAR.space;
  return before && (end >= text.length || classOf(codeUnit(text, end)) === CHAR.space);
}
