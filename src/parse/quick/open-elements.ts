/** The open elements of a page: which of them are in scope, and what closes them. */
import type { ElementNode } from "../../tree.js";
import { currentTag, type Build } from "./build.js";
import { BITS, tagOf, type Tag } from "./tags.js";

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
