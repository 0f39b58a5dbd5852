/** Extracts the lines of a page that Readability keeps. The only file that imports @mozilla/readability. */
import { Readability } from "@mozilla/readability";
import type { Document, Line } from "../../document.js";
import { accept, type Outcome } from "../../outcome.js";
import type { ParsedPage, TextNode } from "../../document/tree.js";
import { extractBody } from "../body.js";
import { buildDom, type DomDocument, type DomNode } from "./dom.js";
import type { Extractor, ExtractorOptions } from "../extractor.js";
import { walkPlainly } from "../lines/walk.js";
import { readStatements } from "../metadata/metadata.js";
import { findHeadline } from "./headline.js";

/**
 * Readability's time grows with the elements times their depth, and more steeply still with depth alone where there is
 * little text: 500 nested `div`s take .7 s, 1,000 take 14 s; 20,000 elements at depth 100 take 7 s. Of 5,492 pages of
 * the gold sets the largest has 10,061 elements, the deepest 56 levels, and the greatest product is 375,212.
 */
export const MAX_ELEMENTS = 30_000;
export const MAX_DEPTH = 100;
const MAX_ELEMENTS_TIMES_DEPTH = 1_000_000;

const NAME = "readability";

/**
 * Falls back to every visible line, with a note that says why, if Readability finds nothing, fails or would take too
 * long.
 */
export function createReadabilityExtractor(options: ExtractorOptions): Extractor {
  return { name: NAME, extract: (page) => extractReadable(page, options) };
}

function extractReadable(page: ParsedPage, options: ExtractorOptions): Outcome<Document> {
  const { leftOut, structure } = options;
  if (page.depth > MAX_DEPTH) return extractBody(page, ["readability-skipped-depth"], options);
  if (page.elements > MAX_ELEMENTS || page.elements * page.depth > MAX_ELEMENTS_TIMES_DEPTH)
    return extractBody(page, ["readability-skipped-elements"], options);
  const kept = findArticle(page);
  if (kept === "failed") return extractBody(page, ["readability-failed"], options);
  const { lines, holders } = walkPlainly(page, { keep: (node) => kept.has(node), structure });
  if (lines.length === 0) return extractBody(page, ["readability-found-nothing"], options);
  return accept({
    id: page.id,
    url: page.url,
    source: "html",
    ...readStatements(page, { metadata: options.metadata }),
    notes: page.notes,
    ...(holders && { holders }),
    lines:
      leftOut === "drop"
        ? lines
        : mergeLeftOut(lines, walkPlainly(page, { keep: (node) => !kept.has(node), structure }).lines, NAME),
  });
}

/**
 * Returns the text nodes that Readability keeps, and the headline; "failed" if Readability throws an error of its own.
 */
function findArticle(page: ParsedPage): Set<TextNode> | "failed" {
  const dom = buildDom(page);
  try {
    const article = runReadability(dom.document);
    if (article === undefined) return new Set();
    const kept = dom.textsBelow(article.content);
    // A headline alone is not an article: then the page is better read whole.
    if (kept.size > 0) for (const node of findHeadline(page, article.title)) kept.add(node);
    return kept;
  } catch (error) {
    // Readability cannot handle every tree; an error of its own must not lose the page.
    if (error instanceof TypeError || error instanceof RangeError) return "failed";
    throw error;
  }
}

function runReadability(
  document: DomDocument,
): { readonly content: DomNode; readonly title: string } | undefined {
  // Readability is typed with the browser's types, which this project does not load; this DOM has all that it uses.
  const article = new Readability<DomNode>(document, { serializer: keepNode }).parse();
  if (article?.content == null) return undefined;
  return { content: article.content, title: article.title ?? "" };
}

/** Returns the node itself; by default Readability returns markup, which would lose the origin of each text. */
function keepNode(node: DomNode): DomNode {
  return node;
}

/**
 * Merges lines by their offset in the source; both lists keep their own order. The breaks before the taken lines stay
 * as they are, so the text of the document is the same with and without the others.
 */
export function mergeLeftOut(taken: readonly Line[], leftOut: readonly Line[], extractor: string): Line[] {
  const merged: Line[] = [];
  let next = 0;
  for (const line of taken) {
    for (let other = leftOut[next]; other !== undefined && isBefore(other, line); other = leftOut[next]) {
      merged.push(mark(other, extractor));
      next += 1;
    }
    merged.push(line);
  }
  for (const other of leftOut.slice(next)) merged.push(mark(other, extractor));
  return merged;
}

/** Text that the parser made up has no place in the source, and stays with the line that follows it. */
function isBefore(a: Line, b: Line): boolean {
  return a.span === undefined || (b.span !== undefined && a.span[0] < b.span[0]);
}

function mark(line: Line, extractor: string): Line {
  return { ...line, breakBefore: "line", leftOutBy: extractor };
}
