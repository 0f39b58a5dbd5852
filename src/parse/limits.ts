/** Declares the input of the parsers, and keeps any tree within limits. */
import type { ElementNode, TreeNode } from "../document/tree.js";

export interface HtmlPage {
  readonly id: string;
  readonly url: string;
  readonly html: string;
  /** Notes of the decoder; the parser adds its own. */
  readonly notes?: readonly string[];
  /** Attributes that a quick tree keeps besides those that are always read. */
  readonly keeps?: "structure" | "structure and images" | "all";
}

export interface ParseLimits {
  /** Elements in the tree. Beyond it tags are dropped and their text stays. */
  readonly maxElements: number;
  /** Depth of the tree; deeper text moves up to an element at this depth. */
  readonly maxDepth: number;
  /** Attributes of one element; later ones are dropped. */
  readonly maxAttributes: number;
}

/**
 * The largest of 5,492 pages of the gold sets has 10,061 elements, 56 levels and 136 attributes on one element. 300,000
 * elements take 300 MB at most; 512 levels are what Blink allows; the cap on attributes keeps walks over them cheap.
 */
export const PARSE_LIMITS: ParseLimits = Object.freeze({
  maxElements: 300_000,
  maxDepth: 512,
  maxAttributes: 256,
});

interface TreeSize {
  readonly elements: number;
  /** Levels below the document node: 1 for `<html>`. */
  readonly depth: number;
  /** Whether anything had to move up. */
  readonly isCapped: boolean;
}

/** Moves nodes deeper than `maxDepth` up to that depth, in place, and measures the tree. */
export function flattenBelow(root: ElementNode, maxDepth: number): TreeSize {
  const open = [{ element: root, next: 0 }];
  let elements = 0;
  let depth = 0;
  let isCapped = false;
  for (let top = open.at(-1); top !== undefined; top = open.at(-1)) {
    const child = top.element.children[top.next];
    top.next += 1;
    if (child === undefined) {
      open.pop();
    } else if (child.kind === "element") {
      elements += 1;
      depth = Math.max(depth, open.length);
      // `child` is at depth open.length; its children may still be elements, but without elements inside.
      if (open.length === maxDepth - 1 && child.children.some(hasElements)) {
        flatten(child);
        isCapped = true;
      }
      open.push({ element: child, next: 0 });
    }
  }
  return { elements, depth, isCapped };
}

function hasElements(node: TreeNode): boolean {
  return node.kind === "element" && node.children.some((child) => child.kind === "element");
}

/**
 * Makes every descendant of `ancestor` its child or grandchild. Each run of text keeps a copy of the element that it
 * was in, so that hidden text stays hidden; an empty copy is left wherever another element begins or ends, so that
 * blocks stay apart.
 */
function flatten(ancestor: ElementNode): void {
  const flat: TreeNode[] = [];
  let holder: { readonly of: ElementNode; readonly copy: ElementNode } | undefined;
  const hold = (of: ElementNode): ElementNode => {
    // Edges of elements without text between them count as one.
    if (holder?.copy.children.length === 0 && holder.of.tag === of.tag) flat.pop();
    const copy: ElementNode = { ...of, parent: ancestor, children: [] };
    holder = { of, copy };
    flat.push(copy);
    return copy;
  };
  const open = [{ element: ancestor, next: 0 }];
  for (let top = open.at(-1); top !== undefined; top = open.at(-1)) {
    const child = top.element.children[top.next];
    top.next += 1;
    if (child === undefined) {
      open.pop();
      if (top.element !== ancestor && holder?.of !== top.element) hold(top.element);
    } else if (child.kind === "element" && child.children.length > 0) {
      hold(child);
      open.push({ element: child, next: 0 });
    } else if (child.kind === "element" || top.element === ancestor) {
      child.parent = ancestor;
      flat.push(child);
      holder = undefined;
    } else {
      const copy = holder?.of === top.element ? holder.copy : hold(top.element);
      child.parent = copy;
      copy.children.push(child);
    }
  }
  ancestor.children.length = 0;
  for (const node of flat) ancestor.children.push(node);
}
