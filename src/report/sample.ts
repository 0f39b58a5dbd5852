/** Draws samples from a stream in bounded memory; the same seed and stream give the same sample. */
import type { Random } from "../random.js";

/** A random sample that contains each item of a stream with the same probability (Vitter 1985, algorithm R). */
export interface Reservoir<T> {
  /** `make` is called only if the item is taken. */
  offer(make: () => T): void;
  readonly items: readonly T[];
  readonly seen: number;
}

export function createReservoir<T>(size: number, random: Random): Reservoir<T> {
  const items: T[] = [];
  let seen = 0;
  return {
    offer(make) {
      seen += 1;
      if (items.length < size) {
        items.push(make());
        return;
      }
      const place = Math.floor(random() * seen);
      if (place < size) items[place] = make();
    },
    items,
    get seen() {
      return seen;
    },
  };
}

/** The items with the highest ranks; of equal ones, the first. */
export interface Best<T> {
  offer(rank: number, make: () => T): void;
  /** Highest rank first. */
  readonly items: readonly T[];
}

export function createBest<T>(size: number): Best<T> {
  const kept: { readonly rank: number; readonly item: T }[] = [];
  return {
    offer(rank, make) {
      const last = kept.at(-1);
      if (kept.length >= size && last !== undefined && rank <= last.rank) return;
      const after = kept.findIndex((one) => one.rank < rank);
      kept.splice(after < 0 ? kept.length : after, 0, { rank, item: make() });
      if (kept.length > size) kept.pop();
    },
    get items() {
      return kept.map(({ item }) => item);
    },
  };
}
