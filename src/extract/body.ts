/** A parsed page into every visible line of it. */
import type { Document } from "../document.js";
import { accept, reject, type Outcome } from "../outcome.js";
import type { ParsedPage } from "../tree.js";
import type { Extractor } from "./extractor.js";
import { walkLines } from "./lines/walk.js";
import { readMetadata } from "./metadata/metadata.js";

export function createBodyExtractor(): Extractor {
  return { name: "body", extract: (page) => extractBody(page, []) };
}

/** All lines of the page, with what the reader should know besides the page's own notes. */
export function extractBody(page: ParsedPage, notes: readonly string[]): Outcome<Document> {
  const lines = walkLines(page);
  if (lines.length === 0) return reject(page, "extract", "no-lines");
  return accept({
    id: page.id,
    url: page.url,
    source: "html",
    meta: readMetadata(page),
    notes: [...page.notes, ...notes],
    lines,
  });
}

/* MERGED src/extract/body.ts: A quickly parsed page into every visible line of it: what the labeller `page` judges. */

/** The lines of `body`; the two differ in the tree that they get, and so in where they may run. */
export function createPageExtractor(): Extractor {
  return { name: "page", extract: (page) => extractBody(page, []) };
}
