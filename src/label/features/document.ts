/**
 * Turns the lines of one document into what each line knows of the others: copies, templates, shared words, lengths.
 *
 * Every line is looked at once and every fact is a look-up in a table, so the cost grows with the text and not with
 * the square of its lines.
 */
import { AT } from "./columns.js";
import { HASH_START, hashFinish, hashJoin } from "./hash.js";
import { createKeyIndex, type KeyIndex } from "./key-index.js";
import { wordEquivalents } from "./line.js";
import { keptSlot, keptTokens, TOKEN, type LineScan } from "./tokens.js";

/** Word equivalents from which a line counts as long: about a sentence. */
const LONG_LINE_WORDS = 15;
/** Letters from which a word says something; shorter ones are mostly particles and are everywhere. */
const LONG_WORD_WIDTH = 4;
/** A beginning or an ending is two tokens, or up to four until it has this many letters. */
const EDGE_WIDTH = 8;
const EDGE_TOKENS = { fewest: 2, most: 4 } as const;

/** Lines from either end that are counted. No further: the two together would tell how long the document is. */
const EDGE_LINES = 12;

const KEY = { same: 0, near: 1, shape: 2, beginning: 3, ending: 4 } as const;
const KEYS = 5;
const KEY_SALT = [0x3779, 0x51ed, 0x68e3, 0x7f4a, 0x1b87] as const;

export interface DocumentFacts {
  readonly lines: number;
  /** Lengths in letters of an alphabet, and word equivalents, by line. */
  readonly length: Float32Array;
  readonly mean: number;
  readonly median: number;
  readonly longest: number;
  /** For each line and each KEY: the number of the key, and how many earlier lines have it. */
  readonly keyIds: Int32Array;
  readonly keyRanks: Int32Array;
  readonly keyCounts: Int32Array;
  /** Distinct words of line i: wordIds[wordEnds[i-1] .. wordEnds[i]]; the sign bit marks short words. */
  readonly wordIds: Int32Array;
  readonly wordEnds: Int32Array;
  readonly isLong: Uint8Array;
  readonly linesWithWord: Int32Array;
  readonly longLinesWithWord: Int32Array;
  readonly isInFirstLine: Uint8Array;
}

export interface FactCollector {
  /** Takes the lines in order, each scanned. */
  add(scan: LineScan, text: string): void;
  finish(): DocumentFacts;
}

export function createFactCollector(lines: number): FactCollector {
  const length = new Float32Array(lines);
  const isLong = new Uint8Array(lines);
  const keyIds = new Int32Array(lines * KEYS);
  const keyRanks = new Int32Array(lines * KEYS);
  const wordEnds = new Int32Array(lines);
  const exact = new Map<string, number>();
  const keys = createKeyIndex(lines * KEYS);
  const words = createKeyIndex(lines * 8);
  const keyCounts = new Int32Array(lines * KEYS);
  let wordIds = new Int32Array(lines * 8 + 64);
  let filled = 0;
  let line = 0;
  return {
    add(scan, text) {
      length[line] = scan.length;
      isLong[line] = wordEquivalents(scan) >= LONG_LINE_WORDS ? 1 : 0;
      const same = exact.get(text) ?? exact.size;
      exact.set(text, same);
      const base = line * KEYS;
      const hashes = [same, nearKey(scan, same), shapeKey(scan), edgeKey(scan, false), edgeKey(scan, true)];
      for (let k = 0; k < KEYS; k++) {
        const id = keys.idOf(hashFinish((hashes[k] ?? 0) ^ Math.imul(KEY_SALT[k] ?? 0, 0x9e3779b1)));
        keyIds[base + k] = id;
        keyRanks[base + k] = keyCounts[id] ?? 0;
        keyCounts[id] = (keyCounts[id] ?? 0) + 1;
      }
      if (filled + keptTokens(scan) > wordIds.length) wordIds = enlarged(wordIds);
      filled = addWords(scan, words, wordIds, filled);
      wordEnds[line] = filled;
      line += 1;
    },
    finish() {
      const facts = { lines, length, isLong, keyIds, keyRanks, keyCounts, wordIds, wordEnds };
      return { ...facts, ...lengthFacts(length), ...wordFacts(facts, words.size()) };
    },
  };
}

