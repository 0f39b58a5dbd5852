/** What all turns of a run share: the state, the archive, the transport, the rules, and the counts. */
import type { Exchange, ExchangeResult, Transport } from "../acquire/transport.js";
import type { Frontier, Host } from "./frontier.js";
import type { ResolvedOptions } from "./options.js";
import { delayOf, pauseAfter, readRetryAfter } from "./politeness.js";
import type { Recorder } from "./recorder.js";
import type { RobotsKeeper } from "./robots-keeper.js";
import type { Scope } from "./scope.js";
import type { Store } from "./store.js";

export interface Counts {
  pages: number;
  exchanges: number;
  bytes: number;
  retried: number;
  /** Links that were not followed, by why. */
  readonly leftOut: Record<"out-of-scope" | "trap" | "nofollow", number>;
}

export interface Crew {
  readonly options: ResolvedOptions;
  readonly store: Store;
  readonly frontier: Frontier;
  readonly recorder: Recorder;
  readonly robots: RobotsKeeper;
  readonly scope: Scope;
  readonly transport: Transport;
  /** Ends exchanges that are under way. */
  readonly signal: AbortSignal;
  readonly random: () => number;
  readonly counts: Counts;
}

export interface Request {
  readonly url: string;
  readonly headers?: Readonly<Record<string, string>>;
  readonly maxBytes?: number;
  readonly accepts?: (contentType: string | undefined) => boolean;
}

/** One exchange with a host, after which it is left alone for its delay. */
export async function ask(host: Host, request: Request, crew: Crew): Promise<ExchangeResult> {
  crew.counts.exchanges += 1;
  try {
    return await crew.transport.exchange(request, crew.signal);
  } finally {
    rest(host, crew, delayFor(host, request.url, crew));
  }
}

/** Leaves a host alone from now on. */
export function rest(host: Host, { store }: Crew, ms: number): void {
  host.nextAt = Date.now() + ms;
  store.hosts.setNextAt(host.id, host.nextAt);
}

/** The delay between two requests to a host, as the robots.txt of a URL's origin and the caller have it. */
export function delayFor(host: Host, url: string, { robots, options }: Crew): number {
  const crawlDelayMs = options.robots === "obey" ? robots.rulesFor(url)?.robots.delayMs : undefined;
  const asked = delayOf(crawlDelayMs, options.hooks?.delayFor?.(host.name), options.politeness);
  // A host that asks for more is not fetched from at all.
  return Math.min(asked, Math.max(options.politeness.maxDelayMs, options.politeness.delayMs));
}

/** The value of an answer's header. */
export function headerOf({ headers }: Exchange, name: string): string | undefined {
  return headers.find(([known]) => known.toLowerCase() === name)?.[1];
}

export interface Retry {
  readonly result: ExchangeResult;
  /** So far. */
  readonly tries: number;
}

/** Leaves a host alone for as long as it asks for, or else for longer after each try, but never for less than its delay. */
export function restBeforeRetry(host: Host, { result, tries }: Retry, crew: Crew): void {
  const { retryMs, maxRetryAfterMs } = crew.options.politeness;
  const asked = result.ok ? readRetryAfter(headerOf(result.exchange, "retry-after"), Date.now()) : undefined;
  const pause =
    asked === undefined ? pauseAfter(tries, retryMs, crew.random) : Math.min(asked, maxRetryAfterMs);
  rest(host, crew, Math.max(pause, host.nextAt - Date.now()));
}
