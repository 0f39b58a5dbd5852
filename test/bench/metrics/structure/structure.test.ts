import { beforeAll, describe, expect, it } from "vitest";
import { readJsonlLines } from "../../../../bench/corpora/jsonl.js";
import { readRow } from "../../../../bench/corpora/rows.js";
import type { GoldDocument } from "../../../../bench/corpora/gold.js";
import { baseOf, imageTarget, linkTarget } from "../../../../bench/metrics/structure/addresses.js";
import { ELEMENT_KINDS, type ElementName } from "../../../../bench/metrics/structure/elements.js";
import { findGoldElements, toKeys, type Keys } from "../../../../bench/metrics/structure/gold-region.js";
import { readHtml } from "../../../../bench/metrics/structure/read-html.js";
import { loadMarkdownReader } from "../../../../bench/metrics/structure/read-markdown.js";
import { locateTokens } from "../../../../bench/metrics/structure/token-offsets.js";
import { expectLinear } from "../../../growth.js";

const NONE = new Set<string>();

function keysOf(html: string, url = "https://quay.example/"): Keys {
  return toKeys(readHtml(html, { url }).elements, NONE);
}

function only(html: string, kind: ElementName): readonly string[] {
  return keysOf(html)[kind];
}

/** The keys of elements that are neither wanted nor wrong. */
function optional(html: string, kind: ElementName): readonly string[] {
  const { elements } = readHtml(html, { url: "https://quay.example/" });
  return elements
    .filter((element) => element.kind === kind && element.isOptional === true)
    .map(({ key }) => key);
}

