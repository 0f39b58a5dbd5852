/** Parses decoded HTML into nearly always the same light tree as `standard-tree.ts`, several times as fast. */
import type { ParsedPage } from "../document/tree.js";
import { flattenBelow, PARSE_LIMITS, type HtmlPage, type ParseLimits } from "./limits.js";
import { scan } from "./quick/scan.js";
import { createBuild, finish, isCapped } from "./quick/tree-construction.js";
import { parseSelfClosed } from "./xhtml.js";

/** Never fails: any text is a page. Works without recursion, in time that grows linearly with the text. */
export function parseQuickly(page: HtmlPage, limits: ParseLimits = PARSE_LIMITS): ParsedPage {
  return parseSelfClosed(page.html, (html) => parseSource(page, html, limits));
}

function parseSource(page: HtmlPage, html: string, limits: ParseLimits): ParsedPage {
  const build = createBuild(html, limits, page.keeps);
  scan(build);
  const wasCapped = isCapped(build);
  finish(build);
  const { root } = build;
  let { elements, depth, isSunk } = build;
  if (build.uneven > 0) {
    // Only then the tree may be deeper than the elements that were open at once.
    const size = flattenBelow(root, limits.maxDepth);
    ({ elements, depth } = size);
    isSunk ||= size.isCapped;
  }
  const notes = [...(page.notes ?? [])];
  if (wasCapped) notes.push("elements-capped");
  if (isSunk) notes.push("depth-capped");
  return { id: page.id, url: page.url, html: page.html, root, elements, depth, notes };
}
