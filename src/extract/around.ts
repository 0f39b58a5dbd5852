/** Finds elements around an element: its ancestors, and the sibling before it. */
import type { ElementNode, TreeNode } from "../document/tree.js";

type Test = (element: ElementNode) => boolean;

/** Returns the innermost of an element and its ancestors that passes the test; looks at no more than `most` of them. */
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

/** Checks whether an element or one of its ancestors passes the test; looks at no more than `most` of them. */
export function isOrIsIn(element: ElementNode | null, test: Test, most = Infinity): boolean {
  return findAround(element, test, most) !== undefined;
}

/** Checks whether a node is only whitespace, which a reader does not see between elements. */
export function isBlankText(node: TreeNode): boolean {
  return node.kind === "text" && !/\S/.test(node.value);
}

/**
 * Returns the sibling element right before an element, without those that `isPassed` accepts. Undefined if no element
 * is before it, or if the parent has more than `most` children.
 */
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
