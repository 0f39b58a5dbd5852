import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { walkLines } from "../../src/extract/lines/walk.js";
import { elementsOf, inkOf, nodesOf, parseFast, parseSlowly, sketch, textsOf } from "./trees.js";

const INLINE = "a b i em font span nobr code x-y".split(" ");
const BLOCKS =
  "p div section ul ol li dl dt dd h1 h2 pre hr br center form button address blockquote ruby rt rp object".split(
    " ",
  );
const TABLES = "table tr td th caption col colgroup input select option script".split(" ");
const OTHERS =
  "tbody thead html head body title meta style textarea iframe noscript svg math mi g foreignObject desc img image template marquee".split(
    " ",
  );

function soupOf(tags: readonly string[], maxLength: number): fc.Arbitrary<string> {
  const tag = fc.constantFrom(...tags);
  return fc
    .array(
      fc.oneof(
        { weight: 3, arbitrary: fc.nat(99).map((number) => `w${number} `) },
        { weight: 4, arbitrary: tag.map((name) => `<${name}>`) },
        { weight: 3, arbitrary: tag.map((name) => `</${name}>`) },
        tag.map((name) => `<${name.toUpperCase()} class="c &amp; d" hidden=x />`),
        fc.constantFrom(
          ..." |\r\n|&amp;|&eacute;x|&#150;|&|<|< 3|漢字|<!-- c -->|<!-- d|-->|<!doctype html>|</ >|<?x>|<![CDATA[y]]>|</p>|</br>".split(
            "|",
          ),
        ),
      ),
      { maxLength },
    )
    .map((parts) => parts.join(""));
}

const anything = soupOf([...INLINE, ...BLOCKS, ...TABLES, ...OTHERS], 60);

describe("any page", () => {
  it("has the same text as in the standard's tree", () => {
    fc.assert(
      fc.property(anything, (html) => {
        expect(inkOf(parseFast(html))).toBe(inkOf(parseSlowly(html)));
      }),
      { numRuns: 1_500 },
    );
  });

  it.each([
    ["text and blocks", [...INLINE, ...BLOCKS]],
    ["tables", [...TABLES, "p", "div", "b", "a"]],
  ])("has the same tree as the standard's for %s", (_name, tags) => {
    fc.assert(
      fc.property(soupOf(tags, 16), (html) => {
        // Only a doctype after another tag is read differently.
        const page = `<!doctype html>${html}`;
        expect(sketch(parseFast(page))).toBe(sketch(parseSlowly(page)));
      }),
      { numRuns: 1_500 },
    );
  });

  it("becomes a consistent tree with valid positions, also at the limits", () => {
    fc.assert(
      fc.property(
        anything,
        fc.integer({ min: 4, max: 40 }),
        fc.integer({ min: 4, max: 20 }),
        (html, most, deep) => {
          const page = parseFast(html, { maxElements: most, maxDepth: deep, maxAttributes: 2 });
          const nodes = nodesOf(page);
          expect(page.elements).toBe(elementsOf(page).length);
          expect(new Set(nodes).size).toBe(nodes.length);
          for (const node of nodes) {
            expect(node.parent?.children).toContain(node);
            if (node.kind === "element") continue;
            expect(node.start).toBeGreaterThanOrEqual(-1);
            expect(node.end).toBeLessThanOrEqual(html.length);
          }
        },
      ),
      { numRuns: 1_000 },
    );
  });

  it("has text that matches its source, in source order outside of tables", () => {
    fc.assert(
      fc.property(soupOf([...INLINE, ...BLOCKS, "textarea", "title"], 40), (html) => {
        let before = 0;
        for (const { value, start, end } of textsOf(parseFast(html))) {
          expect(start).toBeGreaterThanOrEqual(before);
          const source = html.slice(start, end);
          if (source.length === value.length)
            expect(value.replaceAll("\r", "\n")).toBe(source.replaceAll("\r", "\n"));
          else expect(source).toMatch(/&|\r\n/);
          before = end;
        }
      }),
      { numRuns: 800 },
    );
  });

  it("gives lines for any text", () => {
    fc.assert(
      fc.property(fc.string({ unit: "binary", maxLength: 300 }), (text) => {
        for (const line of walkLines(parseFast(`<p>${text}<`))) expect(line.text.trim()).not.toBe("");
      }),
      { numRuns: 500 },
    );
  });
});
