/** Turns the drafts of a walk into lines: joins the cells of table rows, and chooses the breaks between lines. */
import { isHeadingTag, type BlockTag, type InlineSpan, type Line, type Link } from "../../document.js";
import type { ElementNode } from "../../document/tree.js";
import type { Spot } from "./path.js";
import { NO_LINKS, type RunText, type Span } from "./text/text-run.js";
import { ITEMS } from "./line-tags.js";
import type { Writable } from "../../writable.js";

/**
 * What separates a line from the one before: "line" if nothing or one `<br>`, "edge" if a block begins or ends, "rift"
 * if two breaks, a rule or a blank line of a `pre`.
 */
export type Gap = "line" | "edge" | "rift";

export interface Draft extends RunText {
  readonly block: BlockTag;
  /** The innermost element around the whole line. */
  readonly spot: Spot;
  readonly gap: Gap;
  /** True for a line of a list item after its first. */
  readonly continuesItem: boolean;
  /** The number of the item, for the first line of an item of an ordered list. */
  readonly number: number | undefined;
  /** The outermost list and the innermost table around the line. */
  readonly list: ElementNode | null;
  readonly table: ElementNode | null;
  /** The index of the line's holder among the page's holders; -1 if it has no holder, or holders are not wanted. */
  readonly holder: number;
}

interface Cell {
  /** The number of drafts that the page had before the cell. */
  readonly start: number;
  /** The number of lines in the cell, also those that the extractor left out. */
  lines: number;
  /** Whether the cell holds a row of a table of its own, or a line with line breaks. */
  isLayout: boolean;
}

export interface Row {
  readonly table: ElementNode | null;
  readonly holder: number;
  /** The cells, without those for the numbers of lines. */
  readonly cells: Cell[];
  /** Whether the row is a line of code. */
  isCode: boolean;
}

/**
 * Checks whether a row is data, not layout: at least two cells hold a line, or one does in a line of code, and no cell
 * holds more than one.
 */
export function isDataRow(row: Row): boolean {
  const filled = row.cells.filter((cell) => cell.lines > 0).length;
  return filled >= (row.isCode ? 1 : 2) && row.cells.every((cell) => cell.lines <= 1 && !cell.isLayout);
}

/**
 * Joins the cells of a data row into one line with tabs between them; their drafts are the last ones of `drafts`.
 * Undefined if all of them were left out.
 */
export function joinCells(
  { cells, table, holder }: Row,
  drafts: readonly Draft[],
  spot: Spot,
): Draft | undefined {
  const first = drafts[cells[0]?.start ?? drafts.length];
  if (first === undefined) return undefined;
  let text = "";
  let tabs = "";
  let links: Link[] | undefined;
  let spans: InlineSpan[] | undefined;
  let span: Span | undefined;
  for (const [index, { start: from }] of cells.entries()) {
    const draft = from < (cells[index + 1]?.start ?? drafts.length) ? drafts[from] : undefined;
    if (draft !== undefined) {
      // Tabs are written only when text follows, so empty cells at the end leave no tabs.
      text += tabs;
      tabs = "";
      for (const { start, end, href } of draft.links)
        (links ??= []).push({ start: start + text.length, end: end + text.length, href });
      // A heading in a cell is kept as strong text. If holders are wanted, each cell has one.
      if (draft.holder >= 0 && isHeadingTag(draft.block))
        (spans ??= []).push({ kind: "strong", start: text.length, end: text.length + draft.text.length });
      if (draft.spans !== undefined && (draft.links.length > 0 || !draft.text.includes("\t")))
        (spans ??= []).push(...moveSpans(draft.spans, text.length));
      // A tab separates cells and has no other meaning in a row.
      text += draft.text.replaceAll("\t", draft.links.length > 0 ? " " : "    ");
      span = joinSpans(span, draft.span);
    }
    tabs += "\t";
  }
  const { gap, list } = first;
  const row = { block: "tr", spot, gap, continuesItem: false, number: undefined, list, table } as const;
  return { ...row, text, links: links ?? NO_LINKS, spans, span, holder };
}

function moveSpans(spans: readonly InlineSpan[], by: number): InlineSpan[] {
  return spans.map((inner) => ({ ...inner, start: inner.start + by, end: inner.end + by }));
}

function joinSpans(a: Span | undefined, b: Span | undefined): Span | undefined {
  if (a === undefined || b === undefined) return a ?? b;
  return [Math.min(a[0], b[0]), Math.max(a[1], b[1])];
}

/** Makes the line of a draft; fields that it does not need are absent. */
export function toLine(draft: Draft, before: Draft | undefined): Line {
  const {
    text,
    block,
    spot: { path, isComment },
    links,
    spans,
    holder,
    span,
    continuesItem,
    number,
  } = draft;
  const breakBefore = chooseBreak(draft, before);
  let linkChars = 0;
  for (const { start, end } of links) linkChars += end - start;
  const line: Writable<Line> = { text, block, path, linkChars, breakBefore };
  if (links.length > 0) line.links = links;
  if (span !== undefined) line.span = span;
  if (spans !== undefined) line.spans = spans;
  if (holder >= 0) line.holder = holder;
  if (continuesItem) line.continuesItem = true;
  if (number !== undefined) line.number = number;
  if (isComment) line.kind = "comment";
  return line;
}

/**
 * Items of one list and rows of one table are separated by a line break, because a reader sees them as one thing; any
 * other block is set apart.
 */
function chooseBreak(draft: Draft, before: Draft | undefined): Line["breakBefore"] {
  const { gap, block, list, table } = draft;
  if (before === undefined || gap === "rift") return "block";
  if (gap === "line") return "line";
  const isSameList = list !== null && list === before.list && ITEMS.has(block) && ITEMS.has(before.block);
  const isSameTable = table !== null && table === before.table && block === "tr" && before.block === "tr";
  return isSameList || isSameTable ? "line" : "block";
}
