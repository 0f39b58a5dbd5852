import { describe, expect, it } from "vitest";
import { matchItems, scoreCounts, subtractItems, sumCounts } from "../../../../bench/metrics/items/items.js";

describe("items", () => {
  it("are matched as multisets", () => {
    expect(matchItems(["a", "a", "b"], ["a", "b", "b", "c"])).toEqual({ right: 2, found: 4, wanted: 3 });
    expect(matchItems([], [])).toEqual({ right: 0, found: 0, wanted: 0 });
  });

  it("count neither for nor against if their gold is unknown", () => {
    expect(matchItems(["a"], ["a", "u", "u", "c"], ["u", "a"])).toEqual({ right: 1, found: 3, wanted: 1 });
  });

  it("are subtracted one at a time", () => {
    expect(subtractItems(["a", "a", "b", "a"], ["a", "c"])).toEqual(["a", "b", "a"]);
  });

  it("are summed over pages, and scored by the sums", () => {
    const rows = [
      { x: { right: 1, found: 2, wanted: 1, present: 1 } },
      { x: { right: 1, found: 1, wanted: 4 }, y: { right: 0, found: 0, wanted: 0 } },
    ];
    expect(sumCounts(rows, "x")).toEqual({ right: 2, found: 3, wanted: 5, present: 1 });
    expect(scoreCounts(sumCounts(rows, "x"))).toEqual({ precision: 2 / 3, recall: 2 / 5, f1: 4 / 8 });
    expect(scoreCounts(sumCounts(rows, "y"))).toEqual({ precision: null, recall: null, f1: null });
  });
});
