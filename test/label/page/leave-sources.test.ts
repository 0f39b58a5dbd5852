import { describe, expect, it } from "vitest";
import type { LabelledLine } from "../../../src/document.js";
import { leaveSources } from "../../../src/label/page/leave-sources.js";

const line = (text: string, path: string, score: number): LabelledLine => ({
  ...{ block: "p", text, path, linkChars: 0, breakBefore: "block", score },
  label: score < 0.5 ? "boilerplate" : "content",
});
const POST = line("We saw three otters today.", "body>main>blockquote.post>p", 0.3);
const SOURCE = line("— River Wardens (@wardens) May 2, 2024", "body>main>blockquote.post", 0.9);
const TEXT = line("The wardens count them.", "body>main>p", 0.9);
const labels = (lines: readonly LabelledLine[]): string =>
  leaveSources(lines, 0.5)
    .map(({ label }) => label.charAt(0))
    .join("");

describe("leaveSources", () => {
  it("drops the source of a quote whose text is dropped", () => {
    expect(labels([TEXT, POST, SOURCE, POST, SOURCE, TEXT])).toBe("cbbbbc");
    expect(leaveSources([POST, SOURCE], 0.5)[1]).toMatchObject({
      ...{ label: "boilerplate", score: 0.063, ownScore: 0.9, why: "source-of-quote" },
    });
  });

  it("keeps other lines", () => {
    const post: LabelledLine = { ...POST, label: "content" };
    expect(labels([post, SOURCE])).toBe("cc");
    expect(labels([{ ...POST, path: "body>main>p" }, SOURCE])).toBe("bc");
    expect(labels([POST, { ...SOURCE, text: "- River Wardens" }])).toBe("bc");
    expect(labels([POST, { ...SOURCE, text: "— We saw them, too." }])).toBe("bc");
    expect(labels([POST, SOURCE, { ...SOURCE, text: "— No" }])).toBe("bcc");
    expect(labels([POST, { ...SOURCE, why: "table-behind-text" }])).toBe("bc");
  });

  it("returns the same lines if there is nothing to drop, or the cut is lower than the score of the rule", () => {
    const lines = [TEXT, SOURCE];
    expect(leaveSources(lines, 0.5)).toBe(lines);
    const dropped = [POST, SOURCE];
    expect(leaveSources(dropped, 0.05)).toBe(dropped);
  });
});
