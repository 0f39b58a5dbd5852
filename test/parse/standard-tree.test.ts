import { describe, expect, it } from "vitest";
import type { ElementNode, ParsedPage } from "../../src/document/tree.js";
import { parseHtml } from "../../src/parse/standard-tree.js";
import { elementsOf, parseSlowly as parse, textsOf } from "./trees.js";

/** Draws the tree below <body> as nested tags, independently of the code under test. */
function sketch(page: ParsedPage): string {
  const html = page.root.children.find((node) => node.kind === "element");
  const body =
    html?.kind === "element"
      ? html.children.find((n) => n.kind === "element" && n.tag === "body")
      : undefined;
  const draw = (node: ElementNode): string =>
    node.children
      .map((child) => (child.kind === "text" ? child.value : `<${child.tag}>${draw(child)}</${child.tag}>`))
      .join("");
  return body?.kind === "element" ? draw(body) : "";
}

describe("parseHtml", () => {
  it.each([
    ["no <html>", "<p>one<p>two", "<p>one</p><p>two</p>"],
    ["text after </html>", "<body><p>a</p></body></html>tail", "<p>a</p>tail"],
    ["a comment that ends in --!>", "a<!-- x --!>b<!-- y -->c", "abc"],
    ["a heading in a heading", "<h1>a<h2>b</h2>", "<h1>a</h1><h2>b</h2>"],
    ["a link in a link", "<a href=1>x<a href=2>y", "<a>x</a><a>y</a>"],
    [
      "text in a table",
      "<table>lost<tr><td>cell</table>",
      "lost<table><tbody><tr><td>cell</td></tr></tbody></table>",
    ],
    ["a second body", "<body><p>a<body class=late><p>b", "<p>a</p><p>b</p>"],
    ["an iframe", "<iframe><p>x</p></iframe>y", "<iframe><p>x</p></iframe>y"],
    ["a table in a paragraph", "<!doctype html><p>a<table></table>", "<p>a</p><table></table>"],
    ["a table in a paragraph in quirks mode", "<p>a<table></table>", "<p>a<table></table></p>"],
    ["a template's content", "x<template><p>t</p></template>y", "x<template><p>t</p></template>y"],
    ["formatting over blocks", "<b>1<p>2</b>3", "<b>1</b><p><b>2</b>3</p>"],
    [
      "foreign content",
      "<svg><foreignObject><p>x</p></foreignObject></svg>y",
      "<svg><foreignobject><p>x</p></foreignobject></svg>y",
    ],
  ])("repairs like the standard: %s", (_name, html, tree) => {
    expect(sketch(parse(html))).toBe(tree);
  });

  it("reads the content of an iframe as text, not as elements", () => {
    expect(elementsOf(parse("<iframe><p>x</p></iframe>")).map((element) => element.tag)).not.toContain("p");
  });

  it("makes tags and attribute names lower-case, and adds attributes of a second body to the first", () => {
    const page = parse("<BODY ID=Main><A HREF='/Path'>x</A><body id=other class=late>");
    const found = elementsOf(page);
    expect(found.find((element) => element.tag === "a")?.attributes.get("href")).toBe("/Path");
    expect([...(found.find((element) => element.tag === "body")?.attributes ?? [])]).toEqual([
      ["id", "Main"],
      ["class", "late"],
    ]);
  });

  it("keeps the text of scripts, because metadata are read from it", () => {
    const page = parse('<script type="application/ld+json">{"a":1}</script>');
    expect(textsOf(page).map((text) => text.value)).toContain('{"a":1}');
  });
});

describe("positions of text", () => {
  it.each([
    ["plain text", "<p>one <b>two</b> three</p>"],
    ["CRLF and lone CR", "<p>one\r\ntwo\rthree\r\n\r\nfour</p>\r\n"],
    [
      "entities",
      "<p>caf&eacute; &amp; th&#233; &nbspx &notit; &lt;b&gt;&#32;&amp;&#10;x&#32;y</p><pre>\n&lt;a</pre>&semi; ;",
    ],
    ["comments", "a<!-- x -->b<!-- y --> c"],
    ["NUL bytes", "<p>a\0b</p>"],
    ["pairs of surrogates", "<p>a😀b 👩‍👧 c</p>"],
    ["misplaced text", "<table>a<tr>b<td>c</td>d</tr>e</table>f"],
    ["a pre that starts with a break", "<pre>\n  code\n</pre><pre>\r\nx</pre>"],
  ])("are exact for %s if source and text have the same length", (_name, html) => {
    const texts = textsOf(parse(html));
    expect(texts.length).toBeGreaterThan(0);
    for (const { value, start, end } of texts) {
      const source = html.slice(start, end);
      if (source.length === value.length) expect(value).toBe(source.replaceAll("\r", "\n"));
      // Any other node is a run of characters with a reference, or a line break of two characters.
      else expect(source).toMatch(/^(?:[^\s<]*&[^\s<]*|[\s]+)$/);
    }
  });

  it("never split a word without a character reference", () => {
    const texts = textsOf(parse("<p>one two\r\nthree &amp; four</p>"));
    expect(texts.map((text) => text.value)).toEqual(["one two", "\n", "three", " ", "&", " four"]);
  });
});

