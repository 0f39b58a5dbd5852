import { describe, expect, it } from "vitest";
import { formatMarkdown } from "../../../src/write/markdown.js";
import { formatXml } from "../../../src/write/xml.js";
import { read } from "./pages.js";

const write = (body: string): string => formatMarkdown({ ...read(`<body>${body}</body>`), meta: {} });

/** What programs write that make pages of documents and books, by the name of the program. */
const NOTES: readonly (readonly [string, string, string])[] = [
  [
    "DocBook, with brackets beside the numbers",
    '<p>The reel.<sup>[<a name="id1" href="#ftn.id1" class="footnote">1</a>]</sup></p><div class="footnotes"><br><hr><div class="footnote"><p><sup>[<a name="ftn.id1" href="#id1" class="para">1</a>] </sup>Or not.</p></div></div>',
    "The reel.[^1]\n\n[^1]: Or not.\n",
  ],
  [
    "Project Gutenberg, with anchors before the links",
    '<p>The sea.<a name="FNanchor_1_1" id="FNanchor_1_1"></a><a href="#Footnote_1_1" class="fnanchor">[1]</a></p><div class="footnote"><p><a name="Footnote_1_1" id="Footnote_1_1"></a><a href="#FNanchor_1_1"><span class="label">[1]</span></a> At Varazze.</p></div>',
    "The sea.[^1]\n\n[^1]: At Varazze.\n",
  ],
  [
    "Hevea, with terms for numbers",
    '<p>Stress<sup><a id="text3" href="#note3">3</a></sup> falls.</p><hr><dl class="thefootnotes"><dt class="dt-thefootnotes"><a id="note3" href="#text3">3</a></dt><dd class="dd-thefootnotes"><div class="footnotetext">Not on fish.</div></dd></dl>',
    "Stress[^1] falls.\n\n[^1]: Not on fish.\n",
  ],
  [
    "Docutils, with terms for numbers",
    '<p>Stress <a class="footnote-reference brackets" href="#id2" id="id1">1</a> falls.</p><dl class="footnote brackets"><dt class="label" id="id2"><span class="brackets"><a class="fn-backref" href="#id1">1</a></span></dt><dd><p>Not on fish.</p></dd></dl>',
    "Stress [^1] falls.\n\n[^1]: Not on fish.\n",
  ],
  [
    "LibreOffice",
    '<p>Seven vowels<a class="sdfootnoteanc" name="sdfootnote1anc" href="#sdfootnote1sym"><sup>1</sup></a>.</p><div id="sdfootnote1"><p class="sdfootnote"><a class="sdfootnotesym" name="sdfootnote1sym" href="#sdfootnote1anc">1</a>Eight.</p></div>',
    "Seven vowels[^1].\n\n[^1]: Eight.\n",
  ],
];

describe("notes of documents", () => {
  it.each(NOTES)("of %s", (_name, html, markdown) => {
    expect(write(html)).toBe(markdown);
  });

  it("are in XML once each", () => {
    for (const [, html] of NOTES)
      expect(
        formatXml({ ...read(`<body>${html}</body>`), meta: {} }, { links: "drop" }).split('xml:id="note-1"'),
      ).toHaveLength(2);
  });
});
