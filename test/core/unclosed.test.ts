import { describe, expect, it } from "vitest";
import type { ExtractorName } from "../../src/extract/registry.js";
import { closeUnclosed } from "../../src/parse/readings.js";
import { openReader } from "../../src/core/read-page.js";

const TEXT =
  "The ferry to the northern islands leaves twice a day until October, and once a day in winter, if the ice allows it.";
const paragraphs = Array.from({ length: 8 }, (_, at) => `<p>${at + 1}. ${TEXT}</p>`).join("\n");

async function read(html: string, extractor: ExtractorName = "page") {
  const reader = await openReader(extractor, { leftOut: "drop" });
  const outcome = reader({ id: "p", url: "", content: { kind: "html", html } });
  if (!outcome.ok) throw new Error(outcome.reason);
  return outcome.value;
}

describe("a page that is hidden inside an unclosed element", () => {
  it.each(["page", "body"] as const)("is read if the element is a title, by %s", async (extractor) => {
    const html = `<html><head><title>Ferries of the north\n\t\t\n\t\t\n\t\n<link rel=icon href=i.png></head><body>${paragraphs}</body></html>`;
    const { lines, notes, meta } = await read(html, extractor);
    expect(lines).toHaveLength(8);
    expect(lines[0]?.text).toBe(`1. ${TEXT}`);
    expect(lines[0]?.path).toBe("body>p");
    expect(meta.title).toBe("Ferries of the north");
    expect(notes).toEqual(["unclosed-read"]);
    for (const { text, span } of lines) expect(html.slice(...(span ?? [0, 0]))).toBe(text);
  });

  it.each([
    ["an iframe", "<iframe src=a.html width=10>"],
    ["two text areas", "<textarea name=a>Write to us: <br><TEXTAREA>"],
    ["a title without text", "<title>"],
  ])("is read if the element is %s", async (_, tag) => {
    const { lines, notes } = await read(`<body>${tag}${paragraphs}`);
    expect(lines.map(({ text }) => text)).toEqual(Array.from({ length: 8 }, (_, at) => `${at + 1}. ${TEXT}`));
    expect(notes).toEqual(["unclosed-read"]);
  });

  it("is left unchanged if the page shows its text anyway", async () => {
    const { lines, notes } = await read(`<body>${paragraphs}<iframe src=a.html>${paragraphs}`);
    expect(lines).toHaveLength(8);
    expect(notes).toEqual([]);
  });

  it("is repaired in reasonable time, however many elements are unclosed", () => {
    const html = "<title>a long enough title".repeat(200_000) + paragraphs;
    const closed = closeUnclosed(html);
    expect(closed).toHaveLength(html.length);
    expect(closed).toContain("<title>a long enou</title><title>a long enou</title>");
  });
});

describe("the repair of unclosed elements", () => {
  it.each([
    "<title>One</title><p>Two",
    "<p>No such element <b>at all",
    "<title>It ends with the page",
    "<iframe></iframe><TextArea>x</TEXTAREA >",
    "<script>a = '<title'",
  ])("does not change %s", (html) => {
    expect(closeUnclosed(html)).toBeUndefined();
  });

  it("keeps the text before the last end tag", () => {
    expect(closeUnclosed("<title>a</title><svg><title>some longer name<p>b")).toBe(
      "<title>a</title><svg><title>some lon</title><p>b",
    );
  });
});
