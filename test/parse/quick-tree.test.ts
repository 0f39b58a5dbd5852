import { readdirSync, readFileSync } from "node:fs";
import { describe, expect, it } from "vitest";
import type { Document } from "../../src/document.js";
import { extractBody } from "../../src/extract/body.js";
import { decodePage } from "../../src/parse/charset.js";
import { parseQuickly } from "../../src/parse/quick-tree.js";
import type { ParsedPage } from "../../src/document/tree.js";
import { elementsOf, nodesOf, parseFast, parseSlowly, sketch, textsOf } from "./trees.js";

const FIXTURES = new URL("../../fixtures/pages/", import.meta.url);
const slugs = readdirSync(FIXTURES, { withFileTypes: true })
  .filter((entry) => entry.isDirectory())
  .map((entry) => entry.name);

function documentOf(page: ParsedPage): Document {
  const outcome = extractBody(page, []);
  if (!outcome.ok) throw new Error(outcome.reason);
  return outcome.value;
}

describe("the fixtures", () => {
  it("include more than 30 pages", () => {
    expect(slugs.length).toBeGreaterThan(30);
  });

  it.each(slugs)("give the same document as with the standard's tree: %s", (slug) => {
    const { text } = decodePage(readFileSync(new URL(`${slug}/source.html`, FIXTURES)));
    const quick = parseFast(text);
    const slow = parseSlowly(text);
    expect(documentOf(quick)).toEqual(documentOf(slow));
    expect(sketch(quick)).toBe(sketch(slow));
    expect(quick.notes).toEqual(slow.notes);
    expect([quick.elements, quick.depth]).toEqual([slow.elements, slow.depth]);
  });
});

