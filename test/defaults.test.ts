import { readFileSync } from "node:fs";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { createThresher, type CleanOptions, type DocumentRecord, type Thresher } from "../src/index.js";

// Tests the whole program, from bytes to the record, with the default options and models.

const opened: Thresher[] = [];
async function open(options: CleanOptions = {}): Promise<Thresher> {
  const thresher = await createThresher({ workers: 1, ...options });
  opened.push(thresher);
  return thresher;
}

let defaults: Thresher;
let all: Thresher;
beforeAll(async () => {
  defaults = await open();
  // 50,000 lines on a busy machine take longer than the default time limit of a page.
  all = await open({ keepBoilerplate: true, timeoutMs: 50_000 });
});
afterAll(async () => {
  await Promise.all(opened.map((thresher) => thresher.close()));
});

const count = (length: number, markup: (at: number) => string): string =>
  Array.from({ length }, (_, at) => markup(at)).join("");
const fixture = (slug: string, file: string): Buffer => readFileSync(join("fixtures/pages", slug, file));

async function clean(thresher: Thresher, input: Parameters<Thresher["clean"]>[0]): Promise<DocumentRecord> {
  const outcome = await thresher.clean(input);
  if (!outcome.ok) throw new Error(`${outcome.reason}: ${outcome.detail ?? ""}`);
  return outcome.value;
}

/** Returns which share of the words is right, and which share of the gold words was found. */
function compareWords(text: string, gold: string): { precision: number; recall: number } {
  const wordsOf = (of: string): string[] => of.split(/\s+/).filter((word) => word !== "");
  const left = new Map<string, number>();
  for (const word of wordsOf(gold)) left.set(word, (left.get(word) ?? 0) + 1);
  const words = wordsOf(text);
  let found = 0;
  for (const word of words) {
    const times = left.get(word) ?? 0;
    if (times === 0) continue;
    found += 1;
    left.set(word, times - 1);
  }
  return { precision: found / words.length, recall: found / wordsOf(gold).length };
}

describe("pages of many lines", () => {
  it.each([
    [
      "a table of 10,000 rows",
      `<table>${count(10_000, (at) => `<tr><td>${at}<td><a href=s${at}>Station ${at}</a>`)}</table>`,
      10_000,
      "9999\tStation 9999",
    ],
    [
      "50,000 line breaks",
      `<p>${count(50_000, (at) => `Line ${at} of the poem<br>`)}`,
      50_000,
      "Line 49999 of the poem",
    ],
    [
      "50,000 line breaks in a row",
      `<p>The ferry crossed the bay twice a day, for forty years.${"<br>".repeat(50_000)}Then it sank.`,
      2,
      "Then it sank.",
    ],
  ])("gives each line of %s a score, a label and its place", async (_, html, size, last) => {
    const { lines = [], page } = await clean(all, { html: `<title>Long</title>${html}` });
    expect(lines).toHaveLength(size);
    expect(lines.at(-1)?.text).toBe(last);
    for (const { score, label } of lines)
      expect(label === "content").toBe(score >= (page?.cut ?? Number.NaN));
  });
});

describe("pages with nothing on them", () => {
  const menu = "<nav><a href=/>Home</a> <a href=/a>About us</a> <a href=/c>Contact</a></nav>";
  const foot = "<footer><p>© 2024 Example Ltd. All rights reserved.</p> <a href=/t>Terms</a></footer>";
  const form =
    "<form><label>User name</label><input><label>Password</label><input><button>Log in</button></form>";

  it.each([
    ["menus", `<title>Example</title>${menu}${foot}`],
    ["a form", `<title>Log in</title>${menu}${form}${foot}`],
    ["a placeholder", "<title>App</title><div class=spinner>Loading…</div><script>start()</script>"],
  ])("rejects %s with the probability of main content", async (_, html) => {
    const outcome = await defaults.clean({ html });
    expect(outcome).toMatchObject({ ok: false, stage: "label", reason: "no-content" });
    expect(!outcome.ok && outcome.detail).toMatch(/^no main content: P\(main content\) 0\.\d\d$/);
    const { lines = [], text, page } = await clean(all, { html });
    expect(text).toBe("");
    expect(new Set(lines.map(({ label }) => label))).toEqual(new Set(["boilerplate"]));
    expect(page?.contentProbability).toBeLessThan(0.5);
  });

  it.each([
    ["frames", "<html><title>F</title><frameset cols='1,2'><frame src=a><frame src=b></frameset></html>"],
    ["HTML comments", "<title>x</title><!-- <p>The sea rose slowly over the wall. -->"],
  ])("rejects a page that has only %s because it has no lines", async (_, html) => {
    expect(await defaults.clean({ html })).toMatchObject({ ok: false, stage: "extract", reason: "no-lines" });
  });

  it("rejects a page whose root element a script would fill as script-only", async () => {
    const html = "<!doctype html><title>App</title><div id=root></div><script>write('<p>The sea')</script>";
    const outcome = await defaults.clean({ html });
    expect(outcome).toMatchObject({ ok: false, stage: "extract", reason: "script-only" });
  });
});

