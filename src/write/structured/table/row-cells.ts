/** Finds the cells of each table row among the holders of a page. */
import type { Holder } from "../../../document.js";

/** The holders of a page, and the cells of each row by the row's holder index. */
export interface Cells {
  readonly byRow: ReadonlyMap<number, readonly number[]>;
  readonly holders: readonly Holder[];
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
