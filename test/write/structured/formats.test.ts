import { XMLParser, XMLValidator } from "fast-xml-parser";
import fc from "fast-check";
import { fromMarkdown } from "mdast-util-from-markdown";
import { parse, parseFragment, serialize, type DefaultTreeAdapterTypes } from "parse5";
import { describe, expect, it } from "vitest";
import { formatHtml } from "../../../src/write/html.js";
import { formatMarkdown } from "../../../src/write/markdown.js";
import { formatBody } from "../../../src/write/tei/body.js";
import { formatXml } from "../../../src/write/xml.js";
import { writers } from "../../../src/write/registry.js";
import { document, line, NEWS } from "../documents.js";
import { createMemorySink, OPTIONS } from "../files/sinks.js";
import { read } from "./pages.js";

const ALL = { links: "keep", images: "keep" } as const;
const PAGE = `<h1>Bridge</h1><p>a <b>b</b> <a href="/x?a&b">c</a><br>d<img src="i.png" alt="x"></p>
<ul><li>one<ul><li>two</ul></ul><table><tr><th colspan=2>h<tr><td>1<td>2</table><pre><code class=language-js>a < b</code></pre>`;

describe("HTML", () => {
  it("contains exactly the elements of the text", () => {
    expect(formatHtml(read(PAGE), ALL)).toBe(
      [
        "<article>\n<h1>Bridge</h1>\n",
        '<p>a <strong>b</strong> <a href="https://example.org/x?a&amp;b">c</a><br>d <img src="https://example.org/a/i.png" alt="x"></p>\n',
        "<ul><li>one<ul><li>two</li>\n</ul>\n</li>\n</ul>\n",
        '<table>\n<tr><th colspan="2">h</th></tr>\n<tr><td>1</td><td>2</td></tr>\n</table>\n',
        '<pre><code class="language-js">a &lt; b</code></pre>\n</article>\n',
      ].join(""),
    );
  });

  it("contains videos as links with their titles, if links are kept", () => {
    const film = read('<p>a <iframe allowfullscreen title="B & c" src="/x"></iframe></p>');
    expect(formatHtml(film, ALL)).toContain('<p>a <a href="https://example.org/x">B &amp; c</a></p>');
    expect(formatHtml(film, { links: "drop", images: "keep" })).toContain("<p>a</p>");
    expect(formatXml(film, ALL)).toContain('<ref target="https://example.org/x">B &amp; c</ref>');
    expect(formatBody(film, { ...ALL, lines: "none" })).toContain(
      '<ref target="https://example.org/x">B &amp; c</ref>',
    );
  });

  it("is written as a complete page", async () => {
    const sink = createMemorySink();
    await writers.html.create(sink, OPTIONS).write(read(`<title>A & B</title>${PAGE}`));
    expect(sink.bytes().toString()).toMatch(
      /^<!doctype html>\n<meta charset="utf-8">\n<title>A &amp; B<\/title>\n<article>/,
    );
  });
});

describe("XML", () => {
  it("contains the elements that users of Trafilatura know", () => {
    const xml = formatXml(read(`<title>T</title><meta name=author content="Ann Lee">${PAGE}`), ALL);
    // oxlint-disable-next-line typescript/no-deprecated -- its successor is a package of its own
    expect(XMLValidator.validate(xml)).toBe(true);
    const { doc } = new XMLParser({ ignoreAttributes: false, trimValues: false }).parse(xml) as {
      doc: Record<string, unknown> & { main: Record<string, unknown> };
    };
    expect(doc).toMatchObject({
      "@_title": "T",
      "@_author": "Ann Lee",
      "@_url": "https://example.org/a/page",
    });
    expect(doc.main).toMatchObject({
      head: { "#text": "Bridge", "@_rend": "h1" },
      p: { hi: { "#text": "b", "@_rend": "#b" }, ref: { "@_target": "https://example.org/x?a&b" } },
      code: { "#text": "a < b", "@_lang": "js" },
    });
  });

  it("contains the registers if they are known", () => {
    const told = document([line("A text.")], { registers: NEWS });
    expect(formatXml(told, ALL)).toContain(' registers="NA;ne" machine="0.62">');
  });
});

