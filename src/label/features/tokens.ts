/** Holds the counts of one scanned line and its tokens, of which the first 40 and the last 20 are kept. */
import { CHAR_CLASSES } from "./chars.js";
import { HASH_START, hashJoin } from "./hash.js";

const FIRST_TOKENS = 40;
const LAST_TOKENS = 20;
export const MAX_TOKENS = FIRST_TOKENS + LAST_TOKENS;
/** The most code units of a token that are kept for character n-grams. */
export const MAX_TOKEN_UNITS = 24;

export const TOKEN = { word: 1, number: 2, unspaced: 3, mark: 4 } as const;

/** A workspace that all lines reuse. Slots beyond the kept tokens, and `shape` of unspaced letters, hold old values. */
export interface LineScan {
  /** Number of characters by CHAR class. */
  readonly counts: Int32Array;
  /**
   * Number of tokens in the line. By slot of a kept token: kind, hash of the folded form, hash of the shape, width (see
   * `widthOf`), number of folded units, and MAX_TOKEN_UNITS folded units.
   */
  tokens: number;
  readonly kind: Uint8Array;
  readonly hash: Int32Array;
  readonly shape: Int32Array;
  readonly width: Float32Array;
  readonly units: Uint8Array;
  readonly folded: Uint16Array;
  /** Length in letters of an alphabet (see `widthOf`), including spaces and punctuation. */
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
  /** Hash of the words and numbers in order, with digits as 0, without spaces and punctuation. */
  wordsHash: number;
  /** End of the last number, and the digits and parts of the series that it is in ("+358 40 123", "3.4.2021"). */
  numberEnd: number;
  seriesDigits: number;
  seriesParts: number;
}

/**
 * Written as one literal, because the engine gives each object made by spread its own hidden class. Lengths and widths
 * begin as fractions: otherwise the first letters that have one (see `widthOf`) make the engine compile again whatever
 * reads a scan, 20 functions within 120 pages.
 */
export function createScan(): LineScan {
  const scan: LineScan = {
    counts: new Int32Array(CHAR_CLASSES),
    kind: new Uint8Array(MAX_TOKENS),
    hash: new Int32Array(MAX_TOKENS),
    shape: new Int32Array(MAX_TOKENS),
    width: new Float32Array(MAX_TOKENS),
    units: new Uint8Array(MAX_TOKENS),
    folded: new Uint16Array(MAX_TOKENS * MAX_TOKEN_UNITS),
    tokens: 0,
    length: 0.5,
    unspacedWidth: 0.5,
    words: 0,
    wordWidth: 0.5,
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
  clearScan(scan);
  return scan;
}

/** Resets the workspace for the next line. */
export function clearScan(scan: LineScan): void {
  scan.counts.fill(0);
  // Field by field: Object.assign takes several times as long, and this runs once a line.
  scan.tokens = 0;
  scan.length = 0;
  scan.unspacedWidth = 0;
  scan.words = 0;
  scan.wordWidth = 0;
  scan.casedWords = 0;
  scan.titleWords = 0;
  scan.capsWords = 0;
  scan.oneLetterWords = 0;
  scan.shortWords = 0;
  scan.longWords = 0;
  scan.mixedWords = 0;
  scan.numbers = 0;
  scan.years = 0;
  scan.dates = 0;
  scan.times = 0;
  scan.longestDigits = 0;
  scan.addresses = 0;
  scan.sentences = 0;
  scan.gluedWords = 0;
  scan.gluedSentences = 0;
  scan.arrows = 0;
  scan.signs = 0;
  scan.hashes = 0;
  scan.questions = 0;
  scan.exclamations = 0;
  scan.ellipses = 0;
  scan.marks = 0;
  scan.wordsHash = HASH_START;
  scan.numberEnd = -9;
  scan.seriesDigits = 0;
  scan.seriesParts = 0;
}

/** Returns the slot of the token with this number; the last tokens share a ring buffer. */
export function slotOf(token: number): number {
  return token < FIRST_TOKENS ? token : FIRST_TOKENS + ((token - FIRST_TOKENS) % LAST_TOKENS);
}

/** Returns the number of kept tokens. */
export function keptTokens(scan: LineScan): number {
  return scan.tokens < MAX_TOKENS ? scan.tokens : MAX_TOKENS;
}

/** Returns the slot of the n-th kept token in reading order. */
export function keptSlot(scan: LineScan, n: number): number {
  return scan.tokens <= MAX_TOKENS || n < FIRST_TOKENS ? n : slotOf(scan.tokens - MAX_TOKENS + n);
}

/** Counts a token and keeps its kind and hash; the caller fills the rest of the slot. */
export function keepToken(scan: LineScan, slot: number, kind: number, hash: number): void {
  scan.kind[slot] = kind;
  scan.hash[slot] = hash;
  scan.tokens += 1;
  if (kind !== TOKEN.mark) scan.wordsHash = hashJoin(scan.wordsHash, hash);
}
