/** Counts the page types that systems give: a row for each true type, and a column for each type that a system gave. */
import { PAGE_TYPES } from "thresher";
import type { CorpusScores } from "../results.js";
import { formatCount, formatScore } from "../format.js";

export interface TypeTable {
  readonly system: string;
  readonly heads: readonly string[];
  readonly rows: readonly (readonly string[])[];
}

/**
 * Returns one table for each system that gives page types. The last column is the share of a type's pages that it
 * found.
 */
export function tabulateTypes({ systems }: CorpusScores): TypeTable[] {
  return systems.flatMap(({ system, pageTypes }): TypeTable[] => {
    if (pageTypes === undefined) return [];
    const said = new Set(Object.values(pageTypes).flatMap((row) => Object.keys(row)));
    const known = PAGE_TYPES.filter((type) => said.has(type) || pageTypes[type] !== undefined);
    const others = [...said].filter((type) => !PAGE_TYPES.some((name) => name === type)).sort();
    const columns = [...known, ...others];
    const rows = known.flatMap((type) => {
      const row = pageTypes[type];
      if (row === undefined) return [];
      const pages = Object.values(row).reduce((sum, count) => sum + count, 0);
      return [
        [
          `${type} (${formatCount(pages)})`,
          ...columns.map((column) => formatCount(row[column] ?? 0)),
          formatScore((row[type] ?? 0) / pages),
        ],
      ];
    });
    return [{ system, heads: ["the page is", ...columns, "found"], rows }];
  });
}
