/** Hashes the tokens of a scanned line into three bags of bucket numbers: words, shapes and character n-grams. */
import * as hashes from "./hash.js";
import { UNSPACED_SHAPE, UNSPACED_SHAPE_WIDTH } from "./scan-line.js";
import * as tokens from "./tokens.js";
import { keptSlot, keptTokens, type LineScan } from "./tokens.js";

// Constants of this module, for the reason given in `scan-line.ts`.
const { HASH_START, hashFinish, hashJoin, hashStep } = hashes;
const { MAX_TOKENS, MAX_TOKEN_UNITS, TOKEN } = tokens;

/** The bags in the order of the model's input. */
export const BAGS = ["words", "shapes", "characters"] as const;
/** Rows of the table that the three bags share. */
export const TABLE_ROWS = 32_768;
/** How many columns of the table are pooled at once; the table's width is a multiple of it. */
export const STRIPE = 8;
const MASK = TABLE_ROWS - 1;

/** The bucket numbers of one line, in buffers that are reused. */
export interface LineBags {
  readonly words: Uint16Array;
  readonly shapes: Uint16Array;
  readonly characters: Uint16Array;
  /** Filled lengths of the three bags, in the order of BAGS. */
  readonly counts: Int32Array;
  /** Buffers for the slots of the tokens and for the run of shapes. */
  readonly slots: Int32Array;
  readonly shapeRun: Int32Array;
}

export function createBags(): LineBags {
  return {
    words: new Uint16Array(2 * MAX_TOKENS + 4),
    shapes: new Uint16Array(3 * MAX_TOKENS + 4),
    characters: new Uint16Array(3 * MAX_TOKENS * (MAX_TOKEN_UNITS + 2)),
    counts: new Int32Array(BAGS.length),
    slots: new Int32Array(MAX_TOKENS),
    shapeRun: new Int32Array(MAX_TOKENS),
  };
}

// Each kind of n-gram has its own salt, so that equal hashes of different kinds get different buckets.
const SALT = {
  word: 0x1f3d,
  first: 0x2b47,
  last: 0x3c5b,
  shape: 0x4d6f,
  opening: 0x5e83,
  ending: 0x6f97,
  character: 0x70ab,
};
const EDGE_START = 1;
const EDGE_END = 2;

function bucket(hash: number, salt: number): number {
  return hashFinish(hash ^ Math.imul(salt, 0x9e3779b1)) & MASK;
}

/** Fills two bags, and the third if `wanted` is 3: character n-grams cost more than the other two together. */
export function fillBags(scan: LineScan, bags: LineBags, wanted: number = BAGS.length): void {
  const n = keptTokens(scan);
  for (let i = 0; i < n; i++) bags.slots[i] = keptSlot(scan, i);
  bags.counts[0] = fillWords(scan, bags, n);
  bags.counts[1] = fillShapes(scan, bags, n);
  bags.counts[2] = wanted > 2 ? fillCharacters(scan, bags, n) : 0;
}

/** Adds words, pairs of words, and the first and last word once more with salts of their own. */
function fillWords(scan: LineScan, { words, slots }: LineBags, n: number): number {
  let filled = 0;
  let before = 0;
  for (let i = 0; i < n; i++) {
    const hash = scan.hash[slots[i] ?? 0] ?? 0;
    words[filled++] = bucket(hash, SALT.word);
    if (i > 0) words[filled++] = bucket(hashJoin(before, hash), SALT.word);
    if (i === 0) words[filled++] = bucket(hash, SALT.first);
    if (i === n - 1) words[filled++] = bucket(hash, SALT.last);
    before = hash;
  }
  return filled;
}

