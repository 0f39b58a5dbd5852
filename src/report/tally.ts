/** Counts kept and dropped lines and words by group, even if there are more groups than fit in memory. */
import { tellCount } from "../count.js";
import { compareTexts } from "../text-order.js";

export interface Tally {
  documents: number;
  /** Lines and words in the text, and lines and words that were dropped, if the records hold them. */
  keptLines: number;
  droppedLines: number;
  keptWords: number;
  droppedWords: number;
}

export function createTally(): Tally {
  return { documents: 0, keptLines: 0, droppedLines: 0, keptWords: 0, droppedWords: 0 };
}

export function addTally(to: Tally, more: Tally): void {
  to.documents += more.documents;
  to.keptLines += more.keptLines;
  to.droppedLines += more.droppedLines;
  to.keptWords += more.keptWords;
  to.droppedWords += more.droppedWords;
}

export function countLine(tally: Tally, isKept: boolean, words: number): void {
  tally[isKept ? "keptLines" : "droppedLines"] += 1;
  tally[isKept ? "keptWords" : "droppedWords"] += words;
}

/** Most groups that are counted separately; later ones are counted together. */
const MOST_GROUPS = 20_000;
/** The name of the group for all groups that came too late. */
export const OTHERS = "(others)";

/** Tallies by the name of a group, in bounded memory. */
export class Groups {
  readonly #groups = new Map<string, Tally>();

  add(name: string, more: Tally): void {
    const key = this.#groups.has(name) || this.#groups.size < MOST_GROUPS ? name : OTHERS;
    let tally = this.#groups.get(key);
    if (tally === undefined) this.#groups.set(key, (tally = createTally()));
    addTally(tally, more);
  }

  /**
   * Returns the groups with most documents first, equal ones by name. At most `most` rows: the last one sums up the
   * rest.
   */
  list(most: number): readonly (readonly [name: string, tally: Tally])[] {
    const sorted = [...this.#groups].sort(
      ([a, one], [b, other]) => other.documents - one.documents || compareTexts(a, b),
    );
    if (sorted.length <= most) return sorted;
    const rest = createTally();
    const shown = sorted.slice(0, most - 1);
    for (const [, tally] of sorted.slice(most - 1)) addTally(rest, tally);
    return [...shown, [tellCount(sorted.length - shown.length, "other"), rest]];
  }
}

/** Removes the rarer half to make room for new names; of equally frequent ones, the later. */
export function keepFrequent<T>(counted: Map<string, T>, countOf: (one: T) => number): void {
  const all = [...counted].sort(([, one], [, other]) => countOf(other) - countOf(one));
  for (const [name] of all.slice(Math.ceil(all.length / 2))) counted.delete(name);
}

/** Counts names. If there are too many different ones, the rare ones are forgotten. */
export class Counts {
  readonly #counts = new Map<string, number>();

  add(name: string): void {
    this.#counts.set(name, (this.#counts.get(name) ?? 0) + 1);
    if (this.#counts.size > MOST_GROUPS * 5) keepFrequent(this.#counts, (count) => count);
  }

  list(most = Infinity): readonly (readonly [name: string, count: number])[] {
    return [...this.#counts].sort(([a, one], [b, other]) => other - one || compareTexts(a, b)).slice(0, most);
  }
}
