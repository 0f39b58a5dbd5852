import { describe, expect, it } from "vitest";
import type { LabelledLine } from "../../../src/document.js";
import { labelBlank } from "../../../src/label/label-line.js";
import { keepElements } from "../../../src/label/page/keep-elements.js";

const CUT = 0.5;
const line = (block: LabelledLine["block"], text: string, path: string, score = 0.4): LabelledLine => ({
  ...{ block, text, path, linkChars: 0, breakBefore: "block", score },
  label: score < CUT ? "boilerplate" : "content",
});
const BLANK = labelBlank(line("p", " ", "body>main>p"));
const text = (words: string): LabelledLine => line("p", words, "body>main>p", 0.9);
const heading = (words: string): LabelledLine => line("h3", words, "body>main>h3");
const row = (words: string, table = "table"): LabelledLine => line("tr", words, `body>main>${table}>tr`);
const reasons = (lines: readonly LabelledLine[]): (string | undefined)[] =>
  keepElements(lines, CUT).map(({ why }) => why);

const [DOGS, FOOD] = [text("Dogs travel free, on a lead."), text("There is a small café on board.")] as const;

describe("keepElements", () => {
  it("looks past blank lines, and leaves them in place", () => {
    expect(reasons([heading("Dogs"), BLANK, DOGS, BLANK, heading("Food"), FOOD, BLANK])).toEqual([
      ...["heading-of-text", "blank-line", undefined, "blank-line"],
      ...["heading-of-text", undefined, "blank-line"],
    ]);
    expect(reasons([BLANK, DOGS, BLANK, row("Year\tPrice"), BLANK, row("2025\t3.40")])).toEqual([
      ...["blank-line", undefined, "blank-line"],
      ...["table-behind-text", "blank-line", "table-behind-text"],
    ]);
  });

  it("shows each rule what the rules before it kept, such as a table for its caption", () => {
    const rows = ["Year\tPrice", "2025\t3.40"].map((words) => row(words, "figure>table"));
    const caption = line("figcaption", "Prices", "body>main>figure>figcaption");
    expect(reasons([DOGS, ...rows, caption])).toEqual([
      ...[undefined, "table-behind-text", "table-behind-text", "caption-of-text"],
    ]);
    expect(reasons([...rows, caption])).toEqual([undefined, undefined, undefined]);
  });

  it("returns the same lines if there is nothing to keep", () => {
    const lines = [DOGS, BLANK, line("li", "Menu", "body>nav>ul>li")];
    expect(keepElements(lines, CUT)).toBe(lines);
  });
});
