/** Formats the numbers of a results file in the few characters that a table cell allows. */

import type { Measured } from "./results.js";

/** Printed in place of a number, if the corpus has no such gold or the system gave nothing to measure. */
export const NONE = "–";

/** Formats a score between −1 and 1: .884, 1.000, −.050. */
export function formatScore(value: number | null | undefined): string {
  if (!isNumber(value)) return NONE;
  const digits = Math.abs(value).toFixed(3);
  return `${value < 0 && digits !== "0.000" ? "−" : ""}${digits.startsWith("0") ? digits.slice(1) : digits}`;
}

/** Formats a share: 71.3 %. */
export function formatPercent(value: number | null | undefined): string {
  return isNumber(value) ? `${(value * 100).toFixed(1)} %` : NONE;
}

/** Formats an interval: .871–.896. Empty if there is no interval. */
export function formatInterval(measured: { readonly low?: number; readonly high?: number }): string {
  if (!isNumber(measured.low) || !isNumber(measured.high)) return "";
  return `${formatScore(measured.low)}–${formatScore(measured.high)}`;
}

/** Appends an interval, if there is one, to the text of its value: .884 (.871–.896). */
export function addInterval(text: string, interval: string): string {
  return interval === "" ? text : `${text} (${interval})`;
}

/** Formats a score with its interval. */
export function formatMeasured(measured: Measured = { value: null }): string {
  return addInterval(formatScore(measured.value), formatInterval(measured));
}

/** Formats milliseconds with two decimals below 1, one below 10, and none above: 0.42, 3.1, 128, 1,204. */
export function formatMs(value: number | null | undefined): string {
  if (!isNumber(value)) return NONE;
  if (value < 1) return value.toFixed(2);
  return value < 10 ? value.toFixed(1) : formatCount(value);
}

/** Formats a number rounded to a whole number: 1,204. */
export function formatCount(value: number | null | undefined): string {
  return isNumber(value) ? Math.round(value).toLocaleString("en") : NONE;
}

/** Formats bytes as MB (1 MB = 1,000,000 bytes). */
export function formatMegabytes(bytes: number | null | undefined): string {
  return isNumber(bytes) ? `${formatCount(bytes / 1e6)} MB` : NONE;
}

/** Formats a ratio: 0.37×, 12×. */
export function formatRatio(value: number | null | undefined): string {
  if (!isNumber(value)) return NONE;
  return `${value < 10 ? value.toFixed(2) : formatCount(value)}×`;
}

/** Formats how many times as large `value` is as `base`: 5.2. */
export function formatTimes(value: number, base: number): string {
  return base > 0 && isNumber(value) ? (value / base).toFixed(1) : NONE;
}

/**
 * Formats a difference with its interval: −.034 (−.041 to −.027). A dash between two negative numbers is hard to read.
 */
export function formatDifference(change: {
  readonly difference: number;
  readonly low: number;
  readonly high: number;
}): string {
  const sign = change.difference > 0 ? "+" : "";
  return `${sign}${formatScore(change.difference)} (${formatScore(change.low)} to ${formatScore(change.high)})`;
}

/** Formats a p-value as papers do: p < .001, p = .012. */
export function formatP(p: number): string {
  return p < 0.001 ? "p < .001" : `p = ${formatScore(p)}`;
}

/**
 * Returns the text as one line without control characters, which could move the cursor of a terminal or end a table
 * row.
 */
export function toOneLine(text: string): string {
  return text.replace(/[\p{Cc}\p{Cf}\u2028\u2029]+/gu, " ").trim();
}

/** Cuts the text to at most `most` characters, and marks a cut with "…". */
export function shorten(text: string, most: number): string {
  const characters = Array.from(text);
  return characters.length <= most ? text : `${characters.slice(0, most - 1).join("")}…`;
}

/** Returns the width of a text in columns, counted as code points: close enough for names and figures. */
export function widthOf(text: string): number {
  return Array.from(text).length;
}

/**
 * Pads cells with spaces, so that each column is as wide as its widest cell and at least `least` wide. The first column
 * is aligned left and the others right.
 */
export function alignCells(rows: readonly (readonly string[])[], least = 0): string[][] {
  const [heads = []] = rows;
  const widths = heads.map((_, column) => Math.max(least, ...rows.map((row) => widthOf(row[column] ?? ""))));
  return rows.map((row) =>
    row.map((cell, column) => {
      const space = " ".repeat((widths[column] ?? 0) - widthOf(cell));
      return column === 0 ? cell + space : space + cell;
    }),
  );
}

/** Returns for example "1 row" or "3 rows". */
export function formatNumberOf(count: number, noun: string): string {
  return `${formatCount(count)} ${noun}${count === 1 ? "" : "s"}`;
}

/**
 * Whether the value is a finite number. JSON has no NaN or infinity, but values made in memory may, and a report must
 * not show them.
 */
function isNumber(value: number | null | undefined): value is number {
  return typeof value === "number" && Number.isFinite(value);
}