describe("bytes that a server calls HTML", () => {
  const contentType = "text/html; charset=utf-8";

  it.each([
    [
      "a feed",
      "<?xml version='1.0'?>\n<rss version='2.0'><channel><title>x</title></channel></rss>",
      "not-a-page",
      "an RSS feed",
    ],
    ["a PDF", "%PDF-1.7\n1 0 obj\n<<>>\nendobj\n", "binary", "PDF"],
  ])("rejects %s and names what it is", async (_, source, reason, detail) => {
    const outcome = await defaults.clean({ bytes: Buffer.from(source), contentType });
    expect(outcome).toMatchObject({ ok: false, stage: "acquire", reason, detail });
  });

  it.each(["amp-article", "xhtml-namespaces"])("gives the article of %s and little else", async (slug) => {
    const { text, page, source } = await clean(defaults, {
      bytes: fixture(slug, "source.html"),
      contentType,
    });
    expect(source).toBe("html");
    // One of the pages explains how to build a wall, so the model may call it documentation.
    expect(["article", "documentation"]).toContain(page?.type);
    expect(page?.contentProbability).toBeGreaterThan(0.7);
    const { precision, recall } = compareWords(text, fixture(slug, "text.txt").toString());
    expect(precision).toBeGreaterThan(0.9);
    expect(recall).toBeGreaterThan(0.5);
  });
});

describe("the choices of a user", () => {
  const blog = { bytes: fixture("blog-with-comments-fi", "source.html") };
  const story = "Sain leivänjuuren anopilta";
  const comment = "Nauroin ääneen villapaidalle.";
  const button = "Jätä kommentti";

  it.each([
    ["keep", [true, true, false]],
    ["drop", [true, false, false]],
    ["only", [false, true, false]],
  ] as const)(
    "keeps the parts of the page that the comments option asks for: %s",
    async (comments, wanted) => {
      const { text } = await clean(await open({ comments }), blog);
      expect([story, comment, button].map((part) => text.includes(part))).toEqual(wanted);
    },
  );

  it("keeps a subset of the lines of balanced with focus precision, and a superset with recall", async () => {
    const kept: Set<string>[] = [];
    const cuts: number[] = [];
    for (const focus of ["precision", "balanced", "recall"] as const) {
      const { lines = [], page } = await clean(await open({ focus, keepBoilerplate: true }), blog);
      kept.push(new Set(lines.filter(({ label }) => label === "content").map(({ text }) => text)));
      cuts.push(page?.cut ?? Number.NaN);
    }
    const [precision = new Set(), balanced = new Set(), recall = new Set()] = kept;
    expect([...precision].filter((text) => !balanced.has(text))).toEqual([]);
    expect([...balanced].filter((text) => !recall.has(text))).toEqual([]);
    expect(cuts).toEqual([...cuts].sort((a, b) => b - a));
    expect(recall.size).toBeGreaterThan(precision.size);
  });

  it("uses the option cut instead of the page's own cut", async () => {
    const { lines = [], page } = await clean(await open({ cut: 0.3, keepBoilerplate: true }), blog);
    expect(page?.cut).toBe(0.3);
    for (const { score, label } of lines) expect(label).toBe(score >= 0.3 ? "content" : "boilerplate");
  });

  it("gives plain text a page verdict only if the page labeller is asked for", async () => {
    const text = `${story}, ja siitä tuli hyvää leipää koko talveksi.\nKoti\nNyt leivon joka viikko kaksi leipää.`;
    expect((await clean(all, { text })).page).toBeUndefined();
    const asked = await clean(await open({ labeller: "page", keepBoilerplate: true }), { text });
    expect(asked.page?.type).toBeDefined();
    expect(asked.lines?.map((line) => line.text)).toEqual(text.split("\n"));
  });
});
