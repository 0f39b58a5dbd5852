/** Formatting elements that cross the edges of blocks into elements that nest: HTML standard 13.2.4.3 and 13.2.6.4.7. */
import type { Attributes, ElementNode, TreeNode } from "../../tree.js";
import { isCapped, type Build, type Formatting } from "./build.js";
import { fosterNode, openElement } from "./insert.js";
import { createElement } from "./build.js";
import { insertAt, removeAt, truncate } from "./insert.js";
import { BITS, type Tag } from "./tags.js";

/** The standard keeps three equal ones. Without a bound on different ones, n unclosed tags would make n² elements. */
const MAX_EQUAL = 3;
const MAX_LISTED = 16;
/** The standard's bounds of its two loops. */
const MAX_ROUNDS = 8;
const MAX_CLONED = 3;
/** A node that is to move is looked for among so many last children; elsewhere it stays. */
const MAX_BACK = 64;

/** Opens again what the end of a block closed. */
export function reconstruct(build: Build): void {
  if (build.dormant === 0 || build.sunken.length > 0) return;
  const { formatting } = build;
  const first = firstListed(build);
  let from = formatting.length;
  while (from > first && formatting[from - 1]?.isOpen === false) from -= 1;
  for (let index = from; index < formatting.length; index += 1) {
    const entry = formatting[index];
    if (entry === undefined || isCapped(build)) return;
    const before = build.nodes.length;
    entry.node = openElement(build, entry.tag, entry.attributes);
    if (build.nodes.length === before) return;
    entry.isOpen = true;
    build.dormant -= 1;
  }
}

/** Place in the list after the last marker. */
function firstListed(build: Build): number {
  for (let place = build.marks.length - 1; place >= 0; place -= 1) {
    const mark = build.marks[place] ?? -1;
    if (mark >= 0) return mark;
  }
  return 0;
}

export function openFormatting(build: Build, tag: Tag, attributes: Attributes): void {
  const before = build.nodes.length;
  const node = openElement(build, tag, attributes);
  // Too deep: a leaf is not opened again.
  if (build.nodes.length === before) return;
  const first = firstListed(build);
  dropEarlier(build, first, { tag, attributes });
  build.formatting.push({ tag, attributes, node, isOpen: true });
}

function dropEarlier(build: Build, first: number, wanted: Pick<Formatting, "tag" | "attributes">): void {
  const { formatting } = build;
  let equal = 0;
  for (let index = formatting.length - 1; index >= first; index -= 1) {
    const entry = formatting[index];
    if (entry?.tag !== wanted.tag || !hasSame(entry.attributes, wanted.attributes)) continue;
    equal += 1;
    if (equal === MAX_EQUAL) {
      drop(build, index);
      return;
    }
  }
  if (formatting.length - first >= MAX_LISTED) drop(build, first);
}

function hasSame(a: Attributes, b: Attributes): boolean {
  if (a.size !== b.size) return false;
  for (const [name, value] of a) if (b.get(name) !== value) return false;
  return true;
}

function drop(build: Build, index: number): void {
  const [entry] = build.formatting.splice(index, 1);
  if (entry?.isOpen === false) build.dormant -= 1;
}

function findListed(build: Build, tag: Tag): number {
  const first = firstListed(build);
  for (let index = build.formatting.length - 1; index >= first; index -= 1)
    if (build.formatting[index]?.tag === tag) return index;
  return -1;
}

/** A link in a link, as `<a>` cannot nest: the first ends, wherever it stands. */
export function endLink(build: Build, tag: Tag): void {
  const index = findListed(build, tag);
  const entry = index < 0 ? undefined : build.formatting[index];
  if (entry === undefined) return;
  endFormatting(build, tag);
  const left = build.formatting.indexOf(entry);
  if (left >= 0) drop(build, left);
  const place = build.nodes.lastIndexOf(entry.node);
  if (place > 0) {
    removeAt(build, place);
    build.uneven += 1;
  }
}

