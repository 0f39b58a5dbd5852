/**
 * Turns one line of text into counts and tokens, in one pass over its code units.
 *
 * Everything the features and the bags need of a line is gathered here, into a workspace that is reused from line to
 * line. Tokens are words, numbers, single letters of scripts without spaces, and runs of one punctuation mark.
 * The first 40 and the last 20 are kept; counts go over the whole line.
 */
import { CHAR, CHAR_CLASSES, classOf, classOfPair, foldOf, widthOf } from "./chars.js";
import { HASH_START, hashJoin, hashStep } from "./hash.js";

export const FIRST_TOKENS = 40;
export const LAST_TOKENS = 20;
export const MAX_TOKENS = FIRST_TOKENS + LAST_TOKENS;
/** Code units of a token that its character n-grams see. */
export const MAX_TOKEN_UNITS = 24;

export const TOKEN = { word: 1, number: 2, unspaced: 3, mark: 4 } as const;

/** A reused workspace; every field is overwritten by `scanLine`. */
export interface LineScan {
  /** Characters by CHAR class. */
  readonly counts: Int32Array;
  /** Tokens in the line, and for the kept ones: kind, hash of the folded form, hash of the shape, letters, folded units. */
  tokens: number;
  readonly kind: Uint8Array;
  readonly hash: Int32Array;
  readonly shape: Int32Array;
  readonly width: Float32Array;
  readonly units: Uint8Array;
  readonly folded: Uint16Array;
  /** Length in letters of an alphabet (see `widthOf`), with spaces and marks. */
  length: number;
  unspacedWidth: number;
  words: number;
  wordWidth: number;
  casedWords: number;
  titleWords: number;
  capsWords: number;
  oneLetterWords: number;
  shortWords: number;
  longWords: number;
  mixedWords: number;
  numbers: number;
  years: number;
  dates: number;
  times: number;
  longestDigits: number;
  addresses: number;
  sentences: number;
  gluedWords: number;
  gluedSentences: number;
  arrows: number;
  signs: number;
  hashes: number;
  questions: number;
  exclamations: number;
  ellipses: number;
  marks: number;
  /** Hash of words and numbers in order, digits as 0, without spaces and marks. */
  wordsHash: number;
  /** End of the last number, digits and parts of the series it stands in ("+358 40 123", "3.4.2021"). */
  numberEnd: number;
  seriesDigits: number;
  seriesParts: number;
}

export function createScan(): LineScan {
  return {
    counts: new Int32Array(CHAR_CLASSES),
    kind: new Uint8Array(MAX_TOKENS),
    hash: new Int32Array(MAX_TOKENS),
    shape: new Int32Array(MAX_TOKENS),
    width: new Float32Array(MAX_TOKENS),
    units: new Uint8Array(MAX_TOKENS),
    folded: new Uint16Array(MAX_TOKENS * MAX_TOKEN_UNITS),
    ...EMPTY,
  };
}

const EMPTY = {
  tokens: 0,
  length: 0,
  unspacedWidth: 0,
  words: 0,
  wordWidth: 0,
  casedWords: 0,
  titleWords: 0,
  capsWords: 0,
  oneLetterWords: 0,
  shortWords: 0,
  longWords: 0,
  mixedWords: 0,
  numbers: 0,
  years: 0,
  dates: 0,
  times: 0,
  longestDigits: 0,
  addresses: 0,
  sentences: 0,
  gluedWords: 0,
  gluedSentences: 0,
  arrows: 0,
  signs: 0,
  hashes: 0,
  questions: 0,
  exclamations: 0,
  ellipses: 0,
  marks: 0,
  wordsHash: HASH_START,
  numberEnd: -9,
  seriesDigits: 0,
  seriesParts: 0,
};

/** The place in the workspace of the token with this number: the last tokens go round in a ring. */
function slotOf(token: number): number {
  return token < FIRST_TOKENS ? token : FIRST_TOKENS + ((token - FIRST_TOKENS) % LAST_TOKENS);
}

/** The number of kept tokens. */
export function keptTokens(scan: LineScan): number {
  return scan.tokens < MAX_TOKENS ? scan.tokens : MAX_TOKENS;
}

/** The place of the n-th kept token in reading order. */
export function keptSlot(scan: LineScan, n: number): number {
  return scan.tokens <= MAX_TOKENS || n < FIRST_TOKENS ? n : slotOf(scan.tokens - MAX_TOKENS + n);
}

