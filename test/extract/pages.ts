/** Turns HTML into lines, for the tests of this room. */
import type { Document, Line } from "../../src/document.js";
import { walkLines } from "../../src/extract/lines/walk.js";
import type { Outcome } from "../../src/outcome.js";
import { parseHtml } from "../../src/parse/standard-tree.js";
import type { ParsedPage } from "../../src/document/tree.js";

export function parse(html: string): ParsedPage {
  return parseHtml({ id: "page", url: "https://example.org/", html });
}

export function linesOf(html: string): Line[] {
  return walkLines(parse(html));
}

/** Returns "block: text" for each line. */
export function shownLines(html: string): string[] {
  return linesOf(html).map((line) => `${line.block}: ${line.text}`);
}

export function unwrap(outcome: Outcome<Document>): Document {
  if (!outcome.ok) throw new Error(`rejected: ${outcome.reason}`);
  return outcome.value;
}
