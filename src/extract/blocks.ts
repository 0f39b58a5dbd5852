/** The light tree into its lines of visible text: the one walk that every extractor shares. */
import type { BlockTag, Line } from "../document.js";
import type { ElementNode, ParsedPage, TextNode } from "../tree.js";
import { collapseSpace, isBlank } from "./characters.js";
import { findCurtain } from "./curtain.js";
import { isDataRow, joinCells, toLine, type Draft, type Gap, type Row } from "./draft.js";
import { createPaths } from "./path.js";
import { createPreRun, type PreRun } from "./pre.js";
import { createRun, type Run, type RunText, type Target } from "./run.js";
import { BLOCKS, DRAWN, KEPT_IN_ITEMS, LISTS } from "./tags.js";
import { isBlockByStyle, isHiddenByPage, isHiddenByTag } from "./visible.js";

/** A list item; its first line is an item's line wherever in the item it stands. */
interface Item {
  hasLine: boolean;
  readonly outer: Item | null;
}

/** An open block and what it means for the lines inside. */
interface Block {
  readonly element: ElementNode;
  readonly tag: BlockTag;
  readonly item: Item | null;
  readonly list: ElementNode | null;
  readonly table: ElementNode | null;
}

/** An open element. `leave` undoes what entering it did. */
interface Frame {
  readonly element: ElementNode;
  next: number;
  readonly leave: ((walk: Walk) => void) | undefined;
}

interface Walk {
  readonly curtain: ElementNode | undefined;
  readonly keep: (node: TextNode) => boolean;
  readonly open: Frame[];
  readonly blocks: Block[];
  readonly rows: Row[];
  readonly targets: Target[];
  readonly drafts: Draft[];
  readonly run: Run;
  readonly pre: PreRun;
  gap: Gap;
  /** Where the text of the current line stands: whether there is any, and how deep in `open` all of it lies. */
  hasText: boolean;
  holderDepth: number;
  holder: ElementNode;
  /** The least depth since the last text. */
  leastDepth: number;
}

const NO_GAP: Gap = { breaks: 0, isBlock: false, isRule: false };

/**
 * Lines in page order. Text nodes that `keep` refuses leave no text, but block, path and row of the other lines are
 * the same as without them.
 */
export function walkLines(page: ParsedPage, keep: (node: TextNode) => boolean = () => true): Line[] {
  const walk = startWalk(page, keep);
  const { open } = walk;
  for (let top = open.at(-1); top !== undefined; top = open.at(-1)) {
    const child = top.element.children[top.next];
    top.next += 1;
    if (child === undefined) {
      open.pop();
      walk.leastDepth = Math.min(walk.leastDepth, open.length - 1);
      top.leave?.(walk);
    } else if (child.kind === "text") addText(walk, child);
    else if (child === walk.curtain || !isHiddenByPage(child)) enter(walk, child);
  }
  endLine(walk);
  const pathOf = createPaths();
  return walk.drafts.map((draft, index) => toLine(draft, walk.drafts[index - 1], pathOf));
}

function startWalk(page: ParsedPage, keep: Walk["keep"]): Walk {
  const { root } = page;
  return {
    curtain: findCurtain(page),
    keep,
    open: [{ element: root, next: 0, leave: undefined }],
    blocks: [{ element: root, tag: "body", item: null, list: null, table: null }],
    rows: [],
    targets: [],
    drafts: [],
    run: createRun(),
    pre: createPreRun(),
    gap: { ...NO_GAP, isBlock: true },
    hasText: false,
    holderDepth: 0,
    holder: root,
    leastDepth: 0,
  };
}

function enter(walk: Walk, element: ElementNode): void {
  const { tag } = element;
  if (isHiddenByTag(element)) {
    if (DRAWN.has(tag) && element.attributes.get("type") !== "hidden") walk.run.space();
  } else if (tag === "br") breakLine(walk);
  else if (tag === "hr") {
    endLine(walk);
    walk.gap = { ...walk.gap, isBlock: true, isRule: true };
  } else walk.open.push({ element, next: 0, leave: begin(walk, element) });
}

/** Does what an element means for the text inside, and returns what undoes it. */
function begin(walk: Walk, element: ElementNode): Frame["leave"] {
  const { tag } = element;
  const block = element.namespace === "html" ? BLOCKS.get(tag) : undefined;
  if (block !== undefined) return beginBlock(walk, element, block);
  const leave = beginInline(walk, element);
  if (!isBlockByStyle(element)) return leave;
  endBlock(walk);
  return () => {
    leave?.(walk);
    endBlock(walk);
  };
}

function beginInline(walk: Walk, element: ElementNode): Frame["leave"] {
  const { tag } = element;
  const href = tag === "a" ? element.attributes.get("href") : undefined;
  // A button has edges that part it from the text beside it.
  const isButton = tag === "button" || element.attributes.get("role") === "button";
  if (isButton) walk.run.space();
  if (href !== undefined) {
    walk.targets.push({ href });
    return isButton ? leaveButtonLink : popTarget;
  }
  if (isButton) return spaceRun;
  if (tag === "rt" && element.parent !== null && /^(ruby|rtc|rb)$/.test(element.parent.tag)) {
    walk.run.openRuby();
    return closeRuby;
  }
  return undefined;
}

