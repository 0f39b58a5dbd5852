/**
 * Holds what all turns of a run share (the state, the archive, the transport, the rules, the counts), and paces the
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

/** What a run has done so far. */
export interface Counts {
  pages: number;
  exchanges: number;
  bytes: number;
  retried: number;
  /** Links that were not followed, by why. */
  readonly leftOut: Record<"out-of-scope" | "trap" | "nofollow" | "too-many", number>;
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
  /** When this run began, if the one before broke off, so that its last requests are not known; else 0. */
  readonly resumedAt: number;
  /** Ends exchanges that are under way. */
  readonly signal: AbortSignal;
  readonly random: () => number;
  readonly counts: Counts;
}

/** Sends one request to a host, and then leaves the host alone for its delay. */
export async function ask(host: Host, request: ExchangeRequest, crew: Crew): Promise<ExchangeResult> {
  crew.counts.exchanges += 1;
  try {
    return await crew.transport.exchange(request, crew.signal);
  } finally {
    host.askedAt = Date.now();
    rest(host, crew, delayFor(host, request.url, crew));
  }
}

/** Leaves a host alone for `ms` from now on. */
export function rest(host: Host, { store }: Crew, ms: number): void {
  host.nextAt = Date.now() + ms;
  store.hosts.setNextAt(host.id, host.nextAt);
}

/** Applies the delay that a host's robots.txt asks for, counted from the exchange before the delay was known. */
export function heed(host: Host, origin: string, crew: Crew): void {
  // A host that is ready has its place in the queue already; after its next request it is left alone for long enough.
  if (host.state === "ready") return;
  const due = host.askedAt + delayFor(host, origin, crew);
  if (due > host.nextAt) rest(host, crew, due - Date.now());
}

/** Chooses the delay between two requests to a host, from the robots.txt of a URL's origin and the options. */
export function delayFor(
  host: Pick<Host, "name">,
  url: string,
  { robots, options }: Pick<Crew, "robots" | "options">,
): number {
  const { politeness, hooks } = options;
  const asked = options.robots === "obey" ? robots.rulesFor(url)?.robots.delayMs : undefined;
  // Nothing is fetched from a host that asks for more than `maxDelayMs`, so there is nothing to wait for.
  const accepted = asked !== undefined && asked <= politeness.maxDelayMs ? asked : undefined;
  return delayOf(accepted, hooks?.delayFor?.(host.name), politeness);
}

/** An exchange that is going to be tried again. */
export interface Retry {
  readonly result: ExchangeResult;
  /** Tries so far. */
  readonly tries: number;
}

/** Leaves a host alone for as long as it asks for, or else longer after each try, but never less than its delay. */
export function restBeforeRetry(host: Host, { result, tries }: Retry, crew: Crew): void {
  const { retryMs, maxRetryAfterMs } = crew.options.politeness;
  const asked = result.ok
    ? readRetryAfter(headerOf(result.exchange.headers, "retry-after"), Date.now())
    : undefined;
  const pause = Math.min(asked ?? pauseAfter(tries, retryMs, crew.random), maxRetryAfterMs);
  rest(host, crew, Math.max(pause, host.nextAt - Date.now()));
}
