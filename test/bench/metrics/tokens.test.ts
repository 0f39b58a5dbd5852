import { describe, expect, it } from "vitest";
import { pythonWords, stripMarkdown, tokenize, whitespaceTokens } from "../../../bench/metrics/tokens.js";
import { expectLinear } from "../../growth.js";

describe("tokenize", () => {
  it("ignores case, punctuation, invisible characters and Unicode form", () => {
    expect(tokenize("Cafe\u0301 ﬁne—“Soft\u00adhy\u200bphen”")).toEqual(["café", "fine", "softhyphen"]);
  });

  it("takes each letter of a script without spaces as a token, with its marks", () => {
    expect(tokenize("東京Tower 3階")).toEqual(["東", "京", "tower", "3", "階"]);
    expect(tokenize("น้ำ")).toHaveLength(2);
    expect(tokenize("한국어 텍스트")).toEqual(["한국어", "텍스트"]);
  });

  it("does not split words at Markdown marks", () => {
    expect(tokenize("**T**he snake\\_case `code`")).toEqual(tokenize("The snake_case code"));
  });

  it("finds nothing in symbols", () => {
    expect(tokenize("| » *** —")).toEqual([]);
  });
});

describe("stripMarkdown", () => {
  it("keeps the text of links and drops their targets and images", () => {
    const text =
      'See [the *report*](https://x.test/a_(b)?q=1 "Title") ![alt](/i.png) and array[0](not a link, spaces)';
    expect(stripMarkdown(text).replace(/ +/g, " ")).toBe(
      "See [the *report* and array[0](not a link, spaces)",
    );
  });

  it("stays fast on text that only resembles Markdown", async () => {
    const write = (size: number): string =>
      "![".repeat(5 * size) + "](" + "(".repeat(5 * size) + "](a".repeat(2 * size);
    await expectLinear(10_000, write, stripMarkdown);
  });
});

describe("the originals' tokens", () => {
  it("follows Python's \\w+: an underscore joins, a combining mark splits", () => {
    expect(pythonWords("snake_case don't हिन्दी x²")).toEqual(["snake_case", "don", "t", "ह", "न", "द", "x²"]);
  });

  it("follows Python's split()", () => {
    expect(whitespaceTokens("  a,\u00a0b\n c ")).toEqual(["a,", "b", "c"]);
    expect(whitespaceTokens(" \n")).toEqual([]);
  });
});