describe("CSV", () => {
  it("has a row of names and a row for each document, quoted if necessary", async () => {
    const sink = createMemorySink();
    const writer = writers.csv.create(sink, OPTIONS);
    await writer.write(read('<title>A, "B"</title><p>one</p><p>two</p>'));
    await writer.close();
    const [names, ...rows] = sink.bytes().toString().split("\r\n");
    expect(names).toMatch(/^id,url,title,author,date,/);
    expect(rows).toEqual([
      expect.stringMatching(/^page,https:\/\/example\.org\/a\/page,"A, ""B""",.*,2,1,"one\n\ntwo"$/s),
      "",
    ]);
  });

  it("contains the registers if they are known", () => {
    const row = writers.csv.format?.(document([line("A text.")], { registers: NEWS }), OPTIONS);
    expect(row).toContain(",NA;ne,0.62,2,");
  });
});

/** Random trees of tags and texts, as broken as pages can be. */
const TAGS =
  "p,div,em,b,code,a,ul,ol,li,table,tr,td,th,caption,pre,blockquote,h2,sup,sub,dl,dt,dd,figure,figcaption,details,summary,math,mfrac,mi,span,br,img".split(
    ",",
  );
const TEXT = fc.oneof(
  fc.constantFrom(
    ..."*,**,_,`,``,[x](javascript:a),![,<script>a()</script>,&lt;b&gt;,&amp;lt;,|,~~,$,$$,#,1.,-,---,\\,]],-->, ,\n,a,b c,é,漢,🙂".split(
      ",",
    ),
  ),
  fc.string({ maxLength: 8 }),
);
const ATTRIBUTES = fc.constantFrom(
  "",
  ' href="#fn1"',
  ' href="javascript:a()"',
  ' href="/x y(z)"',
  ' src="/i.png" alt="a]("',
  ' src="data:x"',
  ' id="fn1"',
  ' class="katex"',
  ' class="headerlink" href="#a"',
  ' onclick="a()"',
  ' colspan="9" rowspan="3"',
);
const { html: HTML } = fc.letrec<{ html: string; node: string }>((tie) => ({
  node: fc.oneof(
    { maxDepth: 5 },
    TEXT,
    fc
      .tuple(fc.constantFrom(...TAGS), ATTRIBUTES, tie("html"), fc.boolean())
      .map(
        ([tag, attributes, inner, isClosed]) => `<${tag}${attributes}>${inner}${isClosed ? `</${tag}>` : ""}`,
      ),
  ),
  html: fc.array(tie("node"), { maxLength: 6 }).map((parts) => parts.join("")),
}));

/** The number of pages for each writer; `THRESHER_FUZZ=10000` makes a longer run, `THRESHER_SEED` uses other pages. */
const RUNS = {
  numRuns: Number(process.env["THRESHER_FUZZ"] ?? 2_000),
  ...(process.env["THRESHER_SEED"] !== undefined && { seed: Number(process.env["THRESHER_SEED"]) }),
};
const RUNNABLE = /<script|<style|<iframe|\son\w+=|javascript:/i;

interface MarkdownNode {
  readonly type: string;
  readonly children?: readonly MarkdownNode[];
  readonly value?: string;
  readonly url?: string;
}

function list(node: MarkdownNode): MarkdownNode[] {
  return [node, ...(node.children ?? []).flatMap(list)];
}

describe("a page that is read without its images", () => {
  const html =
    '<body><p>Text <img src=/a.jpg alt=A> and <img class=tex alt="x^2">.</p><figure><img src=/b.jpg></figure><ul><li><img src=/c.jpg><li>One</ul><p>End.</p>';

  it("contains no trace of them, except formulas drawn as images", () => {
    const words = read(html, "https://example.org/", "words");
    expect(JSON.stringify(words)).not.toContain(".jpg");
    expect(formatMarkdown(words)).toBe("Text and $x^2$.\n\n- One\n\nEnd.\n");
    expect(formatHtml(words, { links: "drop" })).not.toContain("figure");
  });

  it("has the same text as a page that is written without its images", () => {
    const words = read(html, "https://example.org/", "words");
    expect(formatMarkdown(words)).toBe(formatMarkdown(read(html)));
  });
});

