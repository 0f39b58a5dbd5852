import { describe, expect, it } from "vitest";
import type { LabelledLine } from "../../src/document.js";
import { mayRescue, rescueLines } from "../../src/label/rescue-lines.js";

const LONG = "A council meeting that nobody had announced ended late at night with a vote for the bridge.";
const ZH = "市民通过登录北京市环境保护监测中心网站，就可以随时了解自己所在区域的空气质量。";
const line = (text: string, score: number, more: Partial<LabelledLine> = {}): LabelledLine => ({
  text,
  block: "text",
  path: "",
  linkChars: 0,
  breakBefore: "line",
  score,
  label: "boilerplate",
  ...more,
});
const kept = (lines: readonly LabelledLine[]): string[] =>
  rescueLines(lines)
    .filter(({ label }) => label === "content")
    .map(({ text }) => text);

describe("rescueLines", () => {
  it("keeps the likeliest long lines of a document that would otherwise be empty, in any script", () => {
    expect(kept([line("Home", 0.4), line(LONG, 0.35), line("Contact", 0.1)])).toEqual([LONG]);
    expect(kept([line("首页", 0.3), line(ZH, 0.22)])).toEqual([ZH]);
    expect(rescueLines([line(LONG, 0.3)])).toMatchObject([
      { score: 0.783, why: "likeliest-line", text: LONG },
    ]);
  });

  it("leaves a document with content unchanged", () => {
    const lines = [line("x", 0.9, { label: "content" }), line(LONG, 0.4)];
    expect(rescueLines(lines)).toBe(lines);
  });

  it("keeps nothing of a list of links, of unlikely lines, or against another rule", () => {
    expect(kept([line("Home", 0.45), line("News", 0.4)])).toEqual([]);
    expect(kept([line(LONG, 0.19)])).toEqual([]);
    expect(kept([line(LONG, 0.4, { why: "duplicate-line" })])).toEqual([]);
  });

  it("is off for precision and with an explicit threshold", () => {
    expect(mayRescue({ focus: "balanced" })).toBe(true);
    expect(mayRescue({ focus: "recall" })).toBe(true);
    expect(mayRescue({ focus: "precision" })).toBe(false);
    expect(mayRescue({ focus: "balanced", cut: 0.5 })).toBe(false);
  });
});
