/** What all turns of a run share: the state, the archive, the transport, the rules, and the counts. */
import type { Exchange, ExchangeResult, Transport } from "../acquire/http/transport.js";
import type { Frontier, Host } from "./state/frontier.js";
import type { ResolvedOptions } from "./options.js";
import { delayOf, pauseAfter, readRetryAfter } from "./robots/politeness.js";
import type { Recorder } from "./recorder.js";
import type { RobotsKeeper } from "./robots/robots-keeper.js";
import type { Scope } from "./reach/scope.js";
import type { Store } from "./state/store.js";

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
  /** When this run began, where the one before did not end in order: nobody knows whom it was talking to; else 0. */
  readonly resumedAt: number;
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
    host.askedAt = Date.now();
    rest(host, crew, delayFor(host, request.url, crew));
  }
}

/** Leaves a host alone from now on. */
export function rest(host: Host, { store }: Crew, ms: number): void {
  host.nextAt = Date.now() + ms;
  store.hosts.setNextAt(host.id, host.nextAt);
}

/** What a host's robots.txt asks for holds from the exchange on that came before it was known. */
export function heed(host: Host, origin: string, crew: Crew): void {
  // A host that is ready has its place by its time already; what it is asked next leaves it alone for long enough.
  if (host.state === "ready") return;
  const due = host.askedAt + delayFor(host, origin, crew);
  if (due > host.nextAt) rest(host, crew, due - Date.now());
}

/** The delay between two requests to a host, as the robots.txt of a URL's origin and the caller have it. */
export function delayFor(
  host: Pick<Host, "name">,
  url: string,
  { robots, options }: Pick<Crew, "robots" | "options">,
): number {
  const { politeness, hooks } = options;
  const asked = options.robots === "obey" ? robots.rulesFor(url)?.robots.delayMs : undefined;
  // Nothing is fetched where more is asked for than is borne, so there is nothing to wait for.
  const borne = asked !== undefined && asked <= politeness.maxDelayMs ? asked : undefined;
  return delayOf(borne, hooks?.delayFor?.(host.name), politeness);
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
  const pause = Math.min(asked ?? pauseAfter(tries, retryMs, crew.random), maxRetryAfterMs);
  rest(host, crew, Math.max(pause, host.nextAt - Date.now()));
}