/** An end tag of a formatting element. False if it is to be treated as any other. */
export function endFormatting(build: Build, tag: Tag): boolean {
  const { nodes, tags } = build;
  const top = nodes.length - 1;
  const current = nodes[top];
  if (tags[top] === tag && !build.formatting.some(({ node }) => node === current)) {
    truncate(build, top);
    return true;
  }
  for (let round = 0; round < MAX_ROUNDS; round += 1) {
    const listed = findListed(build, tag);
    const entry = listed < 0 ? undefined : build.formatting[listed];
    if (entry === undefined) return round > 0;
    if (!entry.isOpen) {
      drop(build, listed);
      return true;
    }
    const place = nodes.lastIndexOf(entry.node);
    if (place <= 0 || !isInScope(build, place)) return true;
    const block = findBlockAbove(build, place);
    if (block < 0 || isCapped(build)) {
      drop(build, listed);
      truncate(build, place);
      return true;
    }
    adopt(build, entry, place, block);
  }
  return true;
}

function isInScope(build: Build, place: number): boolean {
  for (let above = build.tags.length - 1; above > place; above -= 1)
    if (((build.tags[above]?.bits ?? 0) & BITS.scope) !== 0) return false;
  return true;
}

function findBlockAbove(build: Build, place: number): number {
  for (let above = place + 1; above < build.tags.length; above += 1)
    if (((build.tags[above]?.bits ?? 0) & BITS.special) !== 0) return above;
  return -1;
}

/** One round of the adoption agency: the block moves out of the formatting element, which goes on inside of it. */
function adopt(build: Build, entry: Formatting, place: number, blockPlace: number): void {
  const { nodes, tags, formatting } = build;
  const block = nodes[blockPlace];
  const outer = nodes[place - 1];
  const outerTag = tags[place - 1];
  if (block === undefined || outer === undefined || outerTag === undefined) return;
  let bookmark = formatting.indexOf(entry);
  let last = block;
  let cloned = 0;
  for (let between = blockPlace - 1; between > place; between -= 1) {
    const index = formatting.findIndex(({ node }) => node === nodes[between]);
    const found = formatting[index];
    cloned += 1;
    if (found === undefined || cloned > MAX_CLONED) {
      if (index >= 0) {
        drop(build, index);
        if (index < bookmark) bookmark -= 1;
      }
      removeAt(build, between);
      continue;
    }
    const clone = cloneOf(build, found);
    found.node = clone;
    nodes[between] = clone;
    if (last === block) bookmark = index + 1;
    move(last, clone);
    last = clone;
  }
  if ((outerTag.bits & BITS.rows) !== 0) {
    if (detach(last)) fosterNode(build, last);
  } else move(last, outer);
  const clone = cloneOf(build, entry);
  for (const child of block.children) {
    child.parent = clone;
    clone.children.push(child);
  }
  block.children.length = 0;
  clone.parent = block;
  block.children.push(clone);
  const index = formatting.indexOf(entry);
  formatting.splice(index, 1);
  const { tag, attributes } = entry;
  formatting.splice(index < bookmark ? bookmark - 1 : bookmark, 0, {
    tag,
    attributes,
    node: clone,
    isOpen: true,
  });
  removeAt(build, place);
  insertAt(build, nodes.lastIndexOf(block) + 1, tag, clone);
}

function cloneOf(build: Build, { node }: Formatting): ElementNode {
  build.elements += 1;
  return createElement({ ...node, parent: null });
}

/** Takes a node from its parent; false if it lies too far back among its siblings. */
function detach(node: TreeNode): boolean {
  const { parent } = node;
  if (parent === null) return true;
  const { children } = parent;
  const least = Math.max(0, children.length - MAX_BACK);
  for (let index = children.length - 1; index >= least; index -= 1) {
    if (children[index] !== node) continue;
    children.splice(index, 1);
    return true;
  }
  return false;
}

function move(node: TreeNode, to: ElementNode): void {
  if (!detach(node)) return;
  node.parent = to;
  to.children.push(node);
}
