/**
 * Removes from a page, by CSS selectors, what its user does not want to read. The only file that imports css-select.
 */
import { compile } from "css-select";
import { UsageError } from "../outcome.js";
import type { ElementNode, ParsedPage, TreeNode } from "../document/tree.js";
import { textOf } from "./elements.js";
import { isOrIsIn } from "./around.js";
import { messageOf } from "../thrown.js";

interface Selectors {
  /** Selectors of the only parts that are read; if empty, the whole page is read. */
  readonly keep: readonly string[];
  readonly remove: readonly string[];
}

type Test = (element: ElementNode) => boolean;

/** Characters of an element's text that `:contains` looks at. */
const MAX_TEXT = 10_000;

const adapter = {
  isTag: (node: TreeNode): node is ElementNode => node.kind === "element",
  getAttributeValue: ({ attributes }: ElementNode, name: string) => attributes.get(name),
  getChildren: (node: TreeNode): TreeNode[] => (node.kind === "element" ? node.children : []),
  getName: ({ tag }: ElementNode) => tag,
  // The root node around `html` is not an element of the page.
  getParent: ({ parent }: ElementNode): TreeNode | null => (parent?.parent == null ? null : parent),
  getSiblings: ({ parent }: TreeNode): TreeNode[] => parent?.children ?? [],
  getText: (node: TreeNode) => (node.kind === "text" ? node.value : textOf(node, MAX_TEXT, "raw")),
  hasAttrib: ({ attributes }: ElementNode, name: string) => attributes.has(name),
  removeSubsets: (nodes: TreeNode[]): TreeNode[] =>
    nodes.filter((node) => !nodes.some((other) => holds(other, node))),
};

function holds(outer: TreeNode, inner: TreeNode): boolean {
  return isOrIsIn(inner.parent, (around) => around === outer);
}

/** Returns a function that removes the unwanted parts from a page's tree. Throws UsageError for an invalid selector. */
export function openSelection({ keep, remove }: Selectors): (page: ParsedPage) => void {
  const isKept = keep.map((selector) => toTest("keep", selector));
  const isRemoved = remove.map((selector) => toTest("remove", selector));
  return ({ root }) => {
    const [kept, removed] = findMatches(root, isKept, isRemoved);
    if (isKept.length > 0) keepOnly(root, kept);
    removeAll(removed);
  };
}

function toTest(option: keyof Selectors, selector: string): Test {
  try {
    return compile<TreeNode, ElementNode>(selector, { adapter });
  } catch (error) {
    // css-what quotes the text that it found; at the end of a selector the quoted text is empty.
    const message = messageOf(error).replace(/found $/, "found its end");
    throw new UsageError(`"${selector}" (${option}) is not a CSS selector: ${message}`);
  }
}

/** Finds all matches before anything is removed, so that no selector changes what another one finds. */
function findMatches(
  root: ElementNode,
  isKept: readonly Test[],
  isRemoved: readonly Test[],
): [ElementNode[], ElementNode[]] {
  const kept: ElementNode[] = [];
  const removed: ElementNode[] = [];
  const open: ElementNode[] = [root];
  for (let top = open.pop(); top !== undefined; top = open.pop()) {
    const element = top;
    if (element !== root) {
      if (isKept.some((test) => test(element))) kept.push(element);
      if (isRemoved.some((test) => test(element))) removed.push(element);
    }
    for (let at = element.children.length - 1; at >= 0; at -= 1) {
      const child = element.children[at];
      if (child?.kind === "element") open.push(child);
    }
  }
  return [kept, removed];
}

/**
 * Removes all but the kept elements and their ancestors. The head stays: it says what the page is, and shows nothing.
 */
function keepOnly(root: ElementNode, kept: readonly ElementNode[]): void {
  const whole = new Set(kept);
  const around = new Set<ElementNode>();
  for (const element of kept)
    for (let open = element.parent; open !== null && !around.has(open); open = open.parent) around.add(open);
  const open: ElementNode[] = [root];
  for (let top = open.pop(); top !== undefined; top = open.pop()) {
    const isWanted = (node: TreeNode): boolean =>
      node.kind === "element" &&
      (whole.has(node) ||
        around.has(node) ||
        node.tag === "head" ||
        node.tag === "html" ||
        node.tag === "body");
    filterChildren(top, isWanted);
    for (const child of top.children)
      if (child.kind === "element" && child.tag !== "head" && !whole.has(child)) open.push(child);
  }
}

function removeAll(elements: readonly ElementNode[]): void {
  const removed: ReadonlySet<TreeNode> = new Set(elements);
  for (const parent of new Set(elements.map((element) => element.parent)))
    if (parent !== null) filterChildren(parent, (node) => !removed.has(node));
}

/** Filters in place: an element may have more children than a call takes arguments. */
function filterChildren({ children }: ElementNode, isWanted: (node: TreeNode) => boolean): void {
  let kept = 0;
  for (const child of children) {
    if (!isWanted(child)) continue;
    children[kept] = child;
    kept += 1;
  }
  children.length = kept;
}
