import { describe, expect, it } from "vitest";
import type { Line } from "../../../../src/document.js";
import { describeLines, hideMarkup } from "../../../../src/label/papers/texrex/texrex-features.js";
import {
  AT,
  FEATURE_COUNT,
  FEATURE_NAMES,
  FEATURES,
  type FeatureName,
} from "../../../../src/label/papers/texrex/texrex-table.js";
import type { LineMarkup, MarkedLine, PageMarkup } from "../../../../src/document/markup-counts.js";
import { expectLinear } from "../../../growth.js";

const BARE = { block: "text", path: "", linkChars: 0, breakBefore: "line" } as const;
const NO_MARKUP: LineMarkup = { chars: 0, opening: 0, closing: 0, emptyBlocks: 0, isAfterClosing: false };
const PAGE: PageMarkup = { type: "other", chars: 0 };

function line(text: string, more: Partial<MarkedLine> = {}): MarkedLine {
  return { text, ...BARE, markup: NO_MARKUP, ...more };
}

/** Returns the features of one line by name, without those that are 0. */
function named(rows: Float32Array, at = 0): Partial<Record<FeatureName, number>> {
  const row = [...rows.subarray(at * FEATURE_COUNT, (at + 1) * FEATURE_COUNT)];
  return Object.fromEntries(
    FEATURE_NAMES.map((name, column) => [name, Number((row[column] ?? 0).toFixed(5))] as const).filter(
      ([, value]) => value !== 0,
    ),
  );
}

function one(text: string, more: Partial<Line> = {}): Partial<Record<FeatureName, number>> {
  return named(describeLines([line(text, more)], PAGE));
}

function pick(
  features: Partial<Record<FeatureName, number>>,
  ...names: FeatureName[]
): (number | undefined)[] {
  return names.map((name) => features[name]);
}

describe("the table of features", () => {
  it("has the 37 features of Table 1, each once, in the order of its 28 rows", () => {
    expect(FEATURE_COUNT).toBe(37);
    expect(new Set(FEATURE_NAMES).size).toBe(37);
    const rows = FEATURES.map(({ row }) => row);
    expect(rows).toEqual([...rows].sort((a, b) => a - b));
    expect(new Set(rows)).toEqual(new Set(Array.from({ length: 28 }, (_, at) => at + 1)));
    expect(Object.values(AT)).toEqual(FEATURE_NAMES.map((_, at) => at));
  });
});

describe("features of the text", () => {
  it("are counted in code points and scaled as in the table", () => {
    const features = one("Ab c. 12 𠀋!");
    expect(pick(features, "Length", "LetterProp", "NumberProp", "PunctProp", "UpperProp")).toEqual([
      0.011,
      Number((4 / 11).toFixed(5)),
      Number((2 / 11).toFixed(5)),
      Number((2 / 11).toFixed(5)),
      0.25,
    ]);
    expect(one("x".repeat(5000)).Length).toBe(1);
  });

  it.each([
    ["One two. Three four five! Six", 0.3, 0.02, undefined, undefined],
    ["“One two.” (Three four.)", 0.2, 0.02, 1, undefined],
    ["example.com costs 3.50", 0.1, 0.03, undefined, undefined],
    ["Home", 0.1, 0.01, undefined, 1],
    ["我们走了。他来了。", 0.2, 0.0175, 1, undefined],
    ["***", undefined, undefined, undefined, 1],
    ["...", undefined, undefined, 1, undefined],
  ])("count the sentences of %s", (text, count, length, ends, bogus) => {
    expect(pick(one(text), "SentCount", "SentLength", "EndsPunct", "SentBogus")).toEqual([
      count,
      length,
      ends,
      bogus,
    ]);
  });

  it("clamp sentences and their length", () => {
    expect(pick(one("A. ".repeat(30).trim()), "SentCount", "SentLength")).toEqual([1, 0.01]);
    expect(pick(one("word ".repeat(500).trim()), "SentCount", "SentLength")).toEqual([0.1, 1]);
  });

  it("find addresses, URLs, hashtags, years and the copyright sign", () => {
    const text = "© 2015 a.b@c.example, www.d.example or https://e.example #tag1 #2nd #33 1750 20155 1999er";
    const each = Number((1 / text.length).toFixed(5));
    expect(pick(one(text), "Copy", "EmailProp", "UriProp", "HashProp", "YearProp")).toEqual([
      1,
      each,
      Number((2 / text.length).toFixed(5)),
      Number((2 / text.length).toFixed(5)),
      each,
    ]);
    expect(pick(one("(c) a @ b, c# / d.e"), "Copy", "EmailProp", "UriProp", "HashProp", "YearProp")).toEqual(
      Array.from({ length: 5 }),
    );
  });

  it.each(["a@", "a.", "#1", "www.", "2015", "\ud800", "@a.b", ". ", "\u0301"])(
    "take linear time and are from 0 to 1 for many %j",
    async (piece) => {
      const write = (size: number) => [line(piece.repeat(size))];
      const rows = describeLines(write(100_000), PAGE);
      await expectLinear(100_000, write, (lines) => describeLines(lines, PAGE));
      for (const value of rows) expect(value >= 0 && value <= 1).toBe(true);
    },
  );
});

