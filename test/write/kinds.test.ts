import { XMLParser, XMLValidator } from "fast-xml-parser";
import { existsSync, readdirSync, readFileSync } from "node:fs";
import { fromMarkdown } from "mdast-util-from-markdown";
import { gfmFromMarkdown } from "mdast-util-gfm";
import { mathFromMarkdown } from "mdast-util-math";
import { gfm } from "micromark-extension-gfm";
import { math } from "micromark-extension-math";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import type { Document, LabelledLine, Page } from "../../src/document.js";
import { createPageExtractor } from "../../src/extract/body.js";
import { accept } from "../../src/outcome.js";
import { decodePage } from "../../src/parse/charset.js";
import { parseQuickly } from "../../src/parse/quick-tree.js";
import { createPipeline, type Pipeline, type TaggedPage } from "../../src/pipeline.js";
import { formatHtml } from "../../src/write/html.js";
import { formatMarkdown } from "../../src/write/markdown.js";
import { TEI } from "../../src/write/tei/tei.js";
import { formatText } from "../../src/write/text.js";
import { formatXml } from "../../src/write/xml.js";
import { readGold } from "../gold-lines.js";
import { createMemorySink, OPTIONS } from "./files/sinks.js";
import { checkTei } from "./tei-check.js";

/*
 * Sixteen whole pages, each with Markdown that a person wrote before any program did. The lines are labelled by hand, so
 * that these tests cover extraction and writing only; the last test sets a minimum for the shipped labeller on these pages.
 */

const KINDS = "fixtures/kinds";
const slugs = readdirSync(KINDS, { withFileTypes: true })
  .filter((entry) => entry.isDirectory())
  .map(({ name }) => name);

interface About {
  readonly proves: string;
  readonly lang: string;
  readonly url: string;
}

const readFile = (slug: string, name: string): string => readFileSync(`${KINDS}/${slug}/${name}`, "utf8");
const readAbout = (slug: string): About => JSON.parse(readFile(slug, "about.json")) as About;

/** Extracts a page with or without the structure of its lines. */
function extract(html: string, url: string, structure?: "keep"): Document {
  const keeps = structure === undefined ? {} : ({ keeps: "structure and images" } as const);
  const page = parseQuickly({ id: url, url, html, ...keeps });
  const outcome = createPageExtractor(structure === undefined ? {} : { structure }).extract(page);
  if (!outcome.ok) throw new Error(outcome.reason);
  return outcome.value;
}

function label(document: Document, isContent: (at: number) => boolean): Document<LabelledLine> {
  const lines = document.lines.map((line, at): LabelledLine =>
    isContent(at) ? { ...line, label: "content", score: 1 } : { ...line, label: "boilerplate", score: 0 },
  );
  return { ...document, lines };
}

function readSource(slug: string): string {
  return decodePage(readFileSync(`${KINDS}/${slug}/source.html`), undefined).text;
}

/** Reads a page with its structure and the labels made by hand. */
function readPage(slug: string, structure: "keep" | undefined = "keep"): Document<LabelledLine> {
  const gold = readGold(`${KINDS}/${slug}`);
  return label(
    extract(readSource(slug), readAbout(slug).url, structure),
    (at) => gold[at]?.label === "content",
  );
}

interface MarkdownNode {
  readonly type: string;
  readonly depth?: number;
  readonly children?: readonly MarkdownNode[];
  readonly position?: {
    readonly start: { readonly offset?: number };
    readonly end: { readonly offset?: number };
  };
}

function parseMarkdown(markdown: string): MarkdownNode {
  // The parser's nodes are a union of many types, and all of them have these fields.
  return fromMarkdown(markdown, {
    extensions: [gfm(), math()],
    mdastExtensions: [gfmFromMarkdown(), mathFromMarkdown()],
  }) as MarkdownNode;
}

