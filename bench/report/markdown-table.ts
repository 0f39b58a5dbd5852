/** Lays out rows as a Markdown table, as formatters do, and escapes text for Markdown. */
import { toOneLine, widthOf } from "./format.js";

type Row = readonly string[];

/** Returns a table with columns as wide as their widest cell, the first aligned left and the others right. */
export function layOut(heads: Row, rows: readonly Row[]): string {
  const cells = [heads, ...rows].map((row) => row.map(escape));
  const widths = heads.map((_, column) => Math.max(3, ...cells.map((row) => widthOf(row[column] ?? ""))));
  const line = (row: Row): string =>
    `| ${row
      .map((cell, column) => {
        const space = " ".repeat((widths[column] ?? 0) - widthOf(cell));
        return column === 0 ? cell + space : space + cell;
      })
      .join(" | ")} |`;
  const rule = widths.map((width, column) =>
    column === 0 ? "-".repeat(width) : `${"-".repeat(width - 1)}:`,
  );
  const [head = [], ...body] = cells;
  return [line(head), line(rule), ...body.map(line)].join("\n");
}

/** Returns the text as one line in which nothing is read as Markdown or HTML. */
export function escape(text: string): string {
  return toOneLine(text)
    .replace(/[\\`*_[\]|~]/g, "\\$&")
    .replace(/&/g, "&amp;")
    .replace(/</g, "&lt;")
    .replace(/>/g, "&gt;");
}
