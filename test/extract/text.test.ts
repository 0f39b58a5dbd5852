import { describe, expect, it } from "vitest";
import { extractLines, extractText } from "../../src/extract/text.js";
import { unwrap } from "./pages.js";
import { expectLinear } from "../growth.js";

const text = (source: string): ReturnType<typeof extractText> =>
  extractText({ id: "t", url: "", text: source });
const shown = (source: string): string =>
  unwrap(text(source))
    .lines.map((line) => (line.breakBefore === "block" ? `|${line.text}` : `/${line.text}`))
    .join("");

describe("extractText", () => {
  it.each([
    ["reads line ends of any system", "a\nb\r\nc\rd\u2028e\u2029f", "|a/b/c/d/e/f"],
    ["begins a block after blank lines", "\n\na\n \t\nb\n\n\n\nc\n", "|a|b|c"],
    ["reads CR LF as one line end", "a\r\n\r\nb", "|a|b"],
    ["begins a block after a form feed", "a\fb\nc", "|a|b/c"],
    ["trims white space and drops invisible characters", "\ufeff  a\u00a0 b\u00adc \t\n\u200b\nd", "|a bc|d"],
    ["keeps markup as text", "<p>a &amp; b</p>", "|<p>a &amp; b</p>"],
  ])("%s", (_name, source, expected) => {
    expect(shown(source)).toBe(expected);
  });

  it("gives lines of plain text with exact spans", () => {
    const source = "\ufeff  one two \r\n\r\n\tthree\n";
    const { lines, source: format, meta } = unwrap(text(source));
    expect(lines[0]).toEqual({
      text: "one two",
      block: "text",
      path: "",
      linkChars: 0,
      breakBefore: "block",
      span: [3, 10],
    });
    expect(lines.map(({ span: [start, end] = [0, 0] }) => source.slice(start, end))).toEqual([
      "one two",
      "three",
    ]);
    expect([format, meta]).toEqual(["text", {}]);
  });

  it.each(["", " \n\u200b\n\u00a0", "\0\0"])("rejects %j, which has no visible text", (source) => {
    expect(text(source)).toMatchObject({ ok: false, id: "t", stage: "extract", reason: "no-lines" });
  });

  it("splits a line that has lost its line breaks into sentences, notes it, and loses no text", () => {
    const source = `Short.\n${"Home Login. The river rose 3.5 m; the  bridge closed! ".repeat(200)}\nEnd.`;
    const { lines, notes } = unwrap(text(source));
    expect(notes).toEqual(["long-lines-cut"]);
    expect(lines).toHaveLength(2 + 400);
    expect(lines.slice(0, 4).map((line) => [line.text, line.breakBefore])).toEqual([
      ["Short.", "block"],
      ["Home Login.", "line"],
      ["The river rose 3.5 m; the bridge closed!", "line"],
      ["Home Login.", "line"],
    ]);
    for (const { text, span } of lines)
      expect(source.slice(...(span ?? [0, 0])).replaceAll("  ", " ")).toBe(text);
    expect(unwrap(text("word ".repeat(2000))).lines).toHaveLength(1);
  });

  it.each([
    ["without a full stop", "word ".repeat(20_000), "word word"],
    ["without spaces", "😀".repeat(20_001), "😀"],
    ["Chinese", "第一段一二三。".repeat(3000), "第一段一二三。"],
  ])(
    "splits a long line %s into pieces of at most 1,000 characters, never inside a character",
    (_name, source, start) => {
      const { lines } = unwrap(text(source));
      for (const line of lines) {
        expect(line.text.length).toBeLessThanOrEqual(1000);
        expect(line.text.startsWith(start)).toBe(true);
      }
      expect(
        lines
          .map((line) => line.text)
          .join("")
          .replaceAll(" ", ""),
      ).toBe(source.replaceAll(" ", ""));
    },
  );

  it("takes linear time on a line of 2 MB and on 500,000 blank lines", async () => {
    expect(unwrap(text("word ".repeat(400_000))).lines).toHaveLength(2000);
    expect(unwrap(text(`a${" ".repeat(1_000_000)}${"\n ".repeat(500_000)}b`)).lines).toHaveLength(2);
    await expectLinear(400_000, (size) => "word ".repeat(size), text);
    await expectLinear(500_000, (size) => `a${" ".repeat(2 * size)}${"\n ".repeat(size)}b`, text);
  });
});

describe("extractLines", () => {
  it("keeps the given lines one to one, including blank ones", () => {
    const given = ["a", "", "  b\n c\u2028d ", "\u200b", "e", "f"];
    const { lines } = unwrap(extractLines({ id: "t", url: "u", lines: given, notes: ["n"] }));
    expect(lines.map((line) => line.text)).toEqual(["a", "", "b c d", "", "e", "f"]);
    expect(lines.map((line) => line.breakBefore)).toEqual([
      "block",
      "line",
      "block",
      "line",
      "block",
      "line",
    ]);
  });

  it.each([[[]], [["", " "]]])("rejects %j", (given: string[]) => {
    expect(extractLines({ id: "t", url: "", lines: given })).toMatchObject({ ok: false, reason: "no-lines" });
  });
});
