/**
 * Plans what a crawl would do with each waiting URL. Fetches the robots.txt of the hosts, and the sitemaps that it
 * names if these are seeds too, as slowly as a crawl would.
 */
import { setTimeout as sleep } from "node:timers/promises";
import type { ExchangeRequest, ExchangeResult, Transport } from "../acquire/http/transport.js";
import type { ResolvedOptions } from "./crawl-options.js";
import { delayFor, type Counts } from "./turns/crew.js";
import { addListed, findRedirect, LIST_BYTES, readList } from "./turns/found-urls.js";
import type { Scope } from "./reach/scope.js";
import { delayOf, pauseAfter } from "./robots/politeness.js";
import { ROBOTS_BYTES, type RobotsKeeper } from "./robots/robots-keeper.js";
import { robotsUrlOf } from "./robots/robots.js";
import type { Refusal } from "./seed-entries.js";
import { hostNameOf, type Errand, type Frontier } from "./state/frontier.js";
import type { Store } from "./state/store.js";
import type { Entry } from "./state/url-table.js";
import { addSitemaps, judge, needsRobots } from "./turns/turn.js";
import type { PlannedFetch } from "./types.js";
import { isSuccess } from "../acquire/http/status.js";

interface PlanTools {
  readonly frontier: Pick<Frontier, "add">;
  readonly scope: Scope;
  readonly options: ResolvedOptions;
  readonly store: Store;
  readonly robots: RobotsKeeper;
  readonly transport: Transport;
  readonly counts: Counts;
  readonly signal: AbortSignal;
}

/** URLs whose hosts are asked at the same time. */
const BATCH = 200;
/** The most exchanges for one robots.txt, including redirects and retries. */
const MOST_STEPS = 40;

/** Plans at most `limit` URLs. If the signal aborts, it ends early without an error. */
export async function* planFetches(tools: PlanTools, limit = Infinity): AsyncGenerator<PlannedFetch> {
  const { store, options, robots, signal } = tools;
  const lanes = new Map<string, Promise<void>>();
  const listed = new Set<string>();
  let left = limit;
  for (let last = 0; left > 0;) {
    const entries = store.urls.waitingAfter(last, Math.min(BATCH, left));
    if (entries.length === 0) return;
    const asking = entries.filter((entry) => needsRobots(entry, options));
    const origins = new Set(asking.map(({ url }) => new URL(url).origin));
    const unknown = [...origins].filter((origin) => robots.rulesFor(origin) === undefined);
    try {
      await Promise.all(unknown.map((origin) => askForRobots(origin, lanes, tools)));
    } finally {
      store.commit();
    }
    for (const entry of entries) {
      if (signal.aborted) return;
      const { url, id, kind } = entry;
      const rules = robots.rulesFor(url);
      const forbidden = await judge(entry, rules, options);
      addSitemaps({ listed }, entry, tools);
      const isRead = options.sitemaps && kind === "list";
      const refusal = forbidden ?? (isRead ? await readOn(entry, lanes, tools) : undefined);
      const crawlDelayMs = options.robots === "obey" ? rules?.robots.delayMs : undefined;
      const delayMs = delayOf(crawlDelayMs, options.hooks?.delayFor?.(hostNameOf(url)), options.politeness);
      yield { url, delayMs, ...refusal };
      last = id;
    }
    left -= entries.length;
  }
}

/** Adds the URLs that a list leads to; returns why it cannot be read. */
async function readOn(
  entry: Entry,
  lanes: Map<string, Promise<void>>,
  tools: PlanTools,
): Promise<Refusal | undefined> {
  const result = await inLane({ url: entry.url, maxBytes: LIST_BYTES }, lanes, tools);
  if (result === undefined) return undefined;
  if (!result.ok) return result.failure;
  const { exchange } = result;
  if (exchange.location !== undefined) {
    const found = findRedirect(entry, exchange.location, tools);
    if ("reason" in found) return found;
    tools.frontier.add(found);
    return undefined;
  }
  if (!isSuccess(exchange.status)) return { reason: "http-status", detail: `HTTP ${exchange.status}` };
  const read = await readList(exchange, entry);
  if (!read.ok) return { reason: read.reason, detail: read.detail ?? "" };
  addListed(read.value, tools);
  return undefined;
}

/** Fetches the robots.txt of an origin, with redirects and retries, until its rules are known. */
async function askForRobots(
  origin: string,
  lanes: Map<string, Promise<void>>,
  tools: PlanTools,
): Promise<void> {
  const { robots, options, signal } = tools;
  const { retries, retryMs, maxRetryAfterMs } = options.politeness;
  let errand: Pick<Errand, "file" | "origin" | "url" | "hops" | "tries"> = {
    file: "robots.txt",
    origin,
    url: robotsUrlOf(origin),
    hops: 0,
    tries: 0,
  };
  for (let steps = 0; steps < MOST_STEPS && !signal.aborted; steps += 1) {
    const result = await inLane({ url: errand.url, maxBytes: ROBOTS_BYTES, longer: "cut" }, lanes, tools);
    if (result === undefined) return;
    const read = robots.read(errand, result, errand.tries < retries);
    if (read === "known") {
      heedDelay(origin, tools);
      return;
    }
    if (read === "retry") {
      errand = { ...errand, tries: errand.tries + 1 };
      await sleepUnless(
        signal,
        Math.min(
          pauseAfter(errand.tries, retryMs, () => 0.5),
          maxRetryAfterMs,
        ),
      );
    } else errand = { ...errand, url: read.url, hops: errand.hops + 1, tries: 0 };
  }
}

/** Records the delay that the robots.txt asks for, so that a crawl that follows does not start too early. */
function heedDelay(origin: string, { store, robots, options }: PlanTools): void {
  const { id, name, nextAt } = store.hosts.named(hostNameOf(origin));
  const due = Date.now() + delayFor({ name }, `${origin}/`, { options, robots });
  if (due > nextAt) store.hosts.setNextAt(id, due);
}

/** Makes one exchange at a time with a host, with its delay after each; undefined if the signal aborts. */
function inLane(
  request: ExchangeRequest,
  lanes: Map<string, Promise<void>>,
  tools: PlanTools,
): Promise<ExchangeResult | undefined> {
  const name = hostNameOf(request.url);
  const turn = (lanes.get(name) ?? Promise.resolve()).then(() => askUnless(request, name, tools));
  lanes.set(
    name,
    turn.then(
      () => undefined,
      () => undefined, // the caller of this exchange gets the error
    ),
  );
  return turn;
}

async function askUnless(
  request: ExchangeRequest,
  name: string,
  { transport, counts, signal, options, robots, store }: PlanTools,
): Promise<ExchangeResult | undefined> {
  const { id, nextAt } = store.hosts.named(name);
  try {
    const wait = nextAt - Date.now();
    if (wait > 0) await sleep(wait, undefined, { signal });
    counts.exchanges += 1;
    return await transport.exchange(request, signal);
  } catch (error) {
    if (signal.aborted) return undefined;
    throw error;
  } finally {
    const delayMs = delayFor({ name }, request.url, { options, robots });
    store.hosts.setNextAt(id, Date.now() + delayMs);
  }
}

async function sleepUnless(signal: AbortSignal, ms: number): Promise<void> {
  try {
    await sleep(ms, undefined, { signal });
  } catch (error) {
    if (!signal.aborted) throw error;
  }
}
