/** Counts how many items (elements of a page, fields of its metadata) are right, found and wanted, and scores them. */
import { precisionRecall, type PrecisionRecall } from "../fractions.js";

export interface ItemCounts {
  readonly right: number;
  readonly found: number;
  readonly wanted: number;
  /**
   * How many of the wanted items have all their words in the output, in any markup; only when structure is measured.
   */
  readonly present?: number;
}

/** Counts by kind; an absent kind has no items. */
export type Counts = Readonly<Record<string, ItemCounts>>;

/** Matches items as multisets. Found items that are not wanted but are in `unknown` do not count at all. */
export function matchItems(
  wanted: readonly string[],
  found: readonly string[],
  unknown: readonly string[] = [],
): ItemCounts {
  const [wants, spares] = [countKeys(wanted), countKeys(unknown)];
  let right = 0;
  let forgiven = 0;
  for (const [key, count] of countKeys(found)) {
    const matched = Math.min(count, wants.get(key) ?? 0);
    right += matched;
    forgiven += Math.min(count - matched, spares.get(key) ?? 0);
  }
  return { right, found: found.length - forgiven, wanted: wanted.length };
}

function countKeys(keys: readonly string[]): Map<string, number> {
  const counts = new Map<string, number>();
  for (const key of keys) counts.set(key, (counts.get(key) ?? 0) + 1);
  return counts;
}

/** Returns the items of `left` that `right` lacks, as multisets. */
export function subtractItems(left: readonly string[], right: readonly string[]): string[] {
  const counts = countKeys(right);
  return left.filter((key) => {
    const count = counts.get(key) ?? 0;
    counts.set(key, count - 1);
    return count <= 0;
  });
}

export function sumCounts(rows: readonly Counts[], kind: string): ItemCounts {
  let [right, found, wanted, present] = [0, 0, 0, 0];
  for (const row of rows) {
    const counts = row[kind];
    if (counts === undefined) continue;
    right += counts.right;
    found += counts.found;
    wanted += counts.wanted;
    present += counts.present ?? 0;
  }
  return { right, found, wanted, present };
}

export function scoreCounts({ right, found, wanted }: ItemCounts): PrecisionRecall {
  return precisionRecall(right, found, wanted);
}