describe("the elements of HTML", () => {
  it("have the text of an item without its inner lists, followed by those lists", () => {
    const list =
      "<ul><li>A needle <b>of</b><ul><li>bone</li></ul>and more</li><li><ol><li>x</li></ol></li></ul>";
    expect(only(list, "item")).toEqual(["bone", "a needle of and more", "x"]);
  });

  it.each([
    ["<table role=presentation><tr><td>a<td>b<tr><td>c<td>d</table>", []],
    ["<table><tr><td>a<td>b<tr><td>c<td>d</table>", ["a", "b", "c", "d"]],
    ["<table><tr><th>a<th>b<tr><td><td>d<tr><td>e<td></table>", []],
    ["<table><tr><td>a<td>b</table>", []],
    ["<table><tr><td>a<td><p>b<p>c<tr><td>c<td>d</table>", []],
    ["<table><tr><td>a<td><ul><li>b</ul><tr><td>c<td>d</table>", []],
    ["<table><tr><td>a<td><table><tr><td>b</table><tr><td>c<td>d</table>", []],
    [`<table><tr><td>a<td>${"word ".repeat(101)}<tr><td>c<td>d</table>`, []],
  ])("distinguish data tables from layout tables: %s", (html, cells) => {
    expect(only(html, "cell")).toEqual(cells);
  });

  it.each([
    ["<table><tr><th>a<th>b<tr><td>c<td><p>d<p>e</table>", ["a", "b", "c", "d e"]],
    ["<table><caption>f</caption><tr><td>a<td><ul><li>b</ul></table>", ["a", "b"]],
    ["<table role=none><tr><th>a<th>b<tr><td>c<td><p>d<p>e</table>", []],
    ["<table><tr><th>a<td><table><tr><td>b</table></table>", []],
    ["<table><tr><td>a<td>b<tr><td>c<td><p>d<p>e</table>", []],
  ])("leave optional whether a table with headers and blocks in its cells is data: %s", (html, cells) => {
    expect(optional(html, "cell")).toEqual(cells);
    expect(only(html, "cell")).toEqual([]);
  });

  it("leave optional emphasis and code that Markdown writes like other elements", () => {
    const html =
      "<p><kbd>Tab</kbd> <samp>ok</samp> <tt>cut</tt> <code>net</code> <cite>Knots</cite> <dfn>mesh</dfn> <var>n</var> " +
      "<i class='star-icon'>4 of 5</i> <span style='font-weight:bold'>never</span> <font style='font-style:italic'>ever</font> <span>no</span></p>";
    expect(optional(html, "inline-code")).toEqual(["tab", "ok", "cut"]);
    expect(only(html, "inline-code")).toEqual(["net"]);
    expect(optional(html, "emphasis")).toEqual([
      "em: knots",
      "em: mesh",
      "em: n",
      "em: 4 of 5",
      "strong: never",
      "em: ever",
    ]);
    expect(only(html, "emphasis")).toEqual([]);
  });

  it("leave optional the terms of definitions and the titles of folds", () => {
    const html =
      "<dl><dt>hemp<dt>sisal<dd>a fibre<ul><li>old</ul><dd>dear<dt>nylon<dd>cheap</dl><details><summary>More</summary>x</details>";
    expect(optional(html, "emphasis")).toEqual([
      "strong: hemp",
      "strong: sisal",
      "strong: nylon",
      "strong: more",
    ]);
    expect(optional(html, "item")).toEqual([
      ...["hemp", "sisal", "a fibre", "hemp sisal a fibre", "dear", "hemp sisal a fibre dear"],
      ...["nylon", "cheap", "nylon cheap"],
    ]);
    expect(only(html, "item")).toEqual(["old"]);
  });

  it("treat all Markdown tables as data", () => {
    const { elements } = readHtml("<table><tr><th>a</th></tr></table>", { url: "", form: "markdown" });
    expect(elements.map(({ key }) => key)).toEqual(["a"]);
  });

  it("count nested emphasis once, and ignore emphasis that an element has by default", () => {
    expect(only("<p><b><strong>T</strong>he <i>end</i></b> <em> </em></p>", "emphasis")).toEqual([
      "em: end",
      "strong: the end",
    ]);
    expect(
      only("<h2><b>x</b></h2><table><tr><th><b>y</b></th></tr></table><pre><b>z</b></pre>", "emphasis"),
    ).toEqual([]);
  });

  it("join emphasis of one kind that only white space separates", () => {
    const html =
      "<p><b>to</b>\n<b>you</b>, <b>and</b> me <i>a</i> <b>b</b> <i>c</i></p><p><b>all</b><br><b>day</b></p>";
    expect(only(html, "emphasis")).toEqual([
      "em: a",
      "em: c",
      "strong: to you",
      "strong: and",
      "strong: b",
      "strong: all",
      "strong: day",
    ]);
    expect(only("<p><b>AC</b><b>TUARIAL</b></p>", "emphasis")).toEqual(["strong: actuarial"]);
  });

  it("have no emphasis in code, and each code that touches another for itself", () => {
    const keys = keysOf("<p><code>cp <em>file</em></code> and <code>U+00DF</code><code>0x C3</code></p>");
    expect(keys.emphasis).toEqual([]);
    expect(keys["inline-code"]).toEqual(["cp file", "u 00df", "0x c3"]);
    expect(keysOf("<pre><code>a</code><code>b</code></pre>")["code-verbatim"]).toEqual(["ab"]);
  });

  it("keep the lines of code, and leave out a column of line numbers", () => {
    const code = "<pre>1\n2\n</pre><pre>\nif a:\n  b  \n\n</pre><p><code>c <code>d</code></code></p>";
    const keys = keysOf(code);
    expect(keys.code).toEqual(["if a b"]);
    expect(keys["code-verbatim"]).toEqual(["if a:\n  b"]);
    expect(keys["inline-code"]).toEqual(["c d"]);
  });

  it("have the lines of the outermost quote", () => {
    const quote = "<blockquote>one<br>two<p>three</p><blockquote><p>four</p></blockquote></blockquote>";
    expect(only(quote, "quote")).toEqual(["four", "three", "two", "one"]);
  });

  it("do not treat Markdown alerts as quotes", async () => {
    const read = await loadMarkdownReader();
    const quotes = (markdown: string): readonly string[] =>
      toKeys(readHtml(read(markdown), { url: "", form: "markdown" }).elements, NONE).quote;
    expect(quotes("> [!NOTE]\n> one\n\n<!-- -->\n\n> [!tip] Two\n> three")).toEqual([]);
    expect(quotes("> four\n>\n> [!NOTE]")).toEqual(["note", "four"]);
    expect(quotes("> [NOTE] one")).toEqual(["note one"]);
  });

  it("have links and emphasis for each line, as in Markdown", () => {
    const keys = keysOf('<a href="/x"><div>A</div><div>B</div></a><b>C<br>D</b>');
    expect(keys.link).toEqual(["b -> quay.example/x", "a -> quay.example/x"]);
    expect(keys.emphasis).toEqual(["strong: c", "strong: d"]);
  });

  it("skip links within the page, in every notation", () => {
    const links =
      '<a href="#a">x</a><a href="https://quay.example/p#a">y</a><a href="/p">z</a><a href="/q#a">w</a>';
    const { elements } = readHtml(`<base href="https://base.example/">${links}`, {
      url: "https://quay.example/p",
    });
    expect(toKeys(elements, NONE).link).toEqual(["z -> base.example/p", "w -> base.example/q"]);
  });

  it("resolve links, and skip those without text or target", () => {
    const links =
      '<head><base href="/a/"></head><a href="b#c">One</a><a href="//www.x.org/y/?q=1">Two</a>' +
      '<a href="#top">up</a><a href="javascript:x()">do</a><a href="/i"><img src=i></a><a>no</a>';
    expect(only(links, "link")).toEqual(["one -> quay.example/a/b", "two -> x.org/y?q=1"]);
  });

  it("are read in time linear in the size of the page", { timeout: 60_000 }, async () => {
    await expectLinear(
      8000,
      (size) => `<ul><li>${"<blockquote><p>b <a href=c>d</a></p><pre>e</pre></blockquote>".repeat(size)}`,
      (html) => readHtml(html, { url: "" }),
    );
    await expectLinear(
      16_000,
      (size) => "<b>a</b>".repeat(size),
      (html) => readHtml(html, { url: "" }),
    );
  });
});

