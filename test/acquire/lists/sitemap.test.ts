import { gzipSync } from "node:zlib";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import {
  readSitemap,
  SITEMAP_LIMITS,
  type SitemapLimits,
  type SitemapResult,
} from "../../../src/acquire/lists/sitemap.js";
import { createEntries, type SitemapEntry } from "../../../src/acquire/lists/list-entries.js";
import { createListReader } from "../../../src/acquire/lists/list-xml.js";
import { utf8 } from "../gather.js";
import { expectLinear } from "../../growth.js";

const HERE = "https://example.org/maps/sitemap.xml";

async function read(data: string | Uint8Array, limits?: SitemapLimits): Promise<SitemapResult> {
  const outcome = await readSitemap(typeof data === "string" ? utf8(data) : data, HERE, limits);
  if (!outcome.ok) throw new Error(`${outcome.reason}: ${outcome.detail ?? ""}`);
  return outcome.value;
}

/** Returns the URLs, with their dates if they have any. */
async function shown(data: string | Uint8Array): Promise<string[]> {
  const { entries } = await read(data);
  return entries.map(({ url, lastModified }) =>
    lastModified === undefined ? url : `${url} ${lastModified}`,
  );
}

/** Writes the pieces straight into the reader; their size must not change the result. */
function readInPieces(xml: string, size: number): readonly SitemapEntry[] {
  const entries = createEntries(HERE, 100);
  const reader = createListReader(entries, HERE);
  for (let at = 0; at < xml.length; at += size) reader.write(xml.slice(at, at + size));
  expect(reader.end()).toMatchObject({ kind: "feed", root: "rss" });
  return entries.entries();
}

async function refused(data: string | Uint8Array): Promise<string> {
  const outcome = await readSitemap(typeof data === "string" ? utf8(data) : data, HERE);
  return outcome.ok ? outcome.value.kind : `${outcome.reason}: ${outcome.detail ?? ""}`;
}

const urlset = (...urls: string[]): string =>
  `<?xml version="1.0" encoding="UTF-8"?>\n<urlset xmlns="http://www.sitemaps.org/schemas/sitemap/0.9">${urls.map((url) => `<url><loc>${url}</loc></url>`).join("")}</urlset>`;