describe("features of the place", () => {
  it("give the position: the distance from the middle is 0 there and 1 at both ends", () => {
    const rows = describeLines(["aaaa", "bb", "cc"].map((text) => line(text)));
    expect([0, 1, 2].map((at) => pick(named(rows, at), "PercDiv", "PercText", "PageProp"))).toEqual([
      [1, 0.5, 0.5],
      [undefined, 0.25, 0.25],
      [1, 0.75, 0.25],
    ]);
    expect(pick(one("alone"), "PercDiv", "PercText", "PageProp")).toEqual([undefined, undefined, 1]);
  });
});

describe("features of the elements", () => {
  const container = (path: string, block: Line["block"] = "div"): string[] =>
    Object.keys(one("a", { path, block })).filter((name) => name.startsWith("Cont"));

  it("name the innermost container, whatever elements are inside it", () => {
    expect(container("body>div.p>article#h1>p.li>b>a")).toEqual(["ContP"]);
    expect(container("body>…>section.x[role=main]>span>li.y")).toEqual(["ContLi"]);
    expect(container("body>h3")).toEqual(["ContH"]);
    expect(container("body>table>tr>th>span")).toEqual([]);
    expect(container("body>div>table>tr", "tr")).toEqual(["ContTd"]);
    expect(container("div-x>p-q>h12")).toEqual([]);
  });

  it("count links by the characters of the text", () => {
    const links = [{ start: 0, end: 2, href: "/" }];
    expect(one("ab cd", { links }).AnchorProp).toBe(0.2);
  });
});

describe("features of the markup", () => {
  const block = (chars: number, more: Partial<LineMarkup> = {}): MarkedLine =>
    line("1234567890", { markup: { ...NO_MARKUP, chars, ...more } });

  it("are shares of the block, of its neighbours and of the page", () => {
    const rows = describeLines([block(10), block(30), block(0), block(90)], { type: "html5", chars: 360 });
    expect(pick(named(rows, 1), "MarkupProp", "Window1", "Window2", "DocMarkupProp", "DtHtml5")).toEqual([
      0.75,
      Number((40 / 70).toFixed(5)),
      Number((130 / 170).toFixed(5)),
      0.9,
      1,
    ]);
  });

  it("count tags and empty blocks, and record a preceding end tag", () => {
    const markup = { opening: 3, closing: 1, emptyBlocks: 50, isAfterClosing: true };
    const features = named(describeLines([block(30, markup)], { type: "xhtml", chars: 30 }));
    expect(pick(features, "OpenProp", "TagProp", "SkippedDivs", "ContClose", "DtXhtml", "DtHtml4")).toEqual([
      0.75,
      0.1,
      1,
      1,
      1,
      undefined,
    ]);
  });

  it("are 0 if the markup was not counted", () => {
    const needsMarkup = FEATURES.filter(({ needs }) => needs === "markup").map(({ name }) => name);
    const features = named(describeLines([block(30, { opening: 3 })]));
    expect(needsMarkup.filter((name) => features[name] !== undefined)).toEqual([]);
  });
});

describe("hideMarkup", () => {
  it("leaves only the features of text and place", () => {
    const links = [{ start: 0, end: 2, href: "/" }];
    const markup = { ...NO_MARKUP, chars: 30, opening: 2 };
    const rows = describeLines([line("See 1999.", { path: "body>p", links, markup })], {
      type: "html4",
      chars: 40,
    });
    expect(named(rows).MarkupProp).toBeGreaterThan(0);
    hideMarkup(rows);
    const ofText = FEATURES.filter(({ needs }) => needs === "text" || needs === "place").map(
      ({ name }) => name,
    );
    expect(ofText).toEqual(expect.arrayContaining(Object.keys(named(rows))));
    expect(named(rows)).toEqual(named(describeLines([line("See 1999.")])));
    expect(ofText.length).toBe(17);
  });
});
