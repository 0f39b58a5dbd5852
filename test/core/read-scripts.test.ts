/** Checks how pages are read whose text is only in the data of a script. */
import { readdirSync, readFileSync } from "node:fs";
import { describe, expect, it } from "vitest";
import type { Document } from "../../src/document.js";
import type { ExtractorOptions } from "../../src/extract/extractor.js";
import type { ExtractorName } from "../../src/extract/registry.js";
import { createThresher } from "../../src/index.js";
import type { Outcome } from "../../src/outcome.js";
import { openReader } from "../../src/core/read-page.js";
import { expectLinear } from "../growth.js";

interface About {
  readonly proves: string;
  readonly lang: string;
  readonly url: string;
  /** The note in the record of a page that is read, or the reason why it is rejected. */
  readonly note?: string;
  readonly reason?: string;
}

const FOLDER = "fixtures/scripts";
const slugs = readdirSync(FOLDER);
const sourceOf = (slug: string): string => readFileSync(`${FOLDER}/${slug}/source.html`, "utf8");
const aboutOf = (slug: string): About =>
  // Our own file; the test checks its form by using it.
  JSON.parse(readFileSync(`${FOLDER}/${slug}/about.json`, "utf8")) as About;

interface Asked extends Partial<ExtractorOptions> {
  readonly url?: string;
  readonly extractor?: ExtractorName;
}

async function read(html: string, { url = "", extractor = "page", ...options }: Asked = {}) {
  const reader = await openReader(extractor, { leftOut: "drop", ...options });
  return reader({ id: "p", url, content: { kind: "html", html } });
}

function valueOf(outcome: Outcome<Document>): Document {
  if (!outcome.ok) throw new Error(outcome.reason);
  return outcome.value;
}

describe("a page whose text is only in the data of a script", () => {
  const read_ = slugs.filter((slug) => aboutOf(slug).note !== undefined);
  const rejected = slugs.filter((slug) => aboutOf(slug).reason !== undefined);

  it("has fixtures of both kinds", () => {
    expect(read_.length).toBeGreaterThan(4);
    expect(rejected.length).toBeGreaterThan(3);
  });

  it.each(
    read_.flatMap((slug) => (["page", "body"] as const).map((extractor) => [slug, extractor] as const)),
  )("is read: %s, by %s", async (slug, extractor) => {
    const html = sourceOf(slug);
    const { url, note } = aboutOf(slug);
    const { lines, notes } = valueOf(await read(html, { url, extractor }));
    const text = lines.map((line) => `${line.text.trimEnd()}\n`).join("");
    expect(text).toBe(readFileSync(`${FOLDER}/${slug}/lines.txt`, "utf8"));
    expect(notes).toEqual([note]);
    // Text that the source contains unchanged has a span; other text has none.
    for (const { text, span } of lines)
      if (span !== undefined)
        expect(html.slice(...span).replace(/<[^>]*>|\s+/g, "")).toBe(text.replaceAll(" ", ""));
    expect(lines.some(({ span }) => span === undefined)).toBe(true);
  });

  it.each(rejected)("is rejected with the right reason: %s", async (slug) => {
    const { url, reason } = aboutOf(slug);
    expect(await read(sourceOf(slug), { url })).toMatchObject({ ok: false, stage: "extract", reason });
  });
});

const SENTENCES =
  "The ferry to the northern islands leaves twice a day until October. In winter it goes once, if the ice allows it. ";
const ARTICLE = {
  "@type": "NewsArticle",
  headline: "Ferries of the north",
  articleBody: SENTENCES.repeat(6),
};
const shell = (data: string, shown = ""): string =>
  `<!doctype html><title>Ferries of the north</title><body>${shown}<div id="root"></div>${data}</body>`;
const linked = (value: unknown): string =>
  `<script type="application/ld+json">${JSON.stringify(value)}</script>`;
const state = (value: unknown): string =>
  `<script id="__NEXT_DATA__" type="application/json">${JSON.stringify(value)}</script>`;

