import { fromMarkdown } from "mdast-util-from-markdown";
import { gfmFromMarkdown } from "mdast-util-gfm";
import { mathFromMarkdown } from "mdast-util-math";
import { gfm } from "micromark-extension-gfm";
import { math } from "micromark-extension-math";
import { describe, expect, it } from "vitest";
import { formatHtml } from "../../../src/write/html.js";
import { formatBody } from "../../../src/write/tei/body.js";
import { formatText } from "../../../src/write/text.js";
import { formatMarkdown } from "../../../src/write/markdown.js";
import { formatXml } from "../../../src/write/xml.js";
import { read } from "./pages.js";

const ALL = { links: "keep", images: "keep" } as const;
const write = (body: string): string => formatMarkdown(read(`<body>${body}</body>`), ALL);

interface Node {
  readonly type: string;
  readonly children?: readonly Node[];
  readonly value?: string;
}

/** Returns the tree of an established parser, as nested names and texts. */
function outline({ type, children, value }: Node): unknown {
  if (type === "text") return value;
  return children === undefined
    ? [type, ...(value === undefined ? [] : [value])]
    : [type, ...children.map(outline)];
}

function parse(markdown: string): unknown {
  const tree = fromMarkdown(markdown, {
    extensions: [gfm(), math()],
    mdastExtensions: [gfmFromMarkdown(), mathFromMarkdown()],
  });
  return (outline(tree) as unknown[]).slice(1);
}

describe("Markdown of a page's inline structure", () => {
  it.each<[string, string, unknown]>([
    [
      "<p>so <em>very</em> <b>strong</b></p>",
      "so *very* **strong**\n",
      [["paragraph", "so ", ["emphasis", "very"], " ", ["strong", "strong"]]],
    ],
    [
      "<p>call <code>a`b</code> now</p>",
      "call ``a`b`` now\n",
      [["paragraph", "call ", ["inlineCode", "a`b"], " now"]],
    ],
    [
      "<p><em>a <strong>b</strong></em> c</p>",
      "_a **b**_ c\n",
      [["paragraph", ["emphasis", "a ", ["strong", "b"]], " c"]],
    ],
    [
      "<p>un<em>believ</em>able</p>",
      "un*believ*able\n",
      [["paragraph", "un", ["emphasis", "believ"], "able"]],
    ],
    [
      "<p><b>bold</b><i>it</i>, <i>it</i><b>bold</b></p>",
      "**bold**_it_, _it_**bold**\n",
      [["paragraph", ["strong", "bold"], ["emphasis", "it"], ", ", ["emphasis", "it"], ["strong", "bold"]]],
    ],
    [
      "<p><b>bold</b><i> it</i>, <b>bold</b><i>it</i>em</p>",
      "**bold** *it*, **bold**item\n",
      [["paragraph", ["strong", "bold"], " ", ["emphasis", "it"], ", ", ["strong", "bold"], "item"]],
    ],
    ["<p><b>one</b><b>two</b></p>", "**onetwo**\n", [["paragraph", ["strong", "onetwo"]]]],
    ["<p><b> spaced </b>out</p>", "**spaced** out\n", [["paragraph", ["strong", "spaced"], " out"]]],
    [
      "<p>the <del>old</del> new</p>",
      "the ~~old~~ new\n",
      [["paragraph", "the ", ["delete", "old"], " new"]],
    ],
    [
      "<p>H<sub>2</sub>O</p>",
      "H<sub>2</sub>O\n",
      [["paragraph", "H", ["html", "<sub>"], "2", ["html", "</sub>"], "O"]],
    ],
    [
      '<p><a href="/x">the <b>docs</b></a></p>',
      "[the **docs**](https://example.org/x)\n",
      [["paragraph", ["link", "the ", ["strong", "docs"]]]],
    ],
    [
      '<p>see <img src="/i.png" alt="a [cat]"> here</p>',
      "see ![a \\[cat\\]](https://example.org/i.png) here\n",
      [["paragraph", "see ", ["image"], " here"]],
    ],
    ['<p><a href="javascript:run()">go</a></p>', "go\n", [["paragraph", "go"]]],
    ['<p><a href=" java&#10;script:run()">go</a></p>', "go\n", [["paragraph", "go"]]],
    [`<p><a href="${"&#1;".repeat(200)}javascript:run()">go</a></p>`, "go\n", [["paragraph", "go"]]],
    ["<h2>Use it<a class=headerlink href=#use>¶</a></h2>", "## Use it\n", [["heading", "Use it"]]],
    [
      "<h2>Story<span class=mw-editsection>[<a href=/e>edit</a>]</span></h2>",
      "## Story\n",
      [["heading", "Story"]],
    ],
    [
      '<p>Hello!<a href="/x">there</a></p>',
      "Hello\\![there](https://example.org/x)\n",
      [["paragraph", "Hello!", ["link", "there"]]],
    ],
    ["<p><b><i>Note:</i></b>text</p>", "*Note*:text\n", [["paragraph", ["emphasis", "Note"], ":text"]]],
    [
      "<p>_a_ https://x.org/_b_/~c, www.x.org/d__, _e_ xhttp://x.org/_f_</p>",
      "\\_a\\_ https://x.org/_b_/~c, www.x.org/d__, \\_e\\_ xhttp://x.org/\\_f\\_\n",
      [
        [
          "paragraph",
          "_a_ ",
          ["link", "https://x.org/_b_/~c"],
          ", ",
          ["link", "www.x.org/d"],
          "__, _e_ xhttp://x.org/_f_",
        ],
      ],
    ],
    [
      "<p>https://x.org/a_&lt;b&gt;c www.x.org/*d* http://a_b.c.org/\\_</p>",
      "https\\://x.org/a\\_\\<b>c www\\.x.org/\\*d\\* http\\://a_b.c.org/\\\\\\_\n",
      [
        [
          "paragraph",
          ["link", "https://x.org/a_<b>c"],
          " ",
          ["link", "www.x.org/*d*"],
          " ",
          ["link", "http://a_b.c.org/\\_"],
        ],
      ],
    ],
  ])("writes %s so that a parser reads it back", (html, markdown, tree) => {
    expect(write(html)).toBe(markdown);
    expect(parse(markdown)).toEqual(tree);
  });
});