describe("limits", () => {
  const limits = { maxElements: 100, maxDepth: 20, maxAttributes: 4 };

  it("keep all text that is nested too deeply, in order and in separate blocks", () => {
    const page = parse(`${"<div>".repeat(50)}a<b>b</b><div><i>c</i></div>d`, limits);
    expect(page.notes).toEqual(["depth-capped"]);
    expect(page.depth).toBeLessThanOrEqual(20);
    expect(textsOf(page).map((text) => text.value)).toEqual(["a", "b", "c", "d"]);
    for (const text of textsOf(page)) expect(text.parent?.children).toContain(text);
    const [b, c] = ["b", "c"].map((value) => textsOf(page).find((text) => text.value === value)?.parent);
    const between =
      b?.parent?.children.slice(b.parent.children.indexOf(b) + 1, c ? b.parent.children.indexOf(c) : 0) ?? [];
    expect(between.some((node) => node.kind === "element" && node.tag === "div")).toBe(true);
  });

  it("add no notes to a page within the limits", () => {
    const page = parse("<div>".repeat(10), limits);
    expect(page.notes).toEqual([]);
    expect(page.depth).toBe(12);
    expect(page.elements).toBe(13);
  });

  it("keep all text beyond the element limit, but not mixed with scripts", () => {
    const page = parse(`${"<p>x</p>".repeat(200)}<p>one</p><p>two</p><script>let code</script>`, limits);
    expect(page.notes).toEqual(["elements-capped"]);
    expect(page.elements).toBeLessThanOrEqual(102);
    const visible = textsOf(page).filter((text) => text.parent?.tag !== "script");
    expect(visible.map((text) => text.value).join("")).toMatch(/x one two $/);
  });

  it("keep the first attributes of an element", () => {
    const page = parse("<p a=1 b=2 c=3 d=4 e=5>x</p>", limits);
    const paragraph = elementsOf(page).find(({ tag }) => tag === "p");
    const names = Array.from(paragraph?.attributes ?? [], ([name]) => name);
    expect(names).toEqual(["a", "b", "c", "d"]);
  });

  it("pass on the notes of the decoder", () => {
    const page = parseHtml({ id: "x", url: "", html: "a", notes: ["charset-guessed"] });
    expect(page.notes).toEqual(["charset-guessed"]);
  });
});

/** Each of these took minutes, gigabytes or the stack in some parser; the limits are generous because machines differ. */
describe("hostile pages are parsed in bounded time", () => {
  const numbered = (count: number, write: (index: number) => string): string =>
    Array.from({ length: count }, (_, index) => write(index)).join("");

  it.each([
    ["1 MB of <", "<".repeat(1_000_000)],
    ["1,000 nested divs", "<div>x".repeat(1_000)],
    ["50,000 nested divs", "<div>".repeat(50_000)],
    ["50,000 sibling divs", "<div>x</div>".repeat(50_000)],
    ["50,000 unclosed formatting elements", "<p><b>x".repeat(50_000)],
    [
      "20,000 different unclosed formatting elements, which the standard would turn into 200 million",
      numbered(20_000, (i) => `<p><font size=${i}>x`),
    ],
    ["20,000 unclosed links around blocks", "<a href=x><div>x".repeat(20_000)],
    [
      "formatting closed in the wrong order",
      `${numbered(10_000, (i) => `<b id=${i}><div>`)}${"</b>".repeat(10_000)}`,
    ],
    ["100,000 attributes", `<p ${numbered(100_000, (i) => `a${i}=1 `)}>x`],
    ["misplaced text in a table", "<table>x<tr>y<td>z</tr>".repeat(20_000)],
    ["nested tables", "<table><tr><td>x".repeat(10_000)],
    ["500,000 end tags without a start", "</p>x".repeat(500_000)],
    ["a million ampersands", "&".repeat(1_000_000)],
  ])("%s", (_name, html) => {
    const page = parse(html);
    expect(page.elements).toBeLessThan(700_000);
    expect(page.depth).toBeLessThanOrEqual(512);
  });
});
