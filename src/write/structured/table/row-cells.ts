/** Finds the cells of each table row: among the holders of a page, or in the text of a row that is one line. */
import type { Holder, LabelledLine } from "../../../document.js";
import { cutLine } from "../inline.js";

/** The holders of a page, and the cells of each row by the row's holder index. */
export interface Cells {
  readonly byRow: ReadonlyMap<number, readonly number[]>;
  readonly holders: readonly Holder[];
}

export interface TableCell {
  readonly lines: readonly LabelledLine[];
  /** The cell's part of the line, in characters, if the whole row is one line. */
  readonly range?: readonly [number, number];
  /** Whether the cell is for the line number of code. */
  readonly isNumber?: boolean;
  /** The cells below it, if the header has several rows; also further lines of the same cell. */
  readonly below?: readonly TableCell[];
}

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

/** The cells of a row that is one line, with a tab between them. */
export function splitRow(line: LabelledLine): TableCell[] {
  let start = 0;
  return line.text.split("\t").map((text) => {
    const range = [start, start + text.length] as const;
    start += text.length + 1;
    return { lines: [line], range };
  });
}

/** The cells of a row that is one line, as lines of their own. */
export function cutRow(line: LabelledLine): LabelledLine[] {
  return splitRow(line).map(({ range = [0, 0] }) => cutLine(line, range));
}
