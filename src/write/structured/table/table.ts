/** Lays out the rows of a table: finds the header rows, and the content of each cell. */
import type { Holder, InlineSpan } from "../../../document.js";
import { leavesOf, isHeading, isRow, type Group, type Leaf, type Part } from "../blocks.js";
import { isColumn } from "./columns.js";
import { dropEmptyColumns, widthOf } from "./empty-columns.js";
import { splitRow, type Cells, type TableCell } from "./row-cells.js";
import { joinSigns } from "./signs.js";

interface TableRow {
  readonly cells: readonly TableCell[];
  readonly isHeader: boolean;
  /** Whether the row is a single cell as wide as the table, which is the header of the rows below. */
  readonly isSection?: boolean;
  /** The number of empty rows directly above it. */
  readonly emptyAbove: number;
}

/** A row with facts that depend on its place in the table. */
interface GridRow extends TableRow {
  /** Whether the row is in the `thead` of its table. */
  readonly isHead: boolean;
  /** The cell of each column; a cell that spans several columns is repeated. */
  readonly spread: readonly TableCell[];
  /** The number of columns that the only cell of the row spans; 0 if the row has several cells. */
  readonly onlySpan: number;
  /** Whether a cell spans several rows or columns. */
  readonly isOpen: boolean;
  /** The alignment of the cell in each column, for cells of a single column. */
  readonly aligns: readonly Holder["align"][];
}

export interface Table {
  readonly rows: readonly TableRow[];
  readonly width: number;
  /** The alignment of each column, if the page states one. */
  readonly aligns: readonly Holder["align"][];
  /** Lines that are in no row, such as a caption. */
  readonly captions: readonly Leaf[];
}

/** Spans of cells end at this column; each cell still has a column of its own. */
const MAX_COLUMNS = 1_000;
/** Spans of rows end where spans left more places empty than these, and so many more for each cell so far. */
const MAX_FILLED = { places: 1_000, perCell: 16 };
/** The largest number of characters in a cell of several lines. */
const MAX_CELL = 1_500;

/**
 * Returns "column" if the table only stacks texts, and undefined if it lays out other blocks, which are then written in
 * turn.
 */
export function layTable(table: Group, cells: Cells): Table | "column" | undefined {
  if (isColumn(table, cells)) return "column";
  const captions: Leaf[] = [];
  const rows: Group[] = [];
  for (const part of table.parts) {
    if (isRow(part)) rows.push(part);
    else for (const leaf of leavesOf(part)) captions.push(leaf);
  }
  if (rows.length === 0 || !rows.every(canBeRow)) return undefined;
  const grid = joinSigns(dropEmptyColumns(fillGrid(table, rows, cells)), EMPTY);
  const width = widthOf(grid);
  const isData = width > 1 && (rows.length > 1 || rows.some(isJoined));
  return isData ? layRows(grid, width, captions) : undefined;
}

/**
 * Whether a row is data: without headings, code, quotes or tables in it, without a cell that is too long, and without
 * text outside of its cells.
 */
