import { describe, expect, it } from "vitest";
import { fillPlace } from "../../../src/label/features/document-columns.js";
import { AT, COLUMN_COUNT } from "../../../src/label/features/columns.js";
import { createFactCollector, type FactCollector } from "../../../src/label/features/facts.js";
import { scanLine } from "../../../src/label/features/scan-line.js";
import { createScan } from "../../../src/label/features/tokens.js";

function place(collector: FactCollector, texts: readonly string[]): number[] {
  const scan = createScan();
  collector.begin();
  for (const text of texts) {
    scanLine(scan, text);
    collector.add(scan, text);
  }
  const facts = collector.finish();
  const row = new Float32Array(texts.length * COLUMN_COUNT);
  for (const line of texts.keys()) fillPlace(facts, line, row, line * COLUMN_COUNT);
  return [...row];
}

const ONE = ["Home", "River rises again", "Home", "a1 a1000 river", "河水在夜里上涨河水"];
const OTHER = [
  "The river rose in the night and by morning the lower road to the village was gone again",
  "Home",
];
/** Contains more words than there is room for at first. */
const MANY = Array.from({ length: 40 }, (_, line) =>
  Array.from(
    { length: 60 },
    (_, word) => `${String.fromCharCode(97 + (word % 26))}word${"x".repeat(line)}${word % 7}y`,
  ).join(" "),
);

describe("the counts of other lines", () => {
  const list = (lines: number): string[] =>
    Array.from({ length: lines }, (_, at) => `Row of the list, ${at}.`);
  const columns = ["near-copies", "same-shape", "same-beginning"] as const;
  const countsOf = (lines: number): (number | undefined)[] => {
    const row = place(createFactCollector(lines), list(lines));
    return columns.map((name) => row[AT[name]]);
  };

  it("are the same in a list of a hundred lines and of ten thousand", () => {
    expect(countsOf(10_000)).toEqual(countsOf(100));
    expect(countsOf(100)).not.toEqual(countsOf(5));
  });
});

describe("createFactCollector", () => {
  it("remembers nothing of the previous document, longer or shorter", () => {
    const used = createFactCollector(64);
    for (const texts of [ONE, MANY, OTHER, ONE, [], MANY, ["Home"], OTHER])
      expect(place(used, texts)).toEqual(place(createFactCollector(texts.length), texts));
  });

  it("accepts lines of many words", () => {
    const tight = place(createFactCollector(MANY.length), MANY);
    expect(tight).toEqual(place(createFactCollector(10 * MANY.length), MANY));
    expect(tight.every(Number.isFinite)).toBe(true);
  });
});
