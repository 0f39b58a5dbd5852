import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { parse } from "yaml";
import { formatMarkdown } from "../../../src/write/markdown.js";
import { read } from "./pages.js";
import { document, line } from "../documents.js";

/** Returns the text between the two lines of dashes. */
function frontOf(markdown: string): string {
  const front = /^---\n([^]*?\n)---\n\n/.exec(markdown)?.[1];
  if (front === undefined) throw new Error(`no front matter: ${markdown}`);
  return front;
}

describe("front matter", () => {
  it("is YAML with the metadata of the page", () => {
    const html =
      '<html lang=sv><title>Bron: "en" #1</title><meta name=author content="Åsa Ek"><meta name=keywords content="broar, yes, 1.0"><p>Text.</p>';
    expect(parse(frontOf(formatMarkdown(read(html), { frontMatter: true })))).toEqual({
      title: 'Bron: "en" #1',
      author: "Åsa Ek",
      lang: "sv",
      tags: ["broar", "yes", "1.0"],
      url: "https://example.org/a/page",
    });
  });

  it("has its rows in the same order, wherever the language comes from", () => {
    const meta = { title: "T", author: "A", site: "S", type: "article" };
    for (const given of [
      { ...meta, lang: "sv" },
      { lang: "sv", ...meta },
    ])
      expect(
        frontOf(formatMarkdown(document([line("Text.")], { url: "", meta: given }), { frontMatter: true })),
      ).toBe('title: "T"\nauthor: "A"\nsite: "S"\nlang: "sv"\ntype: "article"\n');
  });

  it("is missing if it was not requested or there are no metadata", () => {
    expect(formatMarkdown(read("<title>T</title><p>Text."))).not.toContain("---");
    expect(formatMarkdown(document([line("Text.")], { url: "" }), { frontMatter: true })).toBe("Text.\n");
  });

  it("escapes characters that YAML forbids", () => {
    const doc = document([line("Text.")], { url: "", meta: { title: "a\ufffeb\uffff\u0085" } });
    expect(frontOf(formatMarkdown(doc, { frontMatter: true }))).toBe('title: "a\\ufffeb\\uffff\\u0085"\n');
  });

  it("is read back unchanged, whatever the metadata contain", () => {
    const value = fc.oneof(
      fc.string({ unit: "grapheme" }),
      fc.string({ unit: "binary" }),
      fc.constantFrom(
        "---",
        "\n---\n",
        "yes",
        "~",
        "1e3",
        "2020-01-02",
        "&a",
        "*a",
        "!!js",
        "#",
        "- a",
        "\u2028\u0085",
      ),
    );
    fc.assert(
      fc.property(value, fc.array(value, { maxLength: 3 }), (title, tags) => {
        const doc = document([line("Text.")], { url: "", meta: { title, tags } });
        const front = frontOf(formatMarkdown(doc, { frontMatter: true }));
        expect(parse(front)).toEqual({ title, ...(tags.length > 0 && { tags }) });
      }),
      { numRuns: 2_000 },
    );
  });
});