/** Adds shapes, pairs and triples of shapes, and the first three and last three shapes joined. */
function fillShapes(scan: LineScan, { shapes, slots, shapeRun }: LineBags, n: number): number {
  const m = shapesOf(scan, slots, shapeRun, n);
  let filled = 0;
  for (let i = 0; i < m; i++) {
    const one = shapeRun[i] ?? 0;
    shapes[filled++] = bucket(one, SALT.shape);
    if (i === 0) continue;
    const two = hashJoin(shapeRun[i - 1] ?? 0, one);
    shapes[filled++] = bucket(two, SALT.shape);
    if (i > 1) shapes[filled++] = bucket(hashJoin(shapeRun[i - 2] ?? 0, two), SALT.shape);
  }
  if (m > 0) {
    shapes[filled++] = bucket(joinRun(shapeRun, 0, Math.min(3, m)), SALT.opening);
    shapes[filled++] = bucket(joinRun(shapeRun, Math.max(0, m - 3), m), SALT.ending);
  }
  return filled;
}

function joinRun(run: Int32Array, from: number, to: number): number {
  let hash = HASH_START;
  for (let i = from; i < to; i++) hash = hashJoin(hash, run[i] ?? 0);
  return hash;
}

/** Joins letters of scripts without spaces until they are as wide as a word, so that prose has the shape of prose. */
function shapesOf(scan: LineScan, slots: Int32Array, run: Int32Array, n: number): number {
  let m = 0;
  let width = 0;
  for (let i = 0; i < n; i++) {
    const slot = slots[i] ?? 0;
    if (scan.kind[slot] === TOKEN.unspaced) {
      width += scan.width[slot] ?? 0;
      if (width < UNSPACED_SHAPE_WIDTH) continue;
      width = 0;
      run[m++] = UNSPACED_SHAPE;
    } else {
      if (width > 0) run[m++] = UNSPACED_SHAPE;
      width = 0;
      if (m < MAX_TOKENS) run[m++] = scan.shape[slot] ?? 0;
    }
  }
  if (width > 0 && m < MAX_TOKENS) run[m++] = UNSPACED_SHAPE;
  return m;
}

/** Adds n-grams of three to five characters inside words, with marks for the word's edges. */
function fillCharacters(scan: LineScan, { characters, slots }: LineBags, n: number): number {
  let filled = 0;
  for (let i = 0; i < n; i++) {
    const slot = slots[i] ?? 0;
    if ((scan.units[slot] ?? 0) > 0 && scan.kind[slot] !== TOKEN.number)
      filled = fillNgrams(scan, slot, characters, filled);
  }
  return filled;
}

/** Appends the n-grams of one token, which has at least one code unit; returns the new filled length. */
function fillNgrams({ folded, units }: LineScan, slot: number, into: Uint16Array, start: number): number {
  const base = slot * MAX_TOKEN_UNITS;
  const end = base + (units[slot] ?? 0);
  let filled = start;
  // The two units before the next one; the first starts as the edge of the word.
  let first = EDGE_START;
  let second = folded[base] ?? 0;
  for (let at = base + 1; at <= end; at++) {
    const third = at < end ? (folded[at] ?? 0) : EDGE_END;
    const three = hashStep(hashStep(hashStep(HASH_START, first), second), third);
    into[filled++] = bucket(three, SALT.character);
    first = second;
    second = third;
    if (at >= end) break;
    const fourth = at + 1 < end ? (folded[at + 1] ?? 0) : EDGE_END;
    const four = hashStep(three, fourth);
    into[filled++] = bucket(four, SALT.character);
    if (at + 1 >= end) continue;
    const fifth = at + 2 < end ? (folded[at + 2] ?? 0) : EDGE_END;
    into[filled++] = bucket(hashStep(four, fifth), SALT.character);
  }
  return filled;
}

/** Returns the bag with an index in BAGS; only its first `counts[bag]` numbers belong to the line. */
export function bagOf(bags: LineBags, bag: number): Uint16Array {
  return bag === 0 ? bags.words : bag === 1 ? bags.shapes : bags.characters;
}

/** Returns the filled part of the bag with an index in BAGS, as a view. */
export function bagAt(bags: LineBags, bag: number): Uint16Array {
  return bagOf(bags, bag).subarray(0, bags.counts[bag] ?? 0);
}
