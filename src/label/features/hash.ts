/** Hashes what the features count: FNV-1a over folded code units, finished so that its low bits are good. */

export const HASH_START = 0x811c9dc5 | 0;

/** One step of FNV-1a over a 16-bit unit. */
export function hashStep(hash: number, unit: number): number {
  return Math.imul(hash ^ unit, 0x01000193);
}

/** Joins two hashes, order-sensitive: an n-gram is the join of its parts. */
export function hashJoin(left: number, right: number): number {
  return Math.imul(Math.imul(left, 0x5bd1e995) ^ (right >>> 15) ^ right, 0x01000193);
}

/** Spreads the bits of a hash; mask the result to get a bucket. */
export function hashFinish(hash: number): number {
  const a = Math.imul(hash ^ (hash >>> 16), 0x85ebca6b);
  const b = Math.imul(a ^ (a >>> 13), 0xc2b2ae35);
  return (b ^ (b >>> 16)) >>> 0;
}

/* Dense numbers 0, 1, 2 … for 32-bit keys: a hash map in flat arrays, for documents of a hundred thousand lines. */

export interface KeyIndex {
  /** The number of a key; a new key gets the next one. */
  idOf(key: number): number;
  size(): number;
  /** Forgets all keys. */
  clear(): void;
}

const LOAD = 0.6;

export function createKeyIndex(expected: number): KeyIndex {
  let slots = 64;
  while (slots * LOAD < expected) slots *= 2;
  let most = Math.floor(slots * LOAD);
  // Key and number + 1, side by side; 0 is an empty slot, so that any key may be used.
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

/** Where a key is, or the empty slot where it would be. */
function findSlot(entries: Int32Array, key: number): number {
  const mask = entries.length - 1;
  let at = Math.imul(key ^ (key >>> 15), 0x9e3779b1);
  at = ((at ^ (at >>> 15)) << 1) & mask;
  while (entries[at + 1] !== 0 && entries[at] !== key) at = (at + 2) & mask;
  return at;
}
