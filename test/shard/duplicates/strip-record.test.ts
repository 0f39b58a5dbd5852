import { describe, expect, it } from "vitest";
import { stripRecord } from "../../../src/shard/duplicates/strip-record.js";

describe("a record that loses lines", () => {
  it.each([
    ["a\nb\nc", [1], "a\nc"],
    ["a\n\nb\n\nc", [2], "a\n\nc"],
    ["a\nb\n\nc", [1], "a\n\nc"],
    ["a\n\nb\nc", [2], "a\n\nc"],
    ["a\n\nb", [0], "b"],
    ["a\n\nb", [2], "a"],
    ["a\n\nb\n\nc\n\nd", [2, 4], "a\n\nd"],
    ["code\n\n\ncode\n\nb\n\nc", [5], "code\n\n\ncode\n\nc"],
  ])("turns %j without %j into %j", (text, rows, left) => {
    const dropped = rows.map((row, at) => [at, row] as const);
    expect(stripRecord({ id: "a", text, words: 9, score: 0.5 }, dropped)).toEqual({
      ...{ id: "a", text: left, score: 0.5 },
      words: left.match(/\w+/g)?.length,
    });
  });

  it("is removed if nothing is left", () => {
    expect(stripRecord({ text: "a\n\nb" }, [[0, 0], [1, 2]])).toBeUndefined(); // oxfmt-ignore
  });

  it("keeps them, labelled, if it has boilerplate", () => {
    const line = (text: string, label = "content", block = "p"): object => ({ text, label, block });
    const lines = [line("x", "boilerplate"), line("a"), line("a", "content", "pre"), line("b")];
    const left = stripRecord({ text: "a\na\nb", lines }, [[1, 2]]);
    expect(left).toMatchObject({
      text: "a\na",
      lines: [lines[0], lines[1], lines[2], { ...lines[3], label: "boilerplate", why: "corpus-duplicate" }],
    });
    const own = stripRecord({ text: "a\na\nb", lines: lines.slice(1) }, [[1, 2]]);
    expect(own).toMatchObject({ lines: lines.slice(1, 3) });
  });

  it("may not contain another format of itself", () => {
    expect(() => stripRecord({ text: "a", formatted: "# a" }, [[0, 0]])).toThrow(/--keep-duplicates/);
  });
});
