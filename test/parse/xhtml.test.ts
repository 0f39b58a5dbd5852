import { describe, expect, it } from "vitest";
import { blankSelfClosed } from "../../src/parse/xhtml.js";
import { openReader } from "../../src/core/read-page.js";
import { expectLinear } from "../growth.js";
import { parseFast, parseSlowly, textsOf } from "./trees.js";

const XML = '<?xml version="1.0" encoding="utf-8"?>\n';
const DOCTYPE =
  '<!DOCTYPE html PUBLIC "-//W3C//DTD XHTML 1.0 Strict//EN" "http://www.w3.org/TR/xhtml1/DTD/xhtml1-strict.dtd">';
const NAMESPACE = '<html lang="en" xmlns="http://www.w3.org/1999/xhtml">';

/** Returns the text of both trees, without white space around it. */
function textOf(html: string): string {
  const [fast, slow] = [parseFast(html), parseSlowly(html)].map((page) =>
    textsOf(page)
      .map(({ value }) => value.trim())
      .filter((text) => text !== "")
      .join("|"),
  );
  expect(fast).toBe(slow);
  return fast ?? "";
}

describe("a self-closing element of XHTML", () => {
  it.each([
    ["script", '<script src="a.js"/>'],
    ["script", "<script\n  src='a>b.js'\n  type=\"text/javascript\" />"],
    ["style", "<style/>"],
    ["title", "<title />"],
    ["textarea", '<textarea name="q"/>'],
    ["iframe", '<IFRAME src="x" />'],
  ])("contains no following text: %s", (_, tag) => {
    for (const head of [XML, DOCTYPE, NAMESPACE])
      expect(textOf(`${head}<body><p>One.</p>${tag}<p>Two.</p>${tag}<p>Three.</p></body>`)).toBe(
        "One.|Two.|Three.",
      );
  });

  it.each([
    ["textarea", '<textarea name="q"/>', "<br/>"],
    ["textarea", '<textarea name="q" rows="2" />\n', "Two words."],
    ["iframe", '<iframe src="a.html"/>', "Behind it."],
    ["script", '<script src="a.js"/>', "\n<i>Code?</i>"],
    ["style", "<style/>", "<b>Bold.</b>"],
    ["noembed", "<noembed/>", ""],
  ])("contains no following text without an XHTML declaration if it has no end tag: %s", (_, tag, after) => {
    for (const tags of [1, 3]) {
      const page = `<!doctype html><body><p>One.</p>${`${tag}${after}<p>Two.</p><div/>`.repeat(tags)}`;
      expect(textOf(page)).toBe(textOf(page.replaceAll(tag, " ".repeat(tag.length))));
    }
  });

  it("does not contain the whole page if it is in the head", () => {
    const head = '<html><head><title/><script src="a.js"/><meta charset="utf-8"/></head>';
    for (const page of [head, head.replace("<title/>", ""), head.replace(/<script.*?>/, "")])
      expect(textOf(`${page}<body><p>One.</p></body></html>`)).toBe("One.");
  });

  it("stays open if the page is HTML or an end tag follows", () => {
    for (const [tag, content, end] of [
      ['<iframe src="a">', "<p>Two.</p>", ""],
      ['<textarea name="/">', "Two. /", ""],
      ['<iframe src="a"/>', "<p>Two.</p>", "</iframe>"],
      ['<script src="a"/>', 'document.write("<p>Two.</p>")', ""],
    ])
      expect(textOf(`<!doctype html><body><p>One.</p>${tag}${content}${end}`)).toBe(`One.|${content}`);
    for (const body of ['<script src="a"/>code();</script><p>One.</p>', "<style />a{}</style><p>One.</p>"]) {
      expect(blankSelfClosed(NAMESPACE + body)).toBe(NAMESPACE + body);
      expect(textOf(NAMESPACE + body)).toMatch(/\|One\.$/);
    }
    for (const body of ["<script src=/a/>x</script>", "<script/ >", "<script a=b/>", "<scripts/>"])
      expect(blankSelfClosed(NAMESPACE + body)).toBe(NAMESPACE + body);
  });

  it("is closed where the next element of that name begins, even if that one has an end tag", () => {
    const page = `${NAMESPACE}<script src="a"/><p>One.</p><script>code();</script><p>Two.</p>`;
    expect(textOf(page)).toBe("One.|code();|Two.");
  });

  it.each(["page", "body", "readability"] as const)("does not change spans, with %s", async (extractor) => {
    const text =
      "The ferry to the islands leaves twice a day until October, and once a day in winter. ".repeat(4);
    const html = `${XML}${DOCTYPE}${NAMESPACE}<head><script src="a.js"/></head><body><h1>Ferries</h1><p>${text}</p></body></html>`;
    const outcome = (await openReader(extractor, { leftOut: "drop" }))({
      id: "x",
      url: "",
      content: { kind: "html", html },
    });
    if (!outcome.ok) throw new Error(outcome.reason);
    const { lines, notes } = outcome.value;
    expect([lines.at(-1)?.text, notes]).toEqual([text.trim(), []]);
    for (const line of lines) expect(html.slice(...(line.span ?? [0, 0])).trim()).toBe(line.text);
  });

  it("is found in linear time", async () => {
    for (const piece of ["<script ", "<script/>", '<script a="b"', "<title a = ", "<style\t"])
      await expectLinear(
        1 << 20,
        (size) => NAMESPACE + piece.repeat(size / piece.length),
        (html) => blankSelfClosed(html),
      );
  });
});
