/** Reads the words of lines as hashes and lengths instead of strings, to count and compare runs of words. */
import { forEachWord } from "../language/words.js";
import { countColumns } from "./scripts.js";

/** The words of a text in order, in lower case and NFC. */
export interface Terms {
  readonly count: number;
  /** A 32-bit hash of each word. */
  readonly hashes: Uint32Array;
  /** Columns of each word, at most 65,535. */
  readonly columns: Uint16Array;
  /** The sum of `columns`. */
  readonly totalColumns: number;
  /** The number of words with a letter. */
  readonly lettered: number;
}

const LETTER = /\p{L}/u;
const MOST_COLUMNS = 0xffff;

export function readTerms(lines: readonly string[]): Terms {
  let hashes = new Uint32Array(256);
  let columns = new Uint16Array(256);
  let count = 0;
  let totalColumns = 0;
  let lettered = 0;
  for (const line of lines) {
    const text = line.normalize("NFC").toLowerCase();
    forEachWord(text, (start, end) => {
      if (count === hashes.length) {
        hashes = grow(hashes, new Uint32Array(count * 2));
        columns = grow(columns, new Uint16Array(count * 2));
      }
      const width = Math.min(MOST_COLUMNS, countColumns(text, start, end));
      hashes[count] = hashRange(text, start, end);
      columns[count] = width;
      totalColumns += width;
      if (hasLetter(text, start, end)) lettered += 1;
      count += 1;
    });
  }
  return {
    count,
    hashes: hashes.subarray(0, count),
    columns: columns.subarray(0, count),
    totalColumns,
    lettered,
  };
}

function grow<T extends Uint16Array | Uint32Array>(from: T, into: T): T {
  into.set(from);
  return into;
}

/** Hashes code units with FNV-1a, then mixes the result, because its low bits alone are poor. */
function hashRange(text: string, start: number, end: number): number {
  let hash = 0x811c9dc5;
  for (let at = start; at < end; at += 1) hash = Math.imul(hash ^ text.charCodeAt(at), 0x01000193);
  return mix(hash);
}

/** Mixes 32 bits one to one: the finalizer of MurmurHash3. */
export function mix(value: number): number {
  let hash = value ^ (value >>> 16);
  hash = Math.imul(hash, 0x85ebca6b);
  hash ^= hash >>> 13;
  hash = Math.imul(hash, 0xc2b2ae35);
  return (hash ^ (hash >>> 16)) >>> 0;
}

/** Hashes `size` words from index `at` on; the order of the words counts. */
export function hashRun({ hashes }: Terms, at: number, size: number): number {
  let hash = size;
  for (let word = at; word < at + size; word += 1) hash = Math.imul(hash, 0x9e3779b1) + (hashes[word] ?? 0);
  return mix(hash);
}

/** Whether a word has a letter. Most words begin with an ASCII letter; the slower pattern checks the others. */
function hasLetter(text: string, start: number, end: number): boolean {
  const first = text.charCodeAt(start);
  if (first >= 0x61 && first <= 0x7a) return true;
  return LETTER.test(text.slice(start, end));
}
