/** Moves the rows of a table's footer to its end, where browsers show them: HTML 4 has the footer above the body. */
import type { Line } from "../../../document.js";
import { isRow, type Group, type Part } from "../blocks.js";

/** A path whose last row is in a footer. */
const IN_FOOTER = /(?:^|>)tfoot[^>]*>tr\b(?!.*>tr\b)/;

export function lowerFooter(table: Group): Group {
  return table.parts.some(isFooter) ? { ...table, parts: putLast(table.parts, isFooter) } : table;
}

/** Puts the lines of a footer behind the other rows. */
export function lowerFooterLines<L extends Line>(rows: readonly L[]): readonly L[] {
  return putLast(rows, isInFooter);
}

function putLast<T>(all: readonly T[], isLast: (one: T) => boolean): T[] {
  return [...all.filter((one) => !isLast(one)), ...all.filter(isLast)];
}

function isInFooter({ path }: Line): boolean {
  return IN_FOOTER.test(path);
}

/** Whether a row is in the footer of its own table, and not of a table in one of its cells. */
function isFooter(row: Part): boolean {
  let part: Part | undefined = isRow(row) ? row.parts[0] : undefined;
  while (part?.kind === "group" && part.holder.tag !== "table") part = part.parts[0];
  const [line] = part?.kind === "leaf" ? part.lines : [];
  return line !== undefined && isInFooter(line);
}
