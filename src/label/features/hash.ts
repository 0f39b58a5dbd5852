/** Hashes tokens and n-grams with FNV-1a over folded code units, and spreads hashes so that their low bits are good. */
import { codeUnit } from "../../code-unit.js";

export const HASH_START = 0x811c9dc5 | 0;

/** Does one step of FNV-1a over a 16-bit unit. */
export function hashStep(hash: number, unit: number): number {
  return Math.imul(hash ^ unit, 0x01000193);
}

/** Hashes a word as it is, without folding. */
export function hashWord(word: string): number {
  let hash = HASH_START;
  for (let at = 0; at < word.length; at++) hash = hashStep(hash, codeUnit(word, at));
  return hash;
}

/** Joins two hashes; their order matters. The hash of an n-gram joins those of its parts. */
export function hashJoin(left: number, right: number): number {
  return Math.imul(Math.imul(left, 0x5bd1e995) ^ (right >>> 15) ^ right, 0x01000193);
}

/** Spreads the bits of a hash into an unsigned 32-bit number; mask the result to get a bucket. */
export function hashFinish(hash: number): number {
  const a = Math.imul(hash ^ (hash >>> 16), 0x85ebca6b);
  const b = Math.imul(a ^ (a >>> 13), 0xc2b2ae35);
  return (b ^ (b >>> 16)) >>> 0;
}

/* Numbers 32-bit keys 0, 1, 2 …: a hash map in one flat array, for documents of 100,000 lines. */

export interface KeyIndex {
  /** Returns the number of a key; a new key gets the next number. */
  idOf(key: number): number;
  size(): number;
  /** Removes all keys. */
  clear(): void;
}

const LOAD = 0.6;

/** Creates an index with room for the expected number of keys; it grows with more. */
export function createKeyIndex(expected: number): KeyIndex {
  let slots = 64;
  while (slots * LOAD < expected) slots *= 2;
  let most = Math.floor(slots * LOAD);
  // Pairs of a key and its number + 1. A 0 as the second means an empty slot, so that keys may have any value.
  let entries = new Int32Array(2 * slots);
  let used = 0;

  const grow = (): void => {
    const old = entries;
    slots *= 2;
    most = Math.floor(slots * LOAD);
    entries = new Int32Array(2 * slots);
    for (let at = 0; at < old.length; at += 2) {
      if (old[at + 1] === 0) continue;
      const key = old[at] ?? 0;
      const to = findSlot(entries, key);
      entries[to] = key;
      entries[to + 1] = old[at + 1] ?? 0;
    }
  };
  return {
    idOf(key) {
      const wanted = key | 0;
      let at = findSlot(entries, wanted);
      const id = entries[at + 1] ?? 0;
      if (id !== 0) return id - 1;
      if (used + 1 > most) {
        grow();
        at = findSlot(entries, wanted);
      }
      entries[at] = wanted;
      used += 1;
      entries[at + 1] = used;
      return used - 1;
    },
    size: () => used,
    clear() {
      entries.fill(0);
      used = 0;
    },
  };
}

/** Returns the index of a key, or of the empty slot where it belongs. */
function findSlot(entries: Int32Array, key: number): number {
  const mask = entries.length - 1;
  let at = Math.imul(key ^ (key >>> 15), 0x9e3779b1);
  at = ((at ^ (at >>> 15)) << 1) & mask;
  while (entries[at + 1] !== 0 && entries[at] !== key) at = (at + 2) & mask;
  return at;
}
