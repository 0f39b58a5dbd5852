/** Lines as the walk finds them into lines as the page has them: table rows joined, breaks decided. */
import type { BlockTag, Line } from "../document.js";
import type { ElementNode } from "../tree.js";
import type { RunText } from "./run.js";
import { ITEMS } from "./tags.js";

/** What stands between a line and the one before. */
export interface Gap {
  readonly breaks: number;
  readonly isBlock: boolean;
  readonly isRule: boolean;
}

export interface Draft extends RunText {
  readonly block: BlockTag;
  /** The innermost element around the whole line. */
  readonly holder: ElementNode;
  readonly gap: Gap;
  /** The outermost list and the innermost table around the line. */
  readonly list: ElementNode | null;
  readonly table: ElementNode | null;
}

export interface Cell {
  readonly drafts: Draft[];
  /** Lines in the cell, also those that the extractor left out. */
  lines: number;
  /** It holds a row of a table of its own, or a line with line breaks. */
  isLayout: boolean;
}

export interface Row {
  readonly element: ElementNode;
  readonly table: ElementNode | null;
  readonly cells: Cell[];
}

/** Data, not layout: at least two cells hold a line, and none holds more than one. */
export function isDataRow(row: Row): boolean {
  const filled = row.cells.filter((cell) => cell.lines > 0).length;
  return filled >= 2 && row.cells.every((cell) => cell.lines <= 1 && !cell.isLayout);
}

/** The cells of a data row, with tabs between them, as one line; undefined when all of them were left out. */
export function joinCells(row: Row): Draft | undefined {
  const first = row.cells.find((cell) => cell.drafts.length > 0)?.drafts[0];
  if (first === undefined) return undefined;
  let text = "";
  const links: Draft["links"][number][] = [];
  let span: readonly [number, number] | undefined;
  for (const [index, { drafts }] of row.cells.entries()) {
    if (index > 0) text += "\t";
    const [draft] = drafts;
    if (draft === undefined) continue;
    for (const link of draft.links) {
      links.push({ ...link, start: link.start + text.length, end: link.end + text.length });
    }
    text += draft.text;
    if (draft.span === undefined) continue;
    span =
      span === undefined ? draft.span : [Math.min(span[0], draft.span[0]), Math.max(span[1], draft.span[1])];
  }
  const { element: holder, table } = row;
  const { gap, list } = first;
  return {
    text: text.replace(/\t+$/, ""),
    links,
    block: "tr",
    holder,
    gap,
    list,
    table,
    ...(span && { span }),
  };
}

export function toLine(
  draft: Draft,
  before: Draft | undefined,
  pathOf: (element: ElementNode) => string,
): Line {
  const { text, links, block, holder, span } = draft;
  return {
    text,
    block,
    path: pathOf(holder),
    linkChars: links.reduce((sum, link) => sum + link.end - link.start, 0),
    ...(links.length > 0 && { links }),
    breakBefore: chooseBreak(draft, before),
    ...(span && { span }),
  };
}

/** A reader sees items of one list and rows of one table as lines of one thing; any other block stands apart. */
function chooseBreak(draft: Draft, before: Draft | undefined): Line["breakBefore"] {
  const { gap, block, list, table } = draft;
  if (before === undefined || gap.isRule || gap.breaks > 1) return "block";
  if (!gap.isBlock) return "line";
  const isSameList = list !== null && list === before.list && ITEMS.has(block) && ITEMS.has(before.block);
  const isSameTable = table !== null && table === before.table && block === "tr" && before.block === "tr";
  return isSameList || isSameTable ? "line" : "block";
}
