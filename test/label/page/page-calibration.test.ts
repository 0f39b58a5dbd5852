import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { calibrate } from "../../../src/label/page/page-model.js";

const logOdds = (probability: number): number => Math.log(probability / (1 - probability));
const bent = {
  slope: 2,
  offset: 1,
  bends: [
    { at: -3, by: -1.75 },
    { at: 1, by: 0.5 },
  ],
};

describe("calibrate", () => {
  it("follows the slope up to the first bend, and another from each bend", () => {
    expect(logOdds(calibrate(-4, bent))).toBeCloseTo(-7, 9);
    expect(logOdds(calibrate(-3, bent))).toBeCloseTo(-5, 9);
    expect(logOdds(calibrate(-1, bent))).toBeCloseTo(-4.5, 9);
    expect(logOdds(calibrate(1, bent))).toBeCloseTo(-4, 9);
    expect(logOdds(calibrate(3, bent))).toBeCloseTo(-2.5, 9);
  });

  it("is Platt scaling without a bend", () => {
    expect(calibrate(1.5, { slope: 0.8, offset: -0.2, bends: [] })).toBeCloseTo(1 / (1 + Math.exp(-1)), 12);
  });

  it("preserves the order of lines", () => {
    const logit = fc.double({ min: -20, max: 20, noNaN: true });
    fc.assert(
      fc.property(logit, logit, (one, other) => {
        const [low, high] = [Math.min(one, other), Math.max(one, other)];
        expect(calibrate(low, bent)).toBeLessThanOrEqual(calibrate(high, bent));
      }),
    );
  });
});
