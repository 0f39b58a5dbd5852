/** The text that a walk has gathered into a line, wherever one ends: its block, path and gap, and the row it stands in. */
import type { BlockTag } from "../document.js";
import { isDataRow, joinCells, type Draft, type Gap } from "./draft.js";
import { spotAt, type Spot } from "./path.js";
import type { RunText } from "./run.js";
import { KEPT_IN_ITEMS } from "./tags.js";
import type { Block, Walk } from "./walk.js";

/** An inline element that is drawn as a block parts lines, but its lines still belong to the block around it. */
export function endBlock(walk: Walk): void {
  if (walk.block.isVerbatim) {
    walk.pre.endLine();
    return;
  }
  endLine(walk);
  walk.hasEdge = true;
}

export function breakLine(walk: Walk): void {
  if (walk.block.isVerbatim) {
    walk.pre.breakLine();
    return;
  }
  endLine(walk);
  walk.breaks += 1;
}

export function leaveRow(walk: Walk): void {
  const { rows, drafts, open, depth } = walk;
  const row = rows.pop();
  if (row === undefined) return;
  if (isDataRow(row)) {
    // The row's own frame is the last that was left.
    const joined = joinCells(row, drafts, spotAt(open, depth + 1));
    drafts.length = row.cells[0]?.start ?? drafts.length;
    countLines(walk, 1, true);
    if (joined !== undefined) drafts.push(joined);
  } else for (const { lines, isLayout } of row.cells) countLines(walk, lines, isLayout);
}

export function endLine(walk: Walk): void {
  const { block } = walk;
  const isPre = block.isVerbatim;
  const pieces = isPre ? walk.pre.take() : undefined;
  const first = pieces === undefined ? walk.run.take() : pieces[0];
  if (!walk.hasText) return;
  walk.hasText = false;
  const { tag, continuesItem } = chooseTag(block);
  countLines(walk, Math.max(1, pieces?.length ?? 1), isPre && first?.text.includes("\n") === true);
  if (first === undefined) return;
  const spot = tag === "pre" ? spotAt(walk.open, block.depth) : walk.spot;
  walk.drafts.push(toDraft(first, { block, tag, spot, gap: chooseGap(walk), continuesItem }));
  for (let next = 1; pieces !== undefined && next < pieces.length; next += 1) {
    const piece = pieces[next];
    if (piece !== undefined)
      walk.drafts.push(toDraft(piece, { block, tag, spot, gap: "rift", continuesItem }));
  }
  walk.breaks = 0;
  walk.hasEdge = false;
}

interface Surroundings {
  readonly block: Block;
  readonly tag: BlockTag;
  readonly spot: Spot;
  readonly gap: Gap;
  readonly continuesItem: boolean;
}

function toDraft(
  { text, links, span }: RunText,
  { block: { list, table, item }, tag, spot, gap, continuesItem }: Surroundings,
): Draft {
  const number = tag === "li" && !continuesItem ? item?.number : undefined;
  return { text, links, span, block: tag, spot, gap, continuesItem, number, list, table };
}

function chooseGap({ breaks, hasEdge }: Walk): Gap {
  if (breaks > 1) return "rift";
  return hasEdge ? "edge" : "line";
}

/** The block tag of the line that ends now: the first one of a list item belongs to the item. */
function chooseTag({ tag, item }: Block): { readonly tag: BlockTag; readonly continuesItem: boolean } {
  const isFirst = item?.hasLine === false;
  for (let open = item; open?.hasLine === false; open = open.outer) open.hasLine = true;
  if (isFirst && !KEPT_IN_ITEMS.has(tag)) return { tag: "li", continuesItem: false };
  return { tag, continuesItem: tag === "li" };
}

/** Counts lines, also those that were left out, in the cell that they stand in; before they are added. */
function countLines({ rows, drafts }: Walk, lines: number, isLayout: boolean): void {
  const cells = rows.at(-1)?.cells;
  if (cells === undefined) return;
  let cell = cells.at(-1);
  if (cell === undefined) {
    cell = { start: drafts.length, lines: 0, isLayout: true };
    cells.push(cell);
  }
  cell.lines += lines;
  cell.isLayout ||= isLayout;
}
