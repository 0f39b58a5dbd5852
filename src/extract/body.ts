/** Extracts every visible line of a page: `body` from the standard's tree, `page` from the quick tree. */
import type { Document } from "../document.js";
import { accept, addMeta, reject, type Outcome } from "../outcome.js";
import type { ExtractedDocument } from "../document/path-tree.js";
import type { ParsedPage } from "../document/tree.js";
import type { Extractor, ExtractorOptions } from "./extractor.js";
import { walkPlainly, walkWithPaths, type WalkedPage } from "./lines/walk.js";
import { readStatements } from "./metadata/metadata.js";

/**
 * Creates the extractor `body`. It builds no tree of paths: its documents come from another thread, and sending the
 * tree would cost more than it saves.
 */
export function createBodyExtractor(options: Wishes = {}): Extractor {
  return { name: "body", extract: (page) => extractBody(page, [], options) };
}

/** Creates the extractor `page` for the labeller `page`: the lines of `body`, with the tree of their paths. */
export function createPageExtractor(options: Wishes = {}): Extractor {
  return {
    name: "page",
    extract: (page) =>
      toDocument(page, walkWithPaths(page, { structure: options.structure }), { ...options, notes: [] }),
  };
}

type Wishes = Pick<ExtractorOptions, "structure" | "metadata">;

/** Returns all lines of the page, and adds `notes` to the page's own. Rejects a page without lines as `no-lines`. */
export function extractBody(
  page: ParsedPage,
  notes: readonly string[],
  options: Wishes = {},
): Outcome<Document> {
  return toDocument(page, walkPlainly(page, { structure: options.structure }), { ...options, notes });
}

function toDocument(
  page: ParsedPage,
  { isHidden, ...walked }: WalkedPage,
  { notes, metadata }: Wishes & { readonly notes: readonly string[] },
): Outcome<ExtractedDocument> {
  const said = readStatements(page, { metadata, isHidden });
  if (walked.lines.length === 0) return addMeta(reject(page, "extract", "no-lines"), said.meta);
  return accept({
    id: page.id,
    url: page.url,
    source: "html",
    ...said,
    notes: [...page.notes, ...notes],
    ...walked,
  });
}
