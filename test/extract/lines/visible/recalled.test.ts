import { describe, expect, it } from "vitest";
import { findElement } from "../../../../src/extract/elements.js";
import { isHiddenByPage } from "../../../../src/extract/lines/visible/visible.js";
import { walkPlainly } from "../../../../src/extract/lines/walk.js";
import { findAround } from "../../../../src/extract/around.js";
import { parse } from "../../pages.js";

const PROSE = "This is what the page says. ".repeat(20);

describe("isHidden of a walked page", () => {
  it.each([
    ["hidden boxes", `<div hidden><p hidden>a</p></div><p style="display:none">b</p><p>c</p>`],
    [
      "a copy for phones",
      `<p><span class="d-md-none">word<b hidden></b></span> <span class="d-none d-md-inline">word</span>`,
    ],
    ["a curtain", `<body style="visibility:hidden"><p>${PROSE}<p hidden>x`],
    [
      "the label of a paper",
      `<article class="ltx_document"><ul><li><span class="ltx_tag ltx_tag_item">•<b hidden></b></span> y`,
    ],
    ["numbers beside code", `<pre><div><div class="line-number">1<b hidden></b></div>y</div></pre>`],
    [
      "a bullet of Word",
      `<p class="MsoListParagraph" style="mso-list:l0 level1 lfo1"><span style="mso-list:Ignore">·<b hidden></b></span>y`,
    ],
  ])("is isHiddenByPage for elements outside of hidden ones, with %s", (_, html) => {
    const page = parse(html);
    const { isHidden } = walkPlainly(page, {});
    let hidden = 0;
    findElement(page.root, (element) => {
      if (findAround(element.parent, isHiddenByPage) !== undefined) return false;
      expect([element.tag, isHidden(element)]).toEqual([element.tag, isHiddenByPage(element)]);
      if (isHidden(element)) hidden += 1;
      return false;
    });
    expect(hidden).toBeGreaterThan(0);
  });
});
