/** Lays out the rows of a table: which row is the header, and what is in each cell. */
import type { Holder, InlineSpan, LabelledLine } from "../../document.js";
import { leavesOf, isHeading, isRow, type Group, type Leaf, type Part } from "./blocks.js";
import { isColumn } from "./columns.js";
import { dropEmptyColumns, widthOf } from "./empty-columns.js";
import type { Cells } from "./row-cells.js";

export interface TableCell {
  readonly lines: readonly LabelledLine[];
  /** Of a row that is one line: the cell's part of it, in characters. */
  readonly range?: readonly [number, number];
  /** The cell is for the number of a line of code. */
  readonly isNumber?: boolean;
  /** Of a header of several rows: the cells below. */
  readonly below?: readonly TableCell[];
}

export interface TableRow {
  readonly cells: readonly TableCell[];
  readonly isHeader: boolean;
  /** One cell that heads the rows below, and is as wide as the table. */
  readonly isSection?: boolean;
  /** Rows right above it that show nothing. */
  readonly emptyAbove: number;
}

/** A row with what only its place in the table tells of. */
interface GridRow extends TableRow {
  /** The row is in the `thead` of its table. */
  readonly isHead: boolean;
  /** The cell of each column, again where it spans several. */
  readonly spread: readonly TableCell[];
  /** It is one cell, and how many columns that spans. */
  readonly onlySpan: number;
  /** A cell spans rows below, or only some of the columns. */
  readonly isOpen: boolean;
  /** What the cell of each column that is in no other says of where its text is set. */
  readonly aligns: readonly Holder["align"][];
}

export interface Table {
  readonly rows: readonly TableRow[];
  readonly width: number;
  /** Where the text of each column is set, where the page says so. */
  readonly aligns: readonly Holder["align"][];
  /** Lines that are in no row: a caption. */
  readonly captions: readonly Leaf[];
}

/** Columns of a table, and characters of a cell of several lines. */
const MAX_COLUMNS = 1_000;
const MAX_CELL = 1_500;

/** "column" where it only sets texts below each other; undefined where it lays out other blocks, which are written one after another. */
export function layTable(table: Group, cells: Cells): Table | "column" | undefined {
  if (isColumn(table, cells)) return "column";
  const captions: Leaf[] = [];
  const rows: Group[] = [];
  for (const part of table.parts) {
    if (isRow(part)) rows.push(part);
    else captions.push(...leavesOf(part));
  }
  if (rows.length === 0 || !rows.every(canBeRow)) return undefined;
  const grid = dropEmptyColumns(fillGrid(table, rows, cells));
  const width = widthOf(grid);
  const isData = width > 1 && (rows.length > 1 || rows.some(isJoined));
  return isData ? layRows(grid, width, captions) : undefined;
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
export function isJoined(row: Group): boolean {
  return row.parts.some((part) => part.kind === "leaf" && part.lines.some(({ block }) => block === "tr"));
}

/** Cells at their columns: those that span several, or rows above, leave the others empty. */
function fillGrid(table: Group, rows: readonly Group[], { byRow, holders }: Cells): GridRow[] {
  let below: number[] = [];
  let above: Group | undefined;
  return rows.map((row) => {
    const ids = byRow.get(row.id) ?? [];
    const contents = contentsOf(row, ids);
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
      }
    };
    for (const [index, id] of ids.entries()) {
      skip();
      const { colSpan = 1, rowSpan = 1, isNumber, align } = holders[id] ?? {};
      const content = contents[index] ?? EMPTY;
      cells[at] = isNumber === true ? { ...content, isNumber } : content;
      if (align !== undefined && colSpan === 1) aligns[at] = align;
      for (let column = at; column < Math.min(at + colSpan, MAX_COLUMNS); column += 1) {
        spread[column] = contents[index] ?? EMPTY;
        cells[column] ??= EMPTY;
        next[column] = rowSpan - 1;
      }
      isOpen ||= rowSpan > 1 || colSpan > 1;
      at = Math.min(at + colSpan, MAX_COLUMNS);
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

/** Rows of a table among the holders [start, end). */
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

/** Code in a table, with the numbers of its lines in the first column: the code. */
export function readNumbered({ rows }: Table): string | undefined {
  const texts = rows
    .filter(({ cells }) => cells.length > 0)
    .map(({ cells: [number, code], emptyAbove }) => {
      if (number === undefined || !holdsNumber(number)) return undefined;
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

function contentsOf(row: Group, ids: readonly number[]): (TableCell | undefined)[] {
  const contents: (TableCell | undefined)[] = [];
  for (const part of row.parts) {
    if (part.kind === "group") {
      const at = ids.indexOf(part.id);
      if (at >= 0) contents[at] = addDrawn(contents[at], leavesOf(part));
      continue;
    }
    const [line] = part.lines;
    if (line?.block !== "tr") contents.push({ lines: part.lines });
    else
      for (const [at, cell] of splitRow(line).entries())
        contents[at] = contents[at] === undefined ? cell : { ...contents[at], below: [cell] };
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

/** What a cell of a row that is one line holds besides its part of that line. */
function addDrawn(cell: TableCell | undefined, leaves: readonly Leaf[]): TableCell {
  const lines = leaves.flatMap((leaf) => leaf.lines);
  return cell === undefined ? { lines } : { ...cell, below: [...(cell.below ?? []), { lines }] };
}

/**
 * GitHub's tables must have one row of headers; where the page names none, it is empty. Several become one, in which each
 * column has all that is above it. A header as wide as the table is a caption above others, and heads rows below them.
 */
function layRows(grid: readonly GridRow[], width: number, captions: readonly Leaf[]): Table {
  const isWide = (row: GridRow | undefined): boolean => row !== undefined && row.onlySpan >= width;
  const [first, second] = grid;
  if (first?.isHeader === true && isWide(first) && second?.isHeader === true && !isWide(second)) {
    const title = first.cells.map(({ lines }): Leaf => ({ kind: "leaf", lines: [...lines] }));
    return layRows(grid.slice(1), width, [...captions, ...title.filter(({ lines }) => lines.length > 0)]);
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

/** A column is set as all its cells are that say something, or as its header is where they say nothing. */
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

/** Rows of headers at the beginning: more than one where spans or the `thead` hold them together. */
function countHeads(grid: readonly GridRow[], width: number): number {
  const [first, second] = grid;
  if (first === undefined || first.onlySpan >= width) return 0;
  if (!first.isHeader) return isStrongRow(first) && second !== undefined && !isStrongRow(second) ? 1 : 0;
  let heads = 1;
  for (let row = grid[1]; row !== undefined; row = grid[heads]) {
    const isBound = row.isHead || grid[heads - 1]?.isOpen === true;
    if (!row.isHeader || !isBound || row.onlySpan >= width) break;
    heads += 1;
  }
  // A table of nothing but headers has one of them.
  return heads === grid.length ? 1 : heads;
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

/** Old pages have no header but bold words. */
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
