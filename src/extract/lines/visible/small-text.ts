/** Reads the text of an element if it is as small as a mark or a word. */
import type { ElementNode, TreeNode } from "../../../document/tree.js";

interface Limits {
  readonly maxText: number;
  readonly maxNodes: number;
}

/** Returns the text as in the source; "" if the element has more than `maxText` characters or `maxNodes` nodes. */
export function smallTextOf({ children }: ElementNode, { maxText, maxNodes }: Limits): string {
  let text = "";
  const open: TreeNode[] = children.slice(0, maxNodes + 1);
  for (let looked = 0; open.length > 0; looked += 1) {
    const node = open.shift();
    if (looked >= maxNodes || text.length > maxText) return "";
    if (node?.kind === "text") text += node.value;
    else if (node !== undefined) open.unshift(...node.children.slice(0, maxNodes));
  }
  return text.length > maxText ? "" : text;
}
