/** Writes the rows of a table as Markdown, each cell on one line. */
import { isItem } from "../../shown-lines.js";
import type { Leaf, Part } from "../blocks.js";
import { cutText, readInline } from "../inline.js";
import { cutCells } from "../laid-cells.js";
import { writeIndented } from "./code.js";
import { writeImage, writeInline, writeMath } from "./inline.js";
import { makeStrong, withoutStrong, type Style } from "./lines.js";
import { splitRow, type Table, type TableCell } from "../table.js";

/** Rows whose table is not known: the first serves as the header, because GitHub's tables must have one. */
export function writeRows({ lines }: Leaf, style: Style): string {
  const rows = lines.map((line) => ({ cells: splitRow(line), isHeader: false, emptyAbove: 0 }));
  const width = rows.reduce((most, { cells }) => Math.max(most, cells.length), 0);
  return writeTable({ rows, width, aligns: [], captions: [] }, style);
}

const RULES = { none: "---", left: ":---", center: ":---:", right: "---:" } as const;

/**
 * The header is as wide as the widest row, because a renderer drops what goes beyond. Shorter rows are filled up by the
 * renderer: here that would be quadratic.
 */
export function writeTable({ rows, width, aligns }: Table, style: Style): string {
  const plain = { ...style, isHead: false, isTerm: false };
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

/** The cells of a table that only lays out a page are texts of their own, also where a row of them is one line; not those of tables in it. */
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
  /** A header is strong as it is. */
  readonly isHead: boolean;
}

function writeCell(cell: TableCell, style: CellStyle): string {
  const texts = listTexts(cell, style).filter((text) => text !== "");
  return texts.join("<br>").replace(/\|/g, "\\|").replaceAll("\n", " ");
}

function listTexts({ lines, range, below = [] }: TableCell, style: CellStyle): string[] {
  const texts = lines.flatMap((line) => {
    const cell = range === undefined ? line : cutText(line, range);
    // Text has no space at its start: what has is code, and keeps it as code only.
    if (/^ {2}.*[^ ]/.test(cell.text)) return [writeIndented(cell.text)];
    const { before, parts, after } = readInline(cell, style);
    const drawn = [...before, ...after].map((span) =>
      span.kind === "image" ? writeImage(span, style) : writeMath(span),
    );
    const dressed = style.isHead ? withoutStrong(parts) : style.isTerm === true ? makeStrong(parts) : parts;
    const text = writeInline(dressed, style);
    const mark = text === "" || !isItem(line) ? "" : line.number === undefined ? "- " : `${line.number}. `;
    return [...drawn, `${mark}${text.trim()}`];
  });
  return [...texts, ...below.flatMap((cell) => listTexts(cell, style))];
}
