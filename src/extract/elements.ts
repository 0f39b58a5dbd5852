/** Finds elements below another one, in document order, and reads the text inside an element. */
import type { ElementNode } from "../document/tree.js";
import { normaliseText } from "./lines/text/characters.js";
import { isHiddenByPage, isHiddenByTag, isHiddenCopy } from "./lines/visible/visible.js";

/**
 * Returns the first element below `root` that passes the test. A test that always returns false visits all elements.
 */
export function findElement(
  root: ElementNode,
  test: (element: ElementNode) => boolean,
): ElementNode | undefined {
  const open: ElementNode[] = [root];
  const next: number[] = [0];
  for (let depth = 0; depth >= 0;) {
    const children = open[depth]?.children ?? [];
    let at = next[depth] ?? 0;
    // Skips text between elements without another turn of the outer loop.
    while (at < children.length && children[at]?.kind === "text") at += 1;
    next[depth] = at + 1;
    const child = at < children.length ? children[at] : undefined;
    if (child?.kind !== "element") depth -= 1;
    else if (test(child)) return child;
    else if (child.children.length > 0) {
      depth += 1;
      open[depth] = child;
      next[depth] = 0;
    }
  }
  return undefined;
}

/**
 * Characters and elements that are read for each character wanted, because deeply indented pages are mostly whitespace.
 */
const LOOKED_THROUGH = 50;

/** A run of whitespace that is not one space already. */
const LOOSE_SPACE = /[^\S ]\s*| \s+/g;

/**
 * Returns the visible text inside an element, with each run of whitespace as one space. Longer text is cut to `limit`
 * characters, or one more. "raw" is for text that is not text of the page: it is returned as it is, cut to `limit`
 * characters.
 */
export function textOf(element: ElementNode, limit: number, how: "normal" | "raw" = "normal"): string {
  let text = "";
  let endsInSpace = true;
  let left = how === "raw" ? limit : limit * LOOKED_THROUGH;
  const open: ElementNode[] = [element];
  const next: number[] = [0];
  for (let depth = 0; depth >= 0 && text.length <= limit && left > 0;) {
    const at = next[depth] ?? 0;
    const node = open[depth]?.children[at];
    next[depth] = at + 1;
    if (node === undefined) depth -= 1;
    else if (node.kind === "text") {
      const part = node.value.slice(0, left);
      left -= part.length;
      if (how === "raw") text += part;
      else {
        const spaced = part.replace(LOOSE_SPACE, " ");
        const added: string = endsInSpace && spaced.startsWith(" ") ? spaced.slice(1) : spaced;
        text += added;
        if (added !== "") endsInSpace = added.endsWith(" ");
      }
    } else {
      left -= 1;
      if (isHiddenByTag(node) || isHiddenByPage(node) || isHiddenCopy(node)) continue;
      if (how === "raw" || !endsInSpace) text += " ";
      endsInSpace = true;
      depth += 1;
      open[depth] = node;
      next[depth] = 0;
    }
  }
  if (how === "raw") return text.slice(0, limit);
  // A space at the end would be dropped, and the caller could not see that there is more text. Half of a surrogate pair
  // would become U+FFFD.
  const end = /[ \ud800-\udbff]/.test(text.charAt(limit - 1)) ? limit + 1 : limit;
  return normaliseText(text.slice(0, end));
}
