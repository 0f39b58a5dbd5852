/** Writes the rows of a table as Markdown, each cell on one line. */
import type { LabelledLine } from "../../../document.js";
import { isItem } from "../../shown-lines.js";
import type { Leaf, Part } from "../blocks.js";
import { cutText, readInline } from "../inline.js";
import { widthOf } from "../table/empty-columns.js";
import { cutCells } from "../table/laid-cells.js";
import { writeIndented } from "./code.js";
import { writeImage, writeInline, writeMath } from "./inline.js";
import { makeStrong, withoutStrong, type Style } from "./lines.js";
import { splitRow, type TableCell } from "../table/row-cells.js";
import type { Table } from "../table/table.js";

/** Writes rows that belong to no known table. The first row is the header, because GitHub's tables must have one. */
export function writeRows({ lines }: Leaf, style: Style): string {
  const rows = lines.map((line) => ({ cells: splitRow(line), isHeader: false, emptyAbove: 0 }));
  return writeTable({ rows, width: widthOf(rows), aligns: [], captions: [] }, style);
}

const RULES = { none: "---", left: ":---", center: ":---:", right: "---:" } as const;

/**
 * Writes a table. The header gets as many cells as the widest row, because renderers drop cells beyond it. Renderers
 * fill up shorter rows; filling them here would take quadratic space.
 */
export function writeTable({ rows, width, aligns }: Table, style: Style): string {
  const plain = { ...style, isHead: false, isTerm: false, isCell: true };
  const lines = rows.map(({ cells, isHeader, isSection = false }) => {
    const isPlain = !isHeader && !isSection;
    const cellStyle = isPlain ? plain : { ...plain, isHead: isHeader, isTerm: isSection };
    return cells.map((cell) => writeCell(cell, cellStyle));
  });
  const [header = [], ...body] = lines;
  const head = [...header, ...Array<string>(Math.max(0, width - header.length)).fill("")];
  const shown = [head, ...body.filter((row) => row.some((cell) => cell !== ""))];
  if (shown.length === 1 && head.every((cell) => cell === "")) return "";
  const [first = "", ...others] = shown.map((row) => `| ${row.join(" | ")} |`);
  const rule = Array.from({ length: width }, (_, column) => ` ${RULES[aligns[column] ?? "none"]} |`);
  return [first, `|${rule.join("")}`, ...others].join("\n");
}

/**
 * Turns the cells of a layout table into leaves of their own, even if a row is one line. Tables in the cells are kept.
 */
export function splitCells(part: Part): Part {
  if (part.kind === "group" && part.holder.tag !== "table")
    return { ...part, parts: part.parts.flatMap((inner) => splitLeaf(splitCells(inner))) };
  return part;
}

function splitLeaf(part: Part): Part[] {
  const [line, other] = part.kind === "leaf" ? part.lines : [];
  if (line?.block !== "tr" || other !== undefined) return [part];
  return cutCells(line).map((cell): Leaf => ({ kind: "leaf", lines: [{ ...cell, block: "td" }] }));
}

interface CellStyle extends Style {
  /** Whether the cell is in the header, whose text needs no strong emphasis. */
  readonly isHead: boolean;
}

function writeCell(cell: TableCell, style: CellStyle): string {
  const texts = listTexts(cell, style).filter((text) => text !== "");
  return texts.join("<br>").replace(/\|/g, "\\|").replaceAll("\n", " ");
}

function listTexts({ lines, range, below = [] }: TableCell, style: CellStyle): string[] {
  const texts = lines.flatMap((line) => {
    const cell = range === undefined ? line : cutText(line, range);
    // Only code has spaces at its start, and only a code span keeps them.
    if (/^ {2}.*[^ ]/.test(cell.text)) return [writeIndented(cell.text)];
    const { before, parts, after } = readInline(cell, style);
    const drawn = [...before, ...after].map((span) =>
      span.kind === "image" ? writeImage(span, style) : writeMath(span),
    );
    const dressed = style.isHead ? withoutStrong(parts) : style.isTerm === true ? makeStrong(parts) : parts;
    const text = writeInline(dressed, style);
    const mark =
      text === "" || !isItemInCell(line, style) ? "" : line.number === undefined ? "- " : `${line.number}. `;
    return [...drawn, `${mark}${text.trim()}`];
  });
  return [...texts, ...below.flatMap((cell) => listTexts(cell, style))];
}

/** Whether a line begins an item of a list in its cell, and not of the list around the table. */
function isItemInCell(line: LabelledLine, { cells: { holders } }: CellStyle): boolean {
  if (!isItem(line)) return false;
  for (let id = line.holder; id !== undefined; id = holders[id]?.parent) {
    const tag = holders[id]?.tag;
    if (tag === "li" || tag === "td" || tag === "th") return tag === "li";
  }
  return true;
}