function countTypes(node: MarkdownNode, counts = new Map<string, number>()): Map<string, number> {
  counts.set(node.type, (counts.get(node.type) ?? 0) + 1);
  for (const child of node.children ?? []) countTypes(child, counts);
  return counts;
}

/** Lists paragraphs, headings, items, tables and code as they are written. */
function listBlocks(markdown: string): string[] {
  const { children = [] } = parseMarkdown(markdown);
  return children.map(({ position }) => markdown.slice(position?.start.offset, position?.end.offset));
}

describe("the fixture pages of all kinds", () => {
  it("are sixteen, in at least twelve languages, each with a statement of what it proves", () => {
    expect(slugs).toHaveLength(16);
    const languages = new Set(slugs.map((slug) => readAbout(slug).lang));
    expect(languages.size).toBeGreaterThanOrEqual(12);
    for (const slug of slugs) expect(readAbout(slug).proves.length).toBeGreaterThan(40);
  });
});

describe.each(slugs)("%s", (slug) => {
  const page = readPage(slug);
  const expected = readFile(slug, "expected.md");

  it("has the lines that were labelled by hand, with structure and without", () => {
    const gold = readGold(`${KINDS}/${slug}`).map(({ text, block }) => ({ text, block }));
    expect(page.lines.map(({ text, block }) => ({ text, block }))).toEqual(gold);
    expect(formatText(page)).toBe(formatText(readPage(slug, undefined)));
  });

  it("becomes the Markdown that a person wrote", () => {
    expect(formatMarkdown(page)).toBe(expected);
  });

  it("begins with its headline, and contains no remains of HTML", () => {
    const tree = parseMarkdown(expected);
    expect(tree.children?.[0]).toMatchObject({ type: "heading", depth: 1 });
    const inline = expected.replace(/```[^]*?```|`[^`\n]*`/g, "");
    expect(inline.match(/<(?!\/?su[bp]>|br>)[a-z/!]/gi)).toBeNull();
  });

  it("becomes HTML that gives the same Markdown when it is read again", () => {
    const written = formatHtml(page, { links: "drop" });
    const again = extract(`<body>${written}</body>`, "", "keep");
    expect(formatMarkdown(label({ ...again, meta: {} }, () => true))).toBe(expected);
  });

  it("becomes valid TEI with its emphasis, code, formulas and images", async () => {
    const sink = createMemorySink();
    const writer = TEI.create(sink, { ...OPTIONS, documents: "one", links: "keep", images: "keep" });
    await writer.write({ ...page, id: slug, url: "" });
    await writer.close();
    const xml = sink.bytes().toString();
    expect(checkTei(xml)).toEqual([]);
    const kinds = page.lines.flatMap(({ label, block, spans = [] }) =>
      label === "content" && block !== "pre" ? spans.map(({ kind }) => kind) : [],
    );
    const marks = [
      [kinds.includes("em") || kinds.includes("strong"), "<hi "],
      [kinds.includes("code"), "<code>"],
      [kinds.includes("math"), "<formula "],
      [kinds.includes("image"), "<graphic "],
    ] as const;
    for (const [isThere, mark] of marks) expect([mark, xml.includes(mark)]).toEqual([mark, isThere]);
  });

  it("becomes XML with the same number of headings, code elements and formulas", () => {
    const xml = formatXml(page, { links: "drop" });
    // oxlint-disable-next-line typescript/no-deprecated -- its successor is a package of its own
    expect(XMLValidator.validate(xml)).toBe(true);
    const { doc } = new XMLParser({ trimValues: false }).parse(xml) as { doc: { main: { "#text": string } } };
    expect(doc.main["#text"].trim()).toBe("");
    const counts = countTypes(parseMarkdown(expected));
    const count = (type: string): number => counts.get(type) ?? 0;
    const tags = (tag: string): number => xml.match(new RegExp(`<${tag}[ >]`, "g"))?.length ?? 0;
    expect(tags("head")).toBe(count("heading"));
    expect(tags("code")).toBe(count("code"));
    expect(tags("formula")).toBe(count("math") + count("inlineMath"));
    expect(tags("table")).toBe(count("table"));
    expect(tags("quote")).toBe(count("blockquote"));
  });
});

describe("links, images and front matter", () => {
  const full = slugs.filter((slug) => existsSync(`${KINDS}/${slug}/expected-full.md`));
  const cut = (markdown: string): readonly [string[], string] => {
    const [, front = "", body = ""] = /^---\n([^]*?)\n---\n\n([^]*)$/.exec(markdown) ?? [];
    return [front.split("\n"), body];
  };

  it.each(full)("are those of the page %s", (slug) => {
    const wishes = { links: "keep", images: "keep", frontMatter: true } as const;
    const [rows, body] = cut(formatMarkdown(readPage(slug), wishes));
    const [expectedRows, expectedBody] = cut(readFile(slug, "expected-full.md"));
    expect(body).toBe(expectedBody);
    // The rows that a person would write; the writer may add others.
    expect(expectedRows.length).toBeGreaterThan(3);
    expect(rows).toEqual(expect.arrayContaining(expectedRows));
  });

  it("are checked on at least three pages", () => {
    expect(full.length).toBeGreaterThanOrEqual(3);
  });
});

/** Measured with the labeller `page-6`: the F1 of the kept lines, and the share of blocks that are as a person wrote them. */
const MIN_LINE_F1 = 0.72;
const MIN_BLOCKS = 0.63;

describe("the shipped labeller", () => {
  let pipeline: Pipeline;
  beforeAll(async () => {
    pipeline = await createPipeline({ workers: 1, structure: "keep" });
  });
  afterAll(() => pipeline.close());

  async function clean(slug: string): Promise<Document<LabelledLine> | undefined> {
    const html = readFileSync(`${KINDS}/${slug}/source.html`);
    const content = { kind: "bytes", bytes: html, contentType: "text/html" } as const;
    const page: Page = { id: slug, url: readAbout(slug).url, content };
    async function* pages(): AsyncGenerator<TaggedPage<undefined>> {
      yield await Promise.resolve({ page: accept(page), tag: undefined });
    }
    for await (const { outcome } of pipeline.run(pages(), new AbortController().signal))
      return outcome.ok ? outcome.value : undefined;
    return undefined;
  }

  it("keeps most of the lines and blocks that a person would keep", async () => {
    const found = { f1: 0, blocks: 0 };
    const report: string[] = [];
    for (const slug of slugs) {
      const document = await clean(slug);
      const gold = readGold(`${KINDS}/${slug}`).filter((line) => line.label === "content");
      const kept = document?.lines.filter((line) => line.label === "content") ?? [];
      const f1 = scoreLines(
        kept.map(({ text }) => text),
        gold.map(({ text }) => text),
      );
      const written = new Set(document === undefined ? [] : listBlocks(formatMarkdown(document)));
      const blocks = listBlocks(readFile(slug, "expected.md"));
      const share = blocks.filter((block) => written.has(block)).length / blocks.length;
      found.f1 += f1 / slugs.length;
      found.blocks += share / slugs.length;
      report.push(`${slug} ${f1.toFixed(3)} ${share.toFixed(3)}`);
    }
    const rows = report.join("\n");

    expect(found.f1, rows).toBeGreaterThanOrEqual(MIN_LINE_F1);
    expect(found.blocks, rows).toBeGreaterThanOrEqual(MIN_BLOCKS);
  });
});

/** Returns the F1 of lines, counting repetitions. */
function scoreLines(kept: readonly string[], gold: readonly string[]): number {
  const left = new Map<string, number>();
  for (const text of gold) left.set(text, (left.get(text) ?? 0) + 1);
  let both = 0;
  for (const text of kept) {
    const count = left.get(text) ?? 0;
    if (count > 0) both += 1;
    left.set(text, count - 1);
  }
  return kept.length + gold.length === 0 ? 0 : (2 * both) / (kept.length + gold.length);
}
