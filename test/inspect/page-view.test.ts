import { describe, expect, it } from "vitest";
import { showPage } from "../../src/inspect/page-view.js";
import type { Line } from "../../src/document.js";
import { expectLinear } from "../growth.js";

const line = (text: string, span: readonly [number, number]): Line => ({
  ...{ text, span, block: "p", path: "body>p", linkChars: 0, breakBefore: "block" },
});

describe("a displayed page", () => {
  it("has the positions of its lines", () => {
    const html = "<p>One <b>line</b></p><p>and another</p>";
    const at = html.indexOf("and");
    const shown = showPage(html, [line("One line", [3, 18]), line("and another", [at, at + 11])]);
    expect(shown).toContain('<span data-line="0">One </span><b><span data-line="0">line</span></b>');
    expect(shown).toContain('<p><span data-line="1">and another</span></p>');
  });

  it("has the position of each line in a text of several", () => {
    const html = "<pre>let a;\n\nlet b;</pre>";
    const [first, second] = [html.indexOf("let a"), html.indexOf("let b")];
    const shown = showPage(html, [line("let a;", [first, first + 6]), line("let b;", [second, second + 6])]);
    expect(shown).toContain('<pre><span data-line="0">let a;\n\n</span><span data-line="1">let b;</span>');
  });

  it.each([
    "<x-card><slot name=a>TEXT</slot></x-card>",
    "<x-card><template shadowrootmode=open><p>TEXT</p></template></x-card>",
    "<dialog open>TEXT</dialog>",
    "<xmp>TEXT</xmp>",
    "<listing>TEXT</listing>",
    "<plaintext>TEXT",
    "<p><math><msup><mi>TEXT</mi><mn>2</mn></msup></math>",
  ])("shows the text of a line in %s", (given) => {
    const html = given.replace("TEXT", "A text.");
    const at = html.indexOf("A text.");
    expect(showPage(html, [line("A text.", [at, at + 7])])).toContain('<span data-line="0">A text.</span>');
  });

  it("has formulas", () => {
    const formula = '<math display="block"><semantics><msup><mi>x</mi><mn>2</mn></msup></semantics></math>';
    const source = formula.replace("</semantics>", "<annotation>TeX</annotation><mphantom>y</mphantom>$&");
    expect(showPage(source, [])).toContain(formula);
  });

  it.each(["<template>TEXT</template>", "<dialog>TEXT</dialog>"])("leaves out %s", (html) => {
    expect(showPage(html, [])).not.toContain("TEXT");
  });

  it.each([
    ["<script>alert(1)</script>", /script|alert/],
    ['<a href="javascript:alert(1)" onclick="alert(2)">x</a>', /alert|href/],
    ['<base href="//evil/"><meta http-equiv=refresh content="0;url=//evil/">', /evil/],
    [
      '<img src="//evil/a" srcset="//evil/b" onerror=alert(1) alt="a &quot; onload=x">',
      /evil|onerror|" onload/,
    ],
    ['<link rel=preload href="//evil/"><iframe src="//evil/" srcdoc="<p>evil"></iframe>', /evil/],
    [
      '<form action="//evil/"><input autofocus onfocus=alert(1)><button formaction="//evil/">',
      /evil|alert|<form|<input|<button/,
    ],
    ['<svg><a xlink:href="//evil/"><image href="//evil/"></svg><math href="//evil/"><mi>x', /evil/],
    [
      "<math><mtext><table><mglyph><style><!--</style><img title='--&gt;<img src=x onerror=alert(1)>'>",
      /onerror/,
    ],
    [
      "<math><annotation-xml encoding=text/html><script>alert(1)</script></annotation-xml><maction href=//evil/>",
      /alert|evil/,
    ],
    ["<style>p{background:url(//evil/)}@import '//evil/';@font-face{src:url(//evil/)}</style>", /evil/],
    ["<style>p{background:u\\72l(//evil/)} p{background:url/**/(//evil/)}</style>", /u\\72l|url/],
    ["<p style=\"background:url('//evil/')\" background=//evil/ ping=//evil/>x", /evil/],
    ["<style></style><![CDATA[</style><script>alert(1)</script>", /<script/],
    ['<noscript><p title="</noscript><img src=x onerror=alert(1)>">', /<img|onerror/],
    ["<template><script>alert(1)</script></template><textarea></textarea><script>alert(2)</script>", /alert/],
    ["<svg><style><!--</style><img src=x onerror=alert(1)>-->", /onerror/],
    ["<video poster=//evil/ src=//evil/><source src=//evil/></video><object data=//evil/></object>", /evil/],
  ])("removes everything active from %s", (html, wrong) => {
    const shown = showPage(`<p>Before</p>${html}<p>Behind`, []);
    const body = shown.slice(shown.indexOf("</style><style>"));
    expect(body).toContain("Before");
    expect(shown.replace(/<style>\nhtml \{[\s\S]*?<\/style>/, "")).not.toMatch(wrong);
    expect(shown.match(/<\/style>/g)).toHaveLength(2);
  });

  it.each(["/*", "url ", "{", "<p style='color:red'>x", "<div>"])(
    "takes time linear in the size of a page with many: %s",
    async (piece) => {
      const make = (count: number): string =>
        `<style>${piece.repeat(count)}</style><body style="${piece.repeat(50)}">${piece.repeat(count)}`;
      await expectLinear(20_000, make, (html) => showPage(html, []));
    },
  );
});