describe("the data of a script", () => {
  it("is not read if the page shows its text, or another text of that length", async () => {
    const paragraphs = `<p>${SENTENCES.repeat(3)}</p>`.repeat(2);
    const { lines, notes } = valueOf(await read(shell(linked(ARTICLE), paragraphs)));
    expect(lines).toHaveLength(2);
    expect(notes).toEqual([]);
  });

  it("is not read if a short page shows the same text", async () => {
    const body = SENTENCES.repeat(4).trim();
    const shown = `<p>${body}</p><nav>${"<a href=/>Home port</a> ".repeat(5)}</nav>`;
    const { lines } = valueOf(await read(shell(linked({ ...ARTICLE, articleBody: body }), shown)));
    expect(lines).toHaveLength(2);
  });

  it("is not read if it holds only the beginning of a text", async () => {
    const articleBody = `${SENTENCES.repeat(6)}In spring …`;
    expect(await read(shell(linked({ ...ARTICLE, articleBody })))).toMatchObject({ reason: "script-only" });
  });

  it("may end in an ellipsis if it holds a whole thread", async () => {
    const comment = { "@type": "Comment", text: "I took it once. I would again …" };
    const thread = { "@type": "DiscussionForumPosting", text: SENTENCES.repeat(6), comment };
    const { lines } = valueOf(await read(shell(linked(thread))));
    expect(lines.at(-1)?.text).toBe(comment.text);
  });

  it("is not read if it could mean several articles", async () => {
    const others = ["One", "Two"].map((headline) => ({
      ...ARTICLE,
      headline,
      articleBody: headline + SENTENCES.repeat(6),
    }));
    expect(await read(shell(linked(others)))).toMatchObject({ reason: "script-only" });
    const { lines } = valueOf(await read(shell(linked([...others, ARTICLE]))));
    expect(lines.map(({ text }) => text)).toEqual([ARTICLE.headline, ARTICLE.articleBody.trim()]);
  });

  it("is not read if it names another page", async () => {
    const url = "https://a.example/ferries";
    const other = {
      ...ARTICLE,
      headline: "Trains of the south",
      url: "https://a.example/trains-of-the-south",
    };
    expect(await read(shell(linked(other)), { url })).toMatchObject({ reason: "script-only" });
    expect((await read(shell(linked({ ...other, url })), { url })).ok).toBe(true);
  });

  it("is not read if the caller selects parts of the page", async () => {
    const outcome = await read(shell(linked(ARTICLE)), { keep: ["main"] });
    expect(outcome).toMatchObject({ reason: "no-lines" });
  });

  it("gives a product's description only if there is no other text", async () => {
    const product = { "@type": "Product", name: "Ferries of the north", description: SENTENCES.repeat(4) };
    const { lines } = valueOf(await read(shell(linked(product))));
    expect(lines.map(({ text }) => text)).toEqual([product.name, product.description.trim()]);
    const both = valueOf(await read(shell(linked([product, ARTICLE]))));
    expect(both.lines.map(({ text }) => text)).toEqual([ARTICLE.headline, ARTICLE.articleBody.trim()]);
  });

  it("gives repeated data once, and keeps the order", async () => {
    const parts = [1, 2, 3, 2].map((at) => `<p>${at}. ${SENTENCES}</p>`);
    const article = { title: "Ferries of the north", content: parts.join(""), amp: { html: parts.join("") } };
    const { lines } = valueOf(await read(shell(state({ article }))));
    expect(lines.map(({ text }) => text[0])).toEqual(["F", "1", "2", "3", "2"]);
  });

  it("is read as blocks, without blocks about other pages", async () => {
    const text = (value: string): object => ({ type: "text", value });
    const content = [
      { type: "heading", children: [text("Timetable")] },
      {
        type: "paragraph",
        children: [text(SENTENCES), { type: "link", url: "/fares", children: [text("Fares")] }, text(".")],
      },
      {
        type: "teaser",
        url: "/trains-of-the-south",
        title: "Trains of the south",
        text: SENTENCES.repeat(2),
      },
      { type: "image", url: "/ferry.jpg", text: "A ferry" },
      { type: "list", items: ["In summer twice", "In winter once"] },
      { type: "quote", text: SENTENCES.repeat(4).trim() },
    ];
    const { lines } = valueOf(
      await read(shell(state({ page: { title: "Ferries of the north", content } })), {
        url: "https://a.example/ferries",
      }),
    );
    expect(lines.map(({ block, text }) => `${block} ${text.slice(0, 20)} ${text.slice(-20)}`)).toEqual([
      "h1 Ferries of the north Ferries of the north",
      "h2 Timetable Timetable",
      "p The ferry to the nor ce allows it. Fares.",
      "li In summer twice In summer twice",
      "li In winter once In winter once",
      "blockquote The ferry to the nor f the ice allows it.",
    ]);
  });

  it("is read as text if it contains what only looks like tags", async () => {
    const articleBody = `${SENTENCES.repeat(3)}\n\nIf a<b and b>c, then <tide> is low. ${SENTENCES.repeat(3)}`;
    const { lines } = valueOf(await read(shell(linked({ ...ARTICLE, articleBody }))));
    expect(lines[2]?.text).toContain("If a<b and b>c, then <tide> is low.");
  });

  it("is read in time from a state of 5 MB", async () => {
    const teasers = Array.from({ length: 16_000 }, (_, at) => ({
      id: at,
      slug: `trains-of-the-south-${at}`,
      title: `Trains of the south ${at}`,
      body: `<p>${SENTENCES}${SENTENCES}</p>`,
    }));
    const article = { title: "Ferries of the north", body: `<p>${SENTENCES.repeat(6)}</p>` };
    const html = shell(state({ props: { teasers, article } }));
    expect(html.length).toBeGreaterThan(5_000_000);
    const start = performance.now();
    const { lines } = valueOf(await read(html, { url: "https://a.example/ferries-of-the-north" }));
    expect(lines).toHaveLength(2);
    expect(performance.now() - start).toBeLessThan(10_000);
  });

  it.each([
    ["lists in lists", "[".repeat(500_000) + "]".repeat(500_000)],
    [
      "texts in texts",
      Array.from({ length: 12 }).reduce((text: string) => JSON.stringify({ text }), SENTENCES.repeat(3)),
    ],
    [
      "a list with circular references",
      JSON.stringify([{ a: 1 }, [0, 1, 2], ["Ref", 3], ["Ref", 2], "x".repeat(300)]),
    ],
    ["spaces", JSON.stringify({ title: "Ferries of the north", text: " ".repeat(2_000_000) })],
  ])("does not make the reader slow or fail if it consists of %s", async (_, json) => {
    const start = performance.now();
    const outcome = await read(
      shell(`<script type="application/json">${json}</script><script>var a = ${json}</script>`),
    );
    expect(outcome).toMatchObject({ reason: "script-only" });
    expect(performance.now() - start).toBeLessThan(10_000);
  });

  it("is compared with a title of any length in linear time", async () => {
    await expectLinear(
      30_000,
      (size) => shell(`<meta property=og:title content="a${" ".repeat(size)}b">${linked(ARTICLE)}`),
      (html) => read(html),
    );
  });
});