describe("Markdown of images", () => {
  const at = "https://example.org";
  it.each<[string, string]>([
    ['<p>See <a href="/big"><img src="/a" alt="A"></a></p>', `See [![A](${at}/a)](${at}/big)`],
    ['<p>x</p><p><a href="/big"><img src="/a" alt="A"></a></p>', `x\n\n[![A](${at}/a)](${at}/big)`],
    ['<p><a href="/z">z</a> <img src="/a" alt="A"> after</p>', `[z](${at}/z) ![A](${at}/a) after`],
    ['<p><img src="/a" alt="A"> <a href="/z">z</a></p>', `![A](${at}/a) [z](${at}/z)`],
    ['<p><a href="/z">z <img src="/a" alt="A"> y</a></p>', `[z ![A](${at}/a) y](${at}/z)`],
    ['<p><a href="/z"><img src="/a" alt="A"> z</a></p>', `[![A](${at}/a) z](${at}/z)`],
    [
      '<p><img src="/a" alt="A"> <a href="/z"><b>bold</b> link</a></p>',
      `![A](${at}/a) [**bold** link](${at}/z)`,
    ],
    ['<p>z <a href="javascript:x()"><img src="/a" alt="A"></a></p>', `z ![A](${at}/a)`],
    ['<p>z <picture><source srcset="/a 1x, /b 2x"><img alt="A"></picture></p>', `z ![A](${at}/b)`],
    ['<p>z <img srcset="/a-300.jpg 300w, /a-900.jpg 900w,"></p>', `z ![](${at}/a-900.jpg)`],
    ['<p>z <img data-lazy="/a" src="data:image/gif;base64,R0"></p>', `z ![](${at}/a)`],
    // Videos become their posters, or links with their titles.
    [
      '<p>z</p><figure><iframe title="How [to]" src="https://film.example/7?a" allowfullscreen></iframe></figure>',
      "z\n\n[How \\[to\\]](https://film.example/7?a)",
    ],
    ["<p>z <video poster=/a src=/b></video></p>", `z [![](${at}/a)](${at}/b)`],
    ["<p>z <video title=Film><source src=/b></video></p>", `z [Film](${at}/b)`],
    // A long text is not cut in the middle of a character.
    [`<p>z <img src=/a alt=${"a".repeat(999)}🦦></p>`, `z ![${"a".repeat(999)}](${at}/a)`],
    [`<p>z <video title=${"a".repeat(999)}🦦><source src=/b></video></p>`, `z [${"a".repeat(999)}](${at}/b)`],
    [
      "<p>z <iframe title=Ad src=/ad></iframe><iframe allowfullscreen src=/a></iframe><video autoplay title=a src=/b></video><iframe allowfullscreen title=a src='javascript:b()'></iframe></p>",
      "z",
    ],
    // Some pages have the image only for browsers without scripts.
    [
      '<p>z <img src="data:image/gif;base64,R0"><noscript><img alt="A &amp; B" src="/a?b&amp;c"/></noscript></p>',
      `z ![A & B](${at}/a?b&c)`,
    ],
    [
      "<p>z</p><figure><div><noscript><img src=/a alt=A></noscript></div></figure><p>y</p><picture><img src=/b><noscript><img src=/c></noscript></picture><img data-src=/d><noscript><img src=/e></noscript>",
      `z\n\n![A](${at}/a)\n\ny\n\n![](${at}/b)\n\n![](${at}/d)`,
    ],
    // The logo of the site.
    [
      "<div><a href=/><img src=/logo alt=Otter></a></div><p>z <a href=/b><img src=/a></a></p>",
      `z [![](${at}/a)](${at}/b)`,
    ],
    // MediaWiki for phones.
    [
      '<p>z</p><div class=thumb><a><noscript><img src="/a" alt=A width=220></noscript><span class=lazy-image-placeholder data-src="/a">&nbsp;</span></a></div>',
      `z\n\n![A](${at}/a)`,
    ],
    ["<p>z<noscript><img src=https://count.example/?id=7></noscript></p>", "z"],
    [
      "<p>z</p><div class=cmp-image><a href=/c><noscript><img src=/a></noscript></a></div>",
      `z\n\n[![](${at}/a)](${at}/c)`,
    ],
    // Medium shows a blurred image of a few pixels first.
    [
      "<p>z</p><figure><div><img src='https://miro.medium.com/max/60/1*a.png?q=20' width=700><div><img width=700><noscript><img src='https://miro.medium.com/max/1400/1*a.png' width=700></noscript></div></div></figure>",
      "z\n\n![](https://miro.medium.com/max/1400/1*a.png)",
    ],
    // Wix shows one in place of the image that was uploaded.
    [
      "<p>z <img src='https://static.wixstatic.com/media/a~mv2.png/v1/fill/w_49,h_8,al_c,q_85,usm_0.66_1.00_0.01,blur_2,enc_avif,quality_auto/b.png'></p>",
      "z ![](https://static.wixstatic.com/media/a~mv2.png)",
    ],
    // A script fills in the width, with a number that is far larger than that of the image shown first.
    ["<p>z <img class=lazyload src=/a_300x.jpg data-src='/a_{width}x.jpg'></p>", `z ![](${at}/a_1080x.jpg)`],
    ["<p>z <video poster=/spacer.png src=/b title=Film></video></p>", `z [Film](${at}/b)`],
    [
      "<p>z <amp-video poster=/a src=/b></amp-video><amp-anim src=/c></amp-anim></p>",
      `z [![](${at}/a)](${at}/b) ![](${at}/c)`,
    ],
    ["<p>z <a href=/a><img src=/favicon.ico?v=2> A</a></p>", `z [A](${at}/a)`],
    // Readers see one of the two images: the second one is for dark pages.
    [
      '<p>z <img src=/a class="block dark:hidden"><img src=/b class="hidden dark:block"></p>',
      `z ![](${at}/a)`,
    ],
    [
      "<p>z <img src=/a class=themedImage--light_Hn><img src=/b class=themedImage--dark_oU></p>",
      `z ![](${at}/a)`,
    ],
    [
      "<p>z <img src=/a#only-light><img src=/b#only-dark><img src=/c class=only-dark></p>",
      `z ![](${at}/a#only-light)`,
    ],
    // A placeholder that is shown until the image is loaded is not an image.
    ['<p>z <img src="/i/spacer.gif"> <img src="/i/pix.gif"> <img src="//:0"> <img src="#"></p>', "z"],
    ['<p>z <img src="/i/1pixel_blank_300x200.GIF?v=2" alt="A"></p>', "z"],
    [
      '<p>z <img src="/placeholder.60f9b1840c.svg" srcset="/a-1.jpg 1x, /a-2.jpg 2x"></p>',
      `z ![](${at}/a-2.jpg)`,
    ],
    ['<p>z <img src="/transparent.png" data-ezsrc="/a"></p>', `z ![](${at}/a)`],
    ['<p>z <img data-original-src="/a"></p>', `z ![](${at}/a)`],
    ['<p>z <img src="/image/common/none.gif" zoomfile="/a"></p>', `z ![](${at}/a)`],
    [
      '<p>z <img src="/spai/ret_blank,w_9/https://b.example/c.jpg" data-rp-src="/c.jpg"></p>',
      `z ![](${at}/c.jpg)`,
    ],
    ['<p>z <img data-img-url="/a"> <img src="/b" data-img-url="/a"></p>', `z ![](${at}/a) ![](${at}/b)`],
    [
      '<p>z <img src="/blank-canvas.png"> <img src="/front-loading.jpg"></p>',
      `z ![](${at}/blank-canvas.png) ![](${at}/front-loading.jpg)`,
    ],
    ['<p>z <img srcset="/a-300.jpg 300w,/a-900.jpg 900w"></p>', `z ![](${at}/a-900.jpg)`],
    ['<p>z <img srcset="/w_3,h_2/a 3w, /w_9,h_6/a 9w"></p>', `z ![](${at}/w_9,h_6/a)`],
    ['<p>z <img srcset="/a, /b 2x"></p>', `z ![](${at}/b)`],
  ])("writes %s", (body, markdown) => {
    expect(write(body)).toBe(`${markdown}\n`);
  });

  it("keeps images after a kept line even if the next line is left out", () => {
    const shown = (body: string, format: (...given: Parameters<typeof formatHtml>) => string): string => {
      const document = read(`<body><main><p>Text.</p>${body}</main></body>`);
      const lines = document.lines.map((line) => ({
        ...line,
        label: line.text.startsWith("Out") ? ("boilerplate" as const) : line.label,
      }));
      return format({ ...document, meta: {}, lines }, { links: "drop", images: "keep" }).trim();
    };
    const image = "<img src=/a alt=A>";
    const caption = `<figure>${image}<figcaption>Out</figcaption></figure>`;
    const drawn = `![A](${at}/a)`;
    expect(shown(`${caption}<p>More.</p>`, formatMarkdown)).toBe(`Text.\n\n${drawn}\n\nMore.`);
    expect(shown(`<div>${caption}</div><p>More.</p>`, formatMarkdown)).toBe(`Text.\n\n${drawn}\n\nMore.`);
    expect(shown(caption + caption, formatMarkdown)).toBe(`Text.\n\n${drawn}\n\n${drawn}`);
    expect(shown(`<p>${image}</p><div>Out</div>`, formatMarkdown)).toBe(`Text.\n\n${drawn}`);
    expect(shown(caption, formatHtml)).toContain("<figure><p><img");
    expect(shown(caption, (doc, options) => formatBody(doc, { ...options, lines: "none" }))).toContain(
      "<graphic",
    );
    // Images in a box whose text is left out are left out as well.
    for (const teaser of [`<p>${image}</p><p>Out</p>`, `${image}Out`, `${image}<p>Out</p>`, caption + "Out"])
      expect(shown(`<div>${teaser}</div><p>More.</p>`, formatMarkdown)).toBe("Text.\n\nMore.");
    expect(shown(`<p>Out</p>${caption}<p>More.</p>`, formatMarkdown)).toBe("Text.\n\nMore.");
  });

  it("keeps links around images only if links are kept", () => {
    const document = read('<body><p>See <a href="/big"><img src="/a" alt="A"></a></p></body>');
    expect(formatMarkdown(document, { images: "keep" })).toBe(`See ![A](${at}/a)\n`);
  });
});

