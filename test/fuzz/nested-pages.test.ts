import { expect, it } from "vitest";
import type { Document, LabelledLine } from "../../src/document.js";
import { extractors } from "../../src/extract/registry.js";
import { parseQuickly } from "../../src/parse/quick-tree.js";
import { createRandom } from "../../src/random.js";
import { formatHtml } from "../../src/write/html.js";
import { formatMarkdown } from "../../src/write/markdown.js";
import { formatXml } from "../../src/write/xml.js";
import { pick, upTo } from "./random.js";

/** Tests pages of blocks that are nested at random; `THRESHER_FUZZ` and `THRESHER_SEED` are those of the other tests. */
const RUNS = Number(process.env["THRESHER_FUZZ"] ?? 300);
const SEED = Number(process.env["THRESHER_SEED"] ?? 1);
/** The tree of blocks that the writers build ends at a depth that the deepest of these pages reach. */
const DEPTHS = { least: 4, most: 20 };
const WRITERS = { formatMarkdown, formatHtml, formatXml };

const extractor = await extractors.page.create({ leftOut: "drop", structure: "keep" });

/** A page in which every word is another one. */
function nestBlocks(seed: number): { readonly html: string; readonly words: readonly string[] } {
  const random = createRandom(seed);
  const words: string[] = [];
  const word = (): string => {
    words.push(`w${words.length}q`);
    return words.at(-1)!;
  };
  const leaf = (): string =>
    pick(random, [
      () => `<p>${word()}</p>`,
      word,
      () => `<ul><li>${word()}<li>${word()}</ul>`,
      () => `<table><tr><td>${word()}<td>${word()}<tr><td>${word()}<td>${word()}</table>`,
      () => `<pre>${word()}\n${word()}</pre>`,
      () => `<dl><dt>${word()}<dd>${word()}</dl>`,
    ])();
  const wrap = (inner: string): string =>
    pick(random, [
      () => `<blockquote>${inner}</blockquote>`,
      () => `<table><tr><td>${inner}<td>${leaf()}<tr><td>${word()}<td>${word()}</table>`,
      () =>
        `<table><caption>${word()}</caption><tr><th>${word()}<th>${word()}<tr><td>${word()}<td>${inner}</table>`,
      () => `<ul><li>${word()}${inner}<li>${word()}</ul>`,
      () => `<ul><li>${word()}</li>${inner}</ul>`,
      () => `<ol><li>${inner}<li>${leaf()}</ol>`,
      () => `<dl><dt>${word()}<dd>${inner}<dt>${word()}</dl>`,
      () => `<figure>${inner}<figcaption>${word()}</figcaption></figure>`,
      () => `<details><summary>${word()}</summary>${inner}</details>`,
    ])();
  let html = leaf();
  for (let depth = DEPTHS.least + upTo(random, DEPTHS.most - DEPTHS.least); depth > 0; depth -= 1)
    html = `${upTo(random, 2) === 0 ? leaf() : ""}${wrap(html)}${upTo(random, 3) === 0 ? leaf() : ""}`;
  return { html, words };
}

function readLines(html: string): Document<LabelledLine> {
  const page = parseQuickly({ id: "", url: "https://example.org/", html, keeps: "structure and images" });
  const outcome = extractor.extract(page);
  if (!outcome.ok) throw new Error(outcome.reason);
  const lines = outcome.value.lines.map((line) => ({ ...line, score: 1, label: "content" as const }));
  return { ...outcome.value, lines };
}

it(`keeps every word of ${RUNS} pages of nested blocks in Markdown, HTML and XML`, () => {
  for (let run = 0; run < RUNS; run += 1) {
    const { html, words } = nestBlocks(SEED * 100_000 + run);
    const doc = readLines(html);
    const shown = new Set(doc.lines.flatMap(({ text }) => text.match(/w\d+q/g) ?? []));
    expect([...shown].toSorted(), html).toEqual(words.toSorted());
    for (const [name, write] of Object.entries(WRITERS)) {
      const written = new Set(write(doc, { links: "drop" }).match(/w\d+q/g));
      const lost = words.filter((word) => !written.has(word));
      expect(lost, `${name} of ${html}`).toEqual([]);
    }
  }
});
