import { describe, expect, it } from "vitest";
import { parseQuickly } from "../../src/parse/quick-tree.js";
import { parseFast } from "./trees.js";
import { expectLinear } from "../growth.js";

const numbered = (count: number, write: (index: number) => string): string =>
  Array.from({ length: count }, (_, index) => write(index)).join("");

/** Each input makes some parser quadratic or worse; `size` is about a thousand tags. */
const HOSTILE: readonly (readonly [string, (size: number) => string])[] = [
  ["a page of ordinary lines", (n) => "<p class=x>line of <b>text</b> &amp; more</p>\n".repeat(400 * n)],
  ["angles", (n) => "<".repeat(20_000 * n)],
  ["ampersands", (n) => "&a&".repeat(10_000 * n)],
  ["references in one word", (n) => "&amp;".repeat(5_000 * n)],
  ["references in many words", (n) => "&amp; ".repeat(2_000 * n)],
  ["a reference that does not exist", (n) => "&CounterClockwiseContour".repeat(1_000 * n)],
  ["NUL and CR in pre", (n) => `<pre>${"a\0b\r\n".repeat(2_000 * n)}`],
  ["breaks", (n) => "<br>".repeat(2_000 * n)],
  ["nested blocks", (n) => "<div>x".repeat(1_000 * n)],
  ["nested and closed blocks", (n) => `${"<div>".repeat(1_000 * n)}${"</div>".repeat(1_000 * n)}`],
  ["nested lists", (n) => "<ul><li>x".repeat(500 * n)],
  ["nested tables", (n) => "<table><tr><td>x".repeat(500 * n)],
  ["misplaced text in a table", (n) => "<table>x<tr>y<td>z</tr>".repeat(500 * n)],
  ["one table with much misplaced text", (n) => `<table>${"x<tr><div>y</div>".repeat(500 * n)}`],
  ["unclosed formatting", (n) => "<p><b>x".repeat(500 * n)],
  ["unclosed formatting of all kinds", (n) => numbered(300 * n, (i) => `<p><font size=${i}>x`)],
  ["unclosed formatting without blocks", (n) => numbered(1_000 * n, (i) => `<font size=${i}>`)],
  ["unclosed links around blocks", (n) => "<a href=x><div>x".repeat(500 * n)],
  ["crossed formatting", (n) => "<b><i><u><em><p>x</b></i></u></em>".repeat(200 * n)],
  [
    "formatting closed in the wrong order",
    (n) => `${numbered(500 * n, (i) => `<b id=${i}><div>`)}${"</b>".repeat(500 * n)}`,
  ],
  ["a formatted block that is closed again and again", (n) => `<b><i><div>${"<br></b>".repeat(500 * n)}`],
  [
    "end tags deferred by a table",
    (n) => `<p><b><table><td>${"<div>".repeat(400)}${"</p></b>".repeat(500 * n)}`,
  ],
  ["end tags without a start", (n) => "</p></br></div></b></x>".repeat(500 * n)],
  ["end tags with different names", (n) => `<x>${numbered(1_000 * n, (i) => `</y${i}>`)}`],
  ["elements with different names", (n) => numbered(1_000 * n, (i) => `<y${i}></y${i}>`)],
  ["attributes", (n) => `<p ${numbered(2_000 * n, (i) => `a${i}=1 `)}>x`],
  ["bodies", (n) => numbered(1_000 * n, (i) => `<body id=${i} class=${i}>`)],
  ["unclosed quotes", (n) => '<a b="'.repeat(2_000 * n)],
  ["unclosed comments", (n) => "<!-- - --".repeat(2_000 * n)],
  ["unclosed bogus tags", (n) => "</ <? <! ".repeat(2_000 * n)],
  ["scripts", (n) => "<script>a</scrip></script>".repeat(1_000 * n)],
  ["unclosed scripts", (n) => "<script><!-- </script <script".repeat(1_000 * n)],
  ["comments in scripts", (n) => "<script><!--<script></script>x".repeat(1_000 * n)],
  ["forms closed too early", (n) => "<form><div></form>".repeat(500 * n)],
  ["unclosed SVG", (n) => "<svg><g></p>".repeat(500 * n)],
  ["unclosed objects", (n) => "<object><b>x".repeat(500 * n)],
  ["unclosed selects", (n) => "<select><option>x<div>".repeat(500 * n)],
  ["unclosed templates", (n) => "<template><tr>x".repeat(500 * n)],
];

describe("cost grows linearly", () => {
  it.each(HOSTILE)("with %s", async (_name, write) => {
    await expectLinear(16, write, parseFast);
  });

  it("on the largest pages, and all text is kept", () => {
    const lines = numbered(100_000, (i) => `<div class="line"><p>line ${i} of a very long page</p></div>\n`);
    const html = `<!doctype html><title>x</title>${lines}${"<div>".repeat(50_000)}${"<br>".repeat(50_000)}${"<".repeat(1_000_000)}${"<font color=red>".repeat(3_750)}end`;
    const page = parseFast(html.padEnd(10_000_000, " x"));
    expect(page.notes).toEqual(["elements-capped", "depth-capped"]);
    expect(page.elements).toBeLessThanOrEqual(300_001);
    expect(page.depth).toBeLessThanOrEqual(512);
    const texts: string[] = [];
    const open = [...page.root.children].reverse();
    for (let node = open.pop(); node !== undefined; node = open.pop()) {
      if (node.kind === "text") texts.push(node.value);
      else for (const child of [...node.children].reverse()) open.push(child);
    }
    const text = texts.join("");
    expect(text).toContain("line 99999 of a very long page");
    expect(text).toContain("end x x x");
  });

  it("with bodies that each have a new attribute, where all attributes are kept", async () => {
    await expectLinear(
      4_000,
      (n) => numbered(n, (i) => `<body x${i}=1>`),
      (html) => parseQuickly({ id: "x", url: "", html, keeps: "all" }),
    );
  });
});
