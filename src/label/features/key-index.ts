/** Turns 32-bit keys into dense numbers 0, 1, 2 …: a hash map in flat arrays, for documents of a hundred thousand lines. */

export interface KeyIndex {
  /** The number of a key; a new key gets the next one. */
  idOf(key: number): number;
  size(): number;
}

const LOAD = 0.6;

export function createKeyIndex(expected: number): KeyIndex {
  let slots = 64;
  while (slots * LOAD < expected) slots *= 2;
  let keys = new Int32Array(slots);
  // Number + 1; 0 is an empty slot, so that any key may be used.
  let ids = new Int32Array(slots);
  let used = 0;

  const find = (key: number): number => {
    const mask = slots - 1;
    let at = Math.imul(key ^ (key >>> 15), 0x9e3779b1);
    at = (at ^ (at >>> 15)) & mask;
    while (ids[at] !== 0 && keys[at] !== key) at = (at + 1) & mask;
    return at;
  };
  const grow = (): void => {
    const oldKeys = keys;
    const oldIds = ids;
    slots *= 2;
    keys = new Int32Array(slots);
    ids = new Int32Array(slots);
    for (let i = 0; i < oldIds.length; i++) {
      const id = oldIds[i] ?? 0;
      if (id === 0) continue;
      const key = oldKeys[i] ?? 0;
      const at = find(key);
      keys[at] = key;
      ids[at] = id;
    }
  };
  return {
    idOf(key) {
      const wanted = key | 0;
      let at = find(wanted);
      const id = ids[at] ?? 0;
      if (id !== 0) return id - 1;
      if (used + 1 > slots * LOAD) {
        grow();
        at = find(wanted);
      }
      keys[at] = wanted;
      used += 1;
      ids[at] = used;
      return used - 1;
    },
    size: () => used,
  };
}