describe("a page without any text", () => {
  it.each([
    ["a root", "<my-app></my-app>"],
    ["an Angular view", "<div ng-view></div>"],
    ["a request for JavaScript", "<noscript><p>This site needs JavaScript.</p></noscript>"],
    ["state", '<script>window.__PRELOADED_STATE__={"user":null}</script>'],
    ["data from a server", '<script id="ng-state" type="application/json">{}</script>'],
    ["a meta tag for crawlers", '<meta name="fragment" content="!">'],
  ])("is rejected as script-only if it has %s", async (_, html) => {
    expect(await read(`<title>x</title>${html}`)).toMatchObject({ reason: "script-only" });
  });

  it.each([
    [
      "counts its readers",
      "<script>window.__CF$cv$params={r:1};track()</script><noscript><img src=/p.gif></noscript>",
    ],
    ["has an empty box", '<div id="main"></div>'],
    ["shows a picture", "<img src=a.jpg>"],
  ])("is rejected as no-lines if it only %s", async (_, html) => {
    expect(await read(`<title>x</title>${html}`)).toMatchObject({ reason: "no-lines", meta: { title: "x" } });
  });
});

describe("an application shell that shows a menu", () => {
  const menu = '<nav><a href="/">Home</a> <a href="/news">News</a></nav>';

  it("has the note script-only, and is rejected for it if no line is content", async () => {
    expect(valueOf(await read(shell("", menu))).notes).toEqual(["script-only"]);
    const thresher = await createThresher({ workers: 1 });
    const head = '<meta property="og:site_name" content="The Herald">';
    expect(await thresher.clean({ html: shell("", menu + head) })).toMatchObject({
      ok: false,
      stage: "label",
      reason: "script-only",
      meta: { site: "The Herald" },
    });
    await thresher.close();
  });

  it("is not assumed if the root element has content", async () => {
    const form = '<div id="app"><form><input name="q"><button>Go</button></form></div>';
    const { notes } = valueOf(await read(`<title>Search</title><body>${menu}${form}</body>`));
    expect(notes).toEqual([]);
  });
});
