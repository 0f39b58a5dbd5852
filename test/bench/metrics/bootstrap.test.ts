import { describe, expect, it } from "vitest";
import { bootstrap, comparePaired, seededRandom } from "../../../bench/metrics/bootstrap.js";

function mean(values: readonly number[]): number | null {
  return values.length === 0 ? null : values.reduce((sum, value) => sum + value, 0) / values.length;
}

describe("seededRandom", () => {
  it("implements mulberry32", () => {
    const random = seededRandom(1);
    expect(random()).toBeCloseTo(0.6270739405881613, 12);
    const values = Array.from({ length: 10_000 }, random);
    expect(mean(values)).toBeCloseTo(0.5, 1);
    expect(Math.max(...values)).toBeLessThan(1);
    expect(Math.min(...values)).toBeGreaterThanOrEqual(0);
  });
});

describe("bootstrap", () => {
  const values = Array.from({ length: 100 }, (_, at) => (at % 10) / 10);
  const score = (sample: readonly number[]): { mean: number | null; size: number } => ({
    mean: mean(sample),
    size: sample.length,
  });

  it("has the width that the variance of the documents predicts", () => {
    const { mean: interval, size } = bootstrap(values, score, { samples: 2000 });
    const standardError = Math.sqrt(0.0825) / 10; // variance of 0, .1 … .9 over 100 documents
    expect(interval.value).toBeCloseTo(0.45);
    expect(interval.low).toBeCloseTo(0.45 - 1.96 * standardError, 2);
    expect(interval.high).toBeCloseTo(0.45 + 1.96 * standardError, 2);
    expect(size).toEqual({ value: 100, low: 100, high: 100 });
  });

  it("gives the same interval for the same seed only", () => {
    expect(bootstrap(values, score)).toEqual(bootstrap(values, score, { seed: 1 }));
    expect(bootstrap(values, score)).not.toEqual(bootstrap(values, score, { seed: 2 }));
  });

  it("skips samples without a score, and handles an empty list", () => {
    const { share } = bootstrap([1, 0], (sample) => ({ share: sample.includes(1) ? 1 : null }));
    expect(share).toEqual({ value: 1, low: 1, high: 1 });
    expect(bootstrap([], score).mean).toEqual({ value: null, low: null, high: null });
  });
});

describe("comparePaired", () => {
  const spread = Array.from({ length: 40 }, (_, at) => (at % 7) / 7);

  it("finds no difference between equal scores", () => {
    const test = comparePaired(
      spread.map((value) => ({ a: value, b: value })),
      mean,
    );
    expect(test).toEqual({ difference: { value: 0, low: 0, high: 0 }, p: 1 });
  });

  it("detects a small difference that occurs in every document", () => {
    const test = comparePaired(
      spread.map((value) => ({ a: value + 0.01, b: value })),
      mean,
    );
    expect(test.difference.value).toBeCloseTo(0.01);
    expect(test.difference.low).toBeCloseTo(0.01);
    expect(test.p).toBeCloseTo(1 / 1001, 6);
  });

  it("does not trust a difference in one document", () => {
    const pairs = spread.map((value, at) => ({ a: at === 0 ? value + 1 : value, b: value }));
    const test = comparePaired(pairs, mean);
    expect(test.p).toBe(1); // every swap gives an equally large difference
    expect(test.difference.low).toBe(0);
  });

  it("has nearly the exact p of four documents", () => {
    // of all 16 swaps, only all and none give a mean difference of 1
    const test = comparePaired(
      Array.from({ length: 4 }, () => ({ a: 1, b: 0 })),
      mean,
      { samples: 8000 },
    );
    expect(test.p).toBeCloseTo(2 / 16, 1);
  });

  it("returns null if there is no score", () => {
    expect(comparePaired([], mean).p).toBeNull();
  });
});
