/**
 * Collects facts that compare the lines of one document: copies, templates, shared words and lengths.
 *
 * It reads each line once and takes each fact from a table, so the cost grows with the text and not with the square of
 * the number of lines.
 */
import * as hashes from "./hash.js";
import { createKeyIndex, type KeyIndex } from "./hash.js";
import { wordEquivalents } from "./line-columns.js";
import * as tokens from "./tokens.js";
import { keptSlot, keptTokens, type LineScan } from "./tokens.js";

// Constants of this module, for the reason given in `scan-line.ts`.
const { HASH_START, hashFinish, hashJoin } = hashes;
const { MAX_TOKENS, TOKEN } = tokens;

/** A line with at least this many word equivalents is long: about a sentence. */
const LONG_LINE_WORDS = 15;
/** A word of at least this width is long; shorter ones are mostly particles, which are in every text. */
const LONG_WORD_WIDTH = 4;
/** The beginning or ending of a line is two tokens, and up to two more until they have this width together. */
const EDGE_WIDTH = 8;
const EDGE_TOKENS = { fewest: 2, most: 4 } as const;

/** The keys by which lines are compared. */
export const KEY = { same: 0, near: 1, shape: 2, beginning: 3, ending: 4 } as const;
export const KEYS = 5;
const KEY_SALT = [0x3779, 0x51ed, 0x68e3, 0x7f4a, 0x1b87].map((salt) => Math.imul(salt, 0x9e3779b1));

/**
 * The facts of each word, side by side: how many lines and long lines have it, whether the first line has it, and the
 * number (from 1 on) of the last line where it was a long or a short word.
 */
export const WORD = { lines: 0, longLines: 1, isInFirst: 2, seenLong: 3, seenShort: 4 } as const;
export const WORD_FACTS = 5;
/** The bit of a word's id that marks it as short. */
export const SHORT = 1 << 31;

/** Arrays may be longer than the document needs, because they are reused. */
export interface DocumentFacts {
  readonly lines: number;
  /** By line, in letters of an alphabet (see `widthOf`). */
  readonly length: Float32Array;
  readonly mean: number;
  readonly median: number;
  readonly longest: number;
  /** lines × KEYS: the number of the key, and how many earlier lines have it. */
  readonly keyIds: Int32Array;
  readonly keyRanks: Int32Array;
  /** By number of a key, how many lines have it. */
  readonly keyCounts: Int32Array;
  readonly isLong: Uint8Array;
  /** The distinct words of line i are wordIds[wordEnds[i-1] .. wordEnds[i]]; the sign bit marks short words. */
  readonly wordIds: Int32Array;
  readonly wordEnds: Int32Array;
  /** words × WORD_FACTS */
  readonly words: Int32Array;
}

export interface FactCollector {
  /** Clears the facts of the document before. */
  begin(): void;
  /** Takes the scanned lines in order. */
  add(scan: LineScan, text: string): void;
  /** Returns the facts, which are valid until the next document begins. */
  finish(): DocumentFacts;
}

/** Creates a collector for documents of at most `room` lines. */
export function createFactCollector(room: number): FactCollector {
  const length = new Float32Array(room);
  const sorted = new Float32Array(room);
  const isLong = new Uint8Array(room);
  const copies = createKeyTable(room);
  const words = createWordTable(room);
  let exact = new Map<string, number>();
  let lines = 0;
  return {
    begin() {
      copies.clear();
      words.clear();
      exact = new Map();
      lines = 0;
    },
    add(scan, text) {
      const isLongLine = wordEquivalents(scan) >= LONG_LINE_WORDS;
      length[lines] = scan.length;
      isLong[lines] = isLongLine ? 1 : 0;
      let same = exact.get(text);
      if (same === undefined) {
        same = exact.size;
        exact.set(text, same);
      }
      const at = lines * KEYS;
      copies.add(at + KEY.same, same ^ (KEY_SALT[KEY.same] ?? 0));
      copies.add(at + KEY.near, nearKey(scan, same) ^ (KEY_SALT[KEY.near] ?? 0));
      copies.add(at + KEY.shape, shapeKey(scan) ^ (KEY_SALT[KEY.shape] ?? 0));
      copies.add(at + KEY.beginning, edgeKey(scan, false) ^ (KEY_SALT[KEY.beginning] ?? 0));
      copies.add(at + KEY.ending, edgeKey(scan, true) ^ (KEY_SALT[KEY.ending] ?? 0));
      addWords(words, scan, lines, isLongLine);
      lines += 1;
    },
    finish() {
      const { ids: keyIds, ranks: keyRanks, counts: keyCounts } = copies;
      const { ids: wordIds, ends: wordEnds, facts } = words;
      const arrays = { length, isLong, keyIds, keyRanks, keyCounts, wordIds, wordEnds, words: facts };
      return { lines, ...arrays, ...lengthFacts(length, sorted, lines) };
    },
  };
}

