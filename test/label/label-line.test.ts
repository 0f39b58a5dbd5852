import { describe, expect, it } from "vitest";
import type { Line } from "../../src/document.js";
import { isBlank, labelBlank, labelLine, setLabel, WHY_BLANK } from "../../src/label/label-line.js";

/** Has every field that a line can have: a new field makes this fail to compile until it is added here. */
const LINE: Required<Omit<Line, "markup">> = {
  text: "I was there.",
  block: "p",
  path: "body>div.comments>p",
  linkChars: 3,
  links: [{ start: 0, end: 3, href: "/" }],
  breakBefore: "block",
  span: [1, 9],
  leftOutBy: "readability",
  continuesItem: true,
  number: 3,
  kind: "comment",
  spans: [{ kind: "em", start: 0, end: 1 }],
  holder: 4,
};

describe("setLabel", () => {
  it("keeps every field of the line", () => {
    expect(setLabel(LINE, { score: 0.5, label: "content", why: "rule" })).toEqual({
      ...LINE,
      score: 0.5,
      label: "content",
      why: "rule",
    });
  });

  it("adds no field, and drops an older reason", () => {
    const { text, block, path, linkChars, breakBefore } = LINE;
    const plain = { text, block, path, linkChars, breakBefore };
    const judged = labelLine(labelBlank(plain), 0.7004, 0.7);
    expect(Object.keys(judged).sort()).toEqual([...Object.keys(plain), "label", "score"].sort());
    expect(judged).toMatchObject({ score: 0.7, label: "content" });
    expect(labelBlank(plain)).toEqual({ ...plain, score: 0, label: "boilerplate", why: WHY_BLANK });
  });
});

describe("isBlank", () => {
  it("is true for white space and format characters only", () => {
    const wrong: number[] = [];
    for (let code = 0; code < 0x10000; code += 1) {
      const character = String.fromCharCode(code);
      const isNothing = !/[^\s\p{Cf}]/u.test(character);
      if (isBlank(character) !== isNothing || isBlank(` ${character}`) !== isNothing) wrong.push(code);
    }
    expect(wrong).toEqual([]);
    expect(isBlank("")).toBe(true);
  });
});
