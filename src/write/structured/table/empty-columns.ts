/**
 * Removes table columns in which no row shows anything: gaps of the layout, columns whose content was left out, or
 * numbers of rows. Line numbers beside a single column stay: they are not written, but show that the column is code.
 */
import type { TableCell } from "./row-cells.js";

interface Row {
  readonly cells: readonly TableCell[];
  readonly spread: readonly TableCell[];
  readonly aligns: readonly unknown[];
}

/** The number of columns of the widest row. */
export function widthOf(rows: readonly Pick<Row, "cells">[]): number {
  return rows.reduce((most, { cells }) => Math.max(most, cells.length), 0);
}

export function dropEmptyColumns<R extends Row>(rows: readonly R[]): readonly R[] {
  const width = widthOf(rows);
  const isShown = Array<boolean>(width).fill(false);
  const isNumber = Array<boolean>(width).fill(false);
  for (const { cells } of rows)
    for (const [column, cell] of cells.entries()) {
      isShown[column] ||= showsSomething(cell);
      isNumber[column] ||= cell.isNumber === true;
    }
  if (isShown.filter(Boolean).length <= 1)
    for (const [column, is] of isNumber.entries()) isShown[column] ||= is;
  if (!isShown.includes(false)) return rows;
  const keep = <T>(values: readonly T[]): T[] => values.filter((_, column) => isShown[column]);
  return rows.map((row) => ({
    ...row,
    cells: keep(row.cells),
    spread: keep(row.spread),
    // `aligns` may have holes.
    aligns: keep(Array.from(row.aligns)),
  }));
}

/** Whether a cell has text or an image. */
function showsSomething({ lines, range, below = [] }: TableCell): boolean {
  if (below.some(showsSomething)) return true;
  return lines.some(
    ({ text, spans = [] }) =>
      text.slice(...(range ?? [])).trim() !== "" ||
      spans.some(({ start, end }) => range === undefined || (start >= range[0] && end <= range[1])),
  );
}
