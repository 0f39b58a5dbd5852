/** Splits a row of a layout table into its cells, and joins adjacent cells that are parts of one formula. */
import type { InlineSpan, LabelledLine } from "../../../document.js";
import { cutRow } from "./row-cells.js";

/** The cells of a row that have text. */
export function cutCells(row: LabelledLine): LabelledLine[] {
  const cells: LabelledLine[] = [];
  for (const cell of cutRow(row)) {
    if (cell.text === "") continue;
    const last = cells.at(-1);
    const joined = last === undefined ? undefined : joinFormulas(last, cell);
    if (joined !== undefined) cells.pop();
    cells.push(joined ?? cell);
  }
  return cells;
}

/** LaTeXML sets each side of an equation in its own cell, to align the equations of several rows. */
function joinFormulas(left: LabelledLine, right: LabelledLine): LabelledLine | undefined {
  const [a, b] = [formulaOf(left), formulaOf(right)];
  if (a === undefined || b === undefined) return undefined;
  const text = `${left.text} ${right.text}`;
  const tex = [a, b].map((side) => (side.tex ?? "").replace(/^\\displaystyle(?![a-z])\s*/i, "")).join(" ");
  return { ...left, text, spans: [{ kind: "math", start: 0, end: text.length, tex, isDisplay: true }] };
}

/** The formula that is the whole cell. */
function formulaOf({ text, spans = [] }: LabelledLine): InlineSpan | undefined {
  return spans.find(({ kind, start, end }) => kind === "math" && start === 0 && end === text.length);
}
