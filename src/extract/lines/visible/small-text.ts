/** Reads the text of an element if it is as small as a mark or a word. */
import type { ElementNode, TreeNode } from "../../../document/tree.js";

interface Limits {
  readonly maxText: number;
  readonly maxNodes: number;
}

/** Returns the text as in the source; "" if the element has more than `maxText` characters or `maxNodes` nodes. */
export function smallTextOf({ children }: ElementNode, { maxText, maxNodes }: Limits): string {
  let text = "";
  const open: { readonly children: readonly TreeNode[]; next: number }[] = [{ children, next: 0 }];
  for (let looked = 0, top = open.at(-1); top !== undefined; top = open.at(-1)) {
    const node = top.children[top.next];
    top.next += 1;
    if (node === undefined) {
      open.pop();
      continue;
    }
    if (looked >= maxNodes || text.length > maxText) return "";
    looked += 1;
    if (node.kind === "text") text += node.value;
    else open.push({ children: node.children, next: 0 });
  }
  return text.length > maxText ? "" : text;
}
