/** A node into its place in the tree: inside the innermost open element, before a table, or flat below the depth limit. */
import type { Attributes, ElementNode, TextNode } from "../../tree.js";
import { currentContext, currentNode, currentTag, isCapped, type Build, createElement } from "./build.js";
import { BITS, type Tag, tagOf } from "./tags.js";

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

/* MERGED src/parse/quick/insert.ts: The open elements of a page: which of them are in scope, and what closes them. */

export function push(build: Build, tag: Tag, node: ElementNode): void {
  const place = build.nodes.length;
  build.nodes.push(node);
  build.tags.push(tag);
  build.contexts.push((tag.bits & BITS.context) !== 0 ? place : (build.contexts[place - 1] ?? 0));
  build.marks.push((tag.bits & BITS.marker) !== 0 ? build.formatting.length : -1);
  build.counts[tag.id] = (build.counts[tag.id] ?? 0) + 1;
}

/** Closes the innermost elements until `length` are open. The document keeps its `html`. */
export function truncate(build: Build, length: number): void {
  const { nodes, tags, contexts, marks, counts } = build;
  while (nodes.length > length && nodes.length > 1) {
    const node = nodes.pop();
    const tag = tags.pop();
    contexts.pop();
    const mark = marks.pop() ?? -1;
    if (node === undefined || tag === undefined) return;
    counts[tag.id] = (counts[tag.id] ?? 0) - 1;
    if (mark >= 0) cutFormatting(build, mark);
    else if ((tag.bits & BITS.formatting) !== 0) rest(build, node);
  }
}

function cutFormatting(build: Build, length: number): void {
  while (build.formatting.length > length) {
    const entry = build.formatting.pop();
    if (entry?.isOpen === false) build.dormant -= 1;
  }
}

/** A formatting element was closed by something else than its own end tag: it goes on in what comes next. */
function rest(build: Build, node: ElementNode): void {
  for (let index = build.formatting.length - 1; index >= 0; index -= 1) {
    const entry = build.formatting[index];
    if (entry?.node !== node) continue;
    if (entry.isOpen) build.dormant += 1;
    entry.isOpen = false;
    return;
  }
}

/** Takes an element out of the open ones, whatever is open inside of it. */
export function removeAt(build: Build, place: number): void {
  const { nodes, tags, contexts, marks, counts } = build;
  const tag = tags[place];
  if (tag === undefined) return;
  counts[tag.id] = (counts[tag.id] ?? 0) - 1;
  nodes.splice(place, 1);
  tags.splice(place, 1);
  marks.splice(place, 1);
  contexts.length = place;
  refreshContexts(build);
}

export function insertAt(build: Build, place: number, tag: Tag, node: ElementNode): void {
  build.counts[tag.id] = (build.counts[tag.id] ?? 0) + 1;
  build.nodes.splice(place, 0, node);
  build.tags.splice(place, 0, tag);
  build.marks.splice(place, 0, -1);
  build.contexts.length = place;
  refreshContexts(build);
}

function refreshContexts(build: Build): void {
  for (let place = build.contexts.length; place < build.tags.length; place += 1) {
    const hasContext = ((build.tags[place]?.bits ?? 0) & BITS.context) !== 0;
    build.contexts.push(hasContext ? place : (build.contexts[place - 1] ?? 0));
  }
}

/** Place of the innermost open element with this tag, -1 if an element with one of the `bounds` is nearer. */
export function findInScope(build: Build, tag: Tag, bounds: number): number {
  if (build.counts[tag.id] === 0) return -1;
  for (let place = build.tags.length - 1; place >= 0; place -= 1) {
    const open = build.tags[place];
    if (open === tag) return place;
    if (open === undefined || (open.bits & bounds) !== 0) return -1;
  }
  return -1;
}

const P = tagOf("p");

/** What starts a block ends the paragraph before it. */
export function closeParagraph(build: Build): void {
  if (build.counts[P.id] === 0) return;
  const place = findInScope(build, P, BITS.buttonScope);
  if (place > 0) truncate(build, place);
}

/** Closes elements whose end tags authors leave out, but not `except`. */
export function closeImplied(build: Build, except?: Tag): void {
  for (;;) {
    const tag = currentTag(build);
    if ((tag.bits & BITS.impliedEnd) === 0 || (tag.bits & BITS.context) !== 0 || tag === except) return;
    truncate(build, build.nodes.length - 1);
  }
}
