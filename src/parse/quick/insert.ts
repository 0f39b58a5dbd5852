/** A node into its place in the tree: inside the innermost open element, before a table, or flat below the depth limit. */
import type { Attributes, ElementNode, TextNode } from "../../tree.js";
import { currentContext, currentNode, currentTag, isCapped, type Build } from "./build.js";
import { createElement } from "./nodes.js";
import { push } from "./open-elements.js";
import { BITS, type Tag } from "./tags.js";

/** Makes an element at the place where the next node goes, closed; `open` opens it. */
export function addElement(
  build: Build,
  tag: Tag,
  attributes: Attributes,
  namespace: ElementNode["namespace"] = "html",
): ElementNode {
  const { nodes } = build;
  build.elements += 1;
  if (nodes.length >= build.depth) build.depth = nodes.length + 1;
  const parent = currentNode(build);
  const node = createElement({ tag: tag.name, attributes, namespace, parent });
  if (build.isFostering && (currentTag(build).bits & BITS.rows) !== 0) fosterNode(build, node);
  else parent.children.push(node);
  return node;
}

/** Makes an element and opens it. */
export function openElement(
  build: Build,
  tag: Tag,
  attributes: Attributes,
  namespace: ElementNode["namespace"] = "html",
): ElementNode {
  const node = addElement(build, tag, attributes, namespace);
  if (build.nodes.length >= build.limits.maxDepth - 1 && build.nodes.length > 0) sink(build, tag, node);
  else push(build, tag, node);
  return node;
}

/** Puts a node before the table that it does not belong into. */
export function fosterNode(build: Build, node: ElementNode | TextNode): void {
  let place = currentContext(build);
  while (place > 0 && (tagAt(build, place).bits & BITS.tableScope) === 0) {
    place = build.contexts[place - 1] ?? 0;
  }
  const table = build.nodes[place];
  const parent = table?.parent;
  if (table === undefined || parent == null || tagAt(build, place).name !== "table") {
    // A row without a table, in a template.
    node.parent = table ?? build.root;
    node.parent.children.push(node);
    return;
  }
  node.parent = parent;
  // The table is open: it is the last node or nearly so.
  parent.children.splice(Math.max(0, parent.children.lastIndexOf(table)), 0, node);
}

function tagAt(build: Build, place: number): Tag {
  return build.tags[place] ?? currentTag(build);
}

/** Opens an element that lies too deep: it stays a leaf, and what comes inside of it stands after it. */
function sink(build: Build, tag: Tag, node: ElementNode): void {
  build.isSunk = true;
  build.sunken.push({ tag, node });
  build.sunkenCounts.set(tag, (build.sunkenCounts.get(tag) ?? 0) + 1);
}

/** Closes elements that lie too deep, up to the one with this tag; false if there is none. */
export function raise(build: Build, tag: Tag): boolean {
  if ((build.sunkenCounts.get(tag) ?? 0) === 0) return false;
  for (let top = build.sunken.pop(); top !== undefined; top = build.sunken.pop()) {
    build.sunkenCounts.set(top.tag, (build.sunkenCounts.get(top.tag) ?? 1) - 1);
    if (top.tag === tag) return true;
  }
  return true;
}

export function raiseAll(build: Build): void {
  build.sunken.length = 0;
  build.sunkenCounts.clear();
}

/** The leaf that holds the next text of the innermost sunken element: a copy where something stands between. */
export function sunkenHolder(build: Build): ElementNode | undefined {
  const { sunken } = build;
  // Asked for each text, and to look before the beginning of a list takes the engine long.
  const top = sunken.length === 0 ? undefined : sunken[sunken.length - 1];
  if (top === undefined) return undefined;
  const holder = currentNode(build);
  if (holder.children[holder.children.length - 1] === top.node) return top.node;
  if (isCapped(build)) return holder;
  top.node = createElement({ ...top.node, parent: holder });
  holder.children.push(top.node);
  build.elements += 1;
  return top.node;
}