describe("sitemaps", () => {
  it("reads a urlset", async () => {
    const result = await read(`<?xml version="1.0"?><urlset>
      <url>
        <loc>
          https://example.org/a?b=1&amp;c=2#d
        </loc><lastmod>2024-05-02</lastmod><changefreq>daily</changefreq><priority>0.5</priority></url>
      <url><lastmod>2024-05-02T10:00:00+02:00</lastmod><loc><![CDATA[https://example.org/ü]]></loc></url>
      <url><loc>/relative</loc></url><url><loc>deeper</loc></url>
    </urlset>`);
    expect(result).toEqual({
      kind: "urlset",
      entries: [
        { url: "https://example.org/a?b=1&c=2", lastModified: "2024-05-02" },
        { url: "https://example.org/%C3%BC", lastModified: "2024-05-02T10:00:00+02:00" },
        { url: "https://example.org/relative" },
        { url: "https://example.org/maps/deeper" },
      ],
      notes: [],
    });
  });

  it("reads an index", async () => {
    const result =
      await read(`<sm:sitemapindex xmlns:sm="x"><sm:sitemap><sm:loc>https://example.org/1.xml.gz</sm:loc>
      <sm:lastmod>2024</sm:lastmod></sm:sitemap><sm:sitemap><sm:loc>/2.xml</sm:loc></sm:sitemap></sm:sitemapindex>`);
    expect(result.kind).toBe("index");
    expect(result.entries).toEqual([
      { url: "https://example.org/1.xml.gz", lastModified: "2024" },
      { url: "https://example.org/2.xml" },
    ]);
  });

  it("ignores the URLs of news, pictures, videos and languages, and reads the dates of news", async () => {
    expect(
      await shown(`<urlset xmlns:news="n" xmlns:image="i" xmlns:video="v" xmlns:xhtml="h">
        <url><image:image><image:loc>https://cdn.example/1.jpg</image:loc></image:image>
          <xhtml:link rel="alternate" hreflang="de" href="https://example.org/de"/>
          <video:video><video:loc>https://cdn.example/v</video:loc><loc>https://cdn.example/w</loc></video:video>
          <loc>https://example.org/n</loc>
          <news:news><news:publication><news:name>N</news:name></news:publication><news:publication_date>2024-01-01</news:publication_date><news:title>T</news:title></news:news></url>
        <url><loc>https://example.org/m</loc><lastmod>2024-02-02</lastmod><news:news><news:publication_date>2024-01-01</news:publication_date></news:news></url>
      </urlset>`),
    ).toEqual(["https://example.org/n 2024-01-01", "https://example.org/m 2024-02-02"]);
  });

  it("marks URLs on other hosts, and drops unusable URLs", async () => {
    const { entries, notes } = await read(
      urlset(
        "https://example.org/a",
        "https://www.example.org/b",
        "http://example.org/c",
        "https://example.org:8443/d",
        "mailto:x",
        "http://[",
        "",
        "javascript:alert(1)",
        `/${"x".repeat(9000)}`,
      ),
    );
    expect(entries).toEqual([
      { url: "https://example.org/a" },
      { url: "https://www.example.org/b", isCrossHost: true },
      { url: "http://example.org/c" },
      { url: "https://example.org:8443/d", isCrossHost: true },
    ]);
    expect(notes).toEqual(["entries without a usable URL: 5, the first: mailto:x", "URLs on other hosts: 2"]);
  });

  it("reads lists of lines", async () => {
    const result = await read(
      "\ufeff\r\n# all of them\r\nhttps://example.org/a\r\n\r\n  https://example.org/b?c#d  \rnonsense\nhttp://other.example/\nand a sentence",
    );
    expect(result.kind).toBe("text");
    expect(result.entries.map(({ url }) => url)).toEqual([
      "https://example.org/a",
      "https://example.org/b?c",
      "https://example.org/maps/nonsense",
      "http://other.example/",
    ]);
  });

  it.each<[string, (xml: string) => Uint8Array]>([
    ["gzip", (xml) => gzipSync(xml)],
    ["gzip in members", (xml) => Buffer.concat([gzipSync(xml.slice(0, 90)), gzipSync(xml.slice(90))])],
    ["UTF-8 with a byte order mark", (xml) => utf8(`\ufeff${xml}`)],
    ["UTF-16 with a byte order mark", (xml) => Buffer.from(`\ufeff${xml}`, "utf16le")],
    ["UTF-16 in big-endian order", (xml) => Buffer.from(`\ufeff${xml}`, "utf16le").swap16()],
    ["UTF-16 without a byte order mark", (xml) => Buffer.from(xml, "utf16le")],
    ["the declared charset", (xml) => Buffer.from(xml.replace("UTF-8", "ISO-8859-1"), "latin1")],
    ["UTF-8 with a wrong declared charset", (xml) => utf8(xml.replace("UTF-8", "UTF-16"))],
    ["an unknown charset", (xml) => utf8(xml.replace("UTF-8", "x-nothing"))],
  ])("reads %s", async (_what, encode) => {
    expect(await shown(encode(urlset("https://example.org/ü", "https://example.org/b")))).toEqual([
      "https://example.org/%C3%BC",
      "https://example.org/b",
    ]);
  });
});

