/** Formats the figures before and after training, with their intervals, as a table for people. */
import type { Comparison, FigureName, Interval } from "./figures.js";

const TITLES: Readonly<Record<FigureName, string>> = {
  lineAccuracy: "lines labelled right",
  lineF1: "F1 of content, by line",
  wordF1: "F1 of content, by word",
  macroF1: "macro F1 (decides)",
  calibrationError: "calibration error",
};

const HEAD = ["on held-out documents", "before", "after", "difference"] as const;

/** Returns a Markdown table, which is also readable as plain text. */
export function showFigures({ before, after, difference }: Comparison): string {
  const rows = Object.entries(TITLES).map(([name, title]) => {
    const key = name as FigureName; // the keys of a record by figures
    return [title, show(before[key]), show(after[key]), show(difference[key], true)];
  });
  const widths = HEAD.map((head, at) => Math.max(head.length, ...rows.map((row) => row[at]?.length ?? 0)));
  const line = (cells: readonly string[]): string =>
    `| ${cells.map((cell, at) => cell.padEnd(widths[at] ?? 0)).join(" | ")} |\n`;
  return [
    line(HEAD),
    `|${widths.map((width) => "-".repeat(width + 2)).join("|")}|\n`,
    ...rows.map(line),
  ].join("");
}

function show({ value, low, high }: Interval, isSigned = false): string {
  return `${digits(value, isSigned)} (${digits(low, isSigned)} to ${digits(high, isSigned)})`;
}

/** Formats a number as "-.003", "+.120" or ".951". */
function digits(value: number, isSigned: boolean): string {
  const shown = Math.abs(value).toFixed(3).replace(/^0/, "");
  if (Number(shown) === 0) return shown;
  if (value < 0) return `-${shown}`;
  return isSigned ? `+${shown}` : shown;
}
