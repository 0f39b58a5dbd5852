import { describe, expect, it } from "vitest";
import { findForeign, findForeignMarkup } from "../../src/acquire/foreign.js";
import { readRecords } from "../../src/acquire/records/jsonl.js";
import { chooseFormat } from "../../src/acquire/kind.js";
import { toPage } from "../../src/acquire/page-bytes.js";
import { inChunks, utf8 } from "./gather.js";
import { expectLinear } from "../growth.js";
import { collectAll } from "../collect-all.js";

const RSS = `<?xml version="1.0" encoding="utf-8"?>
<?xml-stylesheet href="feed.xsl" type="text/xsl"?>
<!-- made by a blog -->
<rss version="2.0" xmlns:atom="http://www.w3.org/2005/Atom"><channel><title>Tides</title>
<link>https://example.org/</link><item><title>High water</title><description>&lt;p&gt;The sea rose.&lt;/p&gt;</description></item>
</channel></rss>`;
const ATOM = `<feed xmlns="http://www.w3.org/2005/Atom"><title>Tides</title><entry><title>High water</title></entry></feed>`;
const RDF = `<?xml version="1.0"?><rdf:RDF xmlns="http://purl.org/rss/1.0/"><channel><title>Tides</title></channel></rdf:RDF>`;

describe("findForeign", () => {
  it.each([
    [RSS, /RSS feed/],
    [`\ufeff\n  ${RSS}`, /RSS feed/],
    [
      `<!DOCTYPE rss PUBLIC "-//Netscape//DTD RSS 0.91//EN" "rss.dtd">\n<rss version="0.91"></rss>`,
      /RSS feed/,
    ],
    [ATOM, /Atom feed/],
    [`<atom:feed xmlns:atom="http://www.w3.org/2005/Atom"/>`, /Atom feed/],
    [RDF, /feeds/],
    [`<?xml version="1.0"?><urlset><url><loc>https://example.org/</loc></url></urlset>`, /sitemap/],
    [`<sitemapindex>`.concat("</sitemapindex>"), /sitemap/],
    [`<?xml version="1.0"?><svg xmlns="http://www.w3.org/2000/svg"><text>Hi</text></svg>`, /SVG/],
    [
      `<?xml version="1.0"?><teiCorpus xmlns="http://www.tei-c.org/ns/1.0"><TEI/><TEI/></teiCorpus>`,
      /TEI corpus/,
    ],
    [`<mediawiki xmlns="http://www.mediawiki.org/xml/export-0.11/" xml:lang="en"><page/>`, /WikiExtractor/],
    [
      `<doc id="12" url="https://en.wikipedia.org/wiki?curid=12" title="River">\nRiver\n</doc>`,
      /WikiExtractor/,
    ],
    [`<doc id="12" revid="3" url="https://en.wikipedia.org/?curid=12" title="River">`, /WikiExtractor/],
    [`{"title":"Tides","body":"<p>The sea rose.</p>"}`, /^JSON$/],
    [` [1, 2, 3]\n`, /^JSON$/],
    [`{"a":1}\n{"a":2}\n`, /^JSON Lines$/],
    [`{\\rtf1\\ansi Hello}`, /RTF/],
    ["%!PS-Adobe-3.0\n", /PostScript/],
  ])("recognises %s", (text, what) => {
    expect(findForeign(text)).toMatch(what);
  });

  it.each([
    `<?xml version="1.0"?><!DOCTYPE html PUBLIC "-//W3C//DTD XHTML 1.0 Strict//EN" "x.dtd"><html xmlns="http://www.w3.org/1999/xhtml"><body/></html>`,
    `<html:html xmlns:html="http://www.w3.org/1999/xhtml"><html:body>x</html:body></html:html>`,
    `<svg viewBox="0 0 1 1"></svg><p>A fragment of a page.</p>`,
    `<!-- <rss> --><html><p>About feeds</html>`,
    `<p>About &lt;rss&gt;</p><rss>`,
    `<rssreader>`,
    "<feeds>",
    "{{ template }} <p>text</p> {{ end }}",
    "[Home] [News] <p>text</p> [End]",
    `{"a":1} <p>and a page</p>`,
    `{"a": <b>1</b>}`,
    "{",
    "[",
    "",
  ])("treats %s as a page", (text) => {
    expect(findForeign(text)).toBeUndefined();
  });

  it("takes linear time on texts made to be slow", async () => {
    for (const text of ["<!-- -->", "<!--", "<?", "{", "[", '{"a":', " ", "<a:"])
      await expectLinear(1_000_000, (size) => text.repeat(size), findForeign);
    expect(findForeignMarkup("<!-- -->".repeat(100) + RSS)).toBeUndefined();
  });
});

describe("input that is not a page", () => {
  const judge = (bytes: Uint8Array, format: "html" | "text" = "html"): unknown => {
    const outcome = toPage({ id: "a", url: "", format }, bytes, 100_000);
    return outcome.ok ? "page" : [outcome.reason, outcome.detail];
  };

  it("is rejected with its actual type, whatever type is claimed", () => {
    expect(judge(utf8(RSS))).toEqual(["not-a-page", "an RSS feed"]);
    expect(judge(new Uint8Array(Buffer.from(`\ufeff${RSS}`, "utf16le")))).toEqual([
      "not-a-page",
      "an RSS feed",
    ]);
    expect(judge(utf8(ATOM), chooseFormat(utf8(ATOM)))).toEqual(["not-a-page", "an Atom feed"]);
    expect(judge(utf8(RSS), chooseFormat(utf8(RSS), "text/html"))).toEqual(["not-a-page", "an RSS feed"]);
    expect(judge(utf8('\ufeff{"a":"Grüße"}'))).toEqual(["not-a-page", "JSON"]);
    // If the caller says that it is text, its lines are read.
    for (const text of [ATOM, '{"a":1}']) expect(judge(utf8(text), "text")).toBe("page");
    expect(judge(utf8("%PDF-1.7\n%\u00e2\u00e3"))).toEqual(["binary", "PDF"]);
    expect(judge(Uint8Array.from(Buffer.from("\0\0\0\x1cftypavif", "latin1")))).toEqual([
      "binary",
      "AVIF or HEIC image",
    ]);
  });

  it("is rejected in the html field of a record, but not in the text field", async () => {
    const rows = [
      { id: "feed", html: RSS },
      { id: "page", html: "<p>x" },
      { id: "text", text: ATOM },
    ];
    const outcomes = await collectAll(
      readRecords(inChunks(utf8(rows.map((row) => JSON.stringify(row)).join("\n")), 1 << 20), {
        input: "in.jsonl",
        maxBytes: 10_000,
      }),
    );
    expect(outcomes.map((outcome) => (outcome.ok ? outcome.value.id : outcome))).toEqual([
      {
        ok: false,
        id: "feed",
        url: "",
        stage: "acquire",
        reason: "not-a-page",
        detail: "line 1: an RSS feed",
      },
      "page",
      "text",
    ]);
  });
});
