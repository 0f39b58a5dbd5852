import { describe, expect, it } from "vitest";
import { matchTitle } from "../../../../src/label/features/page/landmarks.js";
import { scanLine } from "../../../../src/label/features/scan-line.js";
import { createScan } from "../../../../src/label/features/tokens.js";

function titleLine(title: string, lines: readonly (readonly [text: string, block: string])[]): number {
  const match = matchTitle(title, lines.length);
  const scan = createScan();
  for (const [line, [text]] of lines.entries()) {
    scanLine(scan, text);
    match.add(scan, line);
  }
  return match.line(lines.map(([, block]) => ({ block })));
}

describe("the line of the title", () => {
  const title = "The ferry that would not sink – Harbour News";

  it("is the one that repeats most of the title and says little else", () => {
    const lines = [
      ["Harbour News", "div"],
      ["The ferry that would not sink", "h2"],
      ["A ferry sank", "p"],
    ] as const;
    expect(titleLine(title, lines)).toBe(1);
  });

  it("is the first of equal matches, and an h1 before others", () => {
    const line = "The ferry that would not sink";
    expect(
      titleLine(title, [
        [line, "div"],
        [line, "div"],
      ]),
    ).toBe(0);
    expect(
      titleLine(title, [
        [line, "div"],
        [line, "h1"],
        [line, "h1"],
      ]),
    ).toBe(1);
  });

  it("is the first h1 if nothing matches", () => {
    const lines = [
      ["Menu", "div"],
      ["Welcome", "h1"],
      ["More", "h1"],
    ] as const;
    expect(titleLine(title, lines)).toBe(1);
    expect(titleLine("", lines)).toBe(1);
  });

  it("does not exist without either", () => {
    expect(
      titleLine(title, [
        ["Menu", "div"],
        ["News", "p"],
      ]),
    ).toBe(-1);
    expect(titleLine(title, [])).toBe(-1);
  });
});
