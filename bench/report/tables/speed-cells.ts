/** Formats what systems cost, for every report: the rows of the speed table, and the mean CPU time of a page. */
import { formatCount, formatMegabytes, formatMs, formatRatio, formatTimes } from "../format.js";
import type { CorpusScores, SpeedRow } from "../results.js";

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

/** Returns the mean CPU milliseconds of a system for a page, over the corpora; null if no corpus has them. */
export function meanCost(corpora: readonly CorpusScores[], name: string): number | null {
  const costs = corpora.flatMap(({ systems }) =>
    systems.flatMap(({ system, cost }) => (system === name && cost !== undefined ? [cost.cpuMs.mean] : [])),
  );
  return costs.length === 0 ? null : costs.reduce((sum, cost) => sum + cost, 0) / costs.length;
}
