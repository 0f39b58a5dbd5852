/** Removes table columns in which no row shows anything: gaps of the layout, or columns whose content was left out. */
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
  const isShown = Array<boolean>(widthOf(rows)).fill(false);
  for (const { cells } of rows)
    for (const [column, cell] of cells.entries()) isShown[column] ||= showsSomething(cell);
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

/**
 * Whether a cell has text or an image, or a line number of code: that is not written, but shows that the table is code.
 */
function showsSomething({ lines, range, isNumber = false, below = [] }: TableCell): boolean {
  if (isNumber || below.some(showsSomething)) return true;
  return lines.some(
    ({ text, spans = [] }) =>
      text.slice(...(range ?? [])).trim() !== "" ||
      spans.some(({ start, end }) => range === undefined || (start >= range[0] && end <= range[1])),
  );
}