describe("Markdown of formulas", () => {
  const annotated = String.raw`<math><semantics><mi>x</mi><annotation encoding="application/x-tex">{\displaystyle x_{i}}</annotation></semantics></math>`;
  it.each<[string, string, string]>([
    [
      "the formula of a wiki with hidden text",
      `<p>objects <span class="mwe-math-element"><span style="display: none">${annotated}</span><img class="mwe-math-fallback-image-inline" src="x" alt="x"></span>, then</p>`,
      "objects $x_{i}$, then\n",
    ],
    [
      "a formula of GitHub",
      String.raw`<p>so <math-renderer class="js-inline-math" style="display: inline">$x\,i$</math-renderer>, then</p>`,
      "so $x\\,i$, then\n",
    ],
    [
      "a display formula of GitHub",
      '<p>so</p><p><math-renderer class="js-display-math" style="display: block">$$x_i$$</math-renderer></p>',
      "so\n\n$$\nx_i\n$$\n",
    ],
    [
      "a numbered formula of Sphinx",
      String.raw`<p>so</p><div class="math notranslate nohighlight" id="e"><span class="eqno">(1.2)<a class="headerlink" href="#e">¶</a></span>\[x_i\]</div>`,
      "so\n\n$$\nx_i \\tag{1.2}\n$$\n",
    ],
    [
      "a numbered formula of Sphinx whose anchor is an icon",
      String.raw`<p>so</p><div class="math notranslate nohighlight" id="e"><span class="eqno">(1.2)<a class="headerlink" href="#e">&#xf0c1;</a></span>\[x_i\]</div>`,
      "so\n\n$$\nx_i \\tag{1.2}\n$$\n",
    ],
    [
      "a formula of Substack",
      String.raw`<p>so</p><div class="latex-rendered" data-attrs="{&quot;persistentExpression&quot;:&quot;\\frac{a}{b} \u003e 1&quot;,&quot;id&quot;:&quot;X&quot;}"></div><p>then</p>`,
      "so\n\n$$\n\\frac{a}{b} > 1\n$$\n\nthen\n",
    ],
    [
      "a formula of Substack with half a character",
      String.raw`<p>so</p><div class="latex-rendered" data-attrs="{&quot;persistentExpression&quot;:&quot;x \ud83e\udda6 \ud83e&quot;}"></div>`,
      "so\n\n$$\nx 🦦 \ufffd\n$$\n",
    ],
    [
      "KaTeX",
      `<p>so <span class="katex"><span class="katex-mathml">${annotated}</span><span class="katex-html">xi</span></span> is</p>`,
      "so $x_{i}$ is\n",
    ],
    [
      "MathJax 2",
      '<p>so <span class="MathJax">x2</span><script type="math/tex">x^2</script> is</p>',
      "so $x^2$ is\n",
    ],
    [
      "MathJax 3",
      "<p>so <mjx-container><mjx-assistive-mml><math><msup><mi>x</mi><mn>2</mn></msup></math></mjx-assistive-mml></mjx-container> is</p>",
      "so $x^{2}$ is\n",
    ],
    [
      "a binomial of MathML",
      '<p>so <math><mrow><mo>(</mo><mfrac linethickness="0"><mi>n</mi><mi>k</mi></mfrac><mo>)</mo></mrow></math> is</p>',
      "so $\\binom{n}{k}$ is\n",
    ],
    ["LaTeXML", '<p>so <math alttext="\\alpha">α</math> is</p>', "so $\\alpha$ is\n"],
    [
      "a space at the end, with which old wikis made pictures of formulas",
      String.raw`<p>so <script type="math/tex">x\\\ </script> is</p>`,
      "so $x\\\\$ is\n",
    ],
    [
      "escaped dollar signs",
      String.raw`<p>so <script type="math/tex">\$5 \\$</script> is</p>`,
      "so $\\text{\\textdollar}5 \\\\\\text{\\textdollar}$ is\n",
    ],
    [
      "a display formula",
      '<p>so</p><script type="math/tex; mode=display">x^2</script><p>is</p>',
      "so\n\n$$\nx^2\n$$\n\nis\n",
    ],
  ])("reads %s", (_name, html, markdown) => {
    expect(write(html)).toBe(markdown);
    expect(JSON.stringify(parse(markdown))).toMatch(/"(?:inlineMath|math)"/);
  });
});

