import { describe, expect, it } from "vitest";
import { formatHtml } from "../../src/write/html.js";
import { writers } from "../../src/write/registry.js";
import { expectLinear } from "../growth.js";
import { document, line } from "./documents.js";
import { createMemorySink, OPTIONS } from "./files/sinks.js";

const NOTED = document(
  [
    line('Text 1 with id="note-1"', { spans: [{ kind: "note", start: 5, end: 6, note: "n" }] }),
    line("The note.", { holder: 0 }),
  ],
  { holders: [{ tag: "note", note: "n" }] },
);

async function write(ids: readonly string[], documents: "one" | "many"): Promise<string> {
  const sink = createMemorySink();
  const writer = writers.html.create(sink, { ...OPTIONS, documents });
  for (const [at, id] of ids.entries()) {
    const doc = { ...NOTED, id };
    // A worker may have formatted the document.
    await (at === 0 ? writer.write(doc) : writer.write(doc, formatHtml(doc, OPTIONS)));
  }
  await writer.close();
  return sink.bytes().toString();
}

describe("html", () => {
  it("has no two notes with one id, and refers to those of the same document", async () => {
    const html = await write(["note-1", "b"], "many");
    const ids = [...html.matchAll(/ id="([^"]*)"/g)].map(([, id]) => id);
    expect(new Set(ids).size).toBe(2);
    expect([...html.matchAll(/href="#([^"]*)"/g)].map(([, id]) => id)).toEqual(ids);
    expect(html.split("id=&quot;note-1&quot;")).toHaveLength(3);
  });

  it.each([
    ["sv", '<article lang="sv">'],
    ["ar", '<article lang="ar" dir="rtl">'],
    ["ar-EG", '<article lang="ar-EG" dir="rtl">'],
    ["ar-Latn", '<article lang="ar-Latn">'],
    ["arn", '<article lang="arn">'],
  ])("states the language %s and its direction", (lang, start) => {
    expect(formatHtml(document([line("Text")], { meta: { lang } }), OPTIONS)).toContain(start);
  });

  it("is written in linear time, also with very many paragraphs", async () => {
    await expectLinear(
      16_000,
      (size) =>
        document(Array.from({ length: size }, () => line("Some words of a sentence in a paragraph."))),
      (doc) => formatHtml(doc, OPTIONS),
    );
  });

  it("counts the notes of a single document", async () => {
    const html = await write(["a"], "one");
    expect(html).toContain('<div id="note-1">');
    expect(html).toContain('<a href="#note-1" role="doc-noteref">');
  });
});
