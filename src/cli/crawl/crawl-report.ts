/** Formats the figures of a crawl: as messages during and after it, for `--stats`, and as the table of all URLs. */
import { formatCount, tellMany } from "../../count.js";
import type { CrawlFigures, CrawlOutcome } from "../../crawl/types.js";
import type { Reason } from "../../outcome.js";
import { VERSION } from "../../version.js";
import type { TableColumn, TableRow } from "../../write/tables/parquet-schema.js";
import { writeTable } from "../../write/tables/flat-table.js";
import { formatTime, type Report } from "../report/run-report.js";

/** Reasons that lie with the network, not with the page or the request. */
const NETWORK = ["dns", "tls", "fetch-failed", "http-status", "timeout"] as const;

const REDRAW_MS = 500;

/** Redraws the progress regularly, even while no page comes, until the returned function is called. */
export function followCrawl(report: Report): () => void {
  if (!report.isLive) return () => undefined;
  const timer = setInterval(() => {
    report.draw();
  }, REDRAW_MS);
  return () => {
    clearInterval(timer);
  };
}

/** Formats the progress as one line. */
export function tellCrawlProgress(figures: CrawlFigures, seconds: number): string {
  const { hostsActive, hostsWaiting, pages, queued, msLeft } = figures;
  return [
    `${formatCount(hostsActive)} of ${tellMany(Math.max(hostsActive, hostsWaiting), "host")}`,
    tellMany(pages, "page"),
    `${(pages / seconds).toFixed(1)}/s`,
    `${formatCount(queued)} queued`,
    tellMany(countErrors(figures), "error"),
    formatTime(seconds),
    ...(msLeft === undefined ? [] : [`${formatTime(msLeft / 1000)} left`]),
  ].join(", ");
}

function countErrors({ reasons }: CrawlFigures): number {
  return NETWORK.reduce((sum, reason) => sum + (reasons[reason] ?? 0), 0);
}

/** Says what this run did, and what is left to do. */
export function tellCrawlEnd(figures: CrawlFigures, seconds: number): string {
  const { pages, exchanges, bytes, retried, queued, leftOut, endedBy } = figures;
  const did = [
    `${tellMany(pages, "page")} in ${formatTime(seconds)}`,
    tellMany(exchanges, "request"),
    `${formatCount(retried)} tried again`,
    `${(bytes / 1e6).toFixed(1)} MB`,
  ].join(", ");
  const notFollowed = Object.entries(leftOut).filter(([, count]) => count > 0);
  const links = notFollowed.map(([why, count]) => `${why} ${formatCount(count)}`).join(", ");
  const all = links === "" ? did : `${did}; links not followed: ${links}`;
  // Explains why the same command, run again, did nothing.
  if (queued === 0 && exchanges === 0) return `${all}; ${tellWays(figures)}`;
  if (queued === 0) return all;
  const left = `${tellMany(queued, "URL")} ${queued === 1 ? "waits" : "wait"}`;
  if (endedBy === "budget") return `${all}; the budget is used up, and ${left}: a larger one continues`;
  return `${all}; ${left}: the same command continues`;
}

/** The options that request refused URLs again, by the reason for the refusal. */
const WAYS: Partial<Readonly<Record<Reason, string>>> = {
  "blocked-address": "--allow-private",
  robots: "--ignore-robots or a longer --max-delay",
  "too-large": "a larger --max-bytes",
  "out-of-scope": "another --exclude or --same-domain or --any-host",
};

/** Says how to request URLs again after all of them have been requested. */
function tellWays({ reasons }: CrawlFigures): string {
  const ways = Object.entries(WAYS).flatMap(([reason, way]) => {
    const count = reasons[reason as Reason] ?? 0; // a key of WAYS
    return count === 0 ? [] : [`; ${way} tries again what was refused as ${reason} (${formatCount(count)})`];
  });
  return `every URL has been requested before: --recrawl requests them again, and also links that --depth and other options now allow, and sitemaps if --sitemaps is new; --fresh starts over${ways.join("")}`;
}

/** Returns the crawl's part of `--stats`. */
export function toCrawlStats(figures: CrawlFigures): Readonly<Record<string, unknown>> {
  const { results, reasons, pages, exchanges, bytes, retried, leftOut, queued } = figures;
  return { urls: results, reasons, queued, thisRun: { pages, exchanges, bytes, retried, leftOut } };
}

/** Columns of the table of all URLs: the fields of an outcome, in a readable order. */
const COLUMNS = {
  url: "string",
  result: "string",
  reason: "string",
  detail: "string",
  status: "int",
  contentType: "string",
  redirectedTo: "string",
  seed: "string",
  depth: "int",
  bytes: "int",
  ms: "int",
  fetchedAt: "string",
  attempts: "int",
  warcFile: "string",
  warcOffset: "int",
  warcRecord: "string",
  isConfirmed: "boolean",
} satisfies Record<keyof CrawlOutcome, TableColumn["type"]>;

/**
 * Writes the table as JSON Lines, CSV or Parquet, depending on the file name. Throws OutputError if it cannot be
 * written.
 */
export async function writeOutcomes(path: string, outcomes: AsyncIterable<CrawlOutcome>): Promise<void> {
  const columns = Object.entries(COLUMNS).map(([name, type]) => ({ name, type }));
  await writeTable(path, toRows(outcomes), { name: "url", columns, version: VERSION });
}

async function* toRows(outcomes: AsyncIterable<CrawlOutcome>): AsyncGenerator<TableRow> {
  for await (const outcome of outcomes)
    yield { ...outcome, ...(outcome.ms === undefined ? {} : { ms: Math.round(outcome.ms) }) };
}
