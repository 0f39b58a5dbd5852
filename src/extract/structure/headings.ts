/** Finds headings whose line has another block: `<h2><div>Title</div></h2>`, `<div role="heading">Title</div>`. */
import { isHeadingTag, type HeadingTag } from "../../document.js";
import type { ElementNode, TreeNode } from "../../document/tree.js";
import { classOf } from "../bounded-attributes.js";
import { textOf } from "../elements.js";
import { traitsOf } from "../lines/line-tags.js";

/** The largest length of a heading in characters; an element with more text was never closed, or is no heading. */
const MAX_HEADING = 300;
/** The largest depth of nested elements before the first word. */
const MAX_DEPTH = 12;

/** The class name that the editor of Naver gives to a box with the title of a section. */
export const TITLE_CLASS = /(?:^|\s)se-section-sectionTitle(?:\s|$)/;

/**
 * The heading tag of an `h1` to `h6` whose text begins in a block, or of an element with the role of a heading. Without
 * `aria-level` the level is 2 (WAI-ARIA 1.2, heading). Other headings are found by the block of their line. `mayTell`:
 * the element may have a role or such a name.
 */
export function findHeading(element: ElementNode, mayTell: boolean): HeadingTag | undefined {
  const { tag, attributes } = element;
  if (isHeadingTag(tag)) return begin(element, 0) === "block" && isShort(element) ? tag : undefined;
  if (!mayTell) return undefined;
  if (TITLE_CLASS.test(classOf(element))) return isShort(element) ? "h2" : undefined;
  if (attributes.get("role") !== "heading" || !isShort(element)) return undefined;
  const stated = `h${attributes.get("aria-level")?.trim() ?? 2}`;
  return isHeadingTag(stated) ? stated : "h6";
}

function isShort(element: ElementNode): boolean {
  return textOf(element, MAX_HEADING).length < MAX_HEADING;
}

/** Whether the first words in an element are in a block; undefined if it holds no words. */
function begin({ children }: ElementNode, depth: number): "text" | "block" | undefined {
  for (const child of children) {
    const found = beginWith(child, depth);
    if (found !== undefined) return found;
  }
  return undefined;
}

function beginWith(child: TreeNode, depth: number): "text" | "block" | undefined {
  if (child.kind === "text") return /\S/.test(child.value) ? "text" : undefined;
  const { isHidden, block } = traitsOf(child.tag);
  if (isHidden) return undefined;
  if (block !== undefined) return "block";
  return depth < MAX_DEPTH ? begin(child, depth + 1) : "text";
}
