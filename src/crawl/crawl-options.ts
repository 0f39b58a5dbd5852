/** Checks the options of a crawl and adds their defaults. */
import type { TransportOptions } from "../acquire/http/transport.js";
import { checkValues, HEADER, oneOf, SWITCH, takeOptions, type Rule } from "../options/option-rules.js";
import { DEFAULTS } from "../options/options.js";
import { isStrings } from "../json.js";
import { UsageError } from "../outcome.js";
import { VERSION } from "../version.js";
import { takeHooks } from "./crawl-hooks.js";
import { MAX_DELAY_MS, POLITENESS } from "./robots/politeness.js";
import type { Budgets, CrawlOptions, PolitenessOptions, ReachOptions } from "./types.js";
import { MAX_TIMER_MS } from "../time/max-timer.js";

/** Options with all defaults filled in. */
export interface ResolvedOptions extends CrawlOptions {
  readonly version: string;
  readonly transport: TransportOptions;
  readonly politeness: PolitenessOptions;
  readonly scope: ReachOptions;
  readonly budgets: Required<Budgets>;
  readonly robots: "obey" | "ignore";
  readonly tdmrep: boolean;
  readonly sitemaps: boolean;
  readonly warc: boolean;
  readonly warcBytes: number;
  readonly recrawl: boolean;
}

const SCOPE: ReachOptions = { depth: 0, reach: "host", include: [], exclude: [] };
/** Larger than any number of pages or bytes, but still an integer that the database can compare. */
const NO_BOUND = Number.MAX_SAFE_INTEGER;
const BUDGETS: Required<Budgets> = { pages: NO_BOUND, bytes: NO_BOUND, pagesPerHost: NO_BOUND };
const WARC_BYTES = 1_000_000_000;
const MAX_HOSTS = 10_000;
const PATTERNS: Rule = { isRight: isStrings, wanted: "an array of patterns" };

const TRANSPORT = {
  maxBytes: DEFAULTS.maxBytes,
  timeoutMs: 60_000,
  addresses: "public",
  http2: true,
} as const satisfies TransportOptions;

/** The names of all options of the transport. */
export const TRANSPORT_OPTIONS: Readonly<Record<keyof TransportOptions, true>> = {
  version: true,
  userAgent: true,
  contact: true,
  maxBytes: true,
  maxHeaderBytes: true,
  timeoutMs: true,
  idleMs: true,
  connections: true,
  addresses: true,
  proxy: true,
  lookup: true,
  http2: true,
  keepRaw: true,
  ca: true,
};

/** The names of all options. */
export const CRAWL_OPTIONS: Readonly<Record<keyof CrawlOptions, true>> = {
  dir: true,
  version: true,
  transport: true,
  politeness: true,
  scope: true,
  budgets: true,
  robots: true,
  tdmrep: true,
  sitemaps: true,
  warc: true,
  warcBytes: true,
  recrawl: true,
  hooks: true,
};

/** Checks options and adds the defaults. Throws UsageError for an option that does not exist or has a wrong value. */
export function resolveOptions(options: CrawlOptions): ResolvedOptions {
  const given = takeOptions("a crawl", options, CRAWL_OPTIONS);
  const { dir, version = VERSION } = given;
  if (typeof dir !== "string" || dir === "") throw new UsageError("dir must be the path of a folder");
  const resolved = {
    ...({ robots: "obey", tdmrep: false, sitemaps: false, warc: true, recrawl: false } as const),
    warcBytes: WARC_BYTES,
    ...given,
    dir,
    version,
    transport: { ...TRANSPORT, version, ...takeOptions("transport", given.transport, TRANSPORT_OPTIONS) },
    politeness: { ...POLITENESS, ...takeOptions("politeness", given.politeness, POLITENESS) },
    scope: { ...SCOPE, ...takeOptions("scope", given.scope, SCOPE) },
    budgets: { ...BUDGETS, ...takeOptions("budgets", given.budgets, BUDGETS) },
    hooks: takeHooks(given.hooks),
  };
  const { politeness, budgets, scope, transport } = resolved;
  const robots = oneOf(["obey", "ignore"]);
  checkValues(resolved, { robots, tdmrep: SWITCH, sitemaps: SWITCH, warc: SWITCH, recrawl: SWITCH });
  checkValues(scope, { reach: oneOf(["host", "domain", "any"]), include: PATTERNS, exclude: PATTERNS });
  checkValues(transport, { addresses: oneOf(["public", "any"]), userAgent: HEADER, contact: HEADER });
  check("maxBytes", transport.maxBytes, 1, NO_BOUND);
  check("timeoutMs", transport.timeoutMs, 1, MAX_TIMER_MS);
  check("depth", scope.depth, 0, NO_BOUND);
  for (const name of ["delayMs", "maxDelayMs"] as const) check(name, politeness[name], 0, MAX_DELAY_MS);
  for (const name of ["retryMs", "maxRetryAfterMs"] as const) check(name, politeness[name], 0, MAX_TIMER_MS);
  check("robotsMs", politeness.robotsMs, 2 * MAX_DELAY_MS, MAX_TIMER_MS);
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
