/** A `pre` into whether the blocks inside are the lines of its code, as highlighters write them, or a page of their own. */
import type { ElementNode } from "../tree.js";
import { traitsOf } from "./tags.js";

/** What highlighters make lines of: `<pre><code><div>…`, `<pre><ol><li>…`. A stray `<pre>` holds other blocks as well. */
const LINE_TAGS: ReadonlySet<string> = new Set(["div", "ol", "ul", "li"]);
/** Boxes and lines that stand in each other, at most; three are the most that were met. */
const MAX_NESTED = 4;

/** Works without recursion, and looks no further than to the first block that no highlighter writes. */
export function holdsCodeLines(pre: ElementNode): boolean {
  const open = [{ element: pre, next: 0, blocks: 0 }];
  for (let top = open.at(-1); top !== undefined; top = open.at(-1)) {
    const child = top.element.children[top.next];
    top.next += 1;
    if (child === undefined) open.pop();
    else if (child.kind === "element") {
      const isBlock = traitsOf(child.tag).block !== undefined;
      if (isBlock && (!LINE_TAGS.has(child.tag) || top.blocks === MAX_NESTED)) return false;
      open.push({ element: child, next: 0, blocks: top.blocks + (isBlock ? 1 : 0) });
    }
  }
  return true;
}
