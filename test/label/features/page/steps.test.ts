import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { BLOCK_TAGS } from "../../../../src/document.js";
import {
  ELEMENT_COLUMNS,
  PLACE_AT,
  PLACE_COLUMNS,
} from "../../../../src/label/features/page/place-columns.js";
import {
  blockColumn,
  fillPathBuckets,
  MAX_PATH_BUCKETS,
  READ_STEPS,
  readStep,
} from "../../../../src/label/features/page/steps.js";
import { expectLinear } from "../../../growth.js";

const MASK = 0x7fff;

function bucketsOf(steps: readonly string[]): { near: number[]; far: number[] } {
  const near = new Uint16Array(MAX_PATH_BUCKETS);
  const far = new Uint16Array(MAX_PATH_BUCKETS);
  const filled = fillPathBuckets(steps.map(readStep), MASK, { near, far });
  return { near: [...near.slice(0, filled.near)], far: [...far.slice(0, filled.far)] };
}

const wordsOf = (step: string): number[] => [...readStep(step).words];
const namesOf = (step: string): string[] => readStep(step).names.map((at) => PLACE_COLUMNS[at] ?? "");
const marksOf = (step: string): string[] => readStep(step).marks.map((at) => PLACE_COLUMNS[at] ?? "");

describe("readStep", () => {
  it.each([
    ["td.x", "in-cell"],
    ["th", "in-cell"],
    ["h3#a", "in-heading"],
    ["nav[role=menu]", "in-nav"],
    ["a", "in-link"],
    ["abbr", undefined],
    ["", undefined],
    ["#p", undefined],
  ])("counts the tag of %s in %s", (step, column) => {
    expect(ELEMENT_COLUMNS[readStep(step).tagColumn]).toBe(column);
  });

  it("recognises roles and names of schema.org, several in one step", () => {
    expect(marksOf("div[role=main][itemprop=text]")).toEqual(["marked-main", "marked-text"]);
    expect(marksOf("div#x.y[role=navigation]")).toEqual(["marked-furniture"]);
    expect(marksOf("div.w-[10px].main[role=main]")).toEqual(["marked-main"]);
    expect(marksOf("div[role=mainly][main]")).toEqual([]);
    expect(marksOf("div.role=main")).toEqual([]);
  });

  it("splits names at signs, digits and capitals, and ignores case", () => {
    expect(wordsOf("div#mainContent")).toEqual(wordsOf("div.main-content"));
    expect(wordsOf("DIV.Post_Body2")).toEqual(wordsOf("div.post.body"));
    expect(wordsOf("div.post")).not.toEqual(wordsOf("div.posts"));
    expect(wordsOf("div")).toHaveLength(1);
    expect(wordsOf("div.a.b.1.-")).toHaveLength(1);
  });

  it("distinguishes a tag from a class and from a role of the same name", () => {
    const [main, ofClass] = wordsOf("main.main");
    expect(main).not.toBe(ofClass);
    expect(wordsOf("main[role=main]")[1]).not.toBe(ofClass);
  });

  it("ignores names that are too long, and all but the first dozen", () => {
    expect(wordsOf(`div.${"x".repeat(20)}`)).toHaveLength(2);
    expect(wordsOf(`div.${"x".repeat(21)}`)).toHaveLength(1);
    expect(wordsOf(`div${".ab".repeat(50)}`)).toHaveLength(13);
    expect(wordsOf(`div${"[role=b]".repeat(50)}`).length).toBeLessThanOrEqual(13);
  });

  it("reads classes after a bracket, and roles after any number of classes", () => {
    expect(wordsOf("div.w-[10px].post")).toEqual(wordsOf("div.w.px.post"));
    expect(marksOf(`div${".ab".repeat(50)}[role=main][itemprop=text]`)).toEqual([
      "marked-main",
      "marked-text",
    ]);
    // A class may look like one of our selectors, or like none.
    expect(wordsOf("div.data-[state=open]:mt")).toEqual(wordsOf("div.data.state.open.mt"));
    expect(wordsOf("div.[state=open]")).toEqual(wordsOf("div.state.open"));
  });

  it("recognises words for and against main content, except on the body", () => {
    expect(namesOf("div#Main.post-content")).toEqual(["named-main"]);
    expect(namesOf("div.related.more-posts[role=main]")).toEqual(["named-furniture"]);
    expect(namesOf("ol.commentlist.content").sort()).toEqual(["named-comment", "named-main"]);
    expect(namesOf("main[role=main]")).toEqual([]);
    expect(namesOf("body.has-sidebar")).toEqual([]);
    expect(namesOf("div.sidebarred")).toEqual([]);
  });

  it.each([
    ["p.x", "paragraph"],
    ["h3", "paragraph"],
    ["a#b", "part"],
    ["font", "part"],
    ["div", "box"],
    ["td[role=main]", "box"],
    ["constructor", "box"],
  ])("classifies %s by its relation to the text in it", (step, role) => {
    expect(readStep(step).role).toBe(role);
  });

  it.each(["[", "[]", "[=", "]", "div[[[[", "div[a=b", "div]=[", "\ud800.\udfff", "..", "p.[role=main"])(
    "reads %j without a word that it cannot know",
    (step) => {
      expect(marksOf(step)).toEqual([]);
      expect(wordsOf(step).length).toBeLessThan(4);
    },
  );

  it("reads steps of a million brackets in linear time", async () => {
    for (const junk of ["[", "[]", "][", "[=", "[a=", ".a-"])
      await expectLinear(1e6, (size) => `div${junk.repeat(size)}`, readStep);
  });
});

describe("blockColumn", () => {
  it("has one for each block tag except that of plain text", () => {
    for (const tag of BLOCK_TAGS)
      expect(PLACE_COLUMNS[blockColumn(tag)] ?? "none").toMatch(tag === "text" ? /^none$/ : /^block-/);
    expect(blockColumn("constructor")).toBe(-1);
    expect(PLACE_AT["block-row"]).toBe(blockColumn("tr"));
  });
});

describe("fillPathBuckets", () => {
  it("stays inside its arrays and the table for any path", () => {
    const step = fc.oneof(
      fc.string({ unit: "binary", maxLength: 80 }),
      fc.constant(`div${".ab".repeat(50)}[role=main]`),
    );
    fc.assert(
      fc.property(fc.array(step, { maxLength: 40 }), (steps) => {
        const { near, far } = bucketsOf(steps);
        expect(near.length + far.length).toBeLessThanOrEqual(MAX_PATH_BUCKETS);
        for (const bucket of [...near, ...far]) expect(bucket).toBeLessThanOrEqual(MASK);
      }),
    );
  });

  it("puts the last three steps and their pairs near, the others far", () => {
    const { near, far } = bucketsOf(["body", "main", "article", "div", "p"]);
    expect(near).toHaveLength(3 + 3);
    expect(far).toHaveLength(2);
    expect(bucketsOf(["p"])).toMatchObject({ far: [] });
    expect(bucketsOf(["p"]).near).toHaveLength(1);
    expect(bucketsOf([])).toEqual({ near: [], far: [] });
  });

  it("distinguishes the innermost step from the same step further out", () => {
    const [innermost] = bucketsOf(["body", "div.post"]).near;
    expect(bucketsOf(["body", "div.post", "p"]).near).not.toContain(innermost);
  });

  it("reads only the innermost steps", () => {
    const inner = Array.from({ length: READ_STEPS }, (_, at) => `div.name-${"x".repeat(at)}`);
    expect(bucketsOf(["body", "nav.menu", ...inner])).toEqual(bucketsOf(inner));
  });
});
