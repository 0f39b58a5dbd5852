/** Lays out rows as a Markdown table, as formatters do, and writes text and code as Markdown. */
import { alignCells, toOneLine, widthOf } from "./format.js";

type Row = readonly string[];

/** Returns a table with columns as wide as their widest cell, the first aligned left and the others right. */
export function layOut(heads: Row, rows: readonly Row[]): string {
  const cells = [heads, ...rows].map((row) => row.map(escape));
  const [head = [], ...body] = alignCells(cells, 3);
  const line = (row: Row): string => `| ${row.join(" | ")} |`;
  const rule = head.map((cell, column) => {
    const width = widthOf(cell);
    return column === 0 ? "-".repeat(width) : `${"-".repeat(width - 1)}:`;
  });
  return [line(head), line(rule), ...body.map(line)].join("\n");
}

/** Returns a block of code with one line. */
export function codeBlock(code: string): string {
  return `\`\`\`\n${toOneLine(code).replaceAll("`", "'")}\n\`\`\``;
}

/** Returns the text as one line in which nothing is read as Markdown or HTML. */
export function escape(text: string): string {
  return toOneLine(text)
    .replace(/[\\`*_[\]|~]/g, "\\$&")
    .replace(/&/g, "&amp;")
    .replace(/</g, "&lt;")
    .replace(/>/g, "&gt;");
}
