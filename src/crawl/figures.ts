/** What a crawl knows of itself into figures for people. */
import type { Reason } from "../outcome.js";
import type { Counts } from "./crew.js";
import type { Store } from "./store.js";
import type { CrawlFigures, CrawlResult } from "./types.js";

export interface FigureParts {
  readonly store: Store;
  readonly counts: Counts;
  readonly endedBy: CrawlFigures["endedBy"];
  readonly hostsActive: number;
  /** Hosts in memory; undefined where no run is under way. */
  readonly hostsWaiting: number | undefined;
}

export function readFigures({
  store,
  counts,
  endedBy,
  hostsActive,
  hostsWaiting,
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
    ...(endedBy !== undefined && { endedBy }),
  };
}
