/**
 * Queues rejected URLs again if an option of this run changes the reason of their rejection, and URLs for a recrawl.
 */
import { describeProxies } from "../acquire/http/proxies.js";
import type { Reason } from "../outcome.js";
import { resolveOptions, type ResolvedOptions } from "./crawl-options.js";
import type { Scope } from "./reach/scope.js";
import { mayPass } from "./robots/politeness.js";
import type { RobotsKeeper } from "./robots/robots-keeper.js";
import type { Store } from "./state/store.js";
import type { Entry } from "./state/url-table.js";
import { OF_HOST } from "./turns/visit.js";

interface Parts {
  readonly options: ResolvedOptions;
  readonly store: Store;
  readonly scope: Scope;
  readonly robots: RobotsKeeper;
}

/** The options on which rejects depend, as the state keeps them between runs. */
type Limits = Pick<ResolvedOptions, "robots"> &
  Pick<ResolvedOptions["transport"], "addresses" | "maxBytes" | "timeoutMs" | "idleMs" | "userAgent"> &
  Pick<ResolvedOptions["politeness"], "maxDelayMs"> & { readonly scope: string; readonly proxy?: string };

interface Change {
  /** The reject reasons of URLs that may now be fetched. */
  readonly reasons: readonly Reason[];
  readonly isMade: (before: Limits, now: Limits) => boolean;
}

/** Reject reasons that depend on the URL, not on its host or answer. */
const OF_SCOPE: readonly Reason[] = ["out-of-scope", "trap"];

const CHANGES: readonly Change[] = [
  { reasons: ["blocked-address"], isMade: (before, now) => before.addresses !== now.addresses },
  {
    reasons: ["robots"],
    isMade: (before, now) =>
      (before.robots === "obey" && now.robots === "ignore") ||
      before.maxDelayMs < now.maxDelayMs ||
      before.userAgent !== now.userAgent,
  },
  { reasons: ["too-large"], isMade: (before, now) => before.maxBytes < now.maxBytes },
  {
    reasons: ["timeout"],
    isMade: (before, now) =>
      before.timeoutMs < now.timeoutMs || (before.idleMs ?? before.timeoutMs) < (now.idleMs ?? now.timeoutMs),
  },
  { reasons: OF_HOST, isMade: (before, now) => before.proxy !== now.proxy },
  { reasons: OF_SCOPE, isMade: (before, now) => before.scope !== now.scope },
];

/** Queues rejected URLs again if an option has changed since the last run; lists too, which may name more URLs now. */
export function askAgain({ options, store, scope, robots }: Parts): void {
  const now = limitsOf(options);
  const stored = JSON.stringify(now);
  if (stored === store.marks.limits) return;
  const before = readLimits(store.marks.limits);
  const reasons = CHANGES.filter(({ isMade }) => isMade(before, now)).flatMap((change) => change.reasons);
  if (reasons.length > 0) robots.forgetSilence();
  for (const reason of new Set(reasons)) {
    const fits = OF_SCOPE.includes(reason) ? (entry: Entry) => mayAsk(entry, scope) : () => true;
    requeueEnded(store, { result: "rejected", reason }, fits);
  }
  if (before.scope !== now.scope) requeueEnded(store, { result: "list" }, () => true);
  store.mark({ limits: stored });
  store.commit();
}

/**
 * Queues all URLs again that may be fetched. The requests are conditional, unless `scope` has changed, so that more
 * links may be followed now.
 */
export function askAllAgain({ options, store, scope, robots }: Parts): void {
  const reach = JSON.stringify(options.scope);
  robots.forgetSilence();
  store.urls.requeueAll(reach === store.marks.reach ? "if-changed" : "in-any-case", OF_SCOPE);
  for (const reason of OF_SCOPE)
    requeueEnded(store, { result: "rejected", reason }, (entry) => mayAsk(entry, scope));
  store.mark({ reach });
}

/** Network failures, which may be temporary. */
const PASSING: readonly Reason[] = ["dns", "fetch-failed", "timeout"];

/**
 * Queues all URLs again whose server could not be reached, was too slow, or said that it is busy. So the same command
 * can retry a crawl that ends in such failures.
 */
export function askFailedAgain({ store, robots }: Pick<Parts, "store" | "robots">): void {
  robots.forgetSilence();
  for (const reason of PASSING) requeueEnded(store, { result: "rejected", reason }, () => true);
  const isBusy = ({ id }: Entry): boolean => {
    const { status } = store.urls.outcomeOf(id);
    // No request was sent: robots.txt could not be read, or too many other URLs of its host had failed.
    return status === undefined || mayPass(status);
  };
  requeueEnded(store, { result: "rejected", reason: "http-status" }, isBusy);
  store.commit();
}

function limitsOf({ transport, politeness, robots, scope }: ResolvedOptions): Limits {
  const { addresses, maxBytes, timeoutMs, idleMs, proxy, userAgent } = transport;
  const { maxDelayMs } = politeness;
  return {
    ...{ robots, addresses, maxBytes, timeoutMs, maxDelayMs, scope: JSON.stringify(scope) },
    ...(idleMs !== undefined && { idleMs }),
    ...(proxy !== undefined && { proxy: describeProxies(proxy) }),
    ...(userAgent !== undefined && { userAgent }),
  };
}

/** Parses the stored options. The state of an earlier version has none, and is read as if it had the defaults. */
function readLimits(stored: string): Limits {
  if (stored === "") return limitsOf(resolveOptions({ dir: "." }));
  return JSON.parse(stored) as Limits; // written by `askAgain`
}

/** Whether a URL is in scope; if its redirect was rejected, the URL is requested again to see where it leads now. */
function mayAsk({ kind, url, depth, seed }: Entry, scope: Scope): boolean {
  return kind === "list" || scope.admits(url, depth, seed).admitted;
}

const ENTRIES_A_READ = 500;

type End = Parameters<Store["urls"]["endedAfter"]>[0];

function requeueEnded({ urls }: Store, end: End, fits: (entry: Entry) => boolean): void {
  for (let last: number | undefined = 0; last !== undefined;) {
    const entries = urls.endedAfter(end, last, ENTRIES_A_READ);
    for (const entry of entries) if (fits(entry)) urls.requeue(entry.id);
    last = entries.at(-1)?.id;
  }
}
