import { describe, expect, it } from "vitest";
import { LONGEST_WORD, scanText, TEXT_COLUMNS } from "../../src/label/registers/scan-text.js";

interface Scanned {
  readonly words: readonly string[];
  readonly of: (column: string) => number;
}

function scan(text: string): Scanned {
  const words: string[] = [];
  const { columns, words: count } = scanText(text, (of, start, end) => {
    const word = of.slice(start, end);
    const isRepeated = words.includes(word);
    words.push(word);
    return isRepeated;
  });
  expect(count).toBe(words.length);
  expect(columns).toHaveLength(TEXT_COLUMNS.length);
  expect(columns.every(Number.isFinite)).toBe(true);
  return { words, of: (column) => columns[TEXT_COLUMNS.indexOf(column)] ?? Number.NaN };
}

describe("scanText", () => {
  it("finds runs of letters and digits, in any script", () => {
    expect(scan("Don't panic: 42 otters (Åland)!").words).toEqual([
      "Don",
      "t",
      "panic",
      "42",
      "otters",
      "Åland",
    ]);
    expect(scan("गाँव के पुस्तकालय में").words).toEqual(["गाँव", "के", "पुस्तकालय", "में"]);
    expect(scan("老桥开放。孩子们").words).toEqual(["老桥开放", "孩子们"]);
  });

  it("splits endless runs", () => {
    const { words } = scan("字".repeat(100));
    expect(words.map(({ length }) => length)).toEqual([24, 24, 24, 24, 4]);
    expect(Math.max(...scan("a".repeat(1_000_000)).words.map(({ length }) => length))).toBe(LONGEST_WORD);
  });

  it("reads only both ends of a long text", () => {
    const middle = "middle ".repeat(100_000);
    const { words } = scan(`first ${middle}last`);
    expect(words[0]).toBe("first");
    expect(words.at(-1)).toBe("last");
    expect(words.length).toBeLessThan(600);
    const han = scan("开".repeat(900_000)).words.join("").length;
    expect(han).toBe(1000);
  });

  it("counts the same if marks are separate from words", () => {
    const tight = scan("“Yes,” she said (twice). No! 1999?");
    const apart = scan("“ Yes , ” she said ( twice ) . No ! 1999 ?");
    expect(apart.words).toEqual(tight.words);
    for (const column of TEXT_COLUMNS)
      if (column !== "class:space") expect(apart.of(column), column).toBe(tight.of(column));
  });

  it("distinguishes marks, shapes and copies of words", () => {
    const { of } = scan("WHY why why? Asked 1999 and 12.");
    for (const column of ["mark:?", "shape:shouted", "shape:capitalised", "shape:years", "shape:numbers"])
      expect(of(column), column).toBeGreaterThan(0);
    expect(of("shape:repeated")).toBeCloseTo(Math.log1p(100 / 8), 5);
    expect(of("mark:!")).toBe(0);
  });

  it("accepts any text", () => {
    for (const text of ["", "\ud800", "\udc00\ud800", "\u0000\ufffd", "\n\n", "😀".repeat(40), "—"])
      scan(text);
    expect(new Set(TEXT_COLUMNS).size).toBe(TEXT_COLUMNS.length);
  });
});
