/** Finds the cells of each row of a page among its holders. */
import type { Holder } from "../../document.js";

/** Cells of a page's holders by the row that they are in, and which rows hold other blocks. */
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
