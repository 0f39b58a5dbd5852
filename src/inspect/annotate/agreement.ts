/** Measures how far two annotators agree beyond chance: Cohen's κ, per line and per word. */
import type { Mark } from "../app/wire.js";

/** Returns whether a mark means main content; undefined if the annotator was not sure. */
export function isContentMark(mark: Mark): boolean | undefined {
  if (mark === "unsure") return undefined;
  return mark === "content" || mark === "title";
}

export interface Agreement {
  add(one: boolean, other: boolean, weight: number): void;
  /**
   * Returns null if there is nothing to compare, and 1 if both gave the same label to everything, which chance
   * explains.
   */
  kappa(): number | null;
  readonly weight: number;
}

export function createAgreement(): Agreement {
  let weight = 0;
  let same = 0;
  let one = 0;
  let other = 0;
  return {
    add(first, second, by) {
      weight += by;
      if (first === second) same += by;
      if (first) one += by;
      if (second) other += by;
    },
    kappa() {
      if (weight === 0) return null;
      const expected = (one * other + (weight - one) * (weight - other)) / (weight * weight);
      if (expected === 1) return 1;
      return (same / weight - expected) / (1 - expected);
    },
    get weight() {
      return weight;
    },
  };
}
