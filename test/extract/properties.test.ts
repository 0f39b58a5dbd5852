import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { collapseSpace } from "../../src/extract/lines/text/characters.js";
import { walkLines } from "../../src/extract/lines/walk.js";
import { parseHtml } from "../../src/parse/standard-tree.js";
import type { ElementNode } from "../../src/document/tree.js";
import { splitWords } from "../../src/language/words.js";
import { linesOf, parse } from "./pages.js";

const TAGS =
  "p div b a i span ul li table tr td th pre br hr h2 button ruby rt section font script style textarea select center dl dt dd img form".split(
    " ",
  );

/** Random broken markup: tags open and close in any order, with words that can be told apart. */
const soup = fc
  .array(
    fc.oneof(
      { weight: 3, arbitrary: fc.nat(999).map((number) => `w${number}x`) },
      fc.constantFrom(
        " ",
        "\n",
        "\r\n",
        "&nbsp;",
        "&amp;",
        "caf&eacute;",
        "&shy;",
        "\u200b",
        "<!-- c -->",
        "&",
        "<",
        "\0",
        "漢字",
        "\n\n",
      ),
      { weight: 3, arbitrary: fc.constantFrom(...TAGS).map((tag) => `<${tag}>`) },
      { weight: 2, arbitrary: fc.constantFrom(...TAGS).map((tag) => `</${tag}>`) },
      fc.constantFrom(
        '<a href="/x">',
        "<div hidden>",
        '<p style="display:none">',
        '<li class="a b">',
        "</body>",
        "<table><tr><td>",
      ),
    ),
    { maxLength: 60 },
  )
  .map((parts) => parts.join(""));

const UNSEEN = new Set("head script style textarea select template noscript title".split(" "));

/** Reads the tree in the simplest way: the words of every text node that is not hidden. */
function wordsOf(element: ElementNode): string[] {
  const isHidden =
    UNSEEN.has(element.tag) ||
    element.attributes.has("hidden") ||
    element.attributes.get("style") === "display:none";
  if (isHidden) return [];
  return element.children.flatMap((child) => (child.kind === "text" ? [child.value] : wordsOf(child)));
}

const marked = (text: string): string[] => text.match(/w\d+x/g) ?? [];

describe("any page", () => {
  it("loses no word, repeats none and keeps the order", () => {
    fc.assert(
      fc.property(soup, (html) => {
        const page = parse(html);
        const expected = marked(wordsOf(page.root).join(""));
        expect(
          marked(
            walkLines(page)
              .map((line) => line.text)
              .join("\n"),
          ),
        ).toEqual(expected);
      }),
      { numRuns: 1_500 },
    );
  });

  it("gives lines in normal form", () => {
    fc.assert(
      fc.property(soup, (html) => {
        for (const { text, block, linkChars, links = [], path } of linesOf(html)) {
          expect(text.trim()).not.toBe("");
          expect(path).toMatch(/^body/);
          if (block === "tr")
            expect(
              text
                .split("\t")
                .map((cell) => cell.trim())
                .join("\t"),
            ).toBe(text);
          else if (block !== "pre" && !/>pre(?=[>.#[])/.test(path))
            expect(text).toBe(collapseSpace(text).trim());
          expect(linkChars).toBe(links.reduce((sum, link) => sum + link.end - link.start, 0));
          let end = 0;
          for (const link of links) {
            expect(link.start).toBeGreaterThanOrEqual(end);
            ({ end } = link);
          }
          expect(end).toBeLessThanOrEqual(text.length);
        }
      }),
      { numRuns: 800 },
    );
  });

  it("has spans whose source contains the words of the line", () => {
    fc.assert(
      fc.property(soup, (html) => {
        for (const line of linesOf(html)) {
          const [start, end] = line.span ?? [0, 0];
          expect(end).toBeGreaterThan(start);
          const source = html.slice(start, end);
          for (const word of marked(line.text)) expect(source).toContain(word);
          // A span has no white space at its ends, and cuts no word.
          expect(source.trim()).toBe(source);
        }
      }),
      { numRuns: 800 },
    );
  });

  it("gives the same lines when it is read again", () => {
    fc.assert(
      fc.property(soup, (html) => {
        expect(linesOf(html)).toEqual(linesOf(html));
      }),
      { numRuns: 100 },
    );
  });
});

describe("spans", () => {
  it("are exact without character references, and cover the line with them", () => {
    const slices = (html: string): string[] =>
      linesOf(html).map(({ span: [start, end] = [0, 0] }) => html.slice(start, end));
    expect(slices("<p>  one <b> two</b>\r\n</p><p>three<br> four ")).toEqual([
      "one <b> two",
      "three",
      "four",
    ]);
    expect(slices("<p> &laquo;Caf&eacute;&raquo; au lait &amp; <p>x")).toEqual([
      "&laquo;Caf&eacute;&raquo; au lait &amp;",
      "x",
    ]);
    expect(slices("<pre>\n&lt;a\r\n\r\n b &gt;\r\n</pre>")).toEqual(["&lt;a", "b &gt;"]);
    expect(slices("<table><tr><td> a <td> b </table>")).toEqual(["a <td> b"]);
  });

  it("give the same words when they are parsed again, on a page with CRLF and references", () => {
    const html =
      "<!doctype html>\r\n<ul>\r\n<li>F&uuml;r &lt;b&gt;\r\nzwei</li>\r\n<li><a href=x>&Uuml;ber&nbsp;uns</a></li></ul>";
    for (const line of linesOf(html)) {
      const [start, end] = line.span ?? [0, 0];
      const again = walkLines(parseHtml({ id: "", url: "", html: html.slice(start, end) }));
      expect(splitWords(again.map((part) => part.text).join(" "))).toEqual(splitWords(line.text));
    }
  });
});