describe("feeds", () => {
  it("reads RSS 2.0", async () => {
    const result =
      await read(`<?xml version="1.0"?><!DOCTYPE rss><rss version="2.0" xmlns:atom="a" xmlns:dc="d" xmlns:media="m"><channel>
      <title>T</title><link>https://example.org/</link><atom:link rel="self" href="https://example.org/feed"/>
      <image><url>https://example.org/logo.png</url><link>https://example.org/</link></image>
      <item><title>One &nbsp; &</title><link>https://example.org/1</link><guid>tag:1</guid><pubDate>Thu, 02 May 2024 10:00:00 GMT</pubDate>
        <media:content url="https://cdn.example/x"><media:link>https://cdn.example/y</media:link></media:content>
        <description>&lt;a href="https://example.org/no"&gt;</description><content:encoded><![CDATA[<link>https://example.org/no2</link>]]></content:encoded>
        <enclosure url="https://cdn.example/a.mp3"/><source url="x">s</source></item>
      <item><guid>https://example.org/2</guid><dc:date>2024-05-03</dc:date></item>
      <item><guid isPermaLink="false">https://example.org/3</guid></item>
      <item><atom:link href="https://example.org/4"/></item>
      <item><link><![CDATA[ https://example.org/5 ]]></link></item>
      <item><title>no link</title></item>
    </channel></rss>`);
    expect(result).toEqual({
      kind: "feed",
      entries: [
        { url: "https://example.org/1", lastModified: "Thu, 02 May 2024 10:00:00 GMT" },
        { url: "https://example.org/2", lastModified: "2024-05-03" },
        { url: "https://example.org/4" },
        { url: "https://example.org/5" },
      ],
      notes: ["entries without a usable URL: 2, the first: "],
    });
  });

  it("reads Atom", async () => {
    expect(
      await shown(`<feed xmlns="http://www.w3.org/2005/Atom" xml:base="/blog/"><id>x</id><link href="https://example.org/"/><updated>2020</updated>
        <entry><link rel="self" href="/self"/><link rel="edit" href="/edit"/><link rel="alternate" type="text/html" href="one"/>
          <published>2024-01-01T00:00:00Z</published><updated>2024-01-02T00:00:00Z</updated><link rel="enclosure" href="/x.mp3"/></entry>
        <entry xml:base="deep/"><link href="two"/><published>2024-01-03</published></entry>
        <entry><link rel="alternate" type="application/pdf" href="/3.pdf"/><link rel="alternate" type="text/html" href="/3"/></entry>
        <entry><link rel="alternate" type="application/pdf" href="/4.pdf"/></entry>
        <entry><content><link href="/no"/></content><source><link href="/no"/></source></entry>
      </feed>`),
    ).toEqual([
      "https://example.org/blog/one 2024-01-02T00:00:00Z",
      "https://example.org/blog/deep/two 2024-01-03",
      "https://example.org/3",
      "https://example.org/4.pdf",
    ]);
  });

  it("reads Atom with prefixes", async () => {
    expect(await shown('<a:feed xmlns:a="x"><a:entry><a:link href="/1"/></a:entry></a:feed>')).toEqual([
      "https://example.org/1",
    ]);
  });

  it("reads RSS 1.0", async () => {
    expect(
      await shown(`<rdf:RDF xmlns:rdf="r" xmlns="http://purl.org/rss/1.0/" xmlns:dc="d"><channel><link>https://example.org/</link>
        <items><rdf:Seq><rdf:li resource="https://example.org/1"/></rdf:Seq></items></channel>
        <item rdf:about="https://example.org/1"><link>https://example.org/1</link><dc:date>2024-01-01</dc:date></item></rdf:RDF>`),
    ).toEqual(["https://example.org/1 2024-01-01"]);
  });

  it("reads JSON Feed", async () => {
    const feed = {
      version: "https://jsonfeed.org/version/1.1",
      items: [
        { url: "https://example.org/1", date_published: "2024-01-01", date_modified: "2024-01-02" },
        { external_url: "https://other.example/2" },
        { id: "https://example.org/3", url: 7 },
        { id: "x y" },
        null,
        "text",
      ],
    };
    const result = await read(`\ufeff ${JSON.stringify(feed)}`);
    expect(result.kind).toBe("feed");
    expect(result.entries).toEqual([
      { url: "https://example.org/1", lastModified: "2024-01-02" },
      { url: "https://other.example/2", isCrossHost: true },
      { url: "https://example.org/3" },
      { url: "https://example.org/maps/x%20y" },
    ]);
  });
});