/** parse5 defines the correct result for each of these; the quick parser must give the same. */
const BROKEN: readonly (readonly [string, string])[] = [
  ["nothing", ""],
  ["white space", " \n "],
  ["no <html>", "<p>one<p>two"],
  ["head without tags", "<title>t &amp; u</title><meta name=a><p>x"],
  ["metadata after the head", "<head></head><script>a</script><meta><body>x"],
  ["an end tag of the body before the text", "</body><p>x"],
  ["text after </html>", "<body><p>a</body></html>tail<p>b"],
  ["comments", "a<!-- x --!>b<!-->c<!--->d<!-- y -- -->e<!---- ->f-->g"],
  ["a comment without end", "a<!-- b"],
  ["bogus comments", "a</ b>c<? d>e<! f>g</>h<!x>i"],
  ["stray angles", "a < b <3 c <= d > e <"],
  ["a tag that is cut off at the end of the page", 'a<p class="x>b'],
  ["headings", "<h1>a<h2>b</h1>c"],
  ["links in links", "<a href=1>x<a href=2>y</a>z"],
  ["a link around blocks", "<a href=1><div>x</a>y</div>z"],
  ["formatting over blocks", "<b>1<p>2</b>3<p>4"],
  ["crossed formatting", "<b>1<i>2</b>3</i>4<p>5"],
  ["formatting that is never closed", "<p><b><i>1<p>2<div>3"],
  ["nobr", "<nobr>1<nobr>2</nobr>3"],
  ["buttons", "<button>a<button>b</button>c"],
  ["items", "<ul><li>a<li>b<ul><li>c</ul>d<li><p>e<li>f</ul>g"],
  ["definitions", "<dl><dt>a<dd>b<dt>c<div><dd>d</dl>"],
  ["end tags without start tags", "a</p>b</br>c</div>d</li>e</b>f</x>g"],
  ["an end tag across a cell", "<div><table><tr><td>a</div>b</table>c"],
  ["an end tag across a block", "<span><div>a</span>b</div>c"],
  ["forms", "<form><div>a</form>b</div><form>c<form>d"],
  ["misplaced text", "<table>a<tr>b<td>c</td>d</tr>e</table>f"],
  ["misplaced elements", "<table><p>a<tr><td>b</td><div>c</div></tr><b>d<tr><td>e</table>f"],
  ["tables without parts", "<table><td>a<td>b<tr><td>c<caption>d<col><tfoot><td>e"],
  ["a table in a table", "<table><tr><table><tr><td>a</table>b"],
  ["a table in a cell", "<table><tr><td><table><td>a</table>b<td>c</table>d"],
  ["hidden input and forms in a table", "<table><form><input type=hidden><input><tr><td>a</form>b</table>"],
  ["table parts outside of a table", "<tr><td>a</td><tbody>b<col>c<caption>d"],
  ["columns", "<table><colgroup><col>a<tr><td>b</table><table><col><td>c"],
  ["a table in a paragraph", "<!doctype html><p>a<table></table>"],
  ["a table in a paragraph in quirks mode", "<p>a<table></table>"],
  ["an old doctype", '<!DOCTYPE HTML PUBLIC "-//W3C//DTD HTML 4.01 Transitional//EN"><p>a<table></table>'],
  [
    "an old doctype with a system identifier",
    '<!DOCTYPE HTML PUBLIC "-//W3C//DTD HTML 4.01 Transitional//EN" "http://www.w3.org/TR/html4/loose.dtd"><p>a<table></table>',
  ],
  ["a broken doctype", '<!doctype html public "-//x--><p>a<table></table>'],
  [
    "a doctype with only a system identifier",
    '<!doctype html system "about:legacy-compat"><p>a<table></table>',
  ],
  ["options", "<select><option>a<option>b<optgroup><option>c<div>d</div></select>e"],
  ["a select that an input closes", "<select><option>a<input>b<select><select>c"],
  ["a select in a cell", "<table><tr><td><select><option>a<tr><td>b</table>c"],
  ["raw text", "<iframe><p>a</p></iframe>b<noscript><p>c</noscript>d<xmp><p></xmp>e<style><p></style>f"],
  ["text areas", "<textarea>\n<p>a &lt;</textarea>b<title><b>c</title>d"],
  ["plain text", "a<plaintext>b</plaintext><p>c"],
  ["a script in a comment in a script", "<script><!--<script>a</script>b--></script>c"],
  ["an unclosed comment in a script", "<script><!-- </script>a"],
  ["a script end with a space", "<script>a</script\n x>b</scripty>c"],
  ["an unclosed script", "a<script>b<p>c"],
  ["templates", "a<template><p>b<tr><td>c</template>d<table><template><tr>e</template></table>f"],
  ["a template in the head", "<head><template><p>a</template><title>b</title>"],
  ["SVG", "<svg><g/><title><p>a</title><foreignObject><p>b</foreignObject><path>c</svg>d"],
  ["unclosed SVG", "<svg><g>a<div>b<svg><font>c<font size=1>d"],
  ["MathML", "<math><mi>a<b>c</b></mi><mo>+</mo><annotation-xml encoding='text/html'><p>d</math>e"],
  ["CDATA", "<svg><![CDATA[a<b>]]></svg><![CDATA[c]]>d"],
  ["ruby", "<ruby>a<rp>(<rt>b<rp>)</ruby>c<ruby><rb>d<rtc><rt>e</ruby>"],
  ["objects", "<b><object>a<p>b</object>c</b><marquee>d</div>e</marquee>"],
  ["an image", "<image>a</image>b"],
  ["frames", "<html><frameset><frame><frameset></frameset><noframes><p>a</noframes></frameset>b"],
  ["self-closing tags", "<div/>a<br/>b<p/>c<script/>d</script>e"],
  ["names", "<o:p>a</o:p><x-y>b</X-Y><FOO>c</foo>d"],
  ["a dialog", "<p>a<dialog open>b</dialog>c<search>d"],
];

