/** Lists the elements below another one, in document order, and gives the text inside of one. */
import type { ElementNode } from "../tree.js";
import { normaliseText } from "./lines/text/characters.js";
import { isHiddenByPage, isHiddenByTag } from "./lines/visible/visible.js";

/** The first element below `root` that the test takes; a test that only looks and takes none sees them all. */
export function findElement(
  root: ElementNode,
  test: (element: ElementNode) => boolean,
): ElementNode | undefined {
  const open: ElementNode[] = [root];
  const next: number[] = [0];
  for (let depth = 0; depth >= 0;) {
    const children = open[depth]?.children ?? [];
    let at = next[depth] ?? 0;
    // Text between elements is passed over here, without a turn of its own.
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

/** Characters and elements that are looked through for each that is wanted: of pages with deep indents most are white space. */
const LOOKED_THROUGH = 50;

/**
 * The text inside an element, of which runs of white space are one blank each: all of it, or `limit` characters or one more where
 * there are so many. "raw" for what is not text of the page: as it is, and at most `limit` characters.
 */
export function textOf(element: ElementNode, limit: number, how: "normal" | "raw" = "normal"): string {
  let text = "";
  let left = how === "raw" ? limit : limit * LOOKED_THROUGH;
  const open = [...element.children].reverse();
  for (let node = open.pop(); node !== undefined && text.length <= limit && left > 0; node = open.pop()) {
    if (node.kind === "text") {
      const part = node.value.slice(0, left);
      left -= part.length;
      text += how === "raw" ? part : follow(text, part.replace(/\s+/g, " "));
    } else if (!isHiddenByTag(node) && !isHiddenByPage(node)) {
      left -= 1;
      text += how === "raw" ? " " : follow(text, " ");
      for (let index = node.children.length - 1; index >= 0; index -= 1) {
        const child = node.children[index];
        if (child !== undefined) open.push(child);
      }
    }
  }
  if (how === "raw") return text.slice(0, limit);
  // A blank at the end would go, and who asks could not tell that there is more.
  return normaliseText(text.slice(0, text.charAt(limit - 1) === " " ? limit + 1 : limit));
}

/** What is added to a text by a part of it: no blank behind another one. */
function follow(text: string, part: string): string {
  return part.startsWith(" ") && (text === "" || text.endsWith(" ")) ? part.slice(1) : part;
}
