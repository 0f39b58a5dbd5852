/** Reads the figures of a crawl and its table of outcomes, for people. */
import type { Reason } from "../outcome.js";
import type { ResolvedOptions } from "./crawl-options.js";
import type { Counts } from "./turns/crew.js";
import type { Store } from "./state/store.js";
import type { CrawlFigures, CrawlOutcome, CrawlResult } from "./types.js";

interface FigureParts {
  readonly store: Store;
  readonly counts: Counts;
  readonly endedBy: CrawlFigures["endedBy"];
  readonly hostsActive: number;
  /** Hosts in memory; undefined if no run is active. */
  readonly hostsWaiting: number | undefined;
  readonly msLeft: number | undefined;
}

/** Adds up the figures from the state and the counts of a run. */
export function readFigures({
  store,
  counts,
  endedBy,
  hostsActive,
  hostsWaiting,
  msLeft,
}: FigureParts): CrawlFigures {
  const results: Record<CrawlResult, number> = { page: 0, list: 0, redirected: 0, rejected: 0, waiting: 0 };
  const reasons: Partial<Record<Reason, number>> = {};
  for (const { result, reason, count } of store.urls.tallies()) {
    results[result] += count;
    if (reason !== undefined) reasons[reason] = (reasons[reason] ?? 0) + count;
  }
  const { pages, exchanges, bytes, retried, leftOut } = counts;
  return {
    results,
    reasons,
    pages,
    exchanges,
    bytes,
    retried,
    leftOut: { ...leftOut },
    hostsActive,
    hostsWaiting: (hostsWaiting ?? store.hosts.countWaiting().hosts + hostsActive) - hostsActive,
    queued: results.waiting,
    unconfirmed: store.urls.countEventsAfter(store.marks.confirmed),
    ...(msLeft !== undefined && { msLeft }),
    ...(endedBy !== undefined && { endedBy }),
  };
}

/** Exchanges that are needed before the rate of a run means something. */
const FEWEST_EXCHANGES = 3;

interface Pace {
  readonly startedAt: number;
  readonly counts: Pick<Counts, "exchanges">;
  /** Pages that the budget of the crawl still allows. */
  readonly pagesLeft: number;
  readonly options: Pick<ResolvedOptions, "scope" | "politeness">;
}

/**
 * Estimates how long a run still takes, in milliseconds; undefined if URLs may still be added, or in the first
 * exchanges.
 */
export function estimateMsLeft({ urls, hosts }: Store, pace: Pace): number | undefined {
  const { startedAt, counts, pagesLeft, options } = pace;
  if (counts.exchanges < FEWEST_EXCHANGES || urls.mayGrow(options.scope.depth)) return undefined;
  const waiting = urls.tallies().find(({ result }) => result === "waiting")?.count ?? 0;
  const msEach = (Date.now() - startedAt) / counts.exchanges;
  const longest = Math.min(hosts.longestQueue(), pagesLeft);
  return Math.round(Math.max(Math.min(waiting, pagesLeft) * msEach, longest * options.politeness.delayMs));
}

const ROWS_A_READ = 500;

/** Lists the outcome of every URL; reads the state in batches, so that a run can go on meanwhile. */
export async function* listOutcomes(
  { urls, marks }: Pick<Store, "urls" | "marks">,
  isOutOfBudget: () => boolean,
): AsyncGenerator<CrawlOutcome> {
  for (let last = 0; ;) {
    const rows = urls.outcomesAfter(last, ROWS_A_READ, marks.confirmed);
    for (const { outcome } of rows) {
      const isLeft = outcome.result === "waiting" && isOutOfBudget();
      yield isLeft ? { ...outcome, reason: "budget" } : outcome;
    }
    const end = rows.at(-1)?.id;
    if (end === undefined) return;
    last = end;
    await new Promise((resolve) => setImmediate(resolve));
  }
}