describe("tokens by offsets", () => {
  it("never split a word", () => {
    const { tokens, before } = locateTokens("The net, 40 m", [0, 1, 3, 4, 9, 13]);
    expect(tokens).toEqual(["the", "net", "40", "m"]);
    expect([0, 1, 3, 4, 9, 13].map(before)).toEqual([0, 1, 1, 1, 2, 4]);
  });
});

describe("addresses", () => {
  it("are compared without scheme, www, fragment and trailing slash", () => {
    expect(linkTarget("HTTP://WWW.X.org:80/%7Ea/#b", "http://y.org")).toBe("x.org/~a");
    expect(linkTarget("mailto:a@b.c", "http://x.org")).toBe("mailto:a@b.c");
    expect(linkTarget("http://[bad", "http://x.org")).toBe("http://[bad");
    expect(linkTarget("%ZZ", "http://x.org/")).toBe("x.org/%ZZ");
    expect(linkTarget(" ", "http://x.org/")).toBeUndefined();
    expect(imageTarget("//x.org/a.jpg?w=1#c", "https://y.org")).toBe("x.org/a.jpg");
    expect(baseOf("no address", "also none")).toBe("http://page.invalid/also%20none");
  });
});

describe("Markdown", () => {
  let read: (markdown: string) => string;
  beforeAll(async () => {
    read = await loadMarkdownReader();
  });

  it("has the elements of the corresponding HTML", () => {
    const markdown =
      "## What you **need**\n\n- a\n  - [b](/c)\n\n| x | y |\n| - | - |\n| 1 |  |\n\n    code\n\n> q\n\nhttp://bare.org *e*[^1]\n\n[^1]: Note.\n";
    const { elements } = readHtml(read(markdown), { url: "https://x.org/", form: "markdown" });
    const keys = toKeys(elements, NONE);
    expect(keys).toMatchObject({
      ...{ heading: ["what you need"], "heading-level": ["h2 what you need"], code: ["code"] },
      ...{ cell: ["x", "y", "1"], link: ["b -> x.org/c"], quote: ["q"], emphasis: ["em: e"] },
    });
    expect(keys.item.slice(0, 2)).toEqual(["b", "a"]);
    // the note is a list item, as on pages, without its heading and its link back
    expect(keys.item[2]).toBe("note");
  });

  it("may hold HTML", () => {
    const html = read("<table><tr><td>a</td><td>b</td></tr></table>\n\ntext <em>c</em>");
    expect(toKeys(readHtml(html, { url: "", form: "markdown" }).elements, NONE)).toMatchObject({
      cell: ["a", "b"],
      emphasis: ["em: c"],
    });
  });
});

