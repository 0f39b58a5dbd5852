import { describe, expect, it } from "vitest";
import { formatMarkdown } from "../../../src/write/markdown.js";
import { formatXml } from "../../../src/write/xml.js";
import { read } from "./pages.js";

const write = (body: string): string => formatMarkdown({ ...read(`<body>${body}</body>`), meta: {} });

/** Footnotes in the HTML of programs that make documents and books, by the name of the program. */
const NOTES: readonly (readonly [string, string, string])[] = [
  [
    "DocBook with brackets around the numbers",
    '<p>The reel.<sup>[<a name="id1" href="#ftn.id1" class="footnote">1</a>]</sup></p><div class="footnotes"><br><hr><div class="footnote"><p><sup>[<a name="ftn.id1" href="#id1" class="para">1</a>] </sup>Or not.</p></div></div>',
    "The reel.[^1]\n\n[^1]: Or not.\n",
  ],
  [
    "Project Gutenberg, with anchors before the links",
    '<p>The sea.<a name="FNanchor_1_1" id="FNanchor_1_1"></a><a href="#Footnote_1_1" class="fnanchor">[1]</a></p><div class="footnote"><p><a name="Footnote_1_1" id="Footnote_1_1"></a><a href="#FNanchor_1_1"><span class="label">[1]</span></a> At Varazze.</p></div>',
    "The sea.[^1]\n\n[^1]: At Varazze.\n",
  ],
  [
    "Hevea with numbers as terms",
    '<p>Stress<sup><a id="text3" href="#note3">3</a></sup> falls.</p><hr><dl class="thefootnotes"><dt class="dt-thefootnotes"><a id="note3" href="#text3">3</a></dt><dd class="dd-thefootnotes"><div class="footnotetext">Not on fish.</div></dd></dl>',
    "Stress[^1] falls.\n\n[^1]: Not on fish.\n",
  ],
  [
    "Docutils with numbers as terms",
    '<p>Stress <a class="footnote-reference brackets" href="#id2" id="id1">1</a> falls.</p><dl class="footnote brackets"><dt class="label" id="id2"><span class="brackets"><a class="fn-backref" href="#id1">1</a></span></dt><dd><p>Not on fish.</p></dd></dl>',
    "Stress [^1] falls.\n\n[^1]: Not on fish.\n",
  ],
  [
    "LibreOffice",
    '<p>Seven vowels<a class="sdfootnoteanc" name="sdfootnote1anc" href="#sdfootnote1sym"><sup>1</sup></a>.</p><div id="sdfootnote1"><p class="sdfootnote"><a class="sdfootnotesym" name="sdfootnote1sym" href="#sdfootnote1anc">1</a>Eight.</p></div>',
    "Seven vowels[^1].\n\n[^1]: Eight.\n",
  ],
];

describe("footnotes of document programs", () => {
  it.each(NOTES)("become Markdown footnotes: %s", (_name, html, markdown) => {
    expect(write(html)).toBe(markdown);
  });

  it("occur once each in XML", () => {
    for (const [, html] of NOTES)
      expect(
        formatXml({ ...read(`<body>${html}</body>`), meta: {} }, { links: "drop" }).split('xml:id="note-1"'),
      ).toHaveLength(2);
  });
});

/** Makes an item as Word exports it, with a bullet that browsers draw and other programs ignore. */
const item = (text: string, { level = 1, bullet = "·" } = {}): string =>
  `<p class=MsoListParagraphCxSpMiddle style='text-indent:-18.0pt;mso-list:l0 level${level} lfo1'><![if !supportLists]>` +
  `<span style='font-family:Symbol'><span style='mso-list:Ignore'>${bullet}<span style='font:7.0pt "Times New Roman"'>&nbsp;&nbsp; </span>` +
  `</span></span><![endif]>${text}<o:p></o:p></p>\n`;