function canBeRow({ parts }: Group): boolean {
  const loose = parts.flatMap((part) => (part.kind === "leaf" ? part.lines : []));
  if (loose.length > 1 || loose.some(({ block }) => block !== "tr")) return false;
  return parts.every((part) => part.kind === "leaf" || canBeCell(part));
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

/** Whether all cells of a row are one line. */
export function isJoined(row: Group): boolean {
  return row.parts.some((part) => part.kind === "leaf" && part.lines.some(({ block }) => block === "tr"));
}

/** Puts cells into their columns. A cell that spans several columns or rows leaves the other places empty. */
function fillGrid(table: Group, rows: readonly Group[], { byRow, holders }: Cells): GridRow[] {
  let below: number[] = [];
  let above: Group | undefined;
  let filled = 0;
  let maxFilled = MAX_FILLED.places;
  return rows.map((row) => {
    const ids = byRow.get(row.id) ?? [];
    maxFilled += ids.length * MAX_FILLED.perCell;
    if (filled > maxFilled) below = [];
    const contents = contentsOf(row, ids, holders);
    const cells: TableCell[] = [];
    const spread: TableCell[] = [];
    const next: number[] = [];
    const aligns: Holder["align"][] = [];
    let isOpen = false;
    let at = 0;
    const skip = (): void => {
      for (; (below[at] ?? 0) > 0 && at < MAX_COLUMNS; at += 1) {
        next[at] = (below[at] ?? 0) - 1;
        cells[at] = EMPTY;
        filled += 1;
      }
    };
    for (const [index, id] of ids.entries()) {
      skip();
      const { colSpan = 1, rowSpan = 1, isNumber, align } = holders[id] ?? {};
      const content = contents[index] ?? EMPTY;
      cells[at] = isNumber === true ? { ...content, isNumber } : content;
      if (align !== undefined && colSpan === 1) aligns[at] = align;
      const end = Math.max(at + 1, Math.min(at + colSpan, MAX_COLUMNS));
      for (let column = at; column < end; column += 1) {
        spread[column] = contents[index] ?? EMPTY;
        cells[column] ??= EMPTY;
        next[column] = rowSpan - 1;
      }
      isOpen ||= rowSpan > 1 || colSpan > 1;
      at = end;
    }
    skip();
    below = next;
    const emptyAbove = above === undefined ? 0 : countRows(holders, table, [above.id + 1, row.id]);
    above = row;
    const isHead = row.holder.isHeader === true;
    const isHeader = isHead || (ids.length > 0 && ids.every((id) => holders[id]?.isHeader === true));
    const onlySpan = ids.length === 1 ? (holders[ids[0] ?? -1]?.colSpan ?? 1) : 0;
    return {
      cells: fillGaps(cells),
      spread: fillGaps(spread),
      isHeader,
      isHead,
      onlySpan,
      isOpen,
      emptyAbove,
      aligns,
    };
  });
}

/** Counts the rows of a table among the holders [start, end). */
function countRows(
  holders: readonly Holder[],
  { id }: Group,
  [start, end]: readonly [number, number],
): number {
  let rows = 0;
  for (let at = start; at < end; at += 1) {
    const holder = holders[at];
    if (holder?.tag === "tr" && holder.parent === id) rows += 1;
  }
  return rows;
}

function fillGaps(cells: readonly TableCell[]): TableCell[] {
  return Array.from(cells, (cell: TableCell | undefined) => cell ?? EMPTY);
}

const EMPTY: TableCell = Object.freeze({ lines: [] });

/** The code of a table that has line numbers in its first columns, and code in the next; undefined for any other table. */
export function readNumbered({ rows }: Table): string | undefined {
  const texts = rows
    .filter(({ cells }) => cells.length > 0)
    .map(({ cells, emptyAbove }) => {
      const [code, ...others] = cells.filter((cell) => !holdsNumber(cell));
      if (cells[0] === code || others.some(({ lines }) => lines.length > 0)) return undefined;
      const text = code?.lines.map((line) => line.text.slice(...(code.range ?? []))).join("\n") ?? "";
      return `${"\n".repeat(emptyAbove)}${text}`;
    });
  return texts.length === 0 || texts.includes(undefined) ? undefined : texts.join("\n");
}

function holdsNumber({ isNumber = false, lines: [line], range: [, end] = [0, 0] }: TableCell): boolean {
  if (isNumber) return true;
  const text = line?.text.slice(0, end) ?? "";
  const isLeftOut = line?.spans?.some((span) => span.kind === "drop" && span.start === 0 && span.end === end);
  return isLeftOut === true && /^\d+$/.test(text);
}

function contentsOf(
  row: Group,
  ids: readonly number[],
  holders: readonly Holder[],
): (TableCell | undefined)[] {
  const contents: (TableCell | undefined)[] = [];
  // A row that is one line needs no places.
  const places = new Map(row.parts.some(({ kind }) => kind === "group") ? ids.map((id, at) => [id, at]) : []);
  for (const part of row.parts) {
    if (part.kind === "group") {
      const at = places.get(part.id);
      if (at !== undefined) contents[at] = addDrawn(contents[at], leavesOf(part));
      continue;
    }
    for (const line of part.lines) {
      let at = 0;
      for (const cell of splitRow(line)) {
        // The line leaves out the cells for the numbers of lines.
        while (holders[ids[at] ?? -1]?.isNumber === true) at += 1;
        const drawn = contents[at];
        contents[at] = drawn === undefined ? cell : { ...drawn, below: [...(drawn.below ?? []), cell] };
        at += 1;
      }
    }
  }
  return contents;
}

/** Adds lines to a cell that is already a part of its row's line. */
function addDrawn(cell: TableCell | undefined, leaves: readonly Leaf[]): TableCell {
  const lines = leaves.flatMap((leaf) => leaf.lines);
  return cell === undefined ? { lines } : { ...cell, below: [...(cell.below ?? []), { lines }] };
}

/**
 * GitHub's tables must have one header row. It is empty if the page has no header, and several header rows are joined,
 * so that each column has all cells above it. First rows that are single cells as wide as the table are captions if they
 * are above a header row. Any other header as wide as the table is that of a section, or of the whole table if it is
 * the only one and comes first.
 */
function layRows(grid: readonly GridRow[], width: number, captions: readonly Leaf[]): Table {
  const isWide = (row: GridRow): boolean => row.onlySpan >= width;
  const at = grid.findIndex((row) => !isWide(row));
  if (at > 0 && countHeads(grid.slice(at), width) > 0) {
    const titles = grid.slice(0, at).flatMap(({ cells }) => cells.filter(({ lines }) => lines.length > 0));
    const leaves = titles.map(({ lines }): Leaf => ({ kind: "leaf", lines: [...lines] }));
    return layRows(grid.slice(at), width, [...captions, ...leaves]);
  }
  const heads = countHeads(grid, width);
  const body = grid.slice(heads).map((row): TableRow => ({
    cells: row.cells,
    emptyAbove: row.emptyAbove,
    isHeader: false,
    isSection: row.isHeader && isWide(row),
  }));
  const aligns = alignColumns(grid, heads, width);
  return {
    rows: [{ cells: joinHeads(grid.slice(0, heads)), isHeader: true, emptyAbove: 0 }, ...body],
    width,
    aligns,
    captions,
  };
}

/** A column gets the alignment that all its cells with an alignment share; if no cell has one, that of its header. */
function alignColumns(grid: readonly GridRow[], heads: number, width: number): Holder["align"][] {
  if (grid.every(({ aligns }) => aligns.length === 0)) return [];
  const said = Array.from({ length: width }, () => new Set<Holder["align"]>());
  for (const { aligns } of grid.slice(heads))
    for (const [column, align] of aligns.entries()) if (align !== undefined) said[column]?.add(align);
  return said.map((all, column) => {
    const [only, other] = all;
    if (only === undefined) return grid[heads - 1]?.aligns[column];
    return other === undefined ? only : undefined;
  });
}

/** The number of header rows at the beginning. There are several if spans or the `thead` connect them. */
function countHeads(grid: readonly GridRow[], width: number): number {
  const [first, second] = grid;
  if (first === undefined) return 0;
  if (first.onlySpan >= width) return isHeadOfAll(grid, width) ? 1 : 0;
  if (!first.isHeader) return isStrongRow(first) && second !== undefined && !isStrongRow(second) ? 1 : 0;
  let heads = 1;
  for (let row = grid[1]; row !== undefined; row = grid[heads]) {
    const isBound = row.isHead || grid[heads - 1]?.isOpen === true;
    if (!row.isHeader || !isBound || row.onlySpan >= width) break;
    heads += 1;
  }
  // In a table of header rows only, the first row is the header.
  return heads === grid.length ? 1 : heads;
}

/** Whether the first row, a cell as wide as the table, is the header of all rows below, and not of a section. */
function isHeadOfAll([first, ...others]: readonly GridRow[], width: number): boolean {
  if (first?.isHead === true) return true;
  return first?.isHeader === true && !others.some((row) => row.isHeader && row.onlySpan >= width);
}

function joinHeads(heads: readonly GridRow[]): TableCell[] {
  const [first] = heads;
  if (first === undefined || heads.length === 1) return [...(first?.cells ?? [])];
  const width = heads.reduce((most, { spread }) => Math.max(most, spread.length), 0);
  return Array.from({ length: width }, (_, column): TableCell => {
    const all = heads.flatMap(({ spread }) => spread[column] ?? []).filter((cell) => cell !== EMPTY);
    const [top = EMPTY, ...below] = all;
    return below.length === 0 ? top : { ...top, below };
  });
}

/** Whether all cells of a row are bold: old pages have bold words in place of header cells. */
function isStrongRow({ cells }: TableRow): boolean {
  const filled = cells.filter(({ lines, range }) => lines.length > 0 && range?.[0] !== range?.[1]);
  const all = cells.filter(({ lines }) => lines.length > 0);
  return filled.length > 1 && all.every(isStrongCell);
}

function isStrongCell({ lines, range }: TableCell): boolean {
  return lines.every(({ text, spans = [] }) => {
    const [start, end] = range ?? [0, text.length];
    const isAll = (span: InlineSpan): boolean =>
      span.kind === "strong" && span.start <= start && span.end >= end;
    return start === end || spans.some(isAll);
  });
}