describe("parseQuickly", () => {
  it.each(BROKEN)("repairs like the standard: %s", (_name, html) => {
    const quick = parseFast(html);
    const slow = parseSlowly(html);
    expect(sketch(quick)).toBe(sketch(slow));
    expect([quick.elements, quick.depth]).toEqual([slow.elements, slow.depth]);
  });

  it.each([...BROKEN, ["deep", "<div>".repeat(20)] as const])(
    "links children and parents correctly: %s",
    (_name, html) => {
      const page = parseFast(html, { maxElements: 1000, maxDepth: 12, maxAttributes: 4 });
      const nodes = nodesOf(page);
      for (const node of nodes) {
        expect(node.parent?.children.filter((child) => child === node)).toHaveLength(1);
      }
      expect(new Set(nodes).size).toBe(nodes.length);
      expect(page.elements).toBe(elementsOf(page).length);
    },
  );

  it("keeps the text of a page with a frameset after text, which the standard drops", () => {
    expect(sketch(parseFast("<h1></h1><frameset><frame></frameset>text"))).toContain("text");
  });

  it("makes tags and attribute names lower-case, and adds attributes of a second body to the first", () => {
    const found = elementsOf(parseFast("<BODY ID=Main><A HREF='/Path'>x</A><body id=other class=late>"));
    expect(found.find(({ tag }) => tag === "a")?.attributes.get("href")).toBe("/Path");
    expect([...(found.find(({ tag }) => tag === "body")?.attributes ?? [])].sort()).toEqual([
      ["class", "late"],
      ["id", "Main"],
    ]);
  });

  it.each([
    ["quotes", `<p id="a b" class='c"d' role=e>`, { id: "a b", class: 'c"d', role: "e" }],
    ["odd spacing", "<p id = 1 class\n=\n2 hidden/role=3>", { id: "1", class: "2", hidden: "", role: "3" }],
    ["references", '<p id="&amp;&copy=1&copy;&#150;" class=&lt;>', { id: "&&copy=1©–", class: "<" }],
    ["the first of two", "<p id=1 ID=2>", { id: "1" }],
    ["no value", "<p id= class=>", { id: "class=" }],
    ["a stray quote", '<p " id=1">', { id: '1"' }],
    ["a stray equals sign", "<p =id id=1>", { id: "1" }],
    ["attributes that are not needed", "<p onclick=x data-id=y id=z>", { id: "z" }],
  ])("reads attributes: %s", (_name, html, wanted) => {
    const attributesOf = (page: ParsedPage): unknown =>
      Object.fromEntries(elementsOf(page).find(({ tag }) => tag === "p")?.attributes ?? []);
    expect(attributesOf(parseFast(html))).toEqual(wanted);
    expect(attributesOf(parseSlowly(html))).toMatchObject(wanted);
  });

  it("decodes references as the standard requires", () => {
    const html =
      "<p>&amp;&lt;b&gt; caf&eacute; &#150;&#x80;&#0;&#xD800; &nbspx &notit; &notin; &CounterClockwiseContourIntegral; &bogus; &#; &#x; & &&amp;amp; &NotEqualTilde;</p>";
    expect(sketch(parseFast(html))).toBe(sketch(parseSlowly(html)));
  });

  it("passes on the notes of the decoder", () => {
    expect(parseQuickly({ id: "x", url: "", html: "a", notes: ["charset-guessed"] }).notes).toEqual([
      "charset-guessed",
    ]);
  });
});

describe("positions of text", () => {
  it.each([
    ["plain text", "<p>one <b>two</b> three</p>"],
    ["CRLF and lone CR", "<p>one\r\ntwo\rthree\r\n\r\nfour</p>\r\n"],
    ["entities", "<p>caf&eacute; &amp; th&#233; &nbspx &notit; &lt;b&gt;&#32;&amp;&#10;x&#32;y</p>&semi; ;"],
    ["comments", "a<!-- x -->b<!-- y --> c"],
    ["NUL bytes", "<p>a\0b</p>"],
    ["pairs of surrogates", "<p>a😀b 👩‍👧 c</p>"],
    ["misplaced text", "<table>a<tr>b<td>c</td>d</tr>e</table>f"],
    ["a pre", "<pre>\n  code\r\n\r\nx &lt;\r\ny\rz&#13;\nw</pre><pre>\r\nx</pre>"],
    ["character data", "<svg>a<![CDATA[b]]>c</svg>"],
  ])("are exact for %s if source and text have the same length", (_name, html) => {
    const texts = textsOf(parseFast(html));
    expect(texts.length).toBeGreaterThan(0);
    let before = 0;
    for (const { value, start, end } of texts) {
      const source = html.slice(start, end);
      if (source.length === value.length)
        expect(value.replaceAll("\r", "\n")).toBe(source.replaceAll("\r", "\n"));
      // Any other node is one word that contains a reference.
      else expect(source).toMatch(/^[^\s<]*&[^\s<]*\n?$/);
      if (!html.includes("table")) expect(start).toBeGreaterThanOrEqual(before);
      before = end;
    }
  });

  it("never split a word, and keep line breaks unchanged", () => {
    const values = (html: string): string[] => textsOf(parseFast(html)).map((text) => text.value);
    expect(values("<p>one two\r\nthr&eacute;e &amp; four</p>")).toEqual([
      "one two\r\n",
      "thrée",
      " ",
      "&",
      " four",
    ]);
    expect(values("<pre>one\r\ntwo</pre>")).toEqual(["one\r\ntwo"]);
  });
});

