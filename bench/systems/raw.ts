/** Keeps every line of a document, or its page unchanged: the baseline before any cleaning. */
import type { GoldDocument } from "../corpora/gold.js";
import type { System, SystemOutput } from "./system.js";
import { createOurSystem } from "./ours.js";

/**
 * Keeps exactly the lines that the gold labels, so that nothing is lost or added. A page whose gold has no lines (only
 * snippets or a text) gets every visible line of the page instead, from our `body` extractor.
 */
export function createRawSystem(options: { readonly timeoutMs?: number } = {}): Promise<System> {
  let body: Promise<System> | undefined;
  return Promise.resolve({
    name: "raw",
    takes: "both",
    describe: "every line of the gold; where the gold has none, every visible line of the page",
    async run(document: GoldDocument): Promise<SystemOutput> {
      if (document.lines !== undefined) {
        const lines = document.lines.map(({ text }) => ({ text, label: 1 as const }));
        return { ok: true, text: lines.map((line) => line.text).join("\n"), lines };
      }
      body ??= createOurSystem("body", options);
      // The cost is left out: it is the extractor's cost, not that of doing nothing.
      const output = await (await body).run(document);
      return output.ok ? { ok: true, text: output.text } : output;
    },
    async close() {
      await (await body)?.close();
    },
  });
}

/** Returns the page itself, for measuring structure: every element is found, but most of them are not main content. */
export function createPageSource(): Promise<System> {
  return Promise.resolve({
    name: "raw",
    takes: "pages",
    describe: "the page itself, all of its elements",
    run: ({ html = "" }: GoldDocument): Promise<SystemOutput> =>
      Promise.resolve({ ok: true, text: "", markup: { form: "html", source: html } }),
    close: () => Promise.resolve(),
  });
}
