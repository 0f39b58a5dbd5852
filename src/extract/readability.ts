/** A parsed page into the lines that Readability keeps of it. The one door of @mozilla/readability. */
import { Readability } from "@mozilla/readability";
import type { Document } from "../document.js";
import { accept, type Outcome } from "../outcome.js";
import type { ParsedPage, TextNode } from "../tree.js";
import { walkLines } from "./blocks.js";
import { extractBody } from "./body.js";
import { buildDom, type DomDocument, type DomNode } from "./dom.js";
import type { Extractor } from "./extractor.js";
import { readMetadata } from "./metadata.js";

export const MAX_ELEMENTS = 40_000;
export const MAX_DEPTH = 120;

/** Falls back to every visible line, with a note that says why, where Readability finds nothing or would take too long. */
export function createReadabilityExtractor(): Extractor {
  return { name: "readability", extract: extractReadable };
}

function extractReadable(page: ParsedPage): Outcome<Document> {
  if (page.depth > MAX_DEPTH) return extractBody(page, ["readability-skipped-depth"]);
  if (page.elements > MAX_ELEMENTS) return extractBody(page, ["readability-skipped-elements"]);
  const kept = findArticle(page);
  if (kept === "failed") return extractBody(page, ["readability-failed"]);
  const lines = walkLines(page, (node) => kept.has(node));
  if (lines.length === 0) return extractBody(page, ["readability-found-nothing"]);
  return accept({
    id: page.id,
    url: page.url,
    source: "html",
    meta: readMetadata(page),
    notes: page.notes,
    lines,
  });
}

/** The text nodes of the page that Readability keeps. */
function findArticle(page: ParsedPage): Set<TextNode> | "failed" {
  const dom = buildDom(page);
  try {
    const article = runReadability(dom.document);
    return article === null ? new Set() : dom.textsBelow(article);
  } catch (error) {
    // Readability is not written for every tree there is; an error of its own must not cost the page.
    if (error instanceof TypeError || error instanceof RangeError) return "failed";
    throw error;
  }
}

function runReadability(document: DomDocument): DomNode | null {
  // Typed with the browser's types, which this project does not load; it gets a DOM that has what it uses.
  const reader = new Readability<DomNode>(document, { serializer: keepNode });
  return reader.parse()?.content ?? null;
}

/** Readability hands out markup by default; the nodes themselves know where they came from. */
function keepNode(node: DomNode): DomNode {
  return node;
}
