/** Recognises tables that only stack texts, as in old forums and on pages of addresses. */
import { isFilled, isRow, leavesOf, type Group, type Part } from "../blocks.js";
import type { Cells } from "./row-cells.js";

/**
 * Whether a table is marked as layout, or has no headers and one filled cell in each row, before which there may be
 * a picture. One row above the last may have several filled cells, such as the date of a post and its buttons above the
 * text of the post.
 */
export function isColumn(table: Group, cells: Cells): boolean {
  if (table.holder.isLayout === true) return true;
  const rows = table.parts.filter(isRow);
  if (rows.some((row) => saysMore(row, cells))) return false;
  const wide = rows.filter((row) => countShown(row) > 1);
  return wide.length === 0 || (wide.length === 1 && wide[0] !== rows.at(-1));
}

/** Whether a row has a header, a filled cell that spans rows below, or a cell for the line number of code. */
function saysMore({ holder, id, parts }: Group, { byRow, holders }: Cells): boolean {
  if (holder.isHeader === true) return true;
  const spanning = new Set<number>();
  for (const cell of byRow.get(id) ?? []) {
    const { isHeader, isNumber, rowSpan = 1 } = holders[cell] ?? {};
    if (isHeader === true || isNumber === true) return true;
    if (rowSpan > 1) spanning.add(cell);
  }
  return (
    spanning.size > 0 &&
    parts.some((part) => part.kind === "leaf" || (spanning.has(part.id) && isFilled(part)))
  );
}

/** The number of cells in a row that show something, without a picture before the only other one. */
function countShown({ parts }: Group): number {
  const shown = parts.flatMap((part): Part[] => {
    const line = part.kind === "leaf" ? part.lines[0] : undefined;
    if (line?.block !== "tr") return isFilled(part) ? [part] : [];
    return line.text
      .split("\t")
      .filter((text) => text.trim() !== "")
      .map(() => part);
  });
  const [first, second, third] = shown;
  if (first === undefined || second === undefined || third !== undefined) return shown.length;
  return isPicture(first) && !isPicture(second) ? 1 : 2;
}

/** Whether a cell has only images. */
function isPicture(cell: Part): boolean {
  return leavesOf(cell).every(({ lines }) =>
    lines.every(({ text, spans = [] }) => text === "" && spans.every(({ kind }) => kind === "image")),
  );
}
