/** Tells tables that only set texts below each other, as old forums and pages of addresses do. */
import { isFilled, isRow, type Group } from "./blocks.js";
import type { Cells } from "./row-cells.js";

/**
 * A table that says so itself, or that heads nothing and shows one cell in each row; above the last row one may show several, as
 * the date of a post and what can be done with it stand above its text.
 */
export function isColumn(table: Group, cells: Cells): boolean {
  if (table.holder.isLayout === true) return true;
  const rows = table.parts.filter(isRow);
  if (rows.some((row) => saysMore(row, cells))) return false;
  const wide = rows.filter((row) => countShown(row) > 1);
  return wide.length === 0 || (wide.length === 1 && wide[0] !== rows.at(-1));
}

/** A header, a cell with a text that goes on in the rows below, or one for the number of a line of code. */
function saysMore({ holder, id, parts }: Group, { byRow, holders }: Cells): boolean {
  if (holder.isHeader === true) return true;
  return (byRow.get(id) ?? []).some((cell) => {
    const { isHeader, isNumber, rowSpan = 1 } = holders[cell] ?? {};
    const isShown = parts.some((part) => part.kind === "leaf" || (part.id === cell && isFilled(part)));
    return isHeader === true || isNumber === true || (rowSpan > 1 && isShown);
  });
}

/** Cells of a row that show something. */
function countShown({ parts }: Group): number {
  let shown = 0;
  for (const part of parts) {
    const line = part.kind === "leaf" ? part.lines[0] : undefined;
    if (line?.block === "tr") shown += line.text.split("\t").filter((text) => text.trim() !== "").length;
    else if (isFilled(part)) shown += 1;
  }
  return shown;
}
