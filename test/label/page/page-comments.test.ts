import { describe, expect, it } from "vitest";
import { PAGE_TYPES, type Line, type PageType } from "../../../src/document.js";
import { sigmoid } from "../../../src/label/label-line.js";
import { doubtComments } from "../../../src/label/page/page-comments.js";
import type { PageLogits } from "../../../src/label/page/page-model.js";

const MODEL = { calibration: { slope: 1, offset: 0, bends: [] } } as const;

function line(kind?: "comment"): Line {
  const plain = { text: "A line.", block: "p", path: "body>p", linkChars: 0, breakBefore: "block" } as const;
  return kind === undefined ? plain : { ...plain, kind };
}

/** Returns the scores of a line of the page and of an equally likely comment, on a page with this type and certainty. */
function scoresOn(type: PageType, odds: number, logit = 2): readonly number[] {
  const types = Float32Array.from(PAGE_TYPES, (name) => (name === type ? odds : 0));
  const logits: PageLogits = {
    of: [line(), line("comment")],
    lines: Float32Array.of(logit, logit),
    page: new Float32Array(PAGE_TYPES.length + 1),
    types,
  };
  return Array.from(doubtComments(logits, MODEL), sigmoid);
}

describe("doubtComments", () => {
  it("multiplies the score of a comment by P(the page is not an article), and leaves other lines unchanged", () => {
    const article = Math.exp(1) / (Math.exp(1) + PAGE_TYPES.length - 1);
    const [other, comment] = scoresOn("article", 1);
    expect(other).toBeCloseTo(sigmoid(2), 6);
    expect(comment).toBeCloseTo(sigmoid(2) * (1 - article), 6);
  });

  it("leaves the posts of a forum as likely as before", () => {
    const [other, post] = scoresOn("forum", 12);
    expect(post).toBeCloseTo(other ?? 0, 3);
  });

  it("never makes a comment impossible, so that training can learn that it is wanted", () => {
    const [, comment] = scoresOn("article", 60);
    expect(comment).toBeCloseTo(sigmoid(2) * 0.05, 6);
    for (const logit of [-100, 100]) expect(scoresOn("article", 60, logit).every(Number.isFinite)).toBe(true);
  });

  it("uses the network if nothing else states the type", () => {
    const page = Float32Array.from([...PAGE_TYPES, "content"], (name) => (name === "article" ? 40 : 0));
    const told = doubtComments({ of: [line("comment")], lines: Float32Array.of(2), page }, MODEL);
    expect(sigmoid(told[0] ?? 0)).toBeCloseTo(sigmoid(2) * 0.05, 6);
  });
});
