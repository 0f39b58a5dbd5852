/** Lays out the rows of a table for Markdown: which row is the header, and what stands in each cell. */
import type { Holder, LabelledLine } from "../../document.js";
import { leavesOf, isHeading, type Group, type Leaf, type Part } from "./blocks.js";

export interface TableCell {
  readonly lines: readonly LabelledLine[];
  /** Of a row that is one line: the cell's part of it, in characters. */
  readonly range?: readonly [number, number];
}

export interface TableRow {
  readonly cells: readonly TableCell[];
  readonly isHeader: boolean;
}

export interface Table {
  readonly rows: readonly TableRow[];
  readonly width: number;
  /** Lines that are in no row: a caption. */
  readonly captions: readonly Leaf[];
}

/** Cells of a page's holders by the row that they are in, and which rows hold other blocks. */
export interface Cells {
  readonly byRow: ReadonlyMap<number, readonly number[]>;
  readonly holders: readonly Holder[];
}

/** Columns of a table, and characters of a cell of several lines. */
const MAX_COLUMNS = 1_000;
const MAX_CELL = 1_500;

export function groupCells(holders: readonly Holder[]): Cells {
  const byRow = new Map<number, number[]>();
  for (const [id, { tag, parent }] of holders.entries()) {
    if ((tag !== "td" && tag !== "th") || parent === undefined) continue;
    const row = byRow.get(parent);
    if (row === undefined) byRow.set(parent, [id]);
    else row.push(id);
  }
  return { byRow, holders };
}

/** Undefined where the table only lays out other blocks, which are then written one after another. */
export function layTable(table: Group, cells: Cells): Table | undefined {
  const captions: Leaf[] = [];
  const rows: Group[] = [];
  for (const part of table.parts) {
    if (part.kind === "group" && part.holder.tag === "tr") rows.push(part);
    else captions.push(...leavesOf(part));
  }
  if (rows.length === 0 || table.holder.isLayout === true || !rows.every(canBeRow)) return undefined;
  const grid = fillGrid(rows, cells);
  const width = grid.reduce((most, { cells: row }) => Math.max(most, row.length), 0);
  const isData = width > 1 && (rows.length > 1 || rows.some(isJoined));
  return isData ? { rows: headerFirst(grid), width, captions } : undefined;
}

/** A row of data has neither headings nor code nor tables in it, and no cell that is a text of its own. */
function canBeRow(row: Group): boolean {
  return row.parts.every((part) => part.kind === "leaf" || canBeCell(part));
}

function canBeCell(part: Part): boolean {
  if (part.kind === "group" && (part.holder.tag === "table" || part.holder.tag === "blockquote"))
    return false;
  if (part.kind === "group") return part.parts.every(canBeCell) && countCharacters(part) <= MAX_CELL;
  return part.lines.every((line) => !isHeading(line) && line.block !== "pre");
}

function countCharacters(part: Part): number {
  return leavesOf(part).reduce(
    (sum, { lines }) => sum + lines.reduce((all, { text }) => all + text.length, 0),
    0,
  );
}

/** All its cells are one line. */
function isJoined(row: Group): boolean {
  return row.parts.some((part) => part.kind === "leaf" && part.lines.some(({ block }) => block === "tr"));
}

/** Cells at their columns: those that span several, or rows above, leave the others empty. */
function fillGrid(rows: readonly Group[], { byRow, holders }: Cells): TableRow[] {
  let below: number[] = [];
  return rows.map((row) => {
    const ids = byRow.get(row.id) ?? [];
    const contents = contentsOf(row, ids);
    const cells: TableCell[] = [];
    const next: number[] = [];
    let at = 0;
    const skip = (): void => {
      for (; (below[at] ?? 0) > 0 && at < MAX_COLUMNS; at += 1) {
        next[at] = (below[at] ?? 0) - 1;
        cells[at] = EMPTY;
      }
    };
    for (const [index, id] of ids.entries()) {
      skip();
      const { colSpan = 1, rowSpan = 1 } = holders[id] ?? {};
      cells[at] = contents[index] ?? EMPTY;
      for (let column = at; column < Math.min(at + colSpan, MAX_COLUMNS); column += 1) {
        cells[column] ??= EMPTY;
        next[column] = rowSpan - 1;
      }
      at = Math.min(at + colSpan, MAX_COLUMNS);
    }
    skip();
    below = next;
    const isHeader =
      row.holder.isHeader === true || (ids.length > 0 && ids.every((id) => holders[id]?.isHeader === true));
    return { cells: Array.from(cells, (cell: TableCell | undefined) => cell ?? EMPTY), isHeader };
  });
}

const EMPTY: TableCell = Object.freeze({ lines: [] });

function contentsOf(row: Group, ids: readonly number[]): (TableCell | undefined)[] {
  const contents: (TableCell | undefined)[] = [];
  for (const part of row.parts) {
    if (part.kind === "group") {
      const at = ids.indexOf(part.id);
      if (at >= 0) contents[at] = { lines: leavesOf(part).flatMap(({ lines }) => lines) };
      continue;
    }
    const [line] = part.lines;
    if (line?.block === "tr") contents.push(...splitRow(line));
    else contents.push({ lines: part.lines });
  }
  return contents;
}

export function splitRow(line: LabelledLine): TableCell[] {
  let start = 0;
  return line.text.split("\t").map((text) => {
    const range = [start, start + text.length] as const;
    start += text.length + 1;
    return { lines: [line], range };
  });
}

/** GitHub's tables must have a header; where the page names none, it is empty. */
function headerFirst(rows: readonly TableRow[]): TableRow[] {
  return rows[0]?.isHeader === true ? [...rows] : [{ cells: [], isHeader: true }, ...rows];
}