/** Random trees of words, in which only blocks separate neighbouring words. */
const { html: WORDS } = fc.letrec<{ html: string; node: string }>((tie) => ({
  node: fc.oneof(
    { maxDepth: 5 },
    fc.constantFrom("one two", "three", "four. five"),
    fc
      .tuple(
        fc.constantFrom(...TAGS.filter((tag) => !/^(?:m|img)/.test(tag)), "div", "li", "td"),
        tie("html"),
        fc.boolean(),
      )
      .map(([tag, inner, isClosed]) => `<${tag}>${inner}${isClosed ? `</${tag}>` : ""}`),
  ),
  html: fc.array(tie("node"), { maxLength: 6 }).map((parts) => parts.join("")),
}));

const INLINE: ReadonlySet<string> = new Set("em,strong,code,a,sup,sub,hi,ref".split(","));

/** Returns the words of written markup; every element separates words, except inline elements. */
function wordsOf(written: string): string[] {
  const textOf = (node: DefaultTreeAdapterTypes.Node): string => {
    if (node.nodeName === "#text") return (node as DefaultTreeAdapterTypes.TextNode).value; // the node name identifies the type
    const children = "childNodes" in node ? node.childNodes : [];
    const inner = children.map(textOf).join("");
    return INLINE.has(node.nodeName) ? inner : ` ${inner} `;
  };
  // An HTML parser would move or drop TEI elements whose names mean something else in HTML.
  const neutral = written.replace(/(<\/?)(?:head|table|row|cell)\b/g, "$1div");
  return (textOf(parseFragment(neutral)).match(/\w+/g) ?? []).sort();
}

describe("a page of words", { timeout: 30_000 + RUNS.numRuns * 50 }, () => {
  const writes = {
    HTML: (doc: ReturnType<typeof read>) =>
      formatHtml(doc, ALL).replace(/(<\/?)(?:td|th|tr|caption)\b/g, "$1div"),
    XML: (doc: ReturnType<typeof read>) => formatXml(doc, ALL),
    TEI: (doc: ReturnType<typeof read>) => formatBody(doc, { ...ALL, lines: "none" }),
  };
  it.each(Object.entries(writes))("has all its words in %s, and none are joined", (_, write) => {
    fc.assert(
      fc.property(WORDS, (html) => {
        const doc = read(html);
        expect(wordsOf(write(doc))).toEqual(wordsOf(doc.lines.map(({ text }) => text).join("\n")));
      }),
      { ...RUNS, numRuns: RUNS.numRuns / 2 },
    );
  });

  it("separates two texts of one item or cell, and code from the text before it", () => {
    const doc = read(
      "<ul><li>One.<br><br>Two.<br>Three.</ul><table><tr><th>h<tr><td>a<br><br>b<pre>c</pre></table>",
    );
    expect(formatHtml(doc, ALL)).toBe(
      "<article>\n<ul><li>One.<br><br>Two.<br>Three.</li>\n</ul>\n<table>\n<tr><th>h</th></tr>\n<tr><td>a<br><br>b\n<pre><code>c</code></pre></td></tr>\n</table>\n</article>\n",
    );
    expect(formatXml(doc, ALL)).toContain("<item>One.<lb/><lb/>Two.<lb/>Three.</item>");
    const captioned = read("<ul><li>One.<table><tr><th>a<caption><pre>b</pre></caption></table></ul>");
    expect(formatXml(captioned, ALL)).toContain('One.\n<code xml:space="preserve">b</code>');
  });

  it("has the rows of a footer last, as browsers show them, whatever the order in the source", () => {
    const inner = "<table><tfoot><tr><td>d<td>e<tbody><tr><td>f<td>g</table>";
    const foot = "<tfoot id=foot class=sum><tr><td>Sum<td>12<tr><td>Mean<td><p>6</p><p>m</p></tfoot>";
    const rows = `<tr><td>K2<td>8<tr><td>${inner}<td>a`;
    const table = (first: string, last: string): string =>
      `<table><tr><th>Name<th>Height${first}<tbody>${rows}</tbody>${last}</table>`;
    const [given, shown] = [read(table(foot, "")), read(table("", foot))];
    const all = { ...ALL, lines: "none" } as const;
    expect(formatHtml(given, ALL)).toBe(formatHtml(shown, ALL));
    expect(formatXml(given, ALL)).toBe(formatXml(shown, ALL));
    expect(formatMarkdown(given)).toBe(formatMarkdown(shown));
    expect(formatHtml(given, ALL)).toMatch(/Name.*K2.*<td>f<\/td>.*<td>d<\/td>.*Sum.*Mean/s);
    const plain = (first: string, last: string): string =>
      formatBody(
        read(
          table(first, last)
            .replace(inner, "b")
            .replace(/<p>.*<\/p>/, "6"),
        ),
        all,
      );
    expect(plain(foot, "")).toBe(plain("", foot));
  });

  it("separates two pieces of code in one element", () => {
    const doc = read("<pre>a<hr>b</pre>");
    expect(formatHtml(doc, ALL)).toContain("<code>a\nb</code>");
    expect(formatMarkdown(doc, ALL)).toBe("```\na\nb\n```\n");
  });

  it("writes the label of a tab in TEI, and no empty element", () => {
    const body = formatBody(
      read(
        "<ul role=tablist><li role=tab aria-controls=p1>Facts<li role=tab aria-controls=p2>Prices</ul><div role=tabpanel id=p1><p>Wide.</div><div role=tabpanel id=p2><ul><li>Dear.</ul></div>",
      ),
      { ...ALL, lines: "none" },
    );
    expect(body).toBe(
      '<body>\n<div>\n<p><hi rend="bold">Facts</hi></p>\n<p>Wide.</p>\n<p><hi rend="bold">Prices</hi></p>\n<list rend="bulleted">\n<item>Dear.</item>\n</list>\n</div>\n</body>',
    );
  });
});

