/** Formats a row of the speed table for every report: pages per second, times, memory, core-hours, ratio, failures. */
import { formatCount, formatMegabytes, formatMs, formatRatio, formatTimes } from "../format.js";
import type { SpeedRow } from "../results.js";

export function speedCells(row: SpeedRow): string[] {
  const { mean, p50, p99, max } = row.ms;
  return [
    row.pagesPerSecond < 10 ? row.pagesPerSecond.toFixed(1) : formatCount(row.pagesPerSecond),
    ...[mean, p50, p99].map(formatMs),
    formatTimes(p99, mean),
    ...[max, row.start?.wallMs].map(formatMs),
    formatMegabytes(row.peakBytesAboveStart),
    formatCount(row.coreHours),
    formatRatio(row.ratio),
    String(row.failures),
  ];
}