function popTarget(walk: Walk): void {
  walk.targets.pop();
}

function leaveButtonLink(walk: Walk): void {
  popTarget(walk);
  spaceRun(walk);
}

function spaceRun(walk: Walk): void {
  walk.run.space();
}

function closeRuby(walk: Walk): void {
  walk.run.closeRuby();
}

function beginBlock(walk: Walk, element: ElementNode, block: BlockTag): Frame["leave"] {
  const { tag } = element;
  endLine(walk);
  walk.gap = { ...walk.gap, isBlock: true };
  const outer = currentBlock(walk);
  const isCell = tag === "td" || tag === "th";
  walk.blocks.push({
    element,
    tag: block,
    item: tag === "li" ? { hasLine: false, outer: outer.item } : outer.item,
    list: isCell ? null : (outer.list ?? (LISTS.has(tag) ? element : null)),
    table: tag === "table" ? element : outer.table,
  });
  if (isCell && element.parent?.tag === "tr")
    walk.rows.at(-1)?.cells.push({ drafts: [], lines: 0, isLayout: false });
  if (tag !== "tr") return leaveBlock;
  walk.rows.push({ element, table: outer.table, cells: [] });
  return leaveRow;
}

function leaveBlock(walk: Walk): void {
  endLine(walk);
  walk.gap = { ...walk.gap, isBlock: true };
  walk.blocks.pop();
}

function leaveRow(walk: Walk): void {
  leaveBlock(walk);
  const row = walk.rows.pop();
  if (row === undefined) return;
  if (isDataRow(row)) {
    const draft = joinCells(row);
    pass(walk, draft === undefined ? [] : [draft], { lines: 1, isLayout: true });
    return;
  }
  for (const { drafts, lines, isLayout } of row.cells) pass(walk, drafts, { lines, isLayout });
}

/** An inline element that is drawn as a block parts lines, but its lines still belong to the block around it. */
function endBlock(walk: Walk): void {
  if (currentBlock(walk).tag === "pre") {
    walk.pre.endLine();
    return;
  }
  endLine(walk);
  walk.gap = { ...walk.gap, isBlock: true };
}

function breakLine(walk: Walk): void {
  if (currentBlock(walk).tag === "pre") {
    walk.pre.breakLine();
    return;
  }
  endLine(walk);
  walk.gap = { ...walk.gap, breaks: walk.gap.breaks + 1 };
}

function currentBlock(walk: Walk): Block {
  const block = walk.blocks.at(-1);
  if (block === undefined) throw new Error("a block was left that was never entered");
  return block;
}

function addText(walk: Walk, node: TextNode): void {
  const isPre = currentBlock(walk).tag === "pre";
  const isKept = walk.keep(node);
  if (isKept) (isPre ? walk.pre : walk.run).add(node, walk.targets.at(-1));
  if (isBlank(collapseSpace(node.value))) return;
  // Text that is left out leaves a gap, so that its neighbours do not grow together.
  if (!isKept) walk.run.space();
  const depth = walk.open.length - 1;
  walk.holderDepth = walk.hasText ? Math.min(walk.holderDepth, walk.leastDepth, depth) : depth;
  walk.holder = walk.open[walk.holderDepth]?.element ?? walk.holder;
  walk.leastDepth = depth;
  walk.hasText = true;
}

function endLine(walk: Walk): void {
  const block = currentBlock(walk);
  const [first, ...more] = block.tag === "pre" ? walk.pre.take() : [walk.run.take()];
  if (!walk.hasText) return;
  walk.hasText = false;
  const tag = chooseTag(block);
  if (first === undefined) {
    pass(walk, [], { lines: 1, isLayout: false });
    return;
  }
  const { list, table } = block;
  const holder = tag === "pre" ? block.element : walk.holder;
  const draft = (run: RunText, gap: Gap): Draft => ({ ...run, block: tag, holder, gap, list, table });
  const drafts = [draft(first, walk.gap)];
  for (const run of more) if (run !== undefined) drafts.push(draft(run, { ...NO_GAP, breaks: 2 }));
  walk.gap = NO_GAP;
  pass(walk, drafts, { lines: drafts.length, isLayout: first.text.includes("\n") });
}

/** The block tag of the line that ends now: the first one of a list item belongs to the item. */
function chooseTag(block: Block): BlockTag {
  const isFirst = block.item?.hasLine === false;
  for (let { item } = block; item?.hasLine === false; item = item.outer) item.hasLine = true;
  return isFirst && !KEPT_IN_ITEMS.has(block.tag) ? "li" : block.tag;
}

/** Hands finished lines to the cell that they stand in, or to the page. */
function pass(
  walk: Walk,
  drafts: readonly Draft[],
  of: { readonly lines: number; readonly isLayout: boolean },
): void {
  const row = walk.rows.at(-1);
  const cell = row?.cells.at(-1);
  if (cell !== undefined) {
    cell.lines += of.lines;
    cell.isLayout ||= of.isLayout;
  } else if (row !== undefined) {
    row.cells.push({ drafts: [], lines: of.lines, isLayout: true });
  }
  const sink = row?.cells.at(-1)?.drafts ?? walk.drafts;
  for (const draft of drafts) sink.push(draft);
}
