import { describe, expect, it } from "vitest";
import { walkLines, walkPlainly } from "../../src/extract/lines/walk.js";
import { readStatements } from "../../src/extract/metadata/metadata.js";
import { linesOf, parse } from "./pages.js";
import { expectLinear } from "../growth.js";

const count = (length: number, markup: (at: number) => string): string =>
  Array.from({ length }, (_, at) => markup(at)).join("");

describe("pages whose text is elsewhere", () => {
  it.each([
    [
      "frames",
      '<frameset cols="1,2"><frame src=a><frame src=b><noframes><p>No frames? <a href=b>Go</a></noframes></frameset>',
    ],
    [
      "a script",
      "<!doctype html><title>App</title><noscript>Turn it on.</noscript><div id=root></div><script>'<p>x'</script>",
    ],
  ])("have no lines: %s", (_name, html) => {
    expect(linesOf(html)).toEqual([]);
  });
});

describe("pages of many lines", () => {
  it("may have a table of 10,000 rows", () => {
    const lines = linesOf(
      `<table>${count(10_000, (at) => `<tr><td>${at}<td><a href=r${at}>b</a> c<td>`)}</table>`,
    );
    expect(lines).toHaveLength(10_000);
    expect(lines[9_999]).toMatchObject({
      text: "9999\tb c",
      block: "tr",
      path: "body>table>tbody>tr",
      links: [{ start: 5, end: 6, href: "r9999" }],
      breakBefore: "line",
    });
  });

  it("may have 50,000 line breaks, with and without text between them", () => {
    const lines = linesOf(`<p>${count(50_000, (at) => `${at}<br>`)}`);
    expect(lines).toHaveLength(50_000);
    expect(lines[49_999]).toMatchObject({ text: "49999", path: "body>p", breakBefore: "line" });
    expect(linesOf(`<p>a${"<br>".repeat(50_000)}b`).map(({ breakBefore }) => breakBefore)).toEqual([
      "block",
      "block",
    ]);
    const [pre] = linesOf(`<pre>${"a<br>".repeat(50_000)}b`);
    expect(pre?.text).toBe(`${"a\n".repeat(50_000)}b`);
  });

  it("may have a pre in which each line is a block, in linear time", async () => {
    await expectLinear(
      30_000,
      (size) => parse(`<pre>${count(size, (at) => `<div>a${at}</div>`)}</pre>`),
      (page) => walkPlainly(page, { structure: "keep" }),
    );
  });

  it.each(["\n", "\r", "\r\n", " \n"])("may have 3.4 million times %j in a pre", (end) => {
    const [blank, ...none] = linesOf(`<pre>a${end.repeat(3_400_000)}b</pre>`);
    expect(none).toEqual([expect.objectContaining({ text: "b" })]);
    expect(blank?.text.trimEnd()).toBe("a");
  });

  it("lose nothing if their pre blocks have more pieces than the limit for cutting", () => {
    const lines = linesOf("<pre>a\n\nb</pre>".repeat(100) + `<pre>${"x\n\n".repeat(400_000)}`);
    expect(lines).toHaveLength(300_000);
    expect(lines.at(-1)?.text).toHaveLength(3 * (400_000 - 299_799) - 2);
  });
});

describe("cost grows linearly with the page", () => {
  it.each<[string, string, number]>([
    ["100,000 lines", "<p class=a>some <b>text</b> here".repeat(100_000), 100_000],
    ["10 MB of one line", "lorem ipsum dolor sit amet ".repeat(400_000), 1],
    ["white space", `<p>a${" ".repeat(5_000_000)}b${"\n\t".repeat(2_500_000)}c`, 1],
    ["depth", "<div class=a>x".repeat(50_000), 50_000],
    ["links in one line", "<a href=x>b</a>".repeat(100_000), 1],
    ["ruby in one line", `<ruby>${"a<rt></rt>b<rt>c</rt>".repeat(50_000)}`, 1],
    ["lines below nested tables", `${"<table><tr><td>x<td>".repeat(120)}${"<p>z".repeat(100_000)}`, 100_120],
    ["blocks of pre", `<pre>${"<b>a</b>\n\n".repeat(100_000)}`, 100_000],
    ["hidden boxes", `y${"<div style=visibility:hidden>x</div>".repeat(60_000)}`, 1],
    [
      "screen-reader text with twins",
      `<p>8${"<span class=sr-only>a</span><span aria-hidden=true><b></b>b</span> ".repeat(60_000)}`,
      1,
    ],
    [
      "copies for phones in each other",
      "<div class=hidden-xs>b</div><div class=visible-xs>a".repeat(20_000),
      40_000,
    ],
    [
      "notes of a paper",
      `<article class=ltx_document><p>x${"<span class=ltx_note_outer></span>".repeat(100_000)}`,
      1,
    ],
    ["lists in lists", `${"<ul><li>".repeat(20_000)}x`, 1],
    [
      "attributes",
      `<p class="${"a ".repeat(1e6)}" style="${"a:b;".repeat(1e6)}" itemprop="${"a ".repeat(1e6)}">x`,
      1,
    ],
  ])("with %s", async (_name, html, expected) => {
    let lines = 0;
    // Parsing is not measured.
    await expectLinear(
      html.length,
      (size) => parse(html.slice(0, size)),
      (page) => {
        lines = walkLines(page).length;
        readStatements(page);
      },
    );
    // The last run measures the whole page.
    expect(lines).toBe(expected);
  });

  it.each([
    ["buttons of one heading", `<h2>${"<button>a</button> ".repeat(8_000)}`],
    ["anchors of one heading", `<h2>${"<a class=anchor href=#x>a b</a> ".repeat(8_000)}`],
    ["parts of one formula", `<p><math>${`<mtext>${"x".repeat(450)}</mtext>`.repeat(1_900)}`],
    ["texts of one listing", `<div class=fragment>${" <!---->".repeat(20_000)}<div class=line>x</div></div>`],
  ])("%s", async (_name, html) => {
    await expectLinear(
      html.length,
      (size) => parse(html.slice(0, size)),
      (page) => walkPlainly(page, { structure: "keep" }),
    );
  });
});
