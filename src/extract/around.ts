/** Looks around an element: at those that hold it, and at what is beside it. */
import type { ElementNode, TreeNode } from "../tree.js";

type Test = (element: ElementNode) => boolean;

/** The innermost of an element and those around it that the test takes; no more than `most` of them are looked at. */
export function findAround(
  element: ElementNode | null,
  test: Test,
  most = Infinity,
): ElementNode | undefined {
  let open = element;
  for (let step = 0; open !== null && step < most; step += 1) {
    if (test(open)) return open;
    open = open.parent;
  }
  return undefined;
}

/** Whether the test takes an element or one around it, as above. */
export function isOrIsIn(element: ElementNode | null, test: Test, most = Infinity): boolean {
  return findAround(element, test, most) !== undefined;
}

/** White space between elements, which a reader does not see. */
export function isBlankText(node: TreeNode): boolean {
  return node.kind === "text" && !/\S/.test(node.value);
}

/** The element right before another one; undefined where there is none, or more siblings than `most`. Elements that `isPassed` names do not count. */
export function elementBefore(
  element: ElementNode,
  most: number,
  isPassed: Test = () => false,
): ElementNode | undefined {
  const siblings = element.parent?.children ?? [];
  if (siblings.length > most) return undefined;
  for (let at = siblings.lastIndexOf(element) - 1; at >= 0; at -= 1) {
    const before = siblings[at];
    if (before?.kind === "element" && !isPassed(before)) return before;
  }
  return undefined;
}
