import { describe, expect, it } from "vitest";
import {
  OWN_COLUMNS,
  createBagEncoder,
  createWordEncoder,
  wordsOf,
} from "../../../../src/label/papers/boilernet/encoders.js";
import { TABLE_ROWS } from "../../../../src/label/features/bags.js";

describe("the words of a line", () => {
  it("are runs of letters and digits, and single signs, in lower case", () => {
    expect(wordsOf("Don’t pay €20, “Ana”!")).toEqual([
      "don",
      "’",
      "t",
      "pay",
      "€",
      "20",
      ",",
      "“",
      "ana",
      "”",
      "!",
    ]);
    expect(wordsOf("水獭 はカワウソ。")).toEqual(["水獭", "はカワウソ", "。"]);
    expect(wordsOf(" \t ")).toEqual([]);
  });

  it("end after a limit in a very long line, and may contain lone surrogates", () => {
    expect(wordsOf("ab ".repeat(200_000)).length).toBe(Math.ceil(20_000 / 3));
    expect(wordsOf("\ud83d\ude00 \ud83d")).toHaveLength(2);
  });

  it("are counted one by one, with all unknown words in the last place", async () => {
    const encoder = createWordEncoder(["the", "boat"]);
    expect(encoder.width).toBe(3);
    const values = await encoder.encode(["The boat, the old boat", "", "Nobody"]);
    expect([...values]).toEqual([2, 2, 2, 0, 0, 0, 0, 0, 1]);
    await encoder.close();
  });
});

describe("the vector of a line", () => {
  const table = Int8Array.from({ length: TABLE_ROWS * 8 }, (_, at) => (at * 31) % 127);
  const encoder = createBagEncoder({ table, width: 8, scale: 0.01 }, 2);

  it("has the line's own columns and the means of the given number of bags", () => {
    expect(OWN_COLUMNS).toContain("log-length");
    expect(OWN_COLUMNS).not.toContain("position");
    expect(encoder.width).toBe(OWN_COLUMNS.length + 16);
  });

  it("is the same with any other lines", async () => {
    const lines = [
      "The boat came in late again.",
      "水獭在水里。",
      "",
      "12:30 – 14:00 | €20",
      "x".repeat(90_000),
    ];
    const together = await encoder.encode(lines);
    for (const [at, line] of lines.entries()) {
      const alone = await encoder.encode([line]);
      expect(together.subarray(at * encoder.width, (at + 1) * encoder.width)).toEqual(alone);
    }
    expect(together.every(Number.isFinite)).toBe(true);
  });

  it("differs with case, digits and words", async () => {
    const values = await encoder.encode(["the boat", "THE BOAT", "the boats", "the 7 boats"]);
    const rows = [0, 1, 2, 3].map((at) =>
      values.subarray(at * encoder.width, (at + 1) * encoder.width).join(),
    );
    expect(new Set(rows).size).toBe(4);
  });
});
