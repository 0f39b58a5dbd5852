/** Checks that a page becomes its document, with only the wanted lines. */
import { readdirSync, readFileSync } from "node:fs";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { judgePayload } from "../../src/acquire/page-bytes.js";
import type { Document, LabelledLine, Page } from "../../src/document.js";
import type { LabellerChoice } from "../../src/label/labeller-choice.js";
import type { Wanted } from "../../src/options/page-options.js";
import type { CleanerOptions } from "../../src/work/cleaner-options.js";
import { createCleaner, openLabellers, type Cleaner } from "../../src/work/cleaner.js";
import { countWords } from "../../src/language/words.js";
import { formatMarkdown } from "../../src/write/markdown.js";
import { writers } from "../../src/write/registry.js";
import { formatBody } from "../../src/write/tei/body.js";
import { formatText } from "../../src/write/text.js";
import { OPTIONS as COMMON } from "../work/cleaner-options.js";

const OPTIONS = { ...COMMON, keepBoilerplate: false };
const never = new AbortController().signal;
let choice: LabellerChoice;
let cleaners: Record<Wanted, Cleaner>;

beforeAll(async () => {
  choice = await openLabellers(OPTIONS);
  cleaners = {
    lines: createCleaner(OPTIONS, choice),
    text: createCleaner({ ...OPTIONS, wants: "text" }, choice),
  };
});
afterAll(async () => {
  await Promise.all(Object.values(cleaners).map((cleaner) => cleaner.close()));
  await choice.close();
});

async function clean(page: Page, wants: Wanted): Promise<Document<LabelledLine> | undefined> {
  const { outcome } = await cleaners[wants].clean(page, never);
  return outcome.ok ? outcome.value : undefined;
}

const pages = readdirSync("fixtures/pages").map((slug): Page => {
  const html = readFileSync(`fixtures/pages/${slug}/source.html`, "utf8");
  return { id: slug, url: "", content: { kind: "html", html } };
});
/** A long sentence, which the rules keep; short lines between such sentences are dropped. */
const SENTENCE = "It has been said of the harbour that its water never was as quiet as on that night.";
pages.push(
  {
    id: "broken-pre",
    url: "",
    content: {
      kind: "html",
      html: `<pre>${SENTENCE}\n<i>x</i>\n\n${SENTENCE}\n</pre><a href=a>menu</a><pre>${SENTENCE}\n\n</pre>`,
    },
  },
  {
    id: "hidden-boundary",
    url: "",
    content: {
      kind: "text",
      text: `${SENTENCE}\nmenu\n\na\nb\nc\nd\ne\nf\ng\nh\nhome\n${SENTENCE.replace("harbour", "lake")}`,
    },
  },
);

describe("a document without unwanted lines", () => {
  it.each(pages)("has the same text: $id", async (page) => {
    const all = await clean(page, "lines");
    const some = await clean(page, "text");
    expect(some === undefined).toBe(all === undefined);
    if (all === undefined || some === undefined) return;
    expect(formatText(some)).toBe(formatText(all));
    expect(formatMarkdown(some, { links: "keep" })).toBe(formatMarkdown(all, { links: "keep" }));
    const body = (doc: typeof all): string => formatBody(doc, { lines: "content", links: "keep" });
    expect(body(some)).toBe(body(all));
    expect(some.lines.filter(({ label }) => label === "content")).toHaveLength(
      all.lines.filter(({ label }) => label === "content").length,
    );
  });

  it("has no boilerplate lines, but counts them", async () => {
    const page = pages.at(-1);
    if (page === undefined) throw new Error("no page");
    const some = await clean(page, "text");
    expect(some?.lines.map(({ text, breakBefore }) => [text.slice(0, 2), breakBefore])).toEqual([
      ["It", "block"],
      ["d", "block"],
      ["e", "line"],
      ["It", "line"],
    ]);
    const { counts } = await cleaners.text.clean(page, never);
    expect(counts).toMatchObject({ contentLines: 4, boilerplateLines: 8 });
  });
});

