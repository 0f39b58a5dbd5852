/** Makes pages to clean, good ones and one that makes the code throw. */
import type { Page } from "../../src/document.js";

export function html(id: string, source: string): Page {
  return { id, url: "", content: { kind: "html", html: source } };
}

/** Makes a page that keeps any extractor busy: tens of milliseconds for 60,000 words, a second or so for 300,000. */
export function longPage(words: number): Page {
  return html("long", `<p>${"word <b>bold</b> ".repeat(words)}`);
}

/** Makes an extractor throw, as a bug would. */
export const BUG = html("bug", 7 as unknown as string);
