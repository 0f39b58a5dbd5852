import { describe, expect, it } from "vitest";
import type { ExtractorName } from "../../src/extract/registry.js";
import { openReader } from "../../src/core/read-page.js";

const POST =
  "The pump of my old espresso machine hums but no water comes out, and I have already cleaned the inlet valve twice.";
const posts = Array.from({ length: 8 }, (_, at) => `<div class="post"><p>${at + 1}. ${POST}</p></div>`);
const shell = (noscript: string, shown = ""): string =>
  `<!doctype html><title>No water &amp; a hum</title><body><div id="app"></div>${shown}` +
  `<NOSCRIPT data-path="/t/1">${noscript}</noscript ><script>start("<noscript>")</script></body>`;

async function read(html: string, extractor: ExtractorName = "page") {
  const reader = await openReader(extractor, { leftOut: "drop" });
  const outcome = reader({ id: "p", url: "", content: { kind: "html", html } });
  return outcome.ok ? outcome.value : outcome.reason;
}

describe("a page that only scripts can draw", () => {
  it.each(["page", "body"] as const)("is read from its noscript element, by %s", async (extractor) => {
    const html = shell(posts.join(""));
    const document = await read(html, extractor);
    if (typeof document === "string") throw new Error(document);
    expect(document.lines.map(({ text }) => text)).toEqual(posts.map((_, at) => `${at + 1}. ${POST}`));
    expect(document.notes).toContain("noscript-read");
    expect(document.meta.title).toBe("No water & a hum");
    for (const { text, span } of document.lines) expect(html.slice(...(span ?? [0, 0]))).toBe(text);
  });

  it("is rejected as script-only if noscript only asks for JavaScript", async () => {
    expect(await read(shell("<p>Please switch on JavaScript to read this forum.</p>"))).toBe("script-only");
  });

  it("is read without noscript if the page shows its text anyway", async () => {
    const document = await read(shell(posts.join(""), `<main>${posts.join("").repeat(2)}</main>`));
    if (typeof document === "string") throw new Error(document);
    expect(document.lines).toHaveLength(16);
    expect(document.notes).toEqual([]);
  });

  it("is read in reasonable time, however many noscript tags are unclosed", async () => {
    const document = await read("<noscript>".repeat(50_000) + posts.join(""));
    if (typeof document === "string") throw new Error(document);
    expect(document.lines.at(-1)?.text).toContain("espresso");
  });
});
