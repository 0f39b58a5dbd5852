/** Finds the element right before another one among its siblings. */
import type { ElementNode } from "../tree.js";

/** Undefined where there is none, or more siblings than `most`. Elements that `isPassed` names do not count. */
export function elementBefore(
  element: ElementNode,
  most: number,
  isPassed: (before: ElementNode) => boolean = () => false,
): ElementNode | undefined {
  const siblings = element.parent?.children ?? [];
  if (siblings.length > most) return undefined;
  for (let at = siblings.lastIndexOf(element) - 1; at >= 0; at -= 1) {
    const before = siblings[at];
    if (before?.kind === "element" && !isPassed(before)) return before;
  }
  return undefined;
}
