import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { COLUMN_COUNT } from "../../../../src/label/features/columns.js";
import {
  PLACE_AT,
  PLACE_COUNT,
  type PlaceColumn,
} from "../../../../src/label/features/page/place-columns.js";
import type { PlacedLine } from "../../../../src/label/features/page/outline.js";
import { createPlaces } from "../../../../src/label/features/page/place.js";
import { createWorkspace, featureWindows, type WindowSize } from "../../../../src/label/features/windows.js";
import { expectLinear } from "../../../growth.js";

const WHOLE = { lines: 1e9, context: 1 };
const PROSE = "The old ferry crossed the bay twice a day for forty years";

/** Returns the place columns of each line, as the labeller gets them. */
function rowsOf(given: readonly Partial<PlacedLine>[], title = "", size: WindowSize = WHOLE): number[][] {
  const lines = given.map((line): PlacedLine => ({
    text: "A line",
    block: "p",
    path: "body>p",
    linkChars: 0,
    breakBefore: "line",
    ...line,
  }));
  const sink = { begin: () => undefined, take: () => undefined };
  const places = createPlaces(lines, title);
  const texts = lines.map(({ text }) => text);
  const rows: number[][] = [];
  const width = COLUMN_COUNT + PLACE_COUNT;
  for (const window of featureWindows(texts, createWorkspace(), sink, size, places))
    for (let row = window.contextBefore; row < window.rows - window.contextAfter; row++)
      rows.push([...window.hand.slice(row * width + COLUMN_COUNT, (row + 1) * width)]);
  return rows;
}

function column(name: PlaceColumn, lines: readonly Partial<PlacedLine>[], title = ""): number[] {
  return rowsOf(lines, title).map((row) => row[PLACE_AT[name]] ?? Number.NaN);
}

const round = (values: readonly number[]): number[] => values.map((value) => Number(value.toFixed(3)));

describe("the path of a line", () => {
  const deep = { path: "body>article>div>section>div[role=main]>h2>b>a" };

  it("counts tags, whatever their names", () => {
    expect(column("in-division", [deep])).toEqual([Math.fround(Math.log1p(2))]);
    expect(column("in-article", [deep])).toEqual([Math.fround(Math.log1p(1))]);
    expect(column("in-emphasis", [deep])).toEqual([Math.fround(Math.log1p(1))]);
    expect(column("in-nav", [deep])).toEqual([0]);
  });

  it("recognises marks of main content, text and boilerplate", () => {
    expect(column("marked-main", [deep, {}])).toEqual([1, 0]);
    expect(column("marked-text", [{ path: "body>p[itemprop=reviewBody]>b" }, deep])).toEqual([1, 0]);
    expect(column("marked-furniture", [{ path: "body>div[role=banner]" }, deep])).toEqual([1, 0]);
  });

  it("has a depth, also relative to the mean of its page", () => {
    expect(round(column("depth", [deep, {}]))).toEqual([0.8, 0.2]);
    expect(round(column("depth-to-mean", [deep, {}]))).toEqual([0.6, -0.6]);
  });

  it("is compared with the neighbours' paths, step by step", () => {
    const lines = ["body>ul>li>a", "body>ul>li>a", "body>ul>li", "body>p"].map((path) => ({ path }));
    expect(round(column("shared-before", lines))).toEqual([0, 1, 1, 0.5]);
    expect(round(column("shared-after", lines))).toEqual([1, 0.75, 0.333, 0]);
    expect(column("same-path-before", lines)).toEqual([0, 1, 0, 0]);
    expect(column("same-path-after", lines)).toEqual([1, 0, 0, 0]);
  });

  it("gives the position among the lines with the same path, and the distance to the next one", () => {
    const lines = ["body>p", "body>ul>li", "body>p", "body>p", "body>p"].map((path) => ({ path }));
    expect(round(column("place-in-own", lines))).toEqual([0.125, 0.5, 0.375, 0.625, 0.875]);
    expect(round(column("since-own", lines))).toEqual([0, 0, 0.591, 1, 1]);
    expect(round(column("until-own", lines))).toEqual([0.591, 0, 1, 1, 0]);
    const apart = Array.from({ length: 300 }, () => ({ path: "body>div" }));
    const far = [{ path: "body>p" }, ...apart, { path: "body>p" }];
    expect(column("until-own", far)[0]).toBeCloseTo(1 / (1 + Math.log(50)), 5);
  });
});

