/** Finds headings that the blocks of their lines do not tell: `<h2><div>Title</div></h2>`, `<div role="heading">Title</div>`. */
import { isHeadingTag, type HeadingTag } from "../../document.js";
import type { ElementNode, TreeNode } from "../../tree.js";
import { textOf } from "../elements.js";
import { traitsOf } from "../lines/line-tags.js";

/** Characters of a heading; one that has more was never closed, or is none. */
const MAX_HEADING = 300;
/** Elements inside of each other before the first word. */
const MAX_DEPTH = 12;

/**
 * A heading whose words begin in a block, or a block whose role it is to be one: where ARIA gives no level, that is 2 (WAI-ARIA
 * 1.2, heading). The line of any other heading is one by its own block. `mayTell`: the element may have such a role.
 */
export function findHeading(element: ElementNode, mayTell: boolean): HeadingTag | undefined {
  const { tag, attributes } = element;
  if (isHeadingTag(tag)) return begin(element, 0) === "block" && isShort(element) ? tag : undefined;
  if (!mayTell || attributes.get("role") !== "heading" || !isShort(element)) return undefined;
  const stated = `h${attributes.get("aria-level")?.trim() ?? 2}`;
  return isHeadingTag(stated) ? stated : "h6";
}

function isShort(element: ElementNode): boolean {
  return textOf(element, MAX_HEADING).length < MAX_HEADING;
}

/** What the first words below an element stand in. */
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