describe("limits", () => {
  const limits = { maxElements: 100, maxDepth: 20, maxAttributes: 4 };

  it("keep all text that is nested too deeply, in order and in separate blocks", () => {
    const page = parseFast(`${"<div>".repeat(50)}a<b>b</b><div><i>c</i></div>d</div>e`, limits);
    expect(page.notes).toEqual(["depth-capped"]);
    expect(page.depth).toBeLessThanOrEqual(20);
    expect(textsOf(page).map((text) => text.value)).toEqual(["a", "b", "c", "d", "e"]);
    const parents = textsOf(page).map((text) => text.parent);
    expect(new Set(parents).size).toBe(5);
    expect(parents.map((parent) => parent?.tag)).toEqual(["div", "b", "i", "div", "div"]);
  });

  it("end together with the deep part", () => {
    const page = parseFast(
      `<table><tr><td>${"<div>".repeat(50)}a<td>b${"</div>".repeat(50)}c</table><p id=last>d`,
      limits,
    );
    expect(page.notes).toEqual(["depth-capped"]);
    expect(textsOf(page).map((text) => text.value)).toEqual(["a", "b", "c", "d"]);
    expect(textsOf(page).at(-1)?.parent?.attributes.get("id")).toBe("last");
  });

  it("keep hidden text hidden below the depth limit", () => {
    const page = parseFast(`${"<div>".repeat(50)}a<div hidden>b<b>c</b>d</div>e`, limits);
    const hidden = textsOf(page).filter((text) => text.parent?.attributes.has("hidden") === true);
    expect(hidden.map((text) => text.value)).toEqual(["b", "d"]);
  });

  it("also hold if elements are closed before their children", () => {
    const page = parseFast("<form><div></form>x".repeat(60), { ...limits, maxElements: 1000 });
    expect(page.notes).toEqual(["depth-capped"]);
    let deepest = 0;
    for (let node of nodesOf(page)) {
      let depth = 0;
      for (; node.parent !== null; node = node.parent) depth += 1;
      deepest = Math.max(deepest, depth);
    }
    // The deepest element may contain text, one level further down.
    expect(deepest).toBeLessThanOrEqual(21);
    expect(textsOf(page)).toHaveLength(60);
  });

  it("add no notes to a page within the limits", () => {
    const page = parseFast("<div>".repeat(10), limits);
    expect(page.notes).toEqual([]);
    expect([page.depth, page.elements]).toEqual([12, 13]);
  });

  it("keep all text beyond the element limit, but not mixed with scripts", () => {
    const page = parseFast(`${"<p>x</p>".repeat(200)}<p>one</p><p>two</p><script>let code</script>`, limits);
    expect(page.notes).toEqual(["elements-capped"]);
    expect(page.elements).toBeLessThanOrEqual(102);
    const visible = textsOf(page).filter((text) => text.parent?.tag !== "script");
    expect(visible.map((text) => text.value).join("")).toMatch(/x one two $/);
  });

  it("keep the first attributes of an element", () => {
    const page = parseFast("<p class=1 id=2 role=3 lang=4 style=5>x</p>", limits);
    const paragraph = elementsOf(page).find(({ tag }) => tag === "p");
    const names = Array.from(paragraph?.attributes ?? [], ([name]) => name);
    expect(names).toEqual(["class", "id", "role", "lang"]);
  });
});
