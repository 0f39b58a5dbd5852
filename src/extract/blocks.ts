/** The light tree into its lines of visible text: the one walk that every extractor shares. */
import type { BlockTag, Line } from "../document.js";
import type { ElementNode, ParsedPage, TextNode } from "../tree.js";
import { readInk } from "./characters.js";
import { canBeCurtain, chooseCurtain } from "./curtain.js";
import { holdsCodeLines } from "./code-lines.js";
import { toLine, type Draft } from "./draft.js";
import { breakLine, endBlock, endLine, leaveRow } from "./line-end.js";
import { spotAt } from "./path.js";
import { traitsOf } from "./tags.js";
import { isBlockByStyle, isHiddenByPage, isHiddenInNamespace } from "./visible.js";
import { push, startWalk, type Walk } from "./walk.js";

/** What leaving an element undoes. */
const LEAVE_TARGET = 1;
const LEAVE_BUTTON = 2;
const LEAVE_RUBY = 4;
const LEAVE_EDGE = 8;
const LEAVE_BLOCK = 16;
const LEAVE_ROW = 32;

/**
 * Lines in page order. Text nodes that `keep` refuses leave no text, but block, path and row of the other lines are
 * the same as without them.
 */
export function walkLines(page: ParsedPage, keep?: (node: TextNode) => boolean): Line[] {
  const { hidden, shown, drafts } = walkPage(page, keep, undefined);
  const curtain = chooseCurtain(hidden, shown);
  const chosen = curtain === undefined ? drafts : walkPage(page, keep, curtain).drafts;
  let before: Draft | undefined;
  return chosen.map((draft) => {
    const line = toLine(draft, before);
    before = draft;
    return line;
  });
}

function walkPage({ root }: ParsedPage, keep: Walk["keep"], curtain: ElementNode | undefined): Walk {
  const walk = startWalk(root, keep, curtain);
  const { open } = walk;
  for (let top = open[0]; top !== undefined; top = open[walk.depth]) {
    const { children } = top.element;
    const child = top.next < children.length ? children[top.next] : undefined;
    top.next += 1;
    if (child === undefined) {
      walk.depth -= 1;
      if (walk.depth < walk.leastDepth) walk.leastDepth = walk.depth;
      if (top.leave !== 0) leave(walk, top.leave);
      if (walk.depth < 0) break;
    } else if (child.kind === "text") addText(walk, child);
    else enter(walk, child);
  }
  endLine(walk);
  return walk;
}

function enter(walk: Walk, element: ElementNode): void {
  const { tag } = element;
  const traits = traitsOf(tag);
  if (traits.isHidden && isHiddenInNamespace(element)) {
    if (traits.isDrawn && element.attributes.get("type") !== "hidden" && !isHiddenByPage(element))
      walk.run.space();
  } else if (element !== walk.curtain && isHiddenByPage(element)) {
    if (canBeCurtain(element, walk.shown)) walk.hidden.push(element);
  } else if (tag === "br") breakLine(walk);
  else if (tag === "hr") {
    endLine(walk);
    walk.breaks = 2;
  } else if (traits.block !== undefined && element.namespace === "html")
    push(walk, element, beginBlock(walk, element, traits.block));
  else push(walk, element, beginInline(walk, element));
}

function leave(walk: Walk, what: number): void {
  if ((what & LEAVE_TARGET) !== 0) walk.targets.pop();
  if ((what & LEAVE_BUTTON) !== 0) walk.run.space();
  if ((what & LEAVE_RUBY) !== 0) walk.run.closeRuby();
  if ((what & LEAVE_EDGE) !== 0) endBlock(walk);
  if ((what & LEAVE_BLOCK) !== 0) {
    endLine(walk);
    walk.hasEdge = true;
    walk.block = walk.block.outer ?? walk.block;
  }
  if ((what & LEAVE_ROW) !== 0) leaveRow(walk);
}

/** Does what an element means for the text inside, and returns what undoes it. */
function beginInline(walk: Walk, element: ElementNode): number {
  const { tag, attributes } = element;
  let undo = 0;
  if (tag === "button" || (attributes.size > 0 && attributes.get("role") === "button")) {
    // A button has edges that part it from the text beside it.
    walk.run.space();
    undo = LEAVE_BUTTON;
  } else if (tag === "rt" && isInRuby(element)) {
    walk.run.openRuby();
    undo = LEAVE_RUBY;
  }
  const href = tag === "a" ? attributes.get("href") : undefined;
  if (href !== undefined) {
    walk.targets.push({ href });
    undo |= LEAVE_TARGET;
  }
  if (!isBlockByStyle(element)) return undo;
  endBlock(walk);
  return undo | LEAVE_EDGE;
}

function isInRuby({ parent }: ElementNode): boolean {
  return parent?.tag === "ruby" || parent?.tag === "rtc" || parent?.tag === "rb";
}

function beginBlock(walk: Walk, element: ElementNode, tag: BlockTag): number {
  if (walk.block.hasCodeLines) {
    endBlock(walk);
    return LEAVE_EDGE;
  }
  endLine(walk);
  walk.hasEdge = true;
  const { block: outer, rows } = walk;
  const { tag: name } = element;
  const isCell = tag === "td" || tag === "th";
  walk.block = {
    outer,
    depth: walk.depth + 1,
    tag,
    item: tag === "li" ? { hasLine: false, outer: outer.item } : outer.item,
    list: isCell ? null : (outer.list ?? (traitsOf(name).isList ? element : null)),
    table: name === "table" ? element : outer.table,
    hasCodeLines: tag === "pre" && holdsCodeLines(element),
  };
  if (isCell && element.parent?.tag === "tr")
    rows.at(-1)?.cells.push({ start: walk.drafts.length, lines: 0, isLayout: false });
  if (tag !== "tr") return LEAVE_BLOCK;
  rows.push({ table: outer.table, cells: [] });
  return LEAVE_BLOCK | LEAVE_ROW;
}

function addText(walk: Walk, node: TextNode): void {
  const { ink, run, depth } = walk;
  readInk(node.value, ink);
  if (!ink.isSourceBlank) walk.shown += node.value.length;
  const isKept = walk.keep?.(node) ?? true;
  if (isKept) {
    const target = walk.targets.at(-1);
    if (walk.block.tag === "pre") walk.pre.add(node, target);
    else run.add(node, ink, target);
  }
  if (ink.isBlank) return;
  // Text that is left out leaves a gap, so that its neighbours do not grow together.
  if (!isKept) run.space();
  const holderDepth = walk.hasText ? Math.min(walk.holderDepth, walk.leastDepth, depth) : depth;
  if (!walk.hasText || holderDepth !== walk.holderDepth) {
    walk.holderDepth = holderDepth;
    walk.spot = spotAt(walk.open, holderDepth);
  }
  walk.leastDepth = depth;
  walk.hasText = true;
}