describe("Markdown of blocks", () => {
  it("pairs the footnotes of each post on a page, although all posts have the same ids", () => {
    const refer = '<sup id="fnref:1"><a href="#fn:1" class="footnote">1</a></sup>';
    const post = (name: string): string =>
      `<p>The ${name}${refer} post.</p><div class="footnotes"><ol><li id="fn:1"><p>The ${name} note. <a href="#fnref:1">↩</a></p></li></ol></div>`;
    const body = `${post("first")}${post("second")}<p>End${refer}.</p>`;
    expect(write(body)).toBe(
      "The first[^1] post.\n\n[^1]: The first note.\n\nThe second[^2] post.\n\n[^2]: The second note.\n\nEnd[^2].\n",
    );
    const html = formatHtml(read(`<body>${body}</body>`), { links: "drop" });
    expect(html.match(/ id="[^"]*"/g)).toEqual([' id="note-1"', ' id="note-2"']);
    expect(html.match(/#note-\d/g)).toEqual(["#note-1", "#note-2", "#note-2"]);
  });

  it("writes a note once if several elements around it have its id", () => {
    const note = "<li id=fn1><p id=fn1><a name=fn1></a>The note.</p><p>More.</p></li>";
    expect(write(`<p>Said<sup><a href="#fn1">1</a></sup> so.</p><ol>${note}</ol>`)).toBe(
      "Said[^1] so.\n\n[^1]: The note.\n\n    More.\n",
    );
  });

  it("pairs footnotes, and removes the links back", () => {
    const markdown = write(
      '<p>Said<sup id=r1><a href="#fn1">1</a></sup> so.</p><ol><li id=fn1>The <i>note</i>. <a href="#r1ref">↩</a></li></ol>',
    );
    expect(markdown).toBe("Said[^1] so.\n\n[^1]: The *note*.\n");
    expect(parse(markdown)).toEqual([
      ["paragraph", "Said", ["footnoteReference"], " so."],
      ["footnoteDefinition", ["paragraph", "The ", ["emphasis", "note"], "."]],
    ]);
  });

  it("leaves a reference without a note unchanged", () => {
    expect(write('<p>Said<sup><a href="#fn1">1</a></sup> so.</p>')).not.toContain("[^");
  });

  it("raises the number or letter of a reference without a note, in its link or around it", () => {
    const html = (mark: string): string =>
      `<p>Said<a href="#fn1"><sup>${mark}</sup></a>, so<sup><a href="#fn2">${mark}</a></sup>.</p>`;
    const drop = { links: "drop" } as const;
    const bare = (mark: string): string => formatMarkdown(read(`<body>${html(mark)}</body>`), drop);
    for (const mark of ["1", "a"]) expect(bare(mark)).toBe(`Said<sup>${mark}</sup>, so<sup>${mark}</sup>.\n`);
    expect(bare("[1]")).toBe("Said\\[1], so\\[1].\n");
    expect(bare("*")).toBe("Said\\*, so\\*.\n");
    const doc = read(`<body>${html("1")}</body>`);
    expect(formatHtml(doc, drop)).toContain("Said<sup>1</sup>, so<sup>1</sup>.");
    expect(formatXml(doc, drop)).toContain('Said<hi rend="#sup">1</hi>, so<hi rend="#sup">1</hi>.');
    const shown = read(`<body>${html("1")}<ol><li id=fn1>The note.</li></ol></body>`);
    expect(formatHtml(shown, drop)).toContain('<a href="#note-1" role="doc-noteref"><sup>1</sup></a>');
  });

  it("raises a number that a style raises, if its note is dropped", () => {
    const doc = read(
      '<body><p>Said.<a class="footnote-anchor" id="a" href="#f">1</a> So; see <a class="footnote-anchor" id="b" href="#f">1</a>.</p><div class="footnote"><a id="f" href="#a">1</a><p>The note.</p></div></body>',
    );
    const lines = doc.lines.map((line, at) => (at > 0 ? { ...line, label: "boilerplate" as const } : line));
    expect(formatMarkdown(doc)).toContain("Said.[^1] So; see [^1].");
    expect(formatMarkdown({ ...doc, lines })).toBe("Said.<sup>1</sup> So; see 1.\n");
  });

  it("writes no link to a note that neither the text nor an address leads to", () => {
    const html =
      '<body><p>Said<sup><a href="#fn1">1</a></sup>, so<a href="#fn2"><sup>2</sup></a>, too<sup>[<a href="#fn3">3</a>]</sup>, in <a href="#a">a part</a>.</p></body>';
    const keep = { links: "keep", lines: "none" } as const;
    const bare = read(html, "");
    expect(formatMarkdown(bare, keep)).toBe("Said<sup>1</sup>, so<sup>2</sup>, too\\[3], in [a part](#a).\n");
    for (const format of [formatHtml, formatXml, formatBody]) {
      const written = format(bare, keep);
      expect(written).not.toContain("#fn");
      expect(written).toContain('"#a"');
    }
    const based = read(html);
    for (const format of [formatHtml, formatXml, formatBody])
      expect(format(based, keep).match(/page#fn\d/g)).toEqual(["page#fn1", "page#fn2", "page#fn3"]);
  });

  it("writes no link in the link of a reference whose brackets are outside of it", () => {
    const doc = read(
      '<body><p>Said<sup>[<a href="#fn1">1</a>]</sup> so.</p><ol><li id=fn1>The note.</li></ol></body>',
    );
    const keep = { links: "keep" } as const;
    expect(formatHtml(doc, keep)).toContain('Said<a href="#note-1" role="doc-noteref">[1]</a> so.');
    expect(formatXml(doc, keep)).toContain('Said<ref target="#note-1">[1]</ref> so.');
  });

  it("keeps the numbers of citations whose targets are named like those of links back", () => {
    const html =
      '<p>More stress [<i><a href="#ref1">1</a></i>-<i><a href="#ref-3" rel=footnote>3</a></i>].</p><p><a href="#ref1">1</a> The note. <a href="#fnref1">1</a></p>';
    expect(write(html)).toBe(
      "More stress \\[[*1*](https://example.org/a/page#ref1)-[*3*](https://example.org/a/page#ref-3)].\n\nThe note.\n",
    );
  });

  it.each([
    ["Pandoc", "<p>Hobbs (<a href='#ref-hobbs1990' role='doc-biblioref'>1990</a>) rose.</p>", "1990"],
    ["PLOS", "<p>Mills [<a href='#pone.0247000.ref001' class='ref-tip'>1</a>] rose.</p>", "1"],
  ])("keeps the years and numbers of references to literature of %s", (_name, html, text) => {
    expect(write(html)).toContain(`[${text}](`);
  });

  it.each<[string, string]>([
    ["<pre><code class=language-js>let a</code></pre>", "```js\nlet a\n```\n"],
    [
      "<div class=highlight-python><div class=highlight><pre>a = 1</pre></div></div>",
      "```python\na = 1\n```\n",
    ],
    ["<pre data-lang=rust>fn a</pre>", "```rust\nfn a\n```\n"],
    [
      "<table><tr><td class=gutter><pre>1\n2\n</pre></td><td class=code><pre>a\nb</pre></td></tr></table>",
      "```\na\nb\n```\n",
    ],
    ["<pre><span class=lineno>1 </span>a\n<span class=lineno>2 </span>b</pre>", "```\na\nb\n```\n"],
    // Hugo, with classes or inline styles, in the line itself, or in a table if there is only one line.
    [
      "<pre><span class=line><span class=ln> 9</span><span class=cl>a\n</span></span><span class=ln>10</span>  b</pre>",
      "```\na\n  b\n```\n",
    ],
    [
      "<pre><span style='white-space:pre;-webkit-user-select:none;user-select:none;color:#7f7f7f'>1</span><span>a = 2\n</span></pre>",
      "```\na = 2\n```\n",
    ],
    [
      "<table class=lntable><tr><td class=lntd><pre><code><span class=lnt id=l1><a class=lnlinks href=#l1>1</a>\n</span></code></pre></td><td class=lntd><pre><code>a()\n</code></pre></td></tr></table>",
      "```\na()\n```\n",
    ],
  ])("writes %s without line numbers", (html, markdown) => {
    expect(write(html)).toBe(markdown);
  });

  it.each(["body class=et_pb_gutter", "div class=gutter"])("keeps deeply indented text in <%s>", (tag) => {
    const text =
      "A theme calls its pages after the gaps between their columns, and indents them as deep as it likes.";
    expect(write(`<${tag}>${"\n\t\t\t\t".repeat(200)}<p>${text}</p>`)).toBe(`${text}\n`);
  });

  it("writes the table's own header or an empty one, its caption and its spans", () => {
    const head = "<table><caption>Heights</caption><thead><tr><th>Name<th>Metres</thead>";
    expect(write(`${head}<tr><td><b>K2</b><td>8611|2</table>`)).toBe(
      "Heights\n\n| Name | Metres |\n| --- | --- |\n| **K2** | 8611\\|2 |\n",
    );
    const spanned = write("<table><tr><td rowspan=2>a<td>b<td>c<tr><td colspan=2>d</table>");
    expect(spanned).toBe("|  |  |  |\n| --- | --- | --- |\n| a | b | c |\n|  | d |  |\n");
    expect(JSON.stringify(parse(spanned)).match(/tableRow/g)).toHaveLength(3);
  });

  it("takes a header as wide as the table as the header row, unless sections have such headers", () => {
    const row = "<tr><td>K2<td>8611";
    const table = "| Heights |  |\n| --- | --- |\n| K2 | 8611 |\n";
    expect(write(`<table><tr><th colspan=2>Heights${row}</table>`)).toBe(table);
    expect(write(`<table><tr><th colspan=2>Asia${row}<tr><th colspan=2>Europe${row}</table>`)).toBe(
      "|  |  |\n| --- | --- |\n| **Asia** |  |\n| K2 | 8611 |\n| **Europe** |  |\n| K2 | 8611 |\n",
    );
    const head = "<thead><tr><th colspan=2>Heights</thead><tr><th colspan=2>Asia";
    expect(write(`<table>${head}${row}</table>`)).toBe(table.replace("\n| K2", "\n| **Asia** |  |\n| K2"));
  });

  it("writes titles in the first rows above the table, whatever cells they are in", () => {
    const rows = "<tr><th>Name<th>Metres<tr><td>K2<td>8611";
    const table = "| Name | Metres |\n| --- | --- |\n| K2 | 8611 |\n";
    expect(write(`<table><tr><td colspan=2>Heights${rows}</table>`)).toBe(`Heights\n\n${table}`);
    expect(write(`<table><tr><th colspan=2>Heights<tr><td colspan=2>in Asia${rows}</table>`)).toBe(
      `Heights\n\nin Asia\n\n${table}`,
    );
    const bold = rows.replace(/<th>(\w+)/g, "<td><b>$1</b>");
    expect(write(`<table><tr><td colspan=2>Heights${bold}</table>`)).toBe(`Heights\n\n${table}`);
  });

  it("removes table columns in which no row shows anything", () => {
    const cell = '<td>&nbsp;<td><a href="javascript:void(0)"></a>';
    const rows = ["Sep 19", "Sep 13"].map((day) => `<tr><td>Agenda${cell}<td align=right>${day}<td>`);
    expect(write(`<table>${rows.join("")}</table>`)).toBe(
      "|  |  |\n| --- | ---: |\n| Agenda | Sep 19 |\n| Agenda | Sep 13 |\n",
    );
    const headed = "<table><tr><th>Event<th>Video<th colspan=2>Day<tr><td>Agenda<td><td>Sep 19<td></table>";
    expect(write(headed)).toBe("| Event | Video | Day |\n| --- | --- | --- |\n| Agenda |  | Sep 19 |\n");
    expect(
      write("<table><tr><td>a<td><img src=/a.png alt=A><td><td>x<tr><td>b<td><td><td>y</table>"),
    ).toContain("| --- | --- | --- |\n| a | ![A](");
    expect(write("<table><tr><td><td>Boilers, and<tr><td><td>their repairs</table>")).toBe(
      "Boilers, and\n\ntheir repairs\n",
    );
  });

  it.each<[string, string]>([
    [
      "<tr><th>Name<th>Metres<tr><td>K2<td align=right>8611<tr><td>Eiger<td align=RIGHT>3967",
      "| --- | ---: |",
    ],
    ["<tr align=right><th>Name<th>Metres<tr align=right><td>K2<td align=left>8611", "| ---: | :--- |"],
    [
      "<thead><tr><th>Name<th>Metres<tbody style='text-align:center'><tr><td>K2<td>8611<tr align=left><td align=center>Eiger<td align=center>3967",
      "| :---: | :---: |",
    ],
    ["<colgroup><col align=right><col><tbody><tr><th>Name<th>Metres<tr><td>K2<td>8611", "| --- | --- |"],
    ["<tr><th style='text-align: center'>Name<th>Metres<tr><td>K2<td>8611", "| :---: | --- |"],
    // Headers are often centred although the column is not.
    [
      "<tr><th>Name<th align=center>Metres<tr><td align=left>K2<td style='Text-Align:end'>8611",
      "| :--- | ---: |",
    ],
    [
      "<tr><th>Name<th>Metres<tr><td align=left>K2<td align=right>8611<tr><td align=right>Eiger<td>3967",
      "| --- | ---: |",
    ],
    [
      "<tr><th>Name<th>Metres<th>Ft<tr><td colspan=2 align=center>K2<td data-align=center>28251",
      "| --- | --- | :---: |",
    ],
    ["<tr><th>Name<th>Metres<tr><td align=char>K2<td style='text-align:justify'>8611", "| --- | --- |"],
  ])("aligns the columns of %s as the page does", (rows, line) => {
    const markdown = write(`<table>${rows}</table>`);
    expect(markdown.split("\n")[1]).toBe(line);
    expect(parse(markdown)).toHaveLength(1);
  });

  it("keeps lists in lists and quotes, and separates neighbouring lists", () => {
    const markdown = write(
      "<ul><li>one<ol><li>three</ol><li>two</ul><ul><li>other</ul><blockquote><p>said</blockquote>",
    );
    expect(markdown).toBe("- one\n  1. three\n- two\n\n* other\n\n> said\n");
    expect(parse(markdown)).toEqual([
      [
        "list",
        ["listItem", ["paragraph", "one"], ["list", ["listItem", ["paragraph", "three"]]]],
        ["listItem", ["paragraph", "two"]],
      ],
      ["list", ["listItem", ["paragraph", "other"]]],
      ["blockquote", ["paragraph", "said"]],
    ]);
  });

  it("writes the image of a figure above its caption, and the title of the page first", () => {
    const page =
      "<title>The bridge | News</title><p>Text.</p><figure><img src=/b.jpg alt=Bridge><figcaption>It stands.</figcaption></figure>";
    expect(formatMarkdown(read(page), ALL)).toBe(
      "# The bridge | News\n\nText.\n\n![Bridge](https://example.org/b.jpg)\n\nIt stands.\n",
    );
    expect(formatMarkdown(read(page))).not.toContain("![");
  });

  it("has no link to the page itself if its address is not known", () => {
    const html = '<body><p>See <a href="">Boat</a>.</p></body>';
    expect(formatMarkdown(read(html, ""), ALL)).toBe("See Boat.\n");
    expect(formatMarkdown(read(html), ALL)).toBe("See [Boat](https://example.org/a/page).\n");
  });

  it("does not change the plain text", () => {
    const html =
      "<h2>Use<a class=headerlink href=#u>link</a></h2><p>a <em>b</em><img src=x> c<sub>2</sub></p>";
    const plain = read(html);
    expect(formatText(plain)).toBe("Uselink\n\na b c2\n");
  });

  it("moves the whole title above the text, out of the list that it is in", () => {
    expect(write("<p>News</p><h1>The bridge<br>in the fog</h1><p>Text.</p>")).toBe(
      "# The bridge in the fog\n\nNews\n\nText.\n",
    );
    expect(write("<p>News</p><ul><li><h1>The bridge</h1></ul><p>Text.</p>")).toBe(
      "# The bridge\n\nNews\n\nText.\n",
    );
  });

  it("moves the title above a trail of links that ends with it", () => {
    const trail = "<title>The bridge</title><nav><a href=/>Home</a> / The bridge</nav>";
    expect(write(`${trail}<p>New!<h1>The bridge</h1><p>Text.</p>`)).toBe(
      "# The bridge\n\n[Home](https://example.org/) / The bridge\n\nNew!\n\nText.\n",
    );
    expect(write(`${trail}<p>Text.</p>`)).toBe("# [Home](https://example.org/) / The bridge\n\nText.\n");
  });

  it("leaves out a repetition of the title right above its heading", () => {
    expect(write("<title>The bridge</title><ul><li>► The bridge</ul><h2>The bridge</h2><p>Text.</p>")).toBe(
      "## The bridge\n\nText.\n",
    );
    expect(write("<title>The bridge</title><p>The bridge<h2>The bridges</h2><p>Text.</p>")).toBe(
      "# The bridge\n\n## The bridges\n\nText.\n",
    );
    const apart = "<title>The bridge</title><p>The bridge<p><img src=/b.jpg alt=Fog><h2>The bridge</h2>";
    expect(formatMarkdown(read(apart), ALL)).toBe(
      "# The bridge\n\n![Fog](https://example.org/b.jpg)\n\n## The bridge\n",
    );
  });

  it("numbers the items of a list in a cell, and not the first cell of a table in an item", () => {
    const table = "<table><tr><th>Name<br>of it<th>Use<tr><td>Rope<td><ul><li>climb<li>tie</ul></table>";
    expect(write(`<ol><li>${table}<li>Next</ol>`)).toBe(
      "1. | Name<br>of it | Use |\n   | --- | --- |\n   | Rope | - climb<br>- tie |\n2. Next\n",
    );
  });

  it("makes no note of a line that begins with a reference and a colon", () => {
    const markdown = write("<p><sup><a href=#fn1>1</a></sup>: see below.</p><ol><li id=fn1>The note.</ol>");
    expect(markdown).toBe("[^1]\\: see below.\n\n[^1]: The note.\n");
    expect(parse(markdown)).toEqual([
      ["paragraph", ["footnoteReference"], ": see below."],
      ["footnoteDefinition", ["paragraph", "The note."]],
    ]);
  });

  it("keeps a summary of Javadoc whole if a type in it has two lines", () => {
    const [type, method] = ["<code>&lt;T&gt;<br>double</code>", "<code>a()</code>"];
    const cells = `<div class="col-first even-row-color">${type}</div><div class="col-last even-row-color">${method}</div>`;
    const head =
      '<div class="table-header col-first">Type</div><div class="table-header col-last">Method</div>';
    expect(write(`<div class="summary-table two-column-summary">${head}${cells}</div>`)).toBe(
      "| Type | Method |\n| --- | --- |\n| `<T>`<br>`double` | `a()` |\n",
    );
  });

  it("keeps a backslash before a pipe in the code of a cell", () => {
    const markdown = write(
      "<table><tr><th>Sign<th>Meaning<tr><td><code>a\\|b</code> \\|<td><code>a|b</code></table>",
    );
    expect(markdown.split("\n")[2]).toBe("| <code>a\\\\\\|b</code> \\\\\\| | `a\\|b` |");
    expect(parse(markdown)).toEqual([
      [
        "table",
        ["tableRow", ["tableCell", "Sign"], ["tableCell", "Meaning"]],
        [
          "tableRow",
          ["tableCell", ["html", "<code>"], "a\\|b", ["html", "</code>"], " \\|"],
          ["tableCell", ["inlineCode", "a|b"]],
        ],
      ],
    ]);
  });
});
