/**
 * Splits a table at rows that are headings, which Doxygen and lists of features write, because a table cannot hold
 * headings.
 */
import { isHeading, isRow, leavesOf, type Group, type Leaf, type Part } from "../blocks.js";
import type { Cells } from "./row-cells.js";
import { isJoined, layTable } from "./table.js";

/** The headings and the tables below them; undefined if the table has no heading, or lays out other blocks. */
export function cutSections(table: Group, cells: Cells): Part[] | undefined {
  const sections: Part[] = [];
  let rows: Part[] = [];
  const end = (): void => {
    if (rows.length > 0) sections.push({ ...table, parts: rows });
    rows = [];
  };
  let headings = 0;
  for (const part of table.parts) {
    const heading = readHeading(part);
    if (heading === undefined) rows.push(part);
    else {
      end();
      sections.push(heading);
      headings += 1;
    }
  }
  end();
  const isData = (part: Part): boolean =>
    part.kind === "leaf" ||
    (part.parts.some((row) => isRow(row) && isJoined(row)) && typeof layTable(part, cells) === "object");
  return headings > 0 && headings < sections.length && sections.every(isData) ? sections : undefined;
}

function readHeading(part: Part): Leaf | undefined {
  const [leaf, more] = isRow(part) ? leavesOf(part) : [];
  const [line, other] = leaf?.lines ?? [];
  return more === undefined && other === undefined && line !== undefined && isHeading(line)
    ? leaf
    : undefined;
}
