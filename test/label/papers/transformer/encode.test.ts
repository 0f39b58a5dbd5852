import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { planBatches, stackLines, tokensOf } from "../../../../src/label/papers/transformer/encode.js";

describe("planBatches", () => {
  it("puts each line into one batch, within the memory limit, with lines of similar length", () => {
    const lengths = fc.array(fc.integer({ min: 2, max: 512 }), { maxLength: 600 });
    fc.assert(
      fc.property(lengths, (given) => {
        const batches = planBatches(given);
        expect(batches.flat().sort((a, b) => a - b)).toEqual(given.map((_, at) => at));
        let before = 0;
        for (const batch of batches) {
          const of = batch.map((at) => given[at] ?? 0);
          const longest = Math.max(...of);
          expect(batch.length * longest).toBeLessThanOrEqual(4096);
          expect(batch.length * longest ** 2).toBeLessThanOrEqual(2 ** 20);
          expect(Math.min(...of)).toBeGreaterThanOrEqual(before);
          before = longest;
        }
      }),
    );
  });

  it("makes a batch for each line that is too long for any, and none without lines", () => {
    expect(planBatches([5000, 5000])).toEqual([[0], [1]]);
    expect(planBatches([])).toEqual([]);
  });
});

describe("tokensOf", () => {
  const letters = {
    tokenize: (text: string) => Array.from(text, (one) => one.codePointAt(0) ?? 0),
    before: [0],
    behind: [2],
    padding: 1,
  };

  it("truncates a line and keeps the tokens around it", () => {
    expect(tokensOf("abc", letters, 512)).toEqual([0, 97, 98, 99, 2]);
    expect(tokensOf("abcdef", letters, 5)).toEqual([0, 97, 98, 99, 2]);
    expect(tokensOf("x".repeat(10_000), letters, 1e6)).toHaveLength(4098);
    const halves = tokensOf(`x${"\u{1f600}".repeat(3000)}`, letters, 1e6);
    expect(halves.at(-2)).toBe(0x1f600);
  });

  it("gives one token to a line without any", () => {
    const bare = { tokenize: () => [], before: [], behind: [], padding: 1 };
    expect(tokensOf("\ufffd", bare, 512)).toEqual([1]);
  });
});

describe("stackLines", () => {
  it("pads the shorter lines and masks the padding", () => {
    const { rows, tokens, ids, mask } = stackLines([[7, 8, 9], [5]], 1);
    expect([rows, tokens]).toEqual([2, 3]);
    expect([...ids].map(Number)).toEqual([7, 8, 9, 5, 1, 1]);
    expect([...mask].map(Number)).toEqual([1, 1, 1, 1, 0, 0]);
  });
});