/** The class of the character at `at`; a surrogate pair counts as one. */
export function classAt(text: string, at: number): number {
  const unit = text.charCodeAt(at);
  if (unit < 0xd800 || unit > 0xdbff || at + 1 >= text.length) return classOf(unit);
  const next = text.charCodeAt(at + 1);
  if (next < 0xdc00 || next > 0xdfff) return CHAR.damaged;
  return classOfPair(((unit - 0xd800) << 10) + (next - 0xdc00) + 0x10000);
}

/** Code units of the character at `at`. */
function sizeAt(text: string, at: number): number {
  const unit = text.charCodeAt(at);
  if (unit < 0xd800 || unit > 0xdbff || at + 1 >= text.length) return 1;
  const next = text.charCodeAt(at + 1);
  return next >= 0xdc00 && next <= 0xdfff ? 2 : 1;
}

/** Reads a line into the workspace. */
export function scanLine(scan: LineScan, text: string): void {
  Object.assign(scan, EMPTY);
  scan.counts.fill(0);
  let at = 0;
  while (at < text.length) {
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

/** One letter of a script without spaces, with the marks on it. */
function scanUnspaced(scan: LineScan, text: string, start: number): number {
  const slot = slotOf(scan.tokens);
  let at = start + sizeAt(text, start);
  let width = widthOf(text.charCodeAt(start));
  scan.counts[CHAR.unspaced] = (scan.counts[CHAR.unspaced] ?? 0) + 1;
  while (at < text.length && classOf(text.charCodeAt(at)) === CHAR.mark) {
    scan.counts[CHAR.mark] = (scan.counts[CHAR.mark] ?? 0) + 1;
    width += 1;
    at += 1;
  }
  let hash = HASH_START;
  const end = Math.min(at, start + MAX_TOKEN_UNITS);
  for (let i = start; i < end; i++) {
    const folded = foldOf(text.charCodeAt(i));
    hash = hashStep(hash, folded);
    scan.folded[slot * MAX_TOKEN_UNITS + i - start] = folded;
  }
  // 2011年12月9日: the month sign after a number makes it a date.
  if (scan.numberEnd === start && text.charCodeAt(start) === 0x6708) scan.dates += 1;
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

/** A run of letters, marks and digits, with apostrophes inside it. */
function scanWord(scan: LineScan, text: string, start: number): number {
  const { counts, folded } = scan;
  const slot = slotOf(scan.tokens);
  const base = slot * MAX_TOKEN_UNITS;
  let hash = HASH_START;
  let shape = HASH_START;
  let lastShape = 0;
  let lastKind = 0;
  let kept = 0;
  let letters = 0;
  let digits = 0;
  let upper = 0;
  let lower = 0;
  let width = 0;
  let at = start;
  for (; at < text.length; at++) {
    let unit = text.charCodeAt(at);
    let kind = classOf(unit);
    if (unit >= 0xd800 && unit <= 0xdbff) {
      kind = classAt(text, at);
      if (kind > CHAR.caseless) break;
      at += 1;
      unit = text.charCodeAt(at);
    }
    if (kind === CHAR.apostrophe && letters > 0 && at + 1 < text.length) {
      const next = classOf(text.charCodeAt(at + 1));
      if (next > CHAR.caseless) break;
    } else if (kind > CHAR.digit || kind === CHAR.unspaced) break;
    counts[kind] = (counts[kind] ?? 0) + 1;
    const w = unit < 0x1100 ? 1 : widthOf(unit);
    width += w;
    if (kind === CHAR.digit) {
      digits += 1;
      if (lastKind === CHAR.digit) continue;
    } else if (kind <= CHAR.caseless) letters += 1;
    if (kind === CHAR.upper) {
      upper += 1;
      if (lastKind === CHAR.lower) scan.gluedWords += 1;
    } else if (kind === CHAR.lower) lower += 1;
    lastKind = kind;
    const form = foldOf(unit);
    hash = hashStep(hash, form);
    if (kept < MAX_TOKEN_UNITS) folded[base + kept++] = form;
    const s = kind === CHAR.digit ? SHAPE_DIGIT : kind === CHAR.upper ? SHAPE_UPPER : SHAPE_LOWER;
    if (s !== lastShape) shape = hashStep(shape, s);
    lastShape = s;
  }
  scan.length += width;
  scan.shape[slot] = hashStep(shape, sizeBucket(width));
  scan.width[slot] = width;
  scan.units[slot] = kept;
  keepToken(scan, slot, letters === 0 ? TOKEN.number : TOKEN.word, hash);
  if (letters === 0) countNumber(scan, text, start, at);
  else countWord(scan, { letters, digits, upper, lower, width });
  if (letters > 2 && letters < 6 && (hash === HTTP || hash === HTTPS || hash === WWW)) scan.addresses += 1;
  return at;
}

/** 1, 2, 3–4, 5–7, 8–11, 12 and more letters. */
function sizeBucket(width: number): number {
  return width <= 2 ? width | 0 : width < 5 ? 3 : width < 8 ? 4 : width < 12 ? 5 : 6;
}

function hashWord(word: string): number {
  let hash = HASH_START;
  for (let i = 0; i < word.length; i++) hash = hashStep(hash, word.charCodeAt(i));
  return hash;
}
const HTTP = hashWord("http");
const HTTPS = hashWord("https");
const WWW = hashWord("www");
/** The shape of five letters of a script without spaces taken together: a lower-case word of middle length. */
export const UNSPACED_SHAPE = hashStep(hashStep(HASH_START, SHAPE_LOWER), sizeBucket(6));
export const UNSPACED_SHAPE_WIDTH = 5.5;

interface WordCount {
  readonly letters: number;
  readonly digits: number;
  readonly upper: number;
  readonly lower: number;
  readonly width: number;
}

function countWord(scan: LineScan, { letters, digits, upper, lower, width }: WordCount): void {
  scan.words += 1;
  scan.wordWidth += width;
  if (digits > 0) scan.mixedWords += 1;
  if (width < 2) scan.oneLetterWords += 1;
  if (width < 4) scan.shortWords += 1;
  if (width >= 9) scan.longWords += 1;
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
  // Thai years begin with 25, ours with 19 or 20: any four digits that begin with 1 or 2, in any script's digits.
  const first = text.charCodeAt(start) & 15;
  if (digits === 4 && (first === 1 || first === 2)) scan.years += 1;
  const gap = start - scan.numberEnd;
  const between = gap > 0 && gap <= 2 ? foldOf(text.charCodeAt(scan.numberEnd)) : 0;
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

/** A run of one punctuation mark or symbol. */
function scanMark(scan: LineScan, text: string, start: number, kind: number): number {
  const unit = text.charCodeAt(start);
  const size = sizeAt(text, start);
  let at = start + size;
  while (size === 1 && at < text.length && text.charCodeAt(at) === unit) at += 1;
  const length = at - start;
  const slot = slotOf(scan.tokens);
  const folded = size === 1 ? foldOf(unit) : unit;
  let hash = hashStep(HASH_START, folded);
  if (size === 2) hash = hashStep(hash, text.charCodeAt(start + 1));
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
      classOf(text.charCodeAt(start - 1)) === CHAR.lower
    )
      scan.gluedSentences += 1;
    // A full-width stop ends a sentence whatever follows; a Latin one needs a space, a quote or a bracket after it.
    if (unit > 0x7f || next === CHAR.space || next === CHAR.quote || next === CHAR.closing)
      scan.sentences += 1;
  } else if (
    folded === AT &&
    next <= CHAR.caseless &&
    start > 0 &&
    classOf(text.charCodeAt(start - 1)) <= CHAR.digit
  )
    scan.addresses += 1;
  else if (folded === HASH && next <= CHAR.digit) scan.hashes += 1;
  else if (kind === CHAR.arrow || ((unit === 0xbb || unit === 0xab) && isAlone(text, start, at)))
    scan.arrows += 1;
  if (SIGNS.has(folded)) scan.signs += length;
  return at;
}

/** "Home » News": a guillemet with spaces on both sides points and does not quote. */
function isAlone(text: string, start: number, end: number): boolean {
  const before = start === 0 || classOf(text.charCodeAt(start - 1)) === CHAR.space;
  return before && (end >= text.length || classOf(text.charCodeAt(end)) === CHAR.space);
}

function keepToken(scan: LineScan, slot: number, kind: number, hash: number): void {
  scan.kind[slot] = kind;
  scan.hash[slot] = hash;
  scan.tokens += 1;
  if (kind !== TOKEN.mark) scan.wordsHash = hashJoin(scan.wordsHash, hash);
}
