import { describe, expect, it } from "vitest";
import { readStatements } from "../../../src/extract/metadata/metadata.js";
import { parseQuickly } from "../../../src/parse/quick-tree.js";
import { expectLinear } from "../../growth.js";

function clues(html: string, url = "", metadata: "read" | "skip" = "read"): readonly string[] {
  const parsed = parseQuickly({ id: "page", url, html, notes: [] });
  return readStatements(parsed, { metadata }).clues ?? [];
}

const jsonLd = (json: string): string => `<script type="application/ld+json">${json}</script>`;

describe("the clues to the type of a page", () => {
  it("are empty if the page has none", () => {
    expect(clues("<p>x")).toEqual([]);
    expect(clues("<p>x", "no address")).toEqual([]);
    expect(clues("<p>x", `https://example.org/${"a/".repeat(2_000)}`)).toEqual([]);
  });

  it("include those of its URL", () => {
    const found = clues(
      "<p>x",
      "https://www.forums.example.com/shop/Best-Sellers-2024/item-12345.html?sort=price",
    );
    for (const clue of [
      "domain:com",
      "host:forum",
      "host:example",
      "first:shop",
      "segment:shop",
      "path:best",
    ])
      expect(found).toContain(clue);
    for (const clue of ["path:seller", "segments:3", "ending:html", "long-number", "query", "query:sort"])
      expect(found).toContain(clue);
    expect(found).not.toContain("ends-in-slash");
    expect(clues("<p>x", "https://example.org/2024/%E0%A4%A/")).toContain("ends-in-slash");
  });

  it("include those of its canonical URL if no other is known", () => {
    const html = '<link rel=canonical href="https://docs.example.org/guide/">';
    expect(clues(html)).toContain("host:doc");
    expect(clues(html, "https://example.net/x")).not.toContain("host:doc");
  });

  it("include those of its head", () => {
    const found = clues(
      `<meta property="og:type" content=" Product.Group "><meta name=generator content="Discourse 3.4.0 - https://x">
       <meta property="product:price:amount" content=3><meta name=viewport content=x>`,
    );
    expect(found).toEqual([
      ...["meta:og:type", "og:product.group", "meta:generator", "generator:discourse"],
      "meta:product:price:amount",
    ]);
  });

  it("include those of its JSON-LD, even if that is broken", () => {
    const post = '{"@type": "Comment"}';
    const html = jsonLd(`{"@type":["QAPage", "WebPage"],"x":[${[post, post, post, post].join(",")}],`);
    expect(clues(html)).toEqual(["ld:QAPage", "ld:WebPage", "ld:Comment", "many:Comment"]);
  });

  it("do not depend on which metadata are wanted", () => {
    const html = `<meta property="og:type" content=article>${jsonLd('{"@type":"NewsArticle"}')}<h1>x</h1>`;
    const url = "https://example.org/news/1";
    expect(clues(html, url, "skip")).toEqual(clues(html, url));
    expect(clues(html, url)).toContain("ld:NewsArticle");
  });

  it("are limited in number, and take linear time", async () => {
    const types = Array.from({ length: 9_000 }, (_, at) => `{"@type":"T${"x".repeat(1 + (at % 90))}"}`);
    expect(clues(jsonLd(`[${types.join(",")}]`)).length).toBeLessThanOrEqual(300);
    const open = (size: number): string => jsonLd('"@type": [ '.repeat(size));
    await expectLinear(20_000, open, (html) => clues(html));
  });
});
