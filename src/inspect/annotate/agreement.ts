/** Tells how far two annotators agree, beyond what chance would give: Cohen's κ, per line and per word. */
import type { Mark } from "../app/wire.js";

/** What a mark says of a line: whether it is main content; undefined where the annotator was not sure. */
export function isContentMark(mark: Mark): boolean | undefined {
  if (mark === "unsure") return undefined;
  return mark === "content" || mark === "title";
}

export interface Agreement {
  add(one: boolean, other: boolean, weight: number): void;
  /** Null where there is nothing to compare. Where chance alone explains all, as both said the same of all, it is 1. */
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
