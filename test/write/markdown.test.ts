import { describe, expect, it } from "vitest";
import type { Document, Holder, LabelledLine } from "../../src/document.js";
import { formatAnnotatedMarkdown, formatMarkdown } from "../../src/write/markdown.js";
import { expectLinear } from "../growth.js";
import { document, line } from "./documents.js";

const markdown = (...lines: LabelledLine[]): string => formatMarkdown(document(lines));

describe("formatMarkdown", () => {
  it("writes headings, paragraphs and hard line breaks", () => {
    const text = markdown(
      line("Title", { block: "h2" }),
      line("rose"),
      line("is red", { breakBefore: "line" }),
    );
    expect(text).toBe("## Title\n\nrose  \nis red\n");
  });

  it("nests lists, and numbers ordered ones", () => {
    const li = (text: string, path: string, breakBefore: "line" | "block" = "line"): LabelledLine =>
      line(text, { block: "li", path, breakBefore });
    const text = markdown(
      li("one", "body>ol.steps>li", "block"),
      li("inner", "body>ol.steps>li>ul>li"),
      li("two", "body>ol.steps>li"),
    );
    expect(text).toBe("1. one\n   - inner\n2. two\n");
  });

  it("continues an item at its depth, and after an inner list with a new paragraph", () => {
    const li = (text: string, path: string, more: Partial<LabelledLine> = {}): LabelledLine =>
      line(text, { block: "li", path, breakBefore: "line", ...more });
    const further = { continuesItem: true } as const;
    const outer = "body>ol>li";
    const inner = "body>ol>li>ul>li";
    const text = markdown(
      li("one", outer),
      li("1. more", outer, further),
      li("inner", inner),
      li("still", inner, further),
      li("tail", outer, further),
      li("apart", outer, { ...further, breakBefore: "block" }),
      li("two", outer),
    );
    expect(text).toBe(
      "1. one  \n   1\\. more\n\n   - inner  \n     still\n\n   tail\n\n   apart\n\n2. two\n",
    );
    const code = line("npm i", { block: "pre" });
    expect(markdown(li("run", inner), code, li("then", inner, { ...further, breakBefore: "block" }))).toBe(
      "- run\n\n```\nnpm i\n```\n\nthen\n",
    );
  });

  it("keeps the item numbers of the page", () => {
    const li = (text: string, number: number): LabelledLine =>
      line(text, { block: "li", path: "body>ol>li", breakBefore: "line", number });
    expect(markdown(li("nine", 9), li("ten", 10), li("never", -3))).toBe("9. nine\n10. ten\n0. never\n");
  });

  it("keeps the contents of an item inside the item", () => {
    const at = (
      text: string,
      path: string,
      block: LabelledLine["block"],
      more: Partial<LabelledLine> = {},
    ): LabelledLine => line(text, { block, path, ...more });
    const text = markdown(
      at("install", "body>ol>li", "li", { number: 10 }),
      at("npm i\n\n  -g x", "body>ol>li>pre", "pre"),
      at("and read", "body>ol>li>p", "p"),
      at("Key\tValue", "body>ol>li>table>tr", "tr"),
      at("inner", "body>ol>li>ul>li", "li"),
      at("a note", "body>ol>li>ul>li>blockquote>p", "p"),
      at("run", "body>ol>li", "li", { number: 11 }),
      at("done", "body>p", "p"),
    );
    expect(text).toBe(
      [
        "10. install\n",
        "    ```\n    npm i\n\n      -g x\n    ```\n",
        "    and read\n",
        "    | Key | Value |\n    | --- | --- |\n",
        "    - inner\n",
        "      > a note\n",
        "11. run\n",
        "done\n",
      ].join("\n"),
    );
  });

  it("quotes lists and code, and does not indent an item whose outer item is missing", () => {
    const quoted = { path: "body>blockquote>ul>li", block: "li" } as const;
    const pre = line("a\n\nb", { path: "body>blockquote>pre", block: "pre" });
    expect(markdown(line("item", quoted), pre)).toBe("> - item\n>\n> ```\n> a\n>\n> b\n> ```\n");
    const deep = line("deep", { path: "body>ul>li>ul>li>ul>li", block: "li" });
    expect(markdown(deep, line("p"))).toBe("- deep\n\np\n");
  });

  it("keeps the indentation of code in a table", () => {
    const row = (text: string): LabelledLine => line(text, { block: "tr", breakBefore: "line" });
    expect(markdown(row("1\tif a:"), row("2\t    b | `c`"))).toBe(
      "| 1 | if a: |\n| --- | --- |\n| 2 | ``    b \\| `c` `` |\n",
    );
  });

  it("writes consecutive rows as one table, with a header as wide as the widest row", () => {
    const text = markdown(
      line("Name\tHeight", { block: "tr" }),
      line("a|b\t1 m\textra", { block: "tr", breakBefore: "line" }),
      line("Other\ttable", { block: "tr" }),
    );
    expect(text).toBe(
      "| Name | Height |  |\n| --- | --- | --- |\n| a\\|b | 1 m | extra |\n\n| Other | table |\n| --- | --- |\n",
    );
  });

  it("handles a page of backticks, and a table with one extremely wide row", () => {
    expect(markdown(line("` ".repeat(500_000), { block: "pre" })).slice(0, 6)).toBe("```\n` ");
    const row = line("a\tb", { block: "tr", breakBefore: "line" });
    const wide = line("x\t".repeat(20_000), { block: "tr" });
    expect(markdown(wide, ...Array<typeof row>(20_000).fill(row)).length).toBeLessThan(1_000_000);
  });

  it.each<[string, Holder[]]>([
    ["figure", [{ tag: "figure" }]],
    ["summary", [{ tag: "details" }, { tag: "summary", parent: 0 }]],
    ["term", [{ tag: "dl" }, { tag: "dt", parent: 0 }]],
    ["definition", [{ tag: "dl" }, { tag: "dd", parent: 0 }]],
    ["tab panel", [{ tag: "panel", title: "Tab" }]],
    ["caption", [{ tag: "table" }, { tag: "caption", parent: 0 }]],
    ["cell", [{ tag: "table" }, { tag: "tr", parent: 0 }, { tag: "td", parent: 1 }]],
  ])("writes a %s of 200,000 paragraphs", { timeout: 30_000 }, (_, holders) => {
    const holder = holders.length - 1;
    const dash = line("-", { holder });
    const doc = document([line("First", { holder }), ...Array<typeof dash>(200_000).fill(dash)], { holders });
    expect(formatMarkdown(doc).match(/-/g)?.length).toBeGreaterThanOrEqual(200_000);
    expect(formatAnnotatedMarkdown(doc)).toContain("First");
  });

  it("fences code with more backticks than the code contains", () => {
    const pre = { block: "pre" as const, path: "body>pre" };
    const text = markdown(line("a ``` b\n\n", pre), line("  c", { ...pre, breakBefore: "line" }), line("d"));
    expect(text).toBe("````\na ``` b\n\n  c\n````\n\nd\n");
  });

  it("writes a > for each level of a quote", () => {
    expect(markdown(line("said", { path: "body>blockquote>blockquote.q>p" }))).toBe("> > said\n");
  });

  it("escapes only what would become markup", () => {
    const texts = [
      "# no heading",
      "1. no list",
      "1.5 percent",
      "- dash",
      "-5 degrees",
      "a*b* [c] <d> snake_case _x_ \\",
      "> no quote",
      "===",
    ];
    expect(markdown(...texts.map((text) => line(text)))).toBe(
      "\\# no heading\n\n1\\. no list\n\n1.5 percent\n\n\\- dash\n\n-5 degrees\n\na\\*b\\* \\[c] \\<d> snake_case \\_x\\_ \\\\\n\n\\> no quote\n\n\\===\n",
    );
  });

  it("keeps links on request", () => {
    const doc = document([line("see the docs now", { links: [{ start: 4, end: 12, href: "/a (b)?x=1" }] })]);
    expect(formatMarkdown(doc)).toBe("see the docs now\n");
    expect(formatMarkdown(doc, { links: "keep" })).toBe("see [the docs](/a%20%28b%29?x=1) now\n");
  });

  it("removes a link that covers a whole heading and leads into the page itself", () => {
    const heading = (link: { start: number; end: number; href: string }, block: "h2" | "p" = "h2"): string =>
      formatMarkdown(document([line("Fares now", { block, links: [link] })]), { links: "keep" });
    expect(heading({ start: 0, end: 9, href: "#fares" })).toBe("## Fares now\n");
    expect(heading({ start: 0, end: 9, href: "/fares#now" })).toBe("## [Fares now](/fares#now)\n");
    expect(heading({ start: 6, end: 9, href: "#fares" })).toBe("## Fares [now](#fares)\n");
    expect(heading({ start: 0, end: 9, href: "#fares" }, "p")).toBe("[Fares now](#fares)\n");
  });

  const target = (href: string, more: Partial<Document<LabelledLine>>): string => {
    const doc = document([line("docs", { links: [{ start: 0, end: 4, href }] })], more);
    return /\((.*)\)/.exec(formatMarkdown(doc, { links: "keep" }))?.[1] ?? "";
  };
  const url = "https://example.org/a/page.html?x=1";

  it.each([
    ["../b c", "https://example.org/b%20c"],
    ["#top", `${url}#top`],
    ["?y", "https://example.org/a/page.html?y"],
    ["//cdn.example/x", "https://cdn.example/x"],
    ["HTTPS://Other.example", "https://other.example/"],
    ["mailto:me@example.org", "mailto:me@example.org"],
    ["http://[", "http://["],
    [`/${"x".repeat(9000)}`, `/${"x".repeat(9000)}`],
  ])("resolves %s against the URL of the page", (href, absolute) => {
    expect(target(href, { url })).toBe(absolute);
  });

  it("resolves links against the base of the page first, and keeps relative links if neither is known", () => {
    expect(target("y", { url, base: "https://cdn.example/x/" })).toBe("https://cdn.example/x/y");
    expect(target("y", { base: "https://cdn.example/x/" })).toBe("https://cdn.example/x/y");
    expect(target("y", { url: "page 7" })).toBe("y");
    expect(target("y", { url: "mailto:me@example.org" })).toBe("y");
    expect(target("\n /b\n c ", {})).toBe("/b%20c");
  });

  it("resolves 100,000 links in linear time, and does not use a base that is too long", async () => {
    const make = (size: number, base: string): Document<LabelledLine> => {
      const links = Array.from({ length: size }, (_, at) => ({ start: 2 * at, end: 2 * at + 1, href: "a" }));
      return document([line("x ".repeat(size), { links })], { base });
    };
    const path = "d/".repeat(20);
    await expectLinear(
      100_000,
      (size) => make(size, `https://example.org/${path}`),
      (doc) => formatMarkdown(doc, { links: "keep" }),
    );
    const long = make(100_000, `https://example.org/${"d/".repeat(4000)}`);
    const markdown = formatMarkdown(long, { links: "keep" });
    expect(markdown.length).toBeLessThan(25_000_000);
    expect(markdown).toContain("[x](https://example.org/d/");
    expect(markdown).toContain("[x](a)");
  });
});

