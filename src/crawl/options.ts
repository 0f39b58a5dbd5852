/** What a caller says of a crawl into all that it needs to know, checked. */
import { UsageError } from "../outcome.js";
import { POLITENESS } from "./politeness.js";
import type { Budgets, CrawlOptions, PolitenessOptions, ReachOptions } from "./types.js";

export interface ResolvedOptions extends CrawlOptions {
  readonly politeness: PolitenessOptions;
  readonly scope: ReachOptions;
  readonly budgets: Required<Budgets>;
  readonly robots: "obey" | "ignore";
  readonly sitemaps: boolean;
  readonly warc: boolean;
  readonly warcBytes: number;
  readonly recrawl: boolean;
}

const SCOPE: ReachOptions = { depth: 0, reach: "host", include: [], exclude: [] };
/** No number of pages or bytes reaches it, and the database can compare with it. */
const NO_BOUND = Number.MAX_SAFE_INTEGER;
const WARC_BYTES = 1_000_000_000;
/** Node's timers cannot hold more milliseconds. */
const MAX_MS = 2 ** 31 - 1;
/** A robots.txt must still hold when the delay after it is over. */
const MAX_DELAY_MS = 1_800_000;
const MAX_HOSTS = 10_000;

/** Throws UsageError for numbers that make no sense. */
export function resolveOptions(options: CrawlOptions): ResolvedOptions {
  const resolved = {
    ...options,
    politeness: { ...POLITENESS, ...options.politeness },
    scope: { ...SCOPE, ...options.scope },
    budgets: { pages: NO_BOUND, bytes: NO_BOUND, pagesPerHost: NO_BOUND, ...options.budgets },
    robots: options.robots ?? "obey",
    sitemaps: options.sitemaps ?? false,
    warc: options.warc ?? true,
    warcBytes: options.warcBytes ?? WARC_BYTES,
    recrawl: options.recrawl ?? false,
  };
  const { politeness, budgets } = resolved;
  for (const name of ["delayMs", "maxDelayMs"] as const) check(name, politeness[name], 0, MAX_DELAY_MS);
  for (const name of ["retryMs", "maxRetryAfterMs"] as const) check(name, politeness[name], 0, MAX_MS);
  check("robotsMs", politeness.robotsMs, 2 * MAX_DELAY_MS, MAX_MS);
  check("hosts", politeness.hosts, 1, MAX_HOSTS);
  check("retries", politeness.retries, 0, 100);
  check("failures", politeness.failures, 1, NO_BOUND);
  for (const name of ["pages", "bytes", "pagesPerHost"] as const) check(name, budgets[name], 0, NO_BOUND);
  check("warcBytes", resolved.warcBytes, 1, NO_BOUND);
  return Object.freeze(resolved);
}

function check(name: string, value: number, least: number, most: number): void {
  if (Number.isInteger(value) && value >= least && value <= most) return;
  throw new UsageError(`${name} must be a whole number from ${least} to ${most}`);
}
