/** Takes for a list what Asciidoctor writes as a table where it draws numbers as icons: what is said of the marks in code. */
import { leavesOf, isRow, type Group, type Leaf, type Part } from "./blocks.js";
import { cutLine } from "./inline.js";
import { splitRow } from "./table.js";

const CALLOUTS = /(?:^|>)div[^>]*\.(?:colist|calloutlist)(?=[.>[])[^>]*>table/;
const NUMBER = /^\(?(\d{1,4})\)?\.?$/;

/** The list; undefined for any other table. */
export function readCallouts(table: Group): Group | undefined {
  const [first] = leavesOf(table)[0]?.lines ?? [];
  if (first === undefined || !CALLOUTS.test(first.path)) return undefined;
  const items = table.parts.map(readItem);
  if (items.includes(undefined)) return undefined;
  return { kind: "group", holder: { tag: "ol" }, id: -1, parts: items.filter((item) => item !== undefined) };
}

function readItem(row: Part): Group | undefined {
  if (!isRow(row)) return undefined;
  const [number, text, other] = row.parts.flatMap(readCells);
  const said = number === undefined ? [] : leavesOf(number).flatMap(({ lines }) => lines);
  const digits = NUMBER.exec(said.length === 1 ? (said[0]?.text ?? "") : "")?.[1];
  if (digits === undefined || text === undefined || other !== undefined) return undefined;
  const parts = text.kind === "group" ? text.parts : [text];
  return { kind: "group", holder: { tag: "li", number: Number(digits) }, id: -1, parts };
}

/** The cells of a row, whether they are one line or not. */
function readCells(part: Part): readonly Part[] {
  const [line] = part.kind === "leaf" ? part.lines : [];
  if (line?.block !== "tr") return [part];
  return splitRow(line).map(({ range = [0, 0] }): Leaf => ({
    kind: "leaf",
    lines: [{ ...cutLine(line, range), block: "li" }],
  }));
}