describe("the gold elements of a page", () => {
  const documents = new Map<string, GoldDocument>();
  beforeAll(async () => {
    for await (const event of readJsonlLines("fixtures/bench/structure.jsonl")) {
      const row = event.kind === "line" ? readRow(event.text, OWN) : undefined;
      if (row?.ok === true) documents.set(row.document.id, row.document);
    }
  });
  const OWN = { corpus: "structure", unit: "pages", split: "all", isOwn: true } as const;
  const goldOf = (id: string) => {
    const { html = "", url, lines = [] } = documents.get(id) ?? { url: "" };
    return findGoldElements(readHtml(html, { url }), lines);
  };

  it("are those with words on lines of main content, without the title", () => {
    expect(goldOf("net").wanted).toEqual({
      heading: ["what you need", "count the meshes"],
      "heading-level": ["h2 what you need", "h3 count the meshes"],
      item: ["of bone or", "of steel", "a needle", "twine"],
      cell: ["twine", "metres", "hemp", "40", "cotton"],
      code: ["for mesh in net count mesh"],
      "code-verbatim": ["for mesh in net:\n    count(mesh)"],
      quote: ["so said my aunt", "tied together", "a net is holes"],
      link: ["sheet bend -> quay.example/knots/sheet-bend?size=2"],
      emphasis: ["em: never", "strong: steel"],
      "inline-code": ["mend"],
    });
  });

  it("are unknown if the line is unlabelled", () => {
    const { wanted, unknown } = goldOf("tides");
    expect({ heading: wanted.heading, emphasis: wanted.emphasis }).toEqual({
      heading: [],
      emphasis: ["strong: noon"],
    });
    expect({ heading: unknown.heading, emphasis: unknown.emphasis }).toEqual({
      heading: ["readers say"],
      emphasis: ["strong: late"],
    });
  });

  it("are unknown if they are optional, and then count neither as found nor as wrong", () => {
    const html = "<p>Press <kbd>Tab</kbd> twice.</p><p>Buy <kbd>Enter</kbd> now.</p>";
    const page = readHtml(html, { url: "" });
    const { wanted, unknown, elements } = findGoldElements(page, [
      { text: "Press Tab twice.", label: 1 },
      { text: "Buy Enter now.", label: 0 },
    ]);
    expect(wanted["inline-code"]).toEqual([]);
    expect(unknown["inline-code"]).toEqual(["tab"]);
    expect(elements).toEqual([]);
    expect(toKeys(page.elements, NONE)["inline-code"]).toEqual([]);
  });

  it("leave optional emphasis around nearly all main content, but not other emphasis inside it", () => {
    const html = `<p>Home</p><b>${"<p>Mend the <i>net</i> every day.</p>".repeat(3)}</b><p>Come back soon.</p>`;
    const content = { text: "Mend the net every day.", label: 1 } as const;
    const lines = [{ text: "Home", label: 0 } as const, content, content, content];
    const { wanted, unknown } = findGoldElements(readHtml(html, { url: "" }), lines);
    expect(wanted.emphasis).toEqual(["em: net", "em: net", "em: net"]);
    expect(unknown.emphasis).toEqual(Array(3).fill("strong: mend the net every day"));
    const part = findGoldElements(readHtml(html, { url: "" }), [
      ...lines,
      { text: "Come back soon.", label: 1 },
    ]);
    expect(part.unknown.emphasis).toEqual([]);
  });

  it("contain no cell of a layout table", () => {
    expect(goldOf("layout").wanted).toMatchObject({
      cell: [],
      heading: ["welcome"],
      link: ["rope -> old.example/rope"],
    });
  });

  it("have unique names for their kinds, which are the keys of the gold", () => {
    const names = ELEMENT_KINDS.map(({ name }) => name);
    expect(new Set(names).size).toBe(names.length);
    expect(Object.keys(goldOf("net").wanted).sort()).toEqual([...names].sort());
  });
});

describe("titles", () => {
  it("are the page's own title, with and without the site's name, and its only first-level heading", () => {
    const html =
      '<title>Nets · Knots | The Quay</title><meta property="og:title" content="All nets"><h1>Mending</h1>';
    expect([...readHtml(html, { url: "" }).titles].sort()).toEqual(
      [
        "all nets",
        "knots the quay",
        "mending",
        "nets",
        "nets knots",
        "nets knots the quay",
        "the quay",
      ].sort(),
    );
    expect(readHtml("<h1>One</h1><h1>Two</h1>", { url: "" }).titles.size).toBe(0);
  });
});
