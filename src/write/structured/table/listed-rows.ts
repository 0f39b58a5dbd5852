/**
 * Turns a table whose rows are list items into a list: with a bullet in its own cell, as on old pages, or with the
 * number of a callout in code, for which Asciidoctor draws icons.
 */
import { isRow, leavesOf, makeGroup, type Group, type Leaf, type Part } from "../blocks.js";
import { cutRow } from "./row-cells.js";

const CALLOUTS = /(?:^|>)div[^>]*\.(?:colist|calloutlist)(?=[.>[])[^>]*>table/;
const NUMBER = /^\(?(\d{1,4})\)?\.?$/;
const BULLET = /^[•·●▪■◦○‣►»*–—-]$/u;
/** Bullets that have no other meaning. */
const ROUND = /^[•·●▪■◦○‣]$/u;

/** The item in a table of a single row, as in reports to the SEC; undefined for any other part. */
export function readListedRow(part: Part): Group | undefined {
  if (part.kind === "leaf" || part.holder.tag !== "table") return undefined;
  const [row, other] = part.parts;
  return row === undefined || other !== undefined ? undefined : readItem(row, ROUND);
}

/** The list; undefined for any other table. */
export function readListedRows(table: Group): Group | undefined {
  const [first] = table.parts;
  if (first === undefined || !isRow(first) || first.parts.length === 0) return undefined;
  const path = leavesOf(first)[0]?.lines[0]?.path ?? "";
  const tag = CALLOUTS.test(path) ? "ol" : "ul";
  if (tag === "ul" && table.parts.length < 2) return undefined;
  const items: Group[] = [];
  for (const row of table.parts) {
    const item = readItem(row, tag === "ol" ? NUMBER : BULLET);
    if (item === undefined) return undefined;
    items.push(item);
  }
  return makeGroup({ tag }, items);
}

function readItem(row: Part, mark: RegExp): Group | undefined {
  if (!isRow(row)) return undefined;
  const cells = row.parts.flatMap(readCells);
  const [head, text, other] = cells.slice(cells.findIndex(isFilled));
  const said = head === undefined ? [] : leavesOf(head).flatMap(({ lines }) => lines);
  const found = mark.exec(said.length === 1 ? (said[0]?.text ?? "") : "");
  if (found === null || text === undefined || other !== undefined) return undefined;
  const parts = text.kind === "group" ? text.parts : [text];
  const number = found[1] === undefined ? {} : { number: Number(found[1]) };
  return makeGroup({ tag: "li", ...number }, parts);
}

/** Empty cells before the bullet indent it. */
function isFilled(part: Part): boolean {
  return part.kind === "group" || part.lines.some(({ text }) => text !== "");
}

/** The cells of a row, even if the row is a single line. */
function readCells(part: Part): readonly Part[] {
  const [line] = part.kind === "leaf" ? part.lines : [];
  if (line?.block !== "tr") return [part];
  return cutRow(line).map((cell): Leaf => ({ kind: "leaf", lines: [{ ...cell, block: "li" }] }));
}