interface KeyTable {
  readonly ids: Int32Array;
  readonly ranks: Int32Array;
  readonly counts: Int32Array;
  add(at: number, key: number): void;
  clear(): void;
}

function createKeyTable(room: number): KeyTable {
  const index = createKeyIndex(room * KEYS);
  const ids = new Int32Array(room * KEYS);
  const ranks = new Int32Array(room * KEYS);
  const counts = new Int32Array(room * KEYS);
  return {
    ids,
    ranks,
    counts,
    add(at, key) {
      const id = index.idOf(hashFinish(key));
      const earlier = counts[id] ?? 0;
      ids[at] = id;
      ranks[at] = earlier;
      counts[id] = earlier + 1;
    },
    clear() {
      counts.fill(0, 0, index.size());
      index.clear();
    },
  };
}

/** Key of lines with the same words and numbers, whatever the digits; for a line of only marks, key of exact copies. */
function nearKey(scan: LineScan, same: number): number {
  return scan.wordsHash === HASH_START ? hashJoin(same, 0x7331) : scan.wordsHash;
}

/** Key of lines made from one template: the shapes of their tokens, and the order of magnitude of their length. */
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

/** Key of lines with the same first or last tokens. */
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

/** The words of all lines so far; `filled` is the used length of `ids`. */
interface WordTable {
  readonly index: KeyIndex;
  readonly ends: Int32Array;
  ids: Int32Array;
  facts: Int32Array;
  filled: number;
  clear(): void;
}

function createWordTable(room: number): WordTable {
  const index = createKeyIndex(room * 8);
  return {
    index,
    ends: new Int32Array(room),
    ids: new Int32Array(room * 8 + MAX_TOKENS),
    facts: new Int32Array((room * 4 + MAX_TOKENS) * WORD_FACTS),
    filled: 0,
    clear() {
      this.facts.fill(0, 0, index.size() * WORD_FACTS);
      this.filled = 0;
      index.clear();
    },
  };
}

/** Returns the array, or a copy at least twice as long if it has less than the wanted length. */
function withRoom(array: Int32Array, wanted: number): Int32Array {
  if (wanted <= array.length) return array;
  const larger = new Int32Array(Math.max(wanted, array.length * 2));
  larger.set(array);
  return larger;
}

/** Appends the distinct words of a line; in scripts without spaces, each pair of letters counts as a word. */
function addWords(words: WordTable, scan: LineScan, line: number, isLong: boolean): void {
  const n = keptTokens(scan);
  words.ids = withRoom(words.ids, words.filled + n);
  words.facts = withRoom(words.facts, (words.index.size() + n) * WORD_FACTS);
  let before = 0;
  for (let i = 0; i < n; i++) {
    const slot = keptSlot(scan, i);
    const kind = scan.kind[slot];
    const hash = scan.hash[slot] ?? 0;
    if (kind === TOKEN.unspaced) {
      if (before !== 0) addDistinct(words, words.index.idOf(hashJoin(before, hash)), line, isLong);
      before = hash;
      continue;
    }
    before = 0;
    if (kind !== TOKEN.word) continue;
    const id = words.index.idOf(hash);
    addDistinct(words, (scan.width[slot] ?? 0) < LONG_WORD_WIDTH ? id | SHORT : id, line, isLong);
  }
  words.ends[line] = words.filled;
}

/** Appends a word once per line, or twice if it is short and long: "a1" and "a100" have the same hash. */
function addDistinct(words: WordTable, id: number, line: number, isLong: boolean): void {
  const { facts } = words;
  const base = (id & ~SHORT) * WORD_FACTS;
  const seen = base + (id < 0 ? WORD.seenShort : WORD.seenLong);
  if (facts[seen] === line + 1) return;
  facts[seen] = line + 1;
  facts[base + WORD.lines] = (facts[base + WORD.lines] ?? 0) + 1;
  if (isLong) facts[base + WORD.longLines] = (facts[base + WORD.longLines] ?? 0) + 1;
  if (line === 0) facts[base + WORD.isInFirst] = 1;
  words.ids[words.filled] = id;
  words.filled += 1;
}

/** Returns facts about the first `lines` lengths; `sorted` is a buffer to sort them in. */
function lengthFacts(
  length: Float32Array,
  sorted: Float32Array,
  lines: number,
): Pick<DocumentFacts, "mean" | "median" | "longest"> {
  let sum = 0;
  for (let line = 0; line < lines; line++) {
    const one = length[line] ?? 0;
    sorted[line] = one;
    sum += one;
  }
  const ordered = sorted.subarray(0, lines).sort();
  return {
    mean: sum / Math.max(1, lines),
    median: ordered[lines >> 1] ?? 0,
    longest: ordered[lines - 1] ?? 0,
  };
}
