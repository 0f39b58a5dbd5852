/** Tells verse: lines that a page draws as a block each (of Docutils, of what is made from TEI), and the `pre` of WordPress. */
import type { ElementNode } from "../../../tree.js";
import { isBlankText } from "../../around.js";
import { classOf } from "../../bounded-attributes.js";

const LINE_CLASS = /(?:^|\s)(?:line|l|verse-?line|poem-?line)(?=\s|$)/;
/** Blank text and comments between two lines. */
const MAX_BETWEEN = 3;

/** Whether an element is a line of verse behind another one; `at` is its place among its siblings. */
export function isNextLine(element: ElementNode, at: number): boolean {
  const { tag, parent } = element;
  if ((tag !== "div" && tag !== "p") || parent === null || !isLine(element)) return false;
  const before = parent.children
    .slice(Math.max(0, at - MAX_BETWEEN), at)
    .findLast((node) => !isBlankText(node));
  return before?.kind === "element" && before.tag === tag && isLine(before);
}

function isLine(element: ElementNode): boolean {
  return element.attributes.size > 0 && LINE_CLASS.test(classOf(element));
}

/** Whether a `pre` is a poem and no code: WordPress has its line breaks drawn, in the font of the text. */
export function isVerse(pre: ElementNode): boolean {
  return pre.attributes.size > 0 && /(?:^|\s)wp-block-verse(?=\s|$)/.test(classOf(pre));
}