describe("input that is not a list", () => {
  it.each<[string, string | Uint8Array, string]>([
    ["nothing", "", "empty: no bytes"],
    ["a page", "<!DOCTYPE html><html><body><a href=/x>x</a></body></html>", "not-a-list: <html>"],
    [
      "an SVG drawing",
      '<svg xmlns="http://www.w3.org/2000/svg"><url><loc>/x</loc></url></svg>',
      "not-a-list: <svg>",
    ],
    ["XML without an element", "<?xml version='1.0'?>", "not-a-list: XML without an element"],
    [
      "prose",
      "There is nothing here.\nhttps://example.org/",
      "not-a-list: text that does not begin with a URL",
    ],
    ["white space", " \n\n", "not-a-list: text that does not begin with a URL"],
    ["one endless line", "x".repeat(300_000), "not-a-list: text that does not begin with a URL"],
    [
      "other JSON",
      '{"items":[{"url":"https://example.org/"}]}',
      "not-a-list: JSON that is broken or not a feed",
    ],
    [
      "broken JSON",
      '{"version":"https://jsonfeed.org/version/1","items":[',
      "not-a-list: JSON that is broken or not a feed",
    ],
    ["a picture", Uint8Array.of(0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a), "binary: PNG image"],
    ["gzip inside gzip", gzipSync(gzipSync(urlset("/a"))), "binary: gzip inside gzip"],
    ["gzip of nothing", gzipSync(""), "empty: no bytes"],
  ])("is rejected: %s", async (_what, data, expected) => {
    expect(await refused(data)).toBe(expected);
  });
  it("is rejected if it is damaged gzip without any content", async () => {
    expect(await refused(gzipSync("x").subarray(0, 8))).toMatch(/^broken-gzip: /);
  });
});