describe("formatAnnotatedMarkdown", () => {
  it("writes boilerplate in comments that its text cannot close", () => {
    const doc = document([
      line("Text", { score: 0.97 }),
      line("x --> y", { label: "boilerplate", score: 0.05, why: "rule" }),
    ]);
    const text = formatAnnotatedMarkdown(doc);
    expect(text).toContain("Text\n<!-- 0.970 a content -->");
    expect(text.match(/-->/g)).toHaveLength(2);
    expect(text).toContain("<!-- 0.050 j boilerplate rule: x --&gt; y -->");
  });

  it("takes linear time with the chunks of a block of code, and with the links in a row of a table", async () => {
    const chunk = (at: number): LabelledLine =>
      line(`line of code number ${at}\n\n`, { block: "pre", path: "body>pre", breakBefore: "line" });
    await expectLinear(
      24_000,
      (size) => document(Array.from({ length: size }, (_, at) => chunk(at))),
      (doc) => formatMarkdown(doc),
    );
    const row = (size: number): LabelledLine => {
      const links = Array.from({ length: size }, (_, at) => ({ start: 2 * at, end: 2 * at + 1, href: "/x" }));
      return line("c\t".repeat(size), { block: "tr", path: "body>table>tbody>tr", links });
    };
    await expectLinear(
      64_000,
      (size) => document([row(size)]),
      (doc) => formatMarkdown(doc, { links: "keep" }),
    );
  });
});
