/** Extracts every visible line of a page: the extractors `body`, of the standard's tree, and `page`, of the quick one. */
import type { Document } from "../document.js";
import { accept, reject, type Outcome } from "../outcome.js";
import type { ExtractedDocument } from "../path-tree.js";
import type { ParsedPage } from "../tree.js";
import type { Extractor } from "./extractor.js";
import { walkLines, walkWithPaths } from "./lines/walk.js";
import { readMetadata } from "./metadata/metadata.js";

/** Its documents come from a thread of their own, and would pay more for the tree of their paths on the way than it saves. */
export function createBodyExtractor(): Extractor {
  return { name: "body", extract: (page) => extractBody(page, []) };
}

/** What the labeller `page` judges: the lines of `body`, with the tree of their paths. */
export function createPageExtractor(): Extractor {
  return { name: "page", extract: (page) => toDocument(page, walkWithPaths(page), []) };
}

/** All lines of the page, with what the reader should know besides the page's own notes. */
export function extractBody(page: ParsedPage, notes: readonly string[]): Outcome<Document> {
  return toDocument(page, { lines: walkLines(page) }, notes);
}

function toDocument(
  page: ParsedPage,
  { lines, paths }: Pick<ExtractedDocument, "lines" | "paths">,
  notes: readonly string[],
): Outcome<ExtractedDocument> {
  if (lines.length === 0) return reject(page, "extract", "no-lines");
  return accept({
    id: page.id,
    url: page.url,
    source: "html",
    meta: readMetadata(page),
    notes: [...page.notes, ...notes],
    lines,
    ...(paths && { paths }),
  });
}
