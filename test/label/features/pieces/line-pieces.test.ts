/** Tests how a line becomes the pieces of its words. */
import { describe, expect, it } from "vitest";
import { createPieceCutter } from "../../../../src/label/features/pieces/line-pieces.js";
import { createVocabulary } from "../../../../src/label/features/pieces/vocabulary.js";

const LETTERS = "abcdefghijklmnopqrstuvwxyz0123456789".split("");
const PIECES = ["▁", ...LETTERS, "▁the", "▁otter", "fi", "キ"];
const SCORES = Float32Array.from(PIECES, (piece) => (piece.length > 1 ? -3 : -5));

function createReader(): (line: string) => string[] {
  const cutter = createPieceCutter(createVocabulary(PIECES, SCORES));
  return (line) =>
    Array.from(cutter.numbers.subarray(0, cutter.cut(line)), (number) => PIECES[number] ?? "?");
}

describe("the pieces of a line", () => {
  it("are those of its words, with any white space between them", () => {
    const read = createReader();
    const wanted = ["▁the", "▁otter", "▁", "a"];
    for (const space of [" ", "  ", "\t", "\u00a0", "\u3000", "\u2009"])
      expect(read(`${space}the${space}otter${space}a${space}`)).toEqual(wanted);
    expect(read("")).toEqual([]);
    expect(read("   ")).toEqual([]);
  });

  it("are those of the text in compatibility form", () => {
    const read = createReader();
    expect(read("ﬁ")).toEqual(["▁", "fi"]);
    expect(read("ｔｈｅ ｷ ①")).toEqual(["▁the", "▁", "キ", "▁", "1"]);
  });

  it("are taken from both ends of a long line", () => {
    const read = createReader();
    const pieces = read(`the ${"a ".repeat(10_000)}otter`);
    expect(pieces[0]).toBe("▁the");
    expect(pieces.at(-1)).toBe("▁otter");
    expect(pieces.length).toBeGreaterThan(200);
    expect(pieces.length).toBeLessThan(500);
  });

  it("fit in memory if a line grows in compatibility form", () => {
    // The longest form of one character in Unicode: eighteen letters.
    expect(createReader()("\ufdfa".repeat(360))).toEqual(expect.any(Array));
    expect(createReader()("z".repeat(5_000))).toHaveLength(362);
  });

  it("are the same after any number of other words", () => {
    const read = createReader();
    const line = "the otter swims 17 times";
    const before = read(line);
    for (let i = 0; i < 101_000; i++) read(i.toString(36));
    expect(read(line)).toEqual(before);
    expect(createReader()(line)).toEqual(before);
  });
});
