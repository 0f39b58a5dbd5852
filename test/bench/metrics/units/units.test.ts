import { describe, expect, it } from "vitest";
import type { GoldLine } from "../../../../bench/corpora/gold.js";
import { readHtml } from "../../../../bench/metrics/structure/read-html.js";
import { findKept, labelTokens } from "../../../../bench/metrics/structure/gold-region.js";
import { findUnits, type PageUnits } from "../../../../bench/metrics/units/find-units.js";
import { countTorn, findGoldUnits } from "../../../../bench/metrics/units/torn.js";
import type { Counts } from "../../../../bench/metrics/items/items.js";

const read = (html: string) => readHtml(html, { url: "" });

function wordsOf(html: string): { kind: string; words: string }[] {
  const page = read(html);
  const tokens = page.lines.flat();
  return findUnits(page).units.map(({ kind, range: [from, to] }) => ({
    kind,
    words: tokens.slice(from, to).join(" "),
  }));
}

function headingsOf({ sections }: PageUnits, tokens: readonly string[]): string[] {
  return sections.map(({ heading: [from, to], below }) =>
    [tokens.slice(from, to), tokens.slice(...below)].map((words) => words.join(" ")).join(" > "),
  );
}

/** Ten words of four letters each. */
const TEN = "aaaa bbbb cccc dddd eeee ffff gggg hhhh iiii jjjj";
const OTHER = "kkkk llll mmmm nnnn oooo pppp qqqq rrrr ssss tttt";

function judge(html: string, lines: readonly GoldLine[], output: string): Counts {
  const page = read(html);
  const { labelOf } = labelTokens(page.lines, lines);
  return countTorn(findGoldUnits(findUnits(page), page.lines.flat(), labelOf), findKept(page.lines, output));
}

describe("the units of a page", () => {
  it("are data tables, outermost lists and quotes, and code", () => {
    const html =
      "<table><tr><td>a<td>b<tr><td>c<td>d</table><ul><li>e f<ul><li>g</ul></ul>" +
      "<blockquote>h i<blockquote>j</blockquote></blockquote><pre>k l</pre><table><tr><td>m<td>n</table>";
    expect(wordsOf(html)).toEqual([
      { kind: "table", words: "a b c d" },
      { kind: "list", words: "e f g" },
      { kind: "quote", words: "h i j" },
      { kind: "code", words: "k l" },
    ]);
  });

  it("are posts and cards that occur three times or more and have two lines each", () => {
    const post = (n: number): string => `<div class="post p${n}"><p>Ann ${n}</p><p>says four words</p></div>`;
    const cards = (html: string): string[] =>
      wordsOf(html).flatMap(({ kind, words }) => (kind === "card" ? [words] : []));
    expect(cards([1, 2, 3].map(post).join(""))).toEqual([1, 2, 3].map((n) => `ann ${n} says four words`));
    expect(cards([1, 2].map(post).join(""))).toEqual([]);
    expect(cards("<div class=x><p>only one line of words</p></div>".repeat(4))).toEqual([]);
    expect(cards("<div><p>no class</p><p>at all on these</p></div>".repeat(4))).toEqual([]);
  });

  it("are sections up to the next heading, or to the end of their container", () => {
    const html =
      "<title>The page</title><main><h1>The page</h1><div><h2>One</h2></div><p>a b</p><h3>Two</h3><p>c</p></main><footer>d</footer><h2>Bare</h2>";
    const page = read(html);
    expect(headingsOf(findUnits(page), page.lines.flat())).toEqual(["one > a b", "two > c"]);
  });
});

describe("torn units", () => {
  const list = `<ul><li>${TEN}</li><li>${OTHER}</li></ul>`;
  const label = (a: GoldLine["label"], b: GoldLine["label"]): GoldLine[] => [
    { text: TEN, label: a },
    { text: OTHER, label: b },
  ];

  it("are kept in part, neither complete nor left out", () => {
    const torn = (output: string): unknown => judge(list, label(1, 1), output)["list"];
    expect(torn(`${TEN}\n${OTHER}`)).toEqual({ right: 1, wanted: 1, found: 1 });
    expect(torn("")).toEqual({ right: 1, wanted: 1, found: 1 });
    expect(torn(TEN)).toEqual({ right: 0, wanted: 1, found: 1 });
    // 72 of 80 letters, and 68 of 80
    expect(torn(`${TEN}\n${OTHER.slice(0, 39)}`)).toEqual({ right: 1, wanted: 1, found: 1 });
    expect(torn(`${TEN}\n${OTHER.slice(0, 34)}`)).toEqual({ right: 0, wanted: 1, found: 1 });
  });

  it("list what was kept completely, and what was left out", () => {
    expect(judge(list, label(1, 1), "")).toMatchObject({ whole: { right: 0, wanted: 1 } });
    expect(judge(list, label(0, 0), "")).toMatchObject({ out: { right: 1, wanted: 1 } });
    expect(judge(list, label(0, 0), TEN)).toMatchObject({ unit: { right: 0 }, out: { right: 0, wanted: 1 } });
  });

  it("are not reported for units that the gold splits, or may split", () => {
    for (const lines of [label(1, 0), label(1, null), label(0, null), label(null, null)])
      expect(judge(list, lines, TEN)).toEqual({});
  });

  it("are counted if the unlabelled lines are too few to matter", () => {
    const [head, tail] = [TEN.slice(0, 4), `${TEN.slice(5)} ${OTHER}`];
    const html = `<ul><li>${head}</li><li>${tail}</li></ul>`;
    const lines: GoldLine[] = [
      { text: head, label: null },
      { text: tail, label: 1 },
    ];
    expect(judge(html, lines, tail)).toMatchObject({ list: { right: 1, wanted: 1 } });
  });
});

describe("headings of kept sections", () => {
  const html = `<main><p>${OTHER}</p><h2>Mending a net</h2><p>${TEN}</p></main>`;
  const gold = (heading: GoldLine["label"]): GoldLine[] => [
    { text: OTHER, label: 1 },
    { text: "Mending a net", label: heading },
    { text: TEN, label: 1 },
  ];

  it("are lost if the text below is kept and they are not", () => {
    const lost = (output: string, heading: GoldLine["label"] = 1): unknown =>
      judge(html, gold(heading), output)["heading"];
    expect(lost(TEN)).toEqual({ right: 0, wanted: 1, found: 1 });
    expect(lost(`## Mending a net\n\n${TEN}`)).toEqual({ right: 1, wanted: 1, found: 1 });
    expect(lost("")).toBeUndefined();
    expect(lost(TEN, 0)).toBeUndefined();
    expect(lost(TEN, null)).toBeUndefined();
  });
});
