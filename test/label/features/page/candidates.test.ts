import fc from "fast-check";
import { describe, expect, it } from "vitest";
import {
  PLACE_AT,
  PLACE_COUNT,
  type PlaceColumn,
} from "../../../../src/label/features/page/place-columns.js";
import type { PlacedLine } from "../../../../src/label/features/page/outline.js";
import { createPlaces } from "../../../../src/label/features/page/place.js";
import { createScan } from "../../../../src/label/features/tokens.js";
import { scanLine } from "../../../../src/label/features/scan-line.js";

const PROSE = "The old ferry crossed the bay twice a day, in every weather, for forty years.";

type Given = readonly (readonly [path: string, text: string, linkChars?: number])[];

function column(name: PlaceColumn, given: Given): number[] {
  const lines = given.map(([path, text, linkChars = 0]): PlacedLine => ({
    text,
    path,
    linkChars,
    block: "p",
    breakBefore: "block",
  }));
  const places = createPlaces(lines, "");
  const scan = createScan();
  for (const { text } of lines) {
    scanLine(scan, text);
    places.add(scan);
  }
  places.finish();
  return lines.map((_, line) => {
    const row = new Float32Array(PLACE_COUNT);
    places.fill(line, row, 0);
    return row[PLACE_AT[name]] ?? Number.NaN;
  });
}

const MENU: Given[number] = ["body>div.menu>ul>li>a", "Home", 4];
const article = (count: number, path = "body>div.wrap>div.post>p"): Given =>
  Array.from({ length: count }, () => [path, PROSE] as const);

describe("the best candidate", () => {
  it("is the box around the paragraphs, whichever element inside a paragraph holds the text", () => {
    const lines: Given = [
      MENU,
      ["body>div.wrap>h1", "The ferry"],
      ...article(2),
      ["body>div.wrap>div.post>p>b>a", PROSE],
      ["body>div.wrap>div.foot>p", "© 2020"],
    ];
    expect(column("in-best", lines)).toEqual([0, 0, 1, 1, 1, 0]);
    expect(column("candidate-score", lines)[2]).toBe(1);
    expect(column("candidate-score", lines)[0]).toBe(0);
    expect(column("below-best", lines).slice(1, 3)).toEqual([0, Math.fround(Math.log1p(1))]);
    expect(column("best-distance", lines)).toEqual(
      [2, 1, 0, 0, 0, 1].map((steps) => Math.fround(Math.log1p(steps))),
    );
  });

  it("is the table cell itself if the cell holds the text of the page", () => {
    const cell = "body>table>tbody>tr>td.x";
    const lines: Given = [...article(3, cell), ["body>table>tbody>tr>td.y", "Links"]];
    expect(column("in-best", lines)).toEqual([1, 1, 1, 0]);
  });

  it("is the article rather than many comments that share a path, and a comment comes second", () => {
    const comments = Array.from({ length: 12 }, (_, at): Given => [
      ["body>div.list>div.item>b", `Reader ${at}`],
      ["body>div.list>div.item>div.said>p", PROSE],
    ]).flat();
    const lines = [...article(5), ...comments];
    const inBest = column("in-best", lines);
    expect(inBest.slice(0, 5)).toEqual([1, 1, 1, 1, 1]);
    expect(inBest.slice(5)).toEqual(comments.map(() => 0));
    expect(column("in-second", lines).slice(0, 5)).toEqual([0, 0, 0, 0, 0]);
    expect(Math.max(...column("in-second", lines).slice(5))).toBe(1);
    const [lead = 0] = column("best-lead", lines);
    expect(lead).toBeGreaterThan(0);
    expect(lead).toBeLessThan(1);
    expect(column("best-lead", article(3))).toEqual([1, 1, 1]);
  });

  it("is not an element that its name or tag marks as boilerplate, if it has no more prose", () => {
    const lines = [
      ...article(3, "body>div.a>div.b>div.c>div.sidebar>p"),
      ...article(3, "body>div.a>div.x>p"),
      ...article(3, "body>div.d>footer>p"),
    ];
    expect(column("in-best", lines)).toEqual([0, 0, 0, 1, 1, 1, 0, 0, 0]);
  });

  it("does not exist without prose, and text in links is not prose", () => {
    const lines: Given = [MENU, ["body>ul>li>a", PROSE, PROSE.length]];
    for (const name of ["candidate-score", "in-best", "best-lead", "best-distance", "in-second"] as const)
      expect(column(name, lines)).toEqual([0, 0]);
  });

  it("has scores from 0 to 1, and exists exactly if there is prose", () => {
    const path = fc
      .array(fc.constantFrom("div", "div.a", "p", "td", "li", "b", "div.comments", "nav"), { maxLength: 8 })
      .map((steps) => ["body", ...steps].join(">"));
    fc.assert(
      fc.property(
        fc.array(fc.tuple(path, fc.constantFrom(PROSE, "Home")), { minLength: 1, maxLength: 20 }),
        (lines) => {
          const scores = column("candidate-score", lines);
          for (const score of scores) {
            expect(score).toBeGreaterThanOrEqual(0);
            expect(score).toBeLessThanOrEqual(1);
          }
          const hasProse = lines.some(([, text]) => text === PROSE);
          expect(column("in-best", lines).includes(1)).toBe(hasProse);
        },
      ),
    );
  });
});
