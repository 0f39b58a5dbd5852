/** Lets URLs wait again: those that were refused for a reason which an option of this run has changed, or all of them. */
import type { Reason } from "../outcome.js";
import { resolveOptions, type ResolvedOptions } from "./crawl-options.js";
import type { Scope } from "./reach/scope.js";
import { mayPass } from "./robots/politeness.js";
import type { RobotsKeeper } from "./robots/robots-keeper.js";
import type { Store } from "./state/store.js";
import type { Entry } from "./state/url-table.js";

interface Parts {
  readonly options: ResolvedOptions;
  readonly store: Store;
  readonly scope: Scope;
  readonly robots: RobotsKeeper;
}

/** The options on which refusals depend, as the state keeps them between runs. */
type Limits = Pick<ResolvedOptions, "robots"> &
  Pick<
    ResolvedOptions["transport"],
    "addresses" | "maxBytes" | "timeoutMs" | "idleMs" | "proxy" | "userAgent"
  > &
  Pick<ResolvedOptions["politeness"], "maxDelayMs"> & { readonly scope: string };

interface Change {
  /** Why URLs were refused that another try may now reach. */
  readonly reasons: readonly Reason[];
  readonly isMade: (before: Limits, now: Limits) => boolean;
}

/** Refusals that depend on the URL, not on its host or answer. */
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
  {
    reasons: ["blocked-address", "dns", "tls", "fetch-failed", "timeout"],
    isMade: (before, now) => before.proxy !== now.proxy,
  },
  { reasons: OF_SCOPE, isMade: (before, now) => before.scope !== now.scope },
];

/** Lets what was refused wait again where an option has changed since the last run; lists too, which may name more now. */
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
 * Lets all URLs wait again that may be fetched. They are asked for what has changed, or for all of it where more of their
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

/** Failures of the network, which may have passed. */
const PASSING: readonly Reason[] = ["dns", "fetch-failed", "timeout"];

/**
 * Lets all URLs wait again whose server could not be reached, was too slow, or said that it is busy: so a crawl that ends in
 * such failures can be tried again by the same command.
 */
export function askFailedAgain({ store, robots }: Pick<Parts, "store" | "robots">): void {
  robots.forgetSilence();
  for (const reason of PASSING) requeueEnded(store, { result: "rejected", reason }, () => true);
  const isBusy = ({ id }: Entry): boolean => {
    const { status } = store.urls.outcomeOf(id);
    // Without a status it was not asked for: robots.txt did not come, or too many other URLs of its host had failed.
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
    ...(proxy !== undefined && { proxy }),
    ...(userAgent !== undefined && { userAgent }),
  };
}

/** A state that an earlier version made does not have them: it is taken for one with the usual options. */
function readLimits(stored: string): Limits {
  if (stored === "") return limitsOf(resolveOptions({ dir: "." }));
  return JSON.parse(stored) as Limits; // what `askAgain` has marked
}

/** Whether a URL may be fetched at all; one that redirects to what may not be fetched is asked where it leads now. */
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