function enlarged(array: Int32Array<ArrayBuffer>): Int32Array<ArrayBuffer> {
  const larger = new Int32Array(array.length * 2);
  larger.set(array);
  return larger;
}

/** The same words and numbers (digits apart); a line of marks only is near to its exact copies alone. */
function nearKey(scan: LineScan, same: number): number {
  return scan.wordsHash === HASH_START ? hashJoin(same, 0x7331) : scan.wordsHash;
}

/** Lines made from one template: the shapes of the tokens, and the order of magnitude of the length. */
function shapeKey(scan: LineScan): number {
  let hash = Math.round(2 * Math.log2(1 + scan.length));
  const n = keptTokens(scan);
  let unspaced = false;
  for (let i = 0; i < n; i++) {
    const slot = keptSlot(scan, i);
    const isUnspaced = scan.kind[slot] === TOKEN.unspaced;
    if (!isUnspaced) hash = hashJoin(hash, scan.shape[slot] ?? 0);
    else if (!unspaced) hash = hashJoin(hash, 0x5a5a);
    unspaced = isUnspaced;
  }
  return hash;
}

/** The first or the last tokens of a line. */
function edgeKey(scan: LineScan, fromEnd: boolean): number {
  const n = keptTokens(scan);
  let hash = HASH_START;
  let width = 0;
  for (let i = 0; i < n && i < EDGE_TOKENS.most && (i < EDGE_TOKENS.fewest || width < EDGE_WIDTH); i++) {
    const slot = keptSlot(scan, fromEnd ? n - 1 - i : i);
    hash = hashJoin(hash, scan.hash[slot] ?? 0);
    width += scan.width[slot] ?? 0;
  }
  return hash;
}

const SHORT = 1 << 31;

/** Appends the distinct words of a line; in scripts without spaces, the pairs of letters stand for words. */
function addWords(scan: LineScan, words: KeyIndex, ids: Int32Array, start: number): number {
  const n = keptTokens(scan);
  let filled = start;
  let before = 0;
  for (let i = 0; i < n; i++) {
    const slot = keptSlot(scan, i);
    const kind = scan.kind[slot];
    const hash = scan.hash[slot] ?? 0;
    if (kind === TOKEN.unspaced) {
      if (before !== 0) filled = addDistinct(ids, start, filled, words.idOf(hashJoin(before, hash)));
      before = hash;
      continue;
    }
    before = 0;
    if (kind !== TOKEN.word) continue;
    const id = words.idOf(hash);
    filled = addDistinct(ids, start, filled, (scan.width[slot] ?? 0) < LONG_WORD_WIDTH ? id | SHORT : id);
  }
  return filled;
}

/** At most 60 words a line, so looking through them is cheaper than a set. */
function addDistinct(ids: Int32Array, start: number, filled: number, id: number): number {
  for (let i = start; i < filled; i++) if (ids[i] === id) return filled;
  ids[filled] = id;
  return filled + 1;
}

function lengthFacts(length: Float32Array): Pick<DocumentFacts, "mean" | "median" | "longest"> {
  const sorted = length.slice().sort();
  let sum = 0;
  for (const one of length) sum += one;
  return {
    mean: sum / Math.max(1, length.length),
    median: sorted[sorted.length >> 1] ?? 0,
    longest: sorted[sorted.length - 1] ?? 0,
  };
}

type WordFacts = Pick<DocumentFacts, "linesWithWord" | "longLinesWithWord" | "isInFirstLine">;

function wordFacts(
  facts: Pick<DocumentFacts, "wordIds" | "wordEnds" | "isLong" | "lines">,
  words: number,
): WordFacts {
  const linesWithWord = new Int32Array(words);
  const longLinesWithWord = new Int32Array(words);
  const isInFirstLine = new Uint8Array(words);
  let at = 0;
  for (let line = 0; line < facts.lines; line++) {
    const end = facts.wordEnds[line] ?? 0;
    for (; at < end; at++) {
      const word = (facts.wordIds[at] ?? 0) & ~SHORT;
      linesWithWord[word] = (linesWithWord[word] ?? 0) + 1;
      if (facts.isLong[line] === 1) longLinesWithWord[word] = (longLinesWithWord[word] ?? 0) + 1;
      if (line === 0) isInFirstLine[word] = 1;
    }
  }
  return { linesWithWord, longLinesWithWord, isInFirstLine };
}

