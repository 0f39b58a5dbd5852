import { readFileSync, readdirSync } from "node:fs";
import { Readability } from "@mozilla/readability";
import { describe, expect, it } from "vitest";
import { walkLines } from "../../../src/extract/lines/walk.js";
import { normaliseText } from "../../../src/extract/lines/text/characters.js";
import { createBodyExtractor } from "../../../src/extract/body.js";
import { buildDom } from "../../../src/extract/readability/dom.js";
import {
  createReadabilityExtractor,
  MAX_DEPTH,
  MAX_ELEMENTS,
} from "../../../src/extract/readability/readability.js";
import { extractors } from "../../../src/extract/registry.js";
import { decodePage } from "../../../src/parse/charset.js";
import { parse, unwrap } from "../pages.js";

const SENTENCE = "The mill stood by the river, and nobody could say how long, because the papers had burnt. ";
const chrome = (main: string): string =>
  `<!doctype html><title>T</title><div class="menu"><a href=/>Home</a> <a href=/b>Blog</a></div>
   <div id="content">${main}</div><div class="footer">Imprint</div>`;
const read = createReadabilityExtractor({ leftOut: "drop" });
/** Removes white space, and parentheses, because we add some around ruby. */
const letters = (text: string): string => normaliseText(text).replace(/[\s()（）]+/g, "");

describe("the readability extractor", () => {
  it("keeps the article and drops the rest, with path, block and span of the page", () => {
    const html = chrome(
      `<p>${SENTENCE.repeat(4)}</p><ul><li>One thing, at least</ul><p>${SENTENCE.repeat(4)}</p>`,
    );
    const { lines, notes } = unwrap(read.extract(parse(html)));
    expect(notes).toEqual([]);
    expect(lines.map((line) => [line.block, line.path])).toEqual([
      ["p", "body>div#content>p"],
      ["li", "body>div#content>ul>li"],
      ["p", "body>div#content>p"],
    ]);
    const [start = 0, end = 0] = lines[0]?.span ?? [];
    expect(html.slice(start, end)).toBe(SENTENCE.repeat(4).trim());
    expect(unwrap(createBodyExtractor().extract(parse(html))).lines).toEqual(
      expect.arrayContaining(lines.slice(1)),
    );
  });

  it("still knows the source of its text after several attempts", () => {
    // The text has under 500 characters, so that each attempt restores the page.
    const page = parse(chrome(`<p class="comment">${SENTENCE}</p><p>${SENTENCE}</p>`));
    const { lines, notes } = unwrap(read.extract(page));
    expect(notes).toEqual([]);
    expect(lines.filter((line) => line.text === SENTENCE.trim())).toHaveLength(2);
  });

  it("puts back the headline that Readability removes from the article, at its place in the page", () => {
    const html = `<!doctype html><title>The mill by the river – The Valley Post</title>
      <h1><a href="/">The Valley Post</a></h1><div class="menu"><a href=/>Home</a></div>
      <div id="content"><h1>The mill <em>by the</em> river</h1><p>${SENTENCE.repeat(4)}</p><p>${SENTENCE.repeat(4)}</p></div>`;
    const { lines } = unwrap(read.extract(parse(html)));
    expect(lines.map(({ block, text }) => [block, text.slice(0, 21)])).toEqual([
      ["h1", "The mill by the river"],
      ["p", "The mill stood by the"],
      ["p", "The mill stood by the"],
    ]);
  });

  it("keeps links that run scripts", () => {
    const { lines } = unwrap(
      read.extract(parse(chrome(`<p>${SENTENCE.repeat(8)}<a href="javascript:go()">more</a></p>`))),
    );
    expect(lines.at(-1)?.text).toMatch(/ more$/);
  });

  it.each([
    ["a server streams into a hidden box", 'hidden id="S:0"'],
    ["is in a tab panel", 'style="display:none" role=tabpanel'],
  ])("reads text that %s", (_, attributes) => {
    const { lines } = unwrap(
      read.extract(parse(`<p>Loading<div ${attributes}><p>${SENTENCE.repeat(8)}</p></div>`)),
    );
    expect(lines.some((line) => line.text.startsWith("The mill"))).toBe(true);
  });

  it.each([
    ["readability-skipped-depth", "<div>x".repeat(MAX_DEPTH + 1)],
    ["readability-skipped-elements", "<p>x</p>".repeat(MAX_ELEMENTS + 1)],
    ["readability-skipped-elements", `${"<div>".repeat(60)}${"<p>x</p>".repeat(20_000)}`],
    ["readability-found-nothing", '<body><div style="display:none">a</div><div aria-hidden="true">b</div>'],
  ])("falls back to every line with the note %s", (note, html) => {
    const page = parse(html);
    const { lines, notes } = unwrap(read.extract(page));
    expect(notes).toEqual([...page.notes, note]);
    expect(lines).toEqual(walkLines(page));
  });

  it("rejects a page without visible text", async () => {
    for (const html of ["", "<frameset><frame src=a></frameset>", "<p hidden>x", "<script>x</script>"]) {
      for (const { create } of Object.values(extractors)) {
        expect((await create({ leftOut: "drop" })).extract(parse(html))).toMatchObject({
          ok: false,
          reason: "no-lines",
        });
      }
    }
  });

  it("reads pages at the edge of its limits", () => {
    expect(unwrap(read.extract(parse("<div>x".repeat(MAX_DEPTH - 5)))).lines.length).toBeGreaterThan(0);
    const wide = ("<div>".repeat(40) + "x" + "</div>".repeat(40)).repeat(100);
    expect(unwrap(read.extract(parse(wide))).lines.length).toBeGreaterThan(0);
  });
});

describe.each(readdirSync("fixtures/pages"))("on the fixture %s", (slug) => {
  const { text } = decodePage(readFileSync(`fixtures/pages/${slug}/source.html`), undefined);

  it("gives the article of the original Readability, and lines with its words", () => {
    const page = parse(text);
    const ours = grab(page, "nodes");
    expect(ours).toBe(grab(page, "markup"));
    const { lines, notes } = unwrap(read.extract(page));
    if (ours === "") {
      expect(notes).toEqual(["readability-found-nothing"]);
      return;
    }
    expect(notes).toEqual([]);
    const join = (of: typeof lines): string => letters(of.map((line) => line.text).join(""));
    // Only the headline may be added to the article.
    const headline = lines.findIndex((line) => /^h[12]$/.test(line.block));
    const article = isSubsequence(join(lines), ours) ? lines : lines.filter((_, index) => index !== headline);
    const words = join(article);
    // Readability keeps some invisible text; the lines must contain no other text, in the same order and without repetition.
    expect(isSubsequence(words, ours)).toBe(true);
    expect(words.length).toBeGreaterThan(0.9 * ours.length);
  });
});

/** Returns the letters of Readability's article; its attempts restore the body from our nodes, or from markup as the original does. */
function grab(page: ReturnType<typeof parse>, restore: "nodes" | "markup"): string {
  const { document } = buildDom(page);
  if (restore === "markup") delete (document.body as { innerHTML?: string }).innerHTML;
  const serializer = (node: unknown): string => (node as { textContent: string }).textContent;
  return letters(new Readability(document, { serializer }).parse()?.content ?? "");
}

function isSubsequence(part: string, whole: string): boolean {
  let at = 0;
  for (const character of whole) if (part.startsWith(character, at)) at += character.length;
  return at === part.length;
}
