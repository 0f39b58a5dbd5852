import { describe, expect, it } from "vitest";
import { COLUMN_COUNT } from "../../../src/label/features/columns.js";
import {
  createWorkspace,
  featureWindows,
  type BagSink,
  type MoreColumns,
} from "../../../src/label/features/windows.js";

/** Makes columns of the line's number and its double, and records the calls. */
function countingColumns(): MoreColumns & { readonly calls: string[] } {
  const calls: string[] = [];
  return {
    count: 2,
    calls,
    add: (scan) => calls.push(`add ${scan.length}`),
    finish: () => calls.push("finish"),
    fill(line, row, base) {
      calls.push(`fill ${line}`);
      row.set([line, 2 * line], base);
    },
  };
}

const sink: BagSink = { begin: () => undefined, take: () => undefined };
const TEXTS = Array.from({ length: 11 }, (_, at) => "x".repeat(at));

describe("featureWindows with more columns", () => {
  it.each([
    ["one window", { lines: 20, context: 1 }],
    ["several", { lines: 3, context: 2 }],
  ])("puts them after those of the text, in %s", (_, size) => {
    const width = COLUMN_COUNT + 2;
    const plain = [...featureWindows(TEXTS, createWorkspace(), sink, size)];
    const more = [...featureWindows(TEXTS, createWorkspace(), sink, size, countingColumns())];
    expect(more.map(({ start, rows }) => [start, rows])).toEqual(
      plain.map(({ start, rows }) => [start, rows]),
    );
    for (const [at, { hand, start, rows }] of more.entries()) {
      expect(hand).toHaveLength(rows * width);
      for (let row = 0; row < rows; row++) {
        const own = [...hand.slice(row * width, (row + 1) * width)];
        expect(own.slice(COLUMN_COUNT)).toEqual([start + row, 2 * (start + row)]);
        const text = plain[at]?.hand.slice(row * COLUMN_COUNT, (row + 1) * COLUMN_COUNT) ?? [];
        expect(own.slice(0, COLUMN_COUNT)).toEqual([...text]);
      }
    }
  });

  it("passes each line once and in order, then says that all are there, then asks for results", () => {
    for (const size of [
      { lines: 20, context: 1 },
      { lines: 3, context: 2 },
    ]) {
      const more = countingColumns();
      Array.from(featureWindows(TEXTS, createWorkspace(), sink, size, more));
      expect(more.calls.slice(0, 12)).toEqual([...TEXTS.map(({ length }) => `add ${length}`), "finish"]);
      expect(more.calls.slice(12).every((call) => call.startsWith("fill"))).toBe(true);
    }
  });

  it("holds no more than one window and its context", () => {
    const size = { lines: 3, context: 2 };
    const rows = [...featureWindows(TEXTS, createWorkspace(), sink, size)].map((window) => window.rows);
    expect(rows).toEqual([5, 7, 7, 4]);
    expect(Array.from(featureWindows([], createWorkspace(), sink, size, countingColumns()))).toEqual([]);
  });

  it("skips character n-grams for a sink that requests two bags", () => {
    const counts: number[][] = [];
    const two: BagSink = {
      bags: 2,
      begin: () => undefined,
      take: (_, bags) => counts.push([...bags.counts]),
    };
    Array.from(featureWindows(["The ferry came"], createWorkspace(), two, { lines: 5, context: 1 }));
    expect(counts).toEqual([[7, 8, 0]]);
  });
});
