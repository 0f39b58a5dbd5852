/**
 * Recognises verse: lines that are a block each (from Docutils, Project Gutenberg, or made from TEI), and the blocks for
 * verse of WordPress and Substack.
 */
import type { ElementNode } from "../../../document/tree.js";
import { isBlankText } from "../../around.js";
import { classOf } from "../../bounded-attributes.js";

const LINE_CLASS = /(?:^|\s)(?:line|l|verse-?line|poem-?line|verse(?=\s+indent\d))(?=\s|$)/;
/** Nodes before a line that are read for another one, because of blank text between them. */
const MAX_BETWEEN = 3;

/** Checks whether an element is a line of verse after another one; `at` is its index among its siblings. */
export function isNextLine(element: ElementNode, at: number): boolean {
  const { tag, parent } = element;
  if (at === 0 || (tag !== "div" && tag !== "p") || parent === null || !isLine(element)) return false;
  const before = parent.children
    .slice(Math.max(0, at - MAX_BETWEEN), at)
    .findLast((node) => !isBlankText(node));
  return before?.kind === "element" && before.tag === tag && isLine(before);
}

function isLine(element: ElementNode): boolean {
  return element.attributes.size > 0 && LINE_CLASS.test(classOf(element));
}

/** Checks whether a `pre` is a poem, not code: WordPress and Substack draw its line breaks, in the font of the text. */
export function isVerse(pre: ElementNode): boolean {
  if (pre.parent?.attributes.get("class") === "preformatted-block") return true;
  return pre.attributes.size > 0 && /(?:^|\s)wp-block-verse(?=\s|$)/.test(classOf(pre));
}
