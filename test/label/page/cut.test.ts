import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { choosePageCut, lowerCuts } from "../../../src/label/page/page-verdict.js";
import { FOCUSES, type Focus } from "../../../src/label/labeller.js";
import { expectLinear } from "../../growth.js";

const WEIGHT: Readonly<Record<Focus, number>> = { precision: 0.25, balanced: 1, recall: 4 };

/** Computes the expected F-beta, by its definition, of keeping the lines that score at least `cut`. */
function expectedF(scores: readonly number[], lengths: readonly number[], focus: Focus, cut: number): number {
  let [right, false_, lost] = [0, 0, 0];
  for (const [at, score] of scores.entries()) {
    const length = lengths[at] ?? 0;
    if (score < cut) lost += score * length;
    else {
      right += score * length;
      false_ += (1 - score) * length;
    }
  }
  const weight = WEIGHT[focus];
  return right === 0 ? 0 : ((1 + weight) * right) / ((1 + weight) * right + false_ + weight * lost);
}

const page = fc.array(fc.tuple(fc.integer({ min: 0, max: 1000 }), fc.integer({ min: 0, max: 400 })), {
  minLength: 1,
  maxLength: 30,
});
const focus = fc.constantFrom(...FOCUSES);

describe("choosePageCut", () => {
  it("finds the same cut as an exhaustive search", () => {
    fc.assert(
      fc.property(page, focus, (lines, wanted) => {
        const scores = lines.map(([score]) => score / 1000);
        const lengths = lines.map(([, length]) => length);
        const cut = choosePageCut(scores, lengths, wanted);
        // The cut is one of the scores, but never outside these two.
        const possible = scores.map((score) => Math.min(0.9, Math.max(0.05, score)));
        expect(possible).toContain(cut);
        const best = Math.max(...possible.map((one) => expectedF(scores, lengths, wanted, one)));
        const reached = expectedF(scores, lengths, wanted, cut);
        expect(reached).toBeCloseTo(best, 9);
      }),
      { numRuns: 1000 },
    );
  });

  it("is the lower of two cuts for each focus, if some lines are doubtful", () => {
    const some = { precision: 0.7, balanced: 0.5, recall: 0.1 };
    expect(lowerCuts(some, false)).toEqual(some);
    expect(lowerCuts(some, { precision: 0.8, balanced: 0.4, recall: 0.1 })).toEqual({
      precision: 0.7,
      balanced: 0.4,
      recall: 0.1,
    });
  });

  it("keeps all lines of a score, or none", () => {
    expect(choosePageCut([0.614, 0.614, 0.737, 0], [0, 1, 165, 0], "precision")).toBe(0.737);
  });

  it("is never lower for precision than for balanced, nor for balanced than for recall", () => {
    fc.assert(
      fc.property(page, (lines) => {
        const scores = lines.map(([score]) => score / 1000);
        const lengths = lines.map(([, length]) => length);
        const [precision = 0, balanced = 0, recall = 0] = FOCUSES.map((one) =>
          choosePageCut(scores, lengths, one),
        );
        expect(precision).toBeGreaterThanOrEqual(balanced);
        expect(balanced).toBeGreaterThanOrEqual(recall);
      }),
      { numRuns: 1000 },
    );
  });

  it("does not depend on the order of the lines", () => {
    fc.assert(
      fc.property(page, focus, (lines, wanted) => {
        const cutOf = (of: typeof lines): number =>
          choosePageCut(
            of.map(([score]) => score / 1000),
            of.map(([, length]) => length),
            wanted,
          );
        expect(cutOf([...lines].reverse())).toBeCloseTo(cutOf(lines), 9);
      }),
    );
  });

  it("cuts clear pages between their high and low scores, and doubtful ones lower", () => {
    const lengths = [100, 100, 100, 100];
    expect(choosePageCut([0.99, 0.98, 0.02, 0.01], lengths, "balanced")).toBe(0.9);
    expect(choosePageCut([0.3, 0.28, 0.27, 0.05], lengths, "balanced")).toBe(0.27);
    expect(choosePageCut([0.8, 0.6, 0.3, 0.01], lengths, "precision")).toBe(0.6);
    expect(choosePageCut([0.8, 0.6, 0.3, 0.01], lengths, "recall")).toBe(0.3);
  });

  it("keeps all lines of equal scores or none", () => {
    expect(choosePageCut([0.4, 0.4, 0.4], [10, 300, 1], "precision")).toBe(0.4);
  });

  it("keeps a single line that scores at least five percent", () => {
    for (const one of FOCUSES) {
      expect(choosePageCut([0.06], [10], one)).toBe(0.06);
      expect(choosePageCut([0.04], [10], one)).toBe(0.05);
      expect(choosePageCut([0.97], [10], one)).toBe(0.9);
    }
  });

  it.each([
    ["no line", [], []],
    ["scores of zero", [0, 0, 0], [5, 0, 9]],
    ["lengths of zero", [0.7, 0.2, 0], [0, 0, 0]],
  ])("is a comparable score, for %s", (_, scores, lengths) => {
    for (const one of FOCUSES) {
      const cut = choosePageCut(scores, lengths, one);
      expect(cut >= 0.05 && cut <= 0.9).toBe(true);
    }
  });

  it("accepts a page of 200,000 lines", async () => {
    const write = (length: number) => Float32Array.from({ length }, (_, at) => (at % 997) / 997);
    const choose = (scores: Float32Array) =>
      choosePageCut(scores, new Float32Array(scores.length).fill(7), "balanced");
    expect(choose(write(200_000))).toBeGreaterThan(0.2);
    await expectLinear(200_000, write, choose);
  });
});
