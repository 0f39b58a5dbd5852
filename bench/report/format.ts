/** Formats the numbers of a results file in the few characters that a table has for them. */

/** What is printed where there is no number: the corpus has no such gold, or the system gave nothing to measure. */
export const NONE = "–";

/** .884, 1.000, −.050: a score between −1 and 1. */
export function formatScore(value: number | null | undefined): string {
  if (!isNumber(value)) return NONE;
  const digits = Math.abs(value).toFixed(3);
  return `${value < 0 && digits !== "0.000" ? "−" : ""}${digits.startsWith("0") ? digits.slice(1) : digits}`;
}

/** 71.3 %: a share. */
export function formatPercent(value: number | null | undefined): string {
  return isNumber(value) ? `${(value * 100).toFixed(1)} %` : NONE;
}

/** .871–.896; empty where there is no interval. */
export function formatInterval(measured: { readonly low?: number; readonly high?: number }): string {
  if (!isNumber(measured.low) || !isNumber(measured.high)) return "";
  return `${formatScore(measured.low)}–${formatScore(measured.high)}`;
}

/** Milliseconds with two or three digits that mean something: 0.42, 3.1, 128, 1,204. */
export function formatMs(value: number | null | undefined): string {
  if (!isNumber(value)) return NONE;
  if (value < 1) return value.toFixed(2);
  return value < 10 ? value.toFixed(1) : formatCount(value);
}

/** 1,204: rounded to a whole number. */
export function formatCount(value: number | null | undefined): string {
  return isNumber(value) ? Math.round(value).toLocaleString("en") : NONE;
}

/** Bytes as MB of a million. */
export function formatMegabytes(bytes: number | null | undefined): string {
  return isNumber(bytes) ? `${formatCount(bytes / 1e6)} MB` : NONE;
}

/** 0.37×, 12×. */
export function formatRatio(value: number | null | undefined): string {
  if (!isNumber(value)) return NONE;
  return `${value < 10 ? value.toFixed(2) : formatCount(value)}×`;
}

/** How many times as large: 5.2. */
export function formatTimes(value: number, base: number): string {
  return base > 0 && isNumber(value) ? (value / base).toFixed(1) : NONE;
}

/** −.034 (−.041–−.027) would be hard to read: −.034 (−.041 to −.027). */
export function formatDifference(change: {
  readonly difference: number;
  readonly low: number;
  readonly high: number;
}): string {
  const sign = change.difference > 0 ? "+" : "";
  return `${sign}${formatScore(change.difference)} (${formatScore(change.low)} to ${formatScore(change.high)})`;
}

/** p as papers write it. */
export function formatP(p: number): string {
  return p < 0.001 ? "p < .001" : `p = ${formatScore(p)}`;
}

/** One line without control characters, which could move the cursor of a terminal or end a table's row. */
export function toOneLine(text: string): string {
  return text.replace(/[\p{Cc}\p{Cf}\u2028\u2029]+/gu, " ").trim();
}

/** At most `most` characters, the end cut off with a mark. */
export function shorten(text: string, most: number): string {
  const characters = Array.from(text);
  return characters.length <= most ? text : `${characters.slice(0, most - 1).join("")}…`;
}

/** Columns that a text takes, in code points: close enough for names and figures. */
export function widthOf(text: string): number {
  return Array.from(text).length;
}

/** "1 row", "3 rows". */
export function formatNumberOf(count: number, noun: string): string {
  return `${formatCount(count)} ${noun}${count === 1 ? "" : "s"}`;
}

/** JSON has no NaN and no infinity; values made in memory may, and neither must reach a reader. */
function isNumber(value: number | null | undefined): value is number {
  return typeof value === "number" && Number.isFinite(value);
}