describe("the core of a page", () => {
  const lines = [
    { text: "Home", path: "body>nav>a", linkChars: 4 },
    { text: PROSE, path: "body>main>div.post>p" },
    { text: `${PROSE}, and a day`, path: "body>main>div.post>p" },
    { text: "Short", path: "body>main>h2" },
    { text: PROSE, path: "body>footer>ul>li", linkChars: PROSE.length },
  ];

  it("holds the sentences, and no list of links", () => {
    expect(column("in-core", lines)).toEqual([0, 1, 1, 0, 0]);
    expect(round(column("core-distance", lines))).toEqual(round([2, 0, 0, 1, 3].map(Math.log1p)));
  });

  it("counts eight words as a sentence, if less than two fifths of the characters are in links", () => {
    const text = "one two three four five six seven eight";
    const shareOf = (line: Partial<PlacedLine>): number[] => column("own-sentence-share", [line]);
    expect(shareOf({ text })).toEqual([1]);
    expect(shareOf({ text: text.slice(0, -6) })).toEqual([0]);
    expect(shareOf({ text, linkChars: Math.floor(0.4 * text.length) })).toEqual([1]);
    expect(shareOf({ text, linkChars: Math.ceil(0.4 * text.length) })).toEqual([0]);
    const later = [
      ...Array.from({ length: 9 }, () => ({ path: "body>ul" })),
      { text, linkChars: text.length },
    ];
    expect(column("own-sentence-share", later)[9]).toBe(0);
  });

  it("does not exist without a sentence", () => {
    expect(column("in-core", [{ text: "Menu" }, { text: "Cart", path: "body>div" }])).toEqual([0, 0]);
  });

  it("counts words of scripts without spaces", () => {
    const chinese = [
      { text: "首页", path: "body>nav" },
      { text: "经过两年的施工，镇上的老桥终于重新开放，老人们说他们等这一天等了很久", path: "body>div>p" },
    ];
    expect(column("in-core", chinese)).toEqual([0, 1]);
  });
});

describe("the line in its block", () => {
  it("sets the column of the block, and of its separation from the line before", () => {
    const lines = [
      { block: "tr", breakBefore: "block" as const },
      { block: "body" },
      { block: "h1" },
      { block: "nonsense" },
    ];
    expect(column("block-row", lines)).toEqual([1, 0, 0, 0]);
    expect(column("block-division", lines)).toEqual([0, 1, 0, 0]);
    expect(column("block-title", lines)).toEqual([0, 0, 1, 0]);
    expect(column("breaks-block", lines)).toEqual([1, 0, 0, 0]);
  });

  it("has its share of markup if the source is known", () => {
    const text = "ten chars.";
    const spans: (readonly [number, number] | undefined)[] = [[0, 40], [5, 15], [0, 0], [9, 3], undefined];
    const lines = spans.map((span) => ({ text, ...(span && { span }) }));
    expect(round(column("markup-share", lines))).toEqual([0.75, 0, 0, 0, 0]);
  });
});

describe("links", () => {
  const lines = [
    { text: "Home", linkChars: 4 },
    { text: "a read", linkChars: 2 },
    { text: PROSE },
    { text: "12345", linkChars: 99 },
  ];

  it("are shares of the line, of its neighbours, and of its surroundings", () => {
    expect(round(column("link-share", lines))).toEqual([1, 0.333, 0, 1]);
    expect(round(column("link-share-before", lines))).toEqual([0, 1, 0.333, 0]);
    expect(round(column("link-share-after", lines))).toEqual([0.333, 0, 1, 0]);
    const around = [...lines.slice(0, 3), ...Array.from({ length: 5 }, () => ({ text: "x" }))];
    expect(round(column("link-share-around", around)).slice(3)).toEqual([
      Number((6 / (4 + 6 + PROSE.length + 4)).toFixed(3)),
      Number((2 / (6 + PROSE.length + 5)).toFixed(3)),
      0,
      0,
      0,
    ]);
  });
});

