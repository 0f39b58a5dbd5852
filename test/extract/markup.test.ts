import { describe, expect, it } from "vitest";
import fc from "fast-check";
import { createBodyExtractor } from "../../src/extract/body.js";
import {
  CONTAINERS,
  countMarkup,
  nextTag,
  readDocumentType,
  startTagScan,
} from "../../src/extract/markup.js";
import type { MarkedDocument } from "../../src/document/markup-counts.js";
import { parseQuickly } from "../../src/parse/quick-tree.js";
import { expectLinear } from "../growth.js";

function read(html: string): MarkedDocument {
  const outcome = createBodyExtractor().extract(parseQuickly({ id: "p", url: "", html }));
  if (!outcome.ok) throw new Error(outcome.reason);
  return countMarkup(outcome.value, html);
}

function tags(html: string): string[] {
  const found: string[] = [];
  const scan = startTagScan(html);
  while (scan.start < html.length) {
    found.push(html.slice(scan.start, scan.end));
    nextTag(scan);
  }
  return found;
}

describe("nextTag", () => {
  it("finds tags, comments and doctypes, and ignores text", () => {
    expect(tags("<!DOCTYPE html><P>a < b &lt; c<br/>1<2<!-- <b> --></P>")).toEqual([
      "<!DOCTYPE html>",
      "<P>",
      "<br/>",
      "<!-- <b> -->",
      "</P>",
    ]);
  });

  it("ignores > in quoted values, and quotes that do not begin a value", () => {
    expect(tags(`<a title="x > y" alt='>'>b</a>`)).toEqual([`<a title="x > y" alt='>'>`, "</a>"]);
    expect(tags(`<a it's>b</a>`)).toEqual([`<a it's>`, "</a>"]);
  });

  it("skips scripts, styles and SVG drawings with their contents", () => {
    expect(tags(`<p><SCRIPT>"<b>"</script ><style>a>b{}</style><svg><path/></svg><svg/>x</p>`)).toEqual([
      "<p>",
      "</p>",
    ]);
    expect(tags("<p><svg>x<b>")).toEqual(["<p>", "<svg>", "<b>"]);
  });

  it("takes the rest of the page as a tag that never ends", () => {
    expect(tags(`a<b c="d`)).toEqual([`<b c="d`]);
    expect(tags("a<!-- b <i>")).toEqual(["<!-- b <i>"]);
    expect(tags("a<!-->b<i>")).toEqual(["<!-->", "<i>"]);
  });

  it("always advances and ends, whatever the source", () => {
    const piece = fc.constantFrom(
      "<",
      ">",
      "</",
      "<!--",
      "-->",
      '"',
      "'",
      "=",
      "svg",
      "script",
      "a ",
      "/",
      "é",
    );
    fc.assert(
      fc.property(fc.array(piece, { maxLength: 60 }), (pieces) => {
        const html = pieces.join("");
        let before = 0;
        const scan = startTagScan(html);
        while (scan.start < html.length) {
          expect(scan.start).toBeGreaterThanOrEqual(before);
          expect(scan.end).toBeGreaterThan(scan.start);
          before = scan.end;
          nextTag(scan);
        }
        expect(scan.end).toBe(html.length);
      }),
    );
  });

  it.each(["<svg>", "<script", '<a b="', "<!--", "<a b='\"", "</"])(
    "takes linear time on many %s",
    async (piece) => {
      await expectLinear(
        200_000,
        (size) => piece.repeat(size),
        (html) => {
          const scan = startTagScan(html);
          while (scan.start < html.length) nextTag(scan);
        },
      );
    },
  );
});

describe("countMarkup", () => {
  it("gives each line the markup of its own block", () => {
    const { lines, markup } = read(
      "<body><div></div><div><p>One <b>two</b></p><p class=x>Three<br>four</p>five</div></body>",
    );
    expect(lines.map((line) => [line.text, line.markup])).toEqual([
      ["One two", { chars: 10, opening: 2, closing: 1, emptyBlocks: 3, isAfterClosing: false }],
      ["Three", { chars: 11, opening: 1, closing: 0, emptyBlocks: 1, isAfterClosing: false }],
      ["four", { chars: 4, opening: 1, closing: 0, emptyBlocks: 0, isAfterClosing: false }],
      ["five", { chars: 4, opening: 0, closing: 1, emptyBlocks: 0, isAfterClosing: true }],
    ]);
    expect(markup).toEqual({ type: "other", chars: 68 });
  });

  it("counts the tags of a row in its line", () => {
    const { lines } = read("<table><tr><td>a</td><td>b</td></tr></table><p>c</p>");
    expect(lines.map((line) => [line.text, line.markup.opening, line.markup.closing])).toEqual([
      ["a\tb", 2, 1],
      ["c", 1, 0],
    ]);
  });

  it("changes nothing else, and keeps lines without a span", () => {
    const html = "<p>a</p><p>b</p>";
    const document = read(html);
    const bare = document.lines.map(
      ({ span, markup, ...line }) => (expect([span, markup]).toBeDefined(), line),
    );
    const counted = countMarkup({ ...document, lines: bare }, html);
    expect(counted.lines.map(({ text }) => text)).toEqual(["a", "b"]);
    expect(counted.lines.map(({ markup }) => markup.chars)).toEqual([0, 0]);
    expect(counted.markup.chars).toBe(14);
  });

  it("adds up to no more than the page's markup, whatever the page", () => {
    const piece = fc.constantFrom(
      "<p>",
      "</p>",
      "<div>",
      "</div>",
      "<b>",
      "</b>",
      "<td>",
      "<br>",
      "<li>",
      "a",
      " ",
      "<!--",
      "-->",
      "&amp;",
    );
    fc.assert(
      fc.property(fc.array(piece, { maxLength: 40 }), (pieces) => {
        const { lines, markup } = read(`<p>x</p>${pieces.join("")}`);
        const sum = lines.reduce((chars, line) => chars + line.markup.chars, 0);
        expect(sum).toBeLessThanOrEqual(markup.chars);
        expect(lines.every((line) => line.markup.emptyBlocks >= 0)).toBe(true);
      }),
    );
  });
});

describe("readDocumentType", () => {
  it.each([
    ["<!DOCTYPE html><p>", "html5"],
    ["\ufeff<!-- x --><!doctype HTML SYSTEM 'about:legacy-compat'>", "html5"],
    ['<?xml version="1.0"?>\n<!DOCTYPE html PUBLIC "-//W3C//DTD XHTML 1.0 Strict//EN" "x">', "xhtml"],
    ['<!DOCTYPE HTML PUBLIC "-//W3C//DTD HTML 4.01 Transitional//EN">', "html4"],
    ['<!DOCTYPE HTML PUBLIC "-//IETF//DTD HTML 2.0//EN">', "other"],
    ["<p>no type</p>", "other"],
  ])("reads %s as %s", (html, type) => {
    expect(readDocumentType(html)).toBe(type);
  });
});

it("does not look for a document type far into the page", () => {
  expect(readDocumentType(`${" ".repeat(3000)}<!DOCTYPE html>`)).toBe("other");
});

describe("CONTAINERS", () => {
  it("are lower-case tags, each once", () => {
    expect(CONTAINERS.size).toBe(13);
    for (const tag of CONTAINERS) expect(tag).toMatch(/^[a-z][a-z0-9]*$/);
  });
});