describe("lists made by Word", () => {
  it("become nested lists", () => {
    const list = `${item("Bricks")}${item("Stiles")}${item("Twelve", { level: 2, bullet: "o" })}${item("A pond", { bullet: "§" })}`;
    expect(write(`<p>Done:</p>${list}<p>And:</p>${item("more")}`)).toBe(
      "Done:\n\n- Bricks\n- Stiles\n  - Twelve\n- A pond\n\nAnd:\n\n- more\n",
    );
  });

  it("become lists even if only the font of the bullet is left", () => {
    const filtered = `<p class=MsoListParagraph><span style='font-family:Symbol'>·<span style='font:7.0pt "Times New Roman"'>&nbsp;&nbsp; </span></span>the roof;</p>`;
    expect(write(`${filtered}${filtered.replace("roof", "barn")}`)).toBe("- the roof;\n- the barn;\n");
  });

  it("keep their numbers as text", () => {
    expect(write(`${item("Salt", { bullet: "1." })}${item("Paint", { bullet: "2." })}`)).toBe(
      "1\\. Salt\n\n2\\. Paint\n",
    );
  });
});

describe("a list without items", () => {
  it.each([
    ["paragraphs", "<ul><p>One.<p>Two.</ul>", "One.\n\nTwo.\n"],
    ["lines", "<ul>boots<br>hat</ul>", "boots  \nhat\n"],
    ["another list", "<ul><ul>Twice set in.</ul></ul>", "Twice set in.\n"],
  ])("is not a list if it only indents %s", (_name, html, markdown) => {
    expect(write(html)).toBe(markdown);
  });

  it("is a list if its items are in a box or its class says so", () => {
    expect(write("<ul><div><li>a</li></div></ul>")).toBe("- a\n");
    expect(write('<ul class="cards"><div>a</div></ul>')).toBe("- a\n");
  });
});

describe("formulas made by LaTeX2HTML", () => {
  const image = (tex: string): string => `<IMG WIDTH="12" HEIGHT="27" SRC="img45.png" ALT="${tex}">`;

  it("are read from the alt text of their images", () => {
    expect(write(`<p>Of radius ${image("$r$")} and density ${image("$\\rho$")}, it is</p>`)).toBe(
      "Of radius $r$ and density $\\rho$, it is\n",
    );
    const below = `<div align=center>${image("\\begin{displaymath}\\sigma = \\frac{\\mu}{2}\\end{displaymath}")}</div>`;
    expect(write(`<p>It is</p>${below}<p>so.</p>`)).toBe(
      "It is\n\n$$\n\\sigma = \\frac{\\mu}{2}\n$$\n\nso.\n",
    );
  });

  it("are not assumed for prices or formulas without an end", () => {
    expect(write(`<p>It costs ${image("$12")} or ${image("\\begin{displaymath}x")}.</p>`)).toBe(
      "It costs or .\n",
    );
  });
});

describe("admonitions in a table", () => {
  it.each([
    [
      "Asciidoctor with one line",
      '<div class="admonitionblock warning"><table><tr><td class="icon"><div class="title">Warning</div></td><td class="content">Never light it.</td></tr></table></div>',
      "> [!WARNING]\n> Never light it.\n",
    ],
    [
      "DocBook",
      '<div class="note" style="margin: 0.5in"><table border="0" summary="Note"><tr><td rowspan="2"><img alt="[Note]" src="note.png"></td><th align="left">Note</th></tr><tr><td><p>The other hub.</p></td></tr></table></div>',
      "> [!NOTE]\n> The other hub.\n",
    ],
    [
      "newer DocBook",
      '<div class="warning"><h3 class="title">Warning</h3><p>The other hub.</p></div>',
      "> [!WARNING]\n> The other hub.\n",
    ],
  ])("become Markdown admonitions: %s", (_name, html, markdown) => {
    expect(write(html)).toBe(markdown);
  });

  it("are not assumed for other content or for data tables", () => {
    expect(write('<div class="note"><p>a</p><p>b</p></div>')).toBe("a\n\nb\n");
    const data = "<table><tr><td>a</td><td>b</td></tr><tr><td>c</td><td>d</td></tr></table>";
    expect(write(`<div class="admonition note">${data}</div>`)).toContain("> | a | b |");
  });
});