describe("the title of the page", () => {
  const title = "The ferry, that would not sink";

  it("is matched by words: the share of the line in the title, and of the title in the line", () => {
    const lines = ["The FERRY that would not sink!", "A ferry sank", "…", "ferry ferry"].map((text) => ({
      text,
    }));
    expect(round(column("words-of-title", lines, title))).toEqual([1, 0.333, 0, 1]);
    expect(round(column("title-covered", lines, title))).toEqual([1, 0.167, 0, 0.167]);
  });

  it.each(["", "  ", "—"])("matches nothing if it is %j", (empty) => {
    expect(column("words-of-title", [{ text: "—" }, { text: PROSE }], empty)).toEqual([0, 0]);
    expect(column("title-covered", [{ text: "—" }, { text: PROSE }], empty)).toEqual([0, 0]);
  });
});

describe("the place of a line", () => {
  it("is only block, break and title for plain text, also between the lines of a page", () => {
    const known = [PLACE_AT["words-of-title"], PLACE_AT["title-covered"], PLACE_AT["breaks-block"]];
    const plain = { path: "", block: "text", text: PROSE, linkChars: 3, breakBefore: "block" as const };
    for (const rows of [rowsOf([plain, plain], PROSE), rowsOf([{}, plain, {}], PROSE).slice(1, 2)])
      for (const row of rows) {
        expect(known.map((at) => row[at])).toEqual([1, 1, 1]);
        expect(row.filter((value, at) => value !== 0 && !known.includes(at))).toEqual([]);
      }
  });

  it("is the same in windows as for the whole page", () => {
    const lines = Array.from({ length: 90 }, (_, at) => ({
      text: at % 4 === 0 ? `Menu ${at}` : `${PROSE} ${at}`,
      path: at % 4 === 0 ? `body>nav>ul#m${at % 3}>li` : "body>main>article>p",
      linkChars: at % 4 === 0 ? 4 : 0,
    }));
    expect(rowsOf(lines, "Menu of the ferry", { lines: 20, context: 3 })).toEqual(
      rowsOf(lines, "Menu of the ferry"),
    );
  });

  it("is finite and of bounded size for any line on any path", () => {
    const junk = fc.oneof(
      fc.string({ unit: "binary", maxLength: 30 }),
      fc.constantFrom("", ">", ">p", "p>>p", "\ud800>\udfff", "a>".repeat(4000), "div.[role=main"),
    );
    const line = fc.record({
      text: junk,
      path: junk,
      block: fc.constantFrom("p", "text", "constructor"),
      linkChars: fc.nat(100),
      span: fc.tuple(fc.nat(1e7), fc.nat(1e7)),
    });
    fc.assert(
      fc.property(fc.array(line, { maxLength: 15 }), junk, (lines, title) => {
        for (const row of rowsOf(lines, title)) {
          expect(row).toHaveLength(PLACE_COUNT);
          for (const value of row) expect(Math.abs(value)).toBeLessThan(60);
        }
      }),
    );
  });

  it("costs linear time: 100,000 lines, each deep and on its own path", async () => {
    const stem = Array.from({ length: 20 }, (_, at) => `div.name-${at}`).join(">");
    const write = (length: number) =>
      Array.from({ length }, (_, at) => ({
        ...{ block: "p", linkChars: 0, breakBefore: "line" as const },
        text: `Row ${at}`,
        path: `${stem}>p#p${at}`,
      }));
    await expectLinear(100_000, write, (lines) => {
      const places = createPlaces(lines, PROSE.repeat(lines.length / 10));
      const row = new Float32Array(PLACE_COUNT);
      places.finish();
      for (let line = 0; line < lines.length; line++) places.fill(line, row, 0);
    });
  });
});