/** Fills the document's columns of one line into the row that begins at `base`. */
export function fillPlace(facts: DocumentFacts, line: number, row: Float32Array, base: number): void {
  const { lines, length } = facts;
  const own = 1 + (length[line] ?? 0);
  row[base + AT["position"]] = (line + 0.5) / lines;
  row[base + AT["lines-before"]] = Math.log1p(Math.min(line, EDGE_LINES));
  row[base + AT["lines-after"]] = Math.log1p(Math.min(lines - 1 - line, EDGE_LINES));
  row[base + AT["length-to-mean"]] = Math.log(own / (1 + facts.mean));
  row[base + AT["length-to-median"]] = Math.log(own / (1 + facts.median));
  row[base + AT["length-to-longest"]] = Math.log(own / (1 + facts.longest));
  row[base + AT["length-to-previous"]] = line === 0 ? 0 : Math.log(own / (1 + (length[line - 1] ?? 0)));
  row[base + AT["length-to-next"]] = line === lines - 1 ? 0 : Math.log(own / (1 + (length[line + 1] ?? 0)));
  fillCopies(facts, line, row, base);
  fillWords(facts, line, row, base);
}

function fillCopies(facts: DocumentFacts, line: number, row: Float32Array, base: number): void {
  const at = line * KEYS;
  const others = (key: number): number => (facts.keyCounts[facts.keyIds[at + key] ?? 0] ?? 1) - 1;
  const rank = (key: number): number => facts.keyRanks[at + key] ?? 0;
  row[base + AT["copy"]] = rank(KEY.same) > 0 ? 1 : 0;
  row[base + AT["copied-later"]] = others(KEY.same) > rank(KEY.same) ? 1 : 0;
  row[base + AT["copies"]] = Math.log1p(others(KEY.same));
  row[base + AT["near-copy"]] = rank(KEY.near) > 0 ? 1 : 0;
  row[base + AT["near-copied-later"]] = others(KEY.near) > rank(KEY.near) ? 1 : 0;
  row[base + AT["near-copies"]] = Math.log1p(others(KEY.near));
  row[base + AT["same-shape"]] = Math.log1p(others(KEY.shape));
  row[base + AT["same-beginning"]] = Math.log1p(others(KEY.beginning));
  row[base + AT["same-ending"]] = Math.log1p(others(KEY.ending));
}

function fillWords(facts: DocumentFacts, line: number, row: Float32Array, base: number): void {
  const start = line === 0 ? 0 : (facts.wordEnds[line - 1] ?? 0);
  const end = facts.wordEnds[line] ?? 0;
  const self = facts.isLong[line] ?? 0;
  let words = 0;
  let elsewhere = 0;
  let longElsewhere = 0;
  let inLong = 0;
  let inFirst = 0;
  let spread = 0;
  for (let at = start; at < end; at++) {
    const entry = facts.wordIds[at] ?? 0;
    const word = entry & ~SHORT;
    const others = (facts.linesWithWord[word] ?? 1) - 1;
    if (others > 0) elsewhere += 1;
    if (entry < 0) continue;
    words += 1;
    if (others > 0) longElsewhere += 1;
    if ((facts.longLinesWithWord[word] ?? 0) > self) inLong += 1;
    inFirst += facts.isInFirstLine[word] ?? 0;
    spread += others;
  }
  const all = Math.max(1, end - start);
  const long = Math.max(1, words);
  row[base + AT["words-seen-elsewhere"]] = elsewhere / all;
  row[base + AT["long-words-seen-elsewhere"]] = longElsewhere / long;
  row[base + AT["words-of-long-lines"]] = inLong / long;
  row[base + AT["words-of-first-line"]] = line === 0 ? 0 : inFirst / long;
  row[base + AT["word-spread"]] = spread / (long * Math.max(1, facts.lines - 1));
}
