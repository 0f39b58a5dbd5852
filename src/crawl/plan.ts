/**
 * Plans what a crawl would do with each URL that waits. Asks the hosts for their robots.txt, as slowly as a crawl
 * would.
 */
import { setTimeout as sleep } from "node:timers/promises";
import type { ExchangeResult, Transport } from "../acquire/http/transport.js";
import type { ResolvedOptions } from "./crawl-options.js";
import { delayFor, type Counts } from "./crew.js";
import { delayOf, pauseAfter } from "./robots/politeness.js";
import { ROBOTS_BYTES, type RobotsKeeper } from "./robots/robots-keeper.js";
import { robotsUrlOf } from "./robots/robots.js";
import { hostNameOf, type Errand } from "./state/frontier.js";
import type { Store } from "./state/store.js";
import { judge } from "./turn.js";
import type { PlannedFetch } from "./types.js";

interface PlanTools {
  readonly options: ResolvedOptions;
  readonly store: Store;
  readonly robots: RobotsKeeper;
  readonly transport: Transport;
  readonly counts: Counts;
  readonly signal: AbortSignal;
}

/** URLs whose hosts are asked at the same time. */
const BATCH = 200;
/** Exchanges for one robots.txt at the most, redirects and further tries included. */
const MOST_STEPS = 40;

/** Plans at most `limit` URLs. Ends early, without an error, when the signal aborts. */
export async function* planFetches(tools: PlanTools, limit = Infinity): AsyncGenerator<PlannedFetch> {
  const { store, options, robots, signal } = tools;
  const lanes = new Map<string, Promise<void>>();
  let left = limit;
  for (let last = 0; left > 0;) {
    const entries = store.urls.waitingAfter(last, Math.min(BATCH, left));
    if (entries.length === 0) return;
    if (options.robots === "obey") {
      const origins = new Set(entries.map(({ url }) => new URL(url).origin));
      const unknown = [...origins].filter((origin) => robots.rulesFor(`${origin}/`) === undefined);
      try {
        await Promise.all(unknown.map((origin) => askForRobots(origin, lanes, tools)));
      } finally {
        store.commit();
      }
    }
    for (const { url, id } of entries) {
      if (signal.aborted) return;
      const refusal = await judge({ closed: undefined }, { url }, tools);
      const crawlDelayMs = options.robots === "obey" ? robots.rulesFor(url)?.robots.delayMs : undefined;
      const delayMs = delayOf(crawlDelayMs, options.hooks?.delayFor?.(hostNameOf(url)), options.politeness);
      yield { url, delayMs, ...(refusal !== undefined && refusal !== "unknown" && refusal) };
      last = id;
    }
    left -= entries.length;
  }
}

/** Fetches the robots.txt of an origin, over redirects and further tries, until its rules are known. */
async function askForRobots(
  origin: string,
  lanes: Map<string, Promise<void>>,
  tools: PlanTools,
): Promise<void> {
  const { robots, options, signal } = tools;
  const { retries, retryMs } = options.politeness;
  let errand: Pick<Errand, "origin" | "url" | "hops" | "tries"> = {
    origin,
    url: robotsUrlOf(origin),
    hops: 0,
    tries: 0,
  };
  for (let steps = 0; steps < MOST_STEPS && !signal.aborted; steps += 1) {
    const result = await inLane(errand.url, lanes, tools);
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
        pauseAfter(errand.tries, retryMs, () => 0.5),
      );
    } else errand = { ...errand, url: read.url, hops: errand.hops + 1, tries: 0 };
  }
}

/** Notes the delay that the robots.txt asks for, so that a crawl that follows does not come too early. */
function heedDelay(origin: string, { store, robots, options }: PlanTools): void {
  const { id, name, nextAt } = store.hosts.named(hostNameOf(origin));
  const due = Date.now() + delayFor({ name }, `${origin}/`, { options, robots });
  if (due > nextAt) store.hosts.setNextAt(id, due);
}

/** Makes one exchange at a time with a host, with its delay after each; undefined where the signal aborts. */
function inLane(
  url: string,
  lanes: Map<string, Promise<void>>,
  tools: PlanTools,
): Promise<ExchangeResult | undefined> {
  const name = hostNameOf(url);
  const turn = (lanes.get(name) ?? Promise.resolve()).then(() => askUnless(url, name, tools));
  lanes.set(
    name,
    turn.then(
      () => undefined,
      () => undefined, // the caller of this turn gets the error
    ),
  );
  return turn;
}

async function askUnless(
  url: string,
  name: string,
  { transport, counts, signal, options, store }: PlanTools,
): Promise<ExchangeResult | undefined> {
  const { id, nextAt } = store.hosts.named(name);
  try {
    const wait = nextAt - Date.now();
    if (wait > 0) await sleep(wait, undefined, { signal });
    counts.exchanges += 1;
    return await transport.exchange({ url, maxBytes: ROBOTS_BYTES }, signal);
  } catch (error) {
    if (signal.aborted) return undefined;
    throw error;
  } finally {
    const delayMs = delayOf(undefined, options.hooks?.delayFor?.(name), options.politeness);
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