describe("the output for any page", { timeout: 30_000 + RUNS.numRuns * 50 }, () => {
  it("is Markdown that contains nothing executable", () => {
    fc.assert(
      fc.property(HTML, (html) => {
        for (const node of list(fromMarkdown(formatMarkdown(read(html), ALL)))) {
          if (node.type === "html") expect(node.value).toMatch(/^<(?:\/?su[bp]|br)>$/);
          expect(node.url ?? "").not.toMatch(/^\s*(?:javascript|data|vbscript):/i);
        }
      }),
      RUNS,
    );
  });

  it("separates adjacent inline code, so that none ends early and releases HTML", () => {
    const written = formatMarkdown(
      read("<p>a<code>``x``</code><code>&lt;b&gt;</code><em><code>`</code></em><code>&lt;i&gt;</code></p>"),
      ALL,
    );
    const kinds = list(fromMarkdown(written)).map(({ type }) => type);
    expect(kinds).not.toContain("html");
    expect(kinds.filter((kind) => kind === "inlineCode")).toHaveLength(4);
  });

  it("contains no link that begins in a formula, for renderers without formulas", () => {
    const written = formatMarkdown(
      read("<p><math><mi>[0,1)</mi></math>[x](javascript:a) <math><mi>[b]</mi></math>"),
      ALL,
    );
    expect(written).toBe("$\\lbrack 0,1)$\\[x](javascript:a) $[b]$\n");
    expect(list(fromMarkdown(written)).map(({ type }) => type)).not.toContain("link");
  });

  it("contains no code that begins in a formula, for renderers without formulas", () => {
    const html = "<p><math><mi>``</mi></math> <code>&lt;b&gt;`</code>";
    expect(list(fromMarkdown(formatMarkdown(read(html), ALL))).map(({ type }) => type)).not.toContain("html");
  });

  it("is HTML that a parser reads back unchanged, with nothing executable", () => {
    fc.assert(
      fc.property(HTML, (html) => {
        const written = formatHtml(read(html), ALL);
        const tags = written.match(/<[^>]*>/g) ?? [];
        expect(tags.join("")).not.toMatch(RUNNABLE);
        const once = serialize(parseFragment(written));
        expect(serialize(parseFragment(once))).toBe(once);
        expect(serialize(parse(written))).toContain("<article");
      }),
      RUNS,
    );
  });

  it("is well-formed XML", () => {
    fc.assert(
      fc.property(HTML, (html) => {
        // oxlint-disable-next-line typescript/no-deprecated -- its successor is a package of its own
        expect(XMLValidator.validate(formatXml(read(html), ALL))).toBe(true);
      }),
      RUNS,
    );
  });
});
