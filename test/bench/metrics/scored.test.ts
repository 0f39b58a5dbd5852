import { describe, expect, it } from "vitest";
import { accuracyByLength, accuracyByPosition, type JudgedLine } from "../../../bench/metrics/positions.js";
import {
  averagePrecision,
  breakEven,
  calibrate,
  precisionRecallCurve,
  type ScoredLabel,
} from "../../../bench/metrics/scored.js";

function scored(...pairs: readonly (readonly [number, 0 | 1])[]): ScoredLabel[] {
  return pairs.map(([score, label]) => ({ score, label }));
}

const FOUR = scored([0.1, 0], [0.4, 0], [0.35, 1], [0.8, 1]);

describe("averagePrecision", () => {
  it("gives the value of scikit-learn's example", () => {
    // .8: recall 1/2 at precision 1; .35: recall 1/2 more at precision 2/3
    expect(averagePrecision(FOUR)).toBeCloseTo(0.5 + 0.5 * (2 / 3));
  });

  it("ranks equal scores together", () => {
    expect(averagePrecision(scored([0.5, 1], [0.5, 0], [0.5, 0], [0.5, 1]))).toBeCloseTo(0.5);
  });

  it("is 1 for a perfect order and null without content", () => {
    expect(averagePrecision(scored([0.9, 1], [0.8, 1], [0.1, 0]))).toBe(1);
    expect(averagePrecision(scored([0.9, 0]))).toBeNull();
    expect(averagePrecision([])).toBeNull();
  });
});

describe("precisionRecallCurve", () => {
  it("gives precision and recall at each step", () => {
    const curve = precisionRecallCurve(FOUR);
    expect(curve).toHaveLength(101);
    expect(curve[0]).toEqual({ threshold: 0, precision: 0.5, recall: 1 });
    expect(curve[35]).toEqual({ threshold: 0.35, precision: 2 / 3, recall: 1 });
    expect(curve[36]).toEqual({ threshold: 0.36, precision: 0.5, recall: 0.5 });
    expect(curve[80]).toEqual({ threshold: 0.8, precision: 1, recall: 0.5 });
    expect(curve[81]).toEqual({ threshold: 0.81, precision: null, recall: 0 });
  });
});

describe("breakEven", () => {
  it("finds the point where precision equals recall", () => {
    expect(breakEven(FOUR)).toEqual({ threshold: 0.4, precision: 0.5, recall: 0.5 });
    expect(breakEven(scored([0.9, 1], [0.8, 1], [0.1, 0]))?.threshold).toBe(0.8);
    expect(breakEven(scored([0.9, 0]))).toBeNull();
  });
});

describe("calibrate", () => {
  it("compares predicted with actual shares, bin by bin", () => {
    // bin .0–.1: the score is .05 twice, and one is content; bin .9–1: the scores are .9 and 1, and both are
    const { bins, error, brier } = calibrate(scored([0.05, 0], [0.05, 1], [0.9, 1], [1, 1]));
    expect(bins).toHaveLength(10);
    expect(bins[0]).toEqual({ from: 0, to: 0.1, lines: 2, said: 0.05, true: 0.5 });
    expect(bins[1]).toEqual({ from: 0.1, to: 0.2, lines: 0, said: null, true: null });
    expect(bins[9]).toMatchObject({ lines: 2, said: 0.95, true: 1 });
    expect(error).toBeCloseTo((2 * 0.45 + 2 * 0.05) / 4);
    expect(brier).toBeCloseTo((0.05 ** 2 + 0.95 ** 2 + 0.1 ** 2 + 0) / 4);
  });

  it("rejects a score that is not a number", () => {
    expect(() => calibrate(scored([Number.NaN, 1]))).toThrow("not a number");
    expect(calibrate([]).error).toBeNull();
  });
});

describe("accuracy by place and length", () => {
  const line = (gold: 0 | 1, said: 0 | 1 | null, text = "some words here"): JudgedLine => ({
    text,
    gold,
    said,
  });
  const wrongFirst = [line(0, 1), ...Array.from({ length: 19 }, () => line(1, 1))];

  it("has a bin for the first line and one for each tenth", () => {
    const buckets = accuracyByPosition([wrongFirst, [line(1, 1)], [line(1, null), line(1, 0)]]);
    expect(buckets[0]).toEqual({ bucket: "first line", lines: 2, accuracy: 0.5 });
    expect(buckets[1]).toEqual({ bucket: "0–10 %", lines: 3, accuracy: 2 / 3 });
    expect(buckets[2]).toEqual({ bucket: "10–20 %", lines: 2, accuracy: 1 });
    expect(buckets[6]).toEqual({ bucket: "50–60 %", lines: 3, accuracy: 2 / 3 });
    expect(buckets.slice(1).reduce((sum, { lines }) => sum + lines, 0)).toBe(22);
  });

  it("groups lines by number of words, upper bound included", () => {
    const buckets = accuracyByLength([
      [line(1, 1, "one"), line(1, 0, "one two"), line(1, 1, "w ".repeat(101))],
    ]);
    expect(buckets.filter(({ lines }) => lines > 0)).toEqual([
      { bucket: "0–1", lines: 1, accuracy: 1 },
      { bucket: "2–3", lines: 1, accuracy: 0 },
      { bucket: "over 100", lines: 1, accuracy: 1 },
    ]);
  });
});
