import { describe, expect, it } from "vitest";
import { classify, FIRST_RULES, type Paragraph } from "../../../../src/label/papers/justext/classify.js";
import { expectLinear } from "../../../growth.js";

function paragraph(part: Partial<Paragraph>): Paragraph {
  return {
    length: 100,
    linkChars: 0,
    stopShare: 0.5,
    isHeading: false,
    hasCopyright: false,
    isChoice: false,
    ...part,
  };
}
const GOOD = paragraph({ length: 300 });
const NEAR = paragraph({ length: 150 });
const SHORT = paragraph({ length: 30 });
const BAD = paragraph({ stopShare: 0.1 });
const HEADING = paragraph({ length: 30, isHeading: true });

const contents = (paragraphs: readonly Paragraph[]): boolean[] =>
  classify(paragraphs).map(({ isContent }) => isContent);
const reasons = (paragraphs: readonly Paragraph[]): string[] => classify(paragraphs).map(({ why }) => why);

describe("the class of a paragraph by itself", () => {
  it.each<[string, Partial<Paragraph>, string]>([
    ["more than a fifth in links", { length: 300, linkChars: 61 }, "bad justext-link-density"],
    ["a fifth in links", { length: 300, linkChars: 60 }, "good justext-long"],
    ["a copyright sign, however long", { length: 300, hasCopyright: true }, "bad justext-copyright"],
    ["a choice of a form", { length: 300, isChoice: true }, "bad justext-choice"],
    ["short with one linked character", { length: 69, linkChars: 1 }, "bad justext-short-with-links"],
    ["short without links", { length: 69 }, "short justext-short-between-bad"],
    ["70 characters are not short", { length: 70 }, "near-good justext-near-good-between-bad"],
    ["200 characters are not long", { length: 200 }, "near-good justext-near-good-between-bad"],
    ["201 characters are long", { length: 201, stopShare: 0.32 }, "good justext-long"],
    [
      "long with stop words between the limits",
      { length: 201, stopShare: 0.31 },
      "near-good justext-near-good-between-bad",
    ],
    ["stop words at the lower limit", { stopShare: 0.3 }, "near-good justext-near-good-between-bad"],
    ["stop words below the lower limit", { length: 900, stopShare: 0.299 }, "bad justext-few-stop-words"],
    ["an empty paragraph", { length: 0, stopShare: 0 }, "short justext-short-between-bad"],
  ])("%s", (_, part, expected) => {
    const [one] = classify([paragraph(part)]);
    expect(`${one?.first ?? ""} ${one?.why ?? ""}`).toBe(expected);
  });

  it("comes from rules with unique names", () => {
    const names = FIRST_RULES.map(({ why }) => why);
    expect(new Set(names).size).toBe(names.length);
    for (const name of names) expect(name).toMatch(/^justext(-[a-z]+)+$/);
  });
});

describe("neighbours", () => {
  it("decide for short paragraphs if both sides agree", () => {
    expect(contents([GOOD, SHORT, SHORT, GOOD])).toEqual([true, true, true, true]);
    expect(contents([BAD, SHORT, SHORT, BAD])).toEqual([false, false, false, false]);
    expect(contents([SHORT])).toEqual([false]);
  });

  it("drop a short paragraph between content and boilerplate, unless a near-good one is on the side of the boilerplate", () => {
    expect(contents([GOOD, SHORT, BAD])).toEqual([true, false, false]);
    expect(reasons([GOOD, SHORT, BAD])[1]).toBe("justext-short-at-edge");
    expect(contents([GOOD, SHORT, NEAR, BAD])).toEqual([true, true, true, false]);
    expect(reasons([GOOD, SHORT, NEAR, BAD])[1]).toBe("justext-short-beside-near-good");
    // The near-good one is on the side of the content, so the boilerplate counts.
    expect(contents([GOOD, NEAR, SHORT, BAD])).toEqual([true, true, false, false]);
  });

  it("keep a near-good paragraph unless both sides are boilerplate", () => {
    expect(contents([BAD, NEAR, BAD])).toEqual([false, false, false]);
    expect(contents([NEAR])).toEqual([false]);
    expect(contents([GOOD, NEAR, BAD])).toEqual([true, true, false]);
    // Each one decides the next: the first has no content beside it, and so neither has the second.
    expect(contents([BAD, NEAR, NEAR, BAD])).toEqual([false, false, false, false]);
    expect(contents([BAD, NEAR, NEAR, GOOD])).toEqual([false, true, true, true]);
  });

  it("keep a short heading within 200 characters before content", () => {
    expect(contents([BAD, HEADING, GOOD])).toEqual([false, true, true]);
    expect(reasons([BAD, HEADING, GOOD])[1]).toBe("justext-heading");
    // The same paragraph is dropped if it is not a heading.
    expect(contents([BAD, SHORT, GOOD])).toEqual([false, false, true]);
    const between = (length: number): Paragraph[] => [BAD, HEADING, { ...BAD, length }, GOOD];
    expect(contents(between(200))).toEqual([false, true, false, true]);
    expect(contents(between(201))).toEqual([false, false, false, true]);
  });

  it("never keep a heading that is bad by itself", () => {
    expect(contents([{ ...HEADING, linkChars: 30 }, GOOD])).toEqual([false, true]);
  });

  it("take time linear in their number", async () => {
    for (const paragraph of [SHORT, { ...HEADING, length: 0 }])
      await expectLinear(
        200_000,
        (length) => Array.from({ length }, () => paragraph),
        (paragraphs) => {
          expect(classify(paragraphs)).toHaveLength(paragraphs.length);
        },
      );
  });

  it("give an empty list for an empty list", () => {
    expect(classify([])).toEqual([]);
  });
});