describe("a document that the cleaner formats", () => {
  const options = { lines: "content", links: "keep", fingerprint: "f", version: "1" } as const;
  const carried = `{"WARC-Date":"2024-05-02T10:00:00Z","nested":{"list":[1,"ü"]}}`;

  it.each(["jsonl", "text", "markdown", "wet"] as const)(
    "is formatted as its writer formats it: %s",
    async (to) => {
      const form = { to, ...options };
      const cleaner = createCleaner({ ...OPTIONS, form }, choice);
      for (const page of pages) {
        const { outcome, formatted, counts } = await cleaner.clean({ ...page, carried }, never);
        const plain = await clean(page, "lines");
        expect(outcome).toMatchObject(
          plain === undefined ? { ok: false } : { ok: true, value: { lines: [] } },
        );
        if (plain === undefined) continue;
        const chunks: string[] = [];
        const sink = {
          write: (chunk: string | Uint8Array) => Promise.resolve(void chunks.push(String(chunk))),
        };
        const ends = { close: () => Promise.resolve(), discard: () => Promise.resolve() };
        const writer = writers[to].create(
          { ...sink, ...ends },
          { ...options, documents: "many", hasBegun: true },
        );
        await writer.write({ ...plain, carried });
        await writer.write(
          { id: page.id, url: "", source: "html", meta: {}, notes: [], lines: [] },
          formatted,
        );
        expect(chunks).toHaveLength(2);
        expect(chunks[1]).toBe(chunks[0]);
        expect(counts?.words).toBe(countWords(formatText(plain)));
      }
      await cleaner.close();
    },
  );
});

describe("the unjudged bytes of an archive", () => {
  const unseen = (bytes: Uint8Array, contentType = "text/html"): Page => ({
    ...{ id: "it", url: "" },
    content: { kind: "bytes", bytes, contentType, isUnseen: true },
  });

  it("become the same document as judged bytes", async () => {
    for (const slug of readdirSync("fixtures/pages")) {
      const bytes = new Uint8Array(readFileSync(`fixtures/pages/${slug}/source.html`));
      const judged = judgePayload({ id: "it", url: "" }, { bytes, contentType: "text/html" });
      if (!judged.ok) throw new Error(judged.reason);
      expect(await clean(unseen(bytes), "lines")).toEqual(await clean(judged.value, "lines"));
    }
  });

  it("keep the language and the fields of the archive", async () => {
    const page = unseen(Buffer.from(`<article>${`<p>${SENTENCE}</p>`.repeat(5)}</article>`));
    const carried = '{"WARC-Date":"2026-11-24T00:00:00Z"}';
    expect(await clean({ ...page, lang: "sv", carried }, "lines")).toMatchObject({
      carried,
      meta: { lang: "sv" },
    });
  });

  it.each([
    ["empty", Buffer.from(" \n"), "text/html", "only white space"],
    ["binary", Buffer.from("%PDF-1.4\n"), "text/html", "PDF"],
    ["not-a-page", Buffer.from('{"a":1}'), "text/html", "JSON"],
    ["unsupported-type", Buffer.from("<a/>"), "text/xml", "text/xml that is not XHTML"],
  ])("are rejected as if they had been judged at reading: %s", async (reason, bytes, type, detail) => {
    expect(await cleaners.text.clean(unseen(bytes, type), never)).toEqual({
      outcome: { ...{ ok: false, id: "it", url: "", stage: "acquire" }, reason, detail },
      ms: 0,
    });
  });
});

describe("plain text for a labeller that reads tags", () => {
  it("is rejected, and HTML pages beside it are not", async () => {
    const options: CleanerOptions = { ...OPTIONS, labeller: "boilernet" };
    const labellers = await openLabellers(options);
    const cleaner = createCleaner(options, labellers);
    const text: Page = { id: "text", url: "", content: { kind: "text", text: SENTENCE } };
    const html: Page = {
      id: "html",
      url: "",
      content: { kind: "html", html: `<main><h1>The harbour</h1>${`<p>${SENTENCE}</p>`.repeat(5)}</main>` },
    };
    const [one, other] = await Promise.all([text, html].map((page) => cleaner.clean(page, never)));
    expect(one?.outcome).toMatchObject({
      ...{ ok: false, id: "text", stage: "label", reason: "needs-page", detail: "labeller boilernet" },
    });
    expect(other?.outcome.ok).toBe(true);
    await cleaner.close();
    await labellers.close();
  });
});