describe("broken lists", () => {
  it.each<[string, string, string[], RegExp]>([
    ["cut in a tag", "<urlset><url><loc>/1</loc></url><url><loc>/2</lo", ["/1"], /broken XML/],
    [
      "cut after a URL",
      "<urlset><url><loc>/1</loc></url><url><loc>/2</loc>",
      ["/1", "/2"],
      /ends inside <url>/,
    ],
    ["cut within a URL", "<urlset><url><loc>/1</loc></url><url><loc>/2", ["/1"], /ends inside <loc>/],
    [
      "a bare ampersand",
      "<urlset><url><loc>/1?a=1&b=2</loc></url><url><loc>/2?x&lt;&unknown;</loc></url></urlset>",
      ["/1?a=1&b=2", "/2?x%3C&unknown;"],
      /^$/,
    ],
    ["an unclosed entry", "<urlset><url><loc>/1</loc><url><loc>/2</loc></url></urlset>", ["/1", "/2"], /^$/],
    [
      "tags that do not match",
      "<rss><channel><item><b><i>x</b></i><link>/1</link></item><item><link>/2</link></item></channel></rss>",
      ["/1", "/2"],
      /^$/,
    ],
    ["capitals", "<URLSET><Url><LOC>/1</LOC></Url></URLSET>", ["/1"], /^$/],
    [
      "control characters",
      "<urlset><url><loc>/1\u0001</loc></url><url><loc>/2</loc></url></urlset>",
      ["/1", "/2"],
      /^$/,
    ],
    [
      "a line before the declaration",
      "\n\n<?xml version='1.0'?><urlset><url><loc>/1</loc></url></urlset>",
      ["/1"],
      /^$/,
    ],
    ["no quotes", "<feed><entry><link href=/1 rel=alternate></link></entry></feed>", ["/1"], /^$/],
    [
      "two roots",
      "<urlset><url><loc>/1</loc></url></urlset><urlset><url><loc>/2</loc></url></urlset>",
      ["/1"],
      /^/,
    ],
  ])("give the entries that can be read: %s", async (_what, xml, paths, notes) => {
    const result = await read(xml);
    expect(result.entries.map(({ url }) => url)).toEqual(paths.map((path) => `https://example.org${path}`));
    expect(result.notes.join("; ")).toMatch(notes);
  });

  it.each(["&", "Q&A", "a & b", "a&b=", "&#;", "&#x41;", "&amp", "&eacute;", "&amp;amp;", "&x".repeat(50)])(
    "keep their URLs with %s before a tag",
    async (text) => {
      const xml = `<rss><channel><item><title>${text}</title><link>/1?${text}</link></item><item><link>/2</link></item></channel></rss>`;
      for (const size of [1, 7, xml.length]) {
        expect(readInPieces(xml, size)).toEqual((await read(xml)).entries);
      }
      const plain = text.replaceAll("&#x41;", "A").replaceAll("&eacute;", "é").replaceAll("&amp;", "&");
      expect((await read(xml)).entries[0]?.url).toBe(
        new URL(`https://example.org/1?${plain}`).href.replace(/#.*/, ""),
      );
    },
  );

  it("give the entries before the damage in gzip", async () => {
    const packed = gzipSync(
      urlset(...Array.from({ length: 2000 }, (_, n) => `/${n}-${(n * 2654435761) % 1000003}`)),
    );
    const { entries, notes } = await read(packed.subarray(0, packed.length - 200));
    expect(entries.length).toBeGreaterThan(1000);
    expect(entries.length).toBeLessThan(2000);
    expect(notes.join("; ")).toMatch(/the compressed data is damaged: .*; broken XML: it ends inside/);
  });

  it("keep every complete entry if they are cut off anywhere", async () => {
    const xml = urlset("/1", "/2", "/3");
    for (let end = 1; end <= xml.length; end += 1) {
      const outcome = await readSitemap(utf8(xml.slice(0, end)), HERE);
      const whole = xml.slice(0, end).split("</loc>").length - 1;
      const paths = outcome.ok ? outcome.value.entries.map(({ url }) => new URL(url).pathname) : [];
      expect(paths).toEqual(["/1", "/2", "/3"].slice(0, whole));
    }
  });

  it("cut within a line, only whole URLs count", async () => {
    const urls = ["https://example.org/1", "https://example.org/2/and-more"];
    const { entries, notes } = await read(urls.join("\n"), { maxBytes: 45 });
    expect(entries.map(({ url }) => url)).toEqual(urls.slice(0, 1));
    expect(notes).toEqual(["only the first 45 bytes were read"]);
    expect((await read(urls.join("\n"))).entries).toHaveLength(2);
  });
});

describe("hostile lists", () => {
  it("cannot expand entities or read other files", async () => {
    const bomb = `<?xml version="1.0"?><!DOCTYPE x [<!ENTITY a "aaaaaaaaaa">${Array.from({ length: 20 }, (_, n) => `<!ENTITY a${n} "${`&a${n === 0 ? "" : n - 1};`.repeat(10)}">`).join("")}
      <!ENTITY file SYSTEM "file:///etc/passwd"><!ENTITY % p SYSTEM "http://127.0.0.1:1/x"> %p;]>
      <urlset><url><loc>/a&a19;</loc></url><url><loc>/b&file;</loc></url></urlset>`;
    const { entries } = await read(bomb);
    expect(entries.map(({ url }) => url)).toEqual([
      "https://example.org/a&a19;",
      "https://example.org/b&file;",
    ]);
  });

  it("give no more URLs than the limit", async () => {
    const { entries, notes } = await read(urlset(...Array.from({ length: 30 }, (_, n) => `/${n}`)), {
      maxUrls: 7,
    });
    expect(entries.length).toBe(7);
    expect(notes).toEqual(["only the first 7 URLs were read"]);
    const lines = await read("https://example.org/x\n".repeat(20_000), { maxUrls: 7 });
    expect(lines.entries.length).toBe(7);
    expect(SITEMAP_LIMITS).toEqual({ maxBytes: 52_428_800, maxUrls: 50_000 });
  });

  it("are unpacked no further than the limit", async () => {
    const packed = gzipSync(
      `<urlset><url><loc>/1</loc></url>${" ".repeat(30_000_000)}<url><loc>/2</loc></url></urlset>`,
    );
    expect(packed.length).toBeLessThan(100_000);
    const before = process.memoryUsage().rss;
    const { entries, notes } = await read(packed, { maxBytes: 1_000_000 });
    expect(entries.map(({ url }) => url)).toEqual(["https://example.org/1"]);
    expect(notes[0]).toBe("only the first 1000000 bytes were read");
    expect(process.memoryUsage().rss - before).toBeLessThan(100_000_000);
  });

  it.each([
    ["endless depth", `<urlset><url><loc>/1</loc></url>${"<a>".repeat(300_000)}`, /more than 100 deep/],
    [
      "endless tags that close nothing",
      `<urlset><url><loc>/1</loc></url>${"<a>".repeat(90)}${"</b>".repeat(300_000)}`,
      /ends inside/,
    ],
    [
      "endless attributes",
      `<urlset><url><loc>/1</loc></url><a ${Array.from({ length: 100_000 }, (_, n) => `a${n}="1"`).join(" ")}>`,
      /more than 200 attributes/,
    ],
    ["an endless attribute", `<urlset><url><loc>/1</loc></url><a b="${"x".repeat(5_000_000)}`, /unclosed/],
    ["an endless comment", `<urlset><url><loc>/1</loc></url><!-- ${"-".repeat(5_000_000)}`, /./],
    [
      "an endless text",
      `<urlset><url><loc>/1</loc></url><url><loc>/${"x".repeat(5_000_000)}</loc></url></urlset>`,
      /without a usable URL: 1/,
    ],
    [
      "ampersands",
      `<urlset><url><loc>/1</loc></url><url><loc>${"&".repeat(2_000_000)}</loc></url></urlset>`,
      /without a usable URL/,
    ],
    ["brackets", `<urlset><url><loc>/1</loc></url><url>${"<".repeat(2_000_000)}</url></urlset>`, /./],
    ["an endless name", `<urlset><url><loc>/1</loc></url><${"a".repeat(5_000_000)}`, /./],
    [
      "an endless declaration",
      `<?xml ${" ".repeat(3_000_000)}?><urlset><url><loc>/1</loc></url></urlset>`,
      /^/,
    ],
  ])("take linear time: %s", async (_what, xml, notes) => {
    const result = await read(xml);
    expect(result.entries.map(({ url }) => url)).toEqual(["https://example.org/1"]);
    expect(result.notes.join("; ")).toMatch(notes);
    await expectLinear(
      xml.length,
      (size) => xml.slice(0, size),
      (part) => read(part).catch((error: unknown) => error),
    );
  });

  it("give valid URLs for any bytes", async () => {
    const piece = fc.oneof(
      fc.constantFrom(
        "<urlset>",
        "<url>",
        "<loc>",
        "</loc>",
        "</url>",
        "/x",
        "<![CDATA[",
        "]]>",
        "<!--",
        "-->",
        "<!DOCTYPE",
        "&",
        "{",
        "https://example.org/\n",
        "\0",
        "\ufffe",
      ),
      fc.string(),
    );
    await fc.assert(
      fc.asyncProperty(
        fc.array(piece, { maxLength: 20 }),
        fc.uint8Array({ maxLength: 30 }),
        async (pieces, bytes) => {
          for (const data of [
            utf8(pieces.join("")),
            Buffer.concat([utf8(pieces.join("")), bytes]),
            Buffer.concat([Uint8Array.of(0x1f, 0x8b, 8), bytes]),
          ]) {
            const outcome = await readSitemap(data, HERE);
            if (outcome.ok) for (const { url } of outcome.value.entries) expect(new URL(url).href).toBe(url);
          }
        },
      ),
    );
  });
});
