/**
 * Defines what all turns of a run share (state, archive, transport, rules, counts), and keeps the delays between
 * requests to a host.
 */
import { headerOf } from "../../acquire/http/exchange.js";
import type { ExchangeRequest, ExchangeResult, Transport } from "../../acquire/http/transport.js";
import type { ResolvedOptions } from "../crawl-options.js";
import type { Scope } from "../reach/scope.js";
import type { Recorder } from "../recorder.js";
import { delayOf, pauseAfter, readRetryAfter } from "../robots/politeness.js";
import type { RobotsKeeper } from "../robots/robots-keeper.js";
import type { Frontier, Host } from "../state/frontier.js";
import type { Store } from "../state/store.js";

/** The counts of a run so far. */
export interface Counts {
  pages: number;
  exchanges: number;
  bytes: number;
  retried: number;
  /** Links that were not followed, by reason. */
  readonly leftOut: Record<"out-of-scope" | "trap" | "nofollow" | "too-many", number>;
}

export function createCounts(): Counts {
  const leftOut = { "out-of-scope": 0, trap: 0, nofollow: 0, "too-many": 0 };
  return { pages: 0, exchanges: 0, bytes: 0, retried: 0, leftOut };
}

/** What all turns of a run share. */
export interface Crew {
  readonly options: ResolvedOptions;
  readonly store: Store;
  readonly frontier: Frontier;
  readonly recorder: Recorder;
  readonly robots: RobotsKeeper;
  readonly scope: Scope;
  readonly transport: Transport;
  /** When this run began, if the run before was interrupted, so that its last requests are unknown; otherwise 0. */
  readonly resumedAt: number;
  /** Aborts exchanges in progress. */
  readonly signal: AbortSignal;
  readonly random: () => number;
  readonly counts: Counts;
}

/** Sends one request to a host, and then waits for the host's delay before the next one. */
export async function ask(host: Host, request: ExchangeRequest, crew: Crew): Promise<ExchangeResult> {
  crew.counts.exchanges += 1;
  try {
    return await crew.transport.exchange(request, crew.signal);
  } finally {
    host.askedAt = Date.now();
    rest(host, crew, delayFor(host, request.url, crew));
  }
}

/** Blocks requests to a host for `ms` milliseconds from now. */
export function rest(host: Host, { store }: Crew, ms: number): void {
  host.nextAt = Date.now() + ms;
  store.hosts.setNextAt(host.id, host.nextAt);
}

/** Applies the delay that the robots.txt of a host asks for, counted from the exchange before it was known. */
export function heed(host: Host, origin: string, crew: Crew): void {
  // A ready host already has its place in the queue; the delay is applied after its next request.
  if (host.state === "ready") return;
  const due = host.askedAt + delayFor(host, origin, crew);
  if (due > host.nextAt) rest(host, crew, due - Date.now());
}

/**
 * Returns the delay between two requests to a host in milliseconds, from the robots.txt of a URL's origin and the
 * options.
 */
export function delayFor(
  host: Pick<Host, "name">,
  url: string,
  { robots, options }: Pick<Crew, "robots" | "options">,
): number {
  const { politeness, hooks } = options;
  const asked = options.robots === "obey" ? robots.rulesFor(url)?.robots.delayMs : undefined;
  // Nothing is fetched from a host that asks for more than `maxDelayMs`, so its delay is not needed.
  const accepted = asked !== undefined && asked <= politeness.maxDelayMs ? asked : undefined;
  return delayOf(accepted, hooks?.delayFor?.(host.name), politeness);
}

/** An exchange that will be tried again. */
export interface Retry {
  readonly result: ExchangeResult;
  /** The number of tries so far. */
  readonly tries: number;
}

/** Waits as long as the host asks for, or else longer after each try, but never less than its delay. */
export function restBeforeRetry(host: Host, { result, tries }: Retry, crew: Crew): void {
  const { retryMs, maxRetryAfterMs } = crew.options.politeness;
  const asked = result.ok
    ? readRetryAfter(headerOf(result.exchange.headers, "retry-after"), Date.now())
    : undefined;
  const pause = Math.min(asked ?? pauseAfter(tries, retryMs, crew.random), maxRetryAfterMs);
  rest(host, crew, Math.max(pause, host.nextAt - Date.now()));
}
