/**
 * Takes one turn of a host: at most one exchange, for its robots.txt, its tdmrep.json, or the first of its URLs that may
 * be fetched.
 */
import { reject } from "../../outcome.js";
import { ask, delayFor, heed, rest, restBeforeRetry, type Crew } from "./crew.js";
import { canonicalUrl } from "../reach/url.js";
import { ROBOTS_BYTES } from "../robots/robots-keeper.js";
import { robotsUrlOf } from "../robots/robots.js";
import { tdmrepUrlOf } from "../robots/tdmrep.js";
import type { Refusal } from "../seed-entries.js";
import { hostNameOf, type Errand, type Frontier, type Host } from "../state/frontier.js";
import type { Entry } from "../state/url-table.js";
import { visit } from "./visit.js";

/** URLs of a host that are rejected without an exchange before other hosts get their turn. */
const MOST_CHECKS = 50;

/** Takes a turn. Afterwards the host is ready again, waits for another host, or has no URLs left. */
export async function takeTurn(host: Host, crew: Crew): Promise<void> {
  const { frontier, store, options } = crew;
  const errand = host.errands.shift();
  if (errand !== undefined) return runErrand(host, errand, crew);
  if (host.isWaiting) {
    frontier.block(host);
    return;
  }
  for (let checks = 0; checks < MOST_CHECKS; checks += 1) {
    const entry = store.urls.next(host.id);
    if (entry === undefined || host.pages >= options.budgets.pagesPerHost) {
      frontier.drop(host);
      return;
    }
    const refusal = await judge(host, entry, crew);
    if (refusal === "unknown" || (refusal === undefined && lacksSitemaps(entry, crew)))
      return runErrand(host, toErrand("robots.txt", entry, host), crew);
    if (refusal === undefined && lacksTdmrep(entry, crew))
      return runErrand(host, toErrand("tdmrep.json", entry, host), crew);
    if (options.sitemaps && entry.depth === 0) listOnce(host, entry, crew);
    if (refusal === undefined) {
      const early = host.askedAt === 0 ? crew.resumedAt + delayFor(host, entry.url, crew) - Date.now() : 0;
      if (crew.resumedAt > 0 && early > 0) rest(host, crew, early);
      else await visit(host, entry, crew);
      frontier.putBack(host);
      return;
    }
    await turnAway(entry, refusal, crew);
  }
  frontier.putBack(host);
}

/** Returns why a URL is not fetched; undefined if it may be; "unknown" if its robots.txt must be fetched first. */
export async function judge(
  host: Pick<Host, "closed">,
  { url }: Pick<Entry, "url">,
  { options, robots }: Pick<Crew, "options" | "robots">,
): Promise<Refusal | "unknown" | undefined> {
  if (host.closed !== undefined) return host.closed;
  if (options.robots === "obey") {
    const rules = robots.rulesFor(url);
    if (rules === undefined) return "unknown";
    if (rules.silence !== undefined) return rules.silence;
    if (!rules.robots.allows(url)) return { reason: "robots", detail: "forbidden by robots.txt" };
    const { delayMs = 0 } = rules.robots;
    const { maxDelayMs } = options.politeness;
    if (delayMs > maxDelayMs)
      return {
        reason: "robots",
        detail: `Crawl-delay of ${delayMs / 1000} s, more than the limit of ${maxDelayMs / 1000} s`,
      };
  }
  const mayFetch = (await options.hooks?.mayFetch?.(url)) ?? true;
  return mayFetch ? undefined : { reason: "out-of-scope", detail: "refused by mayFetch" };
}

/** Whether the robots.txt for a URL must be fetched only because it names sitemaps. */
function lacksSitemaps({ url, depth }: Entry, { options, robots }: Crew): boolean {
  return options.sitemaps && depth === 0 && robots.rulesFor(url) === undefined;
}

/** Whether the tdmrep.json for a URL must be fetched first; a robots.txt may forbid it. */
function lacksTdmrep({ url }: Entry, { options, robots }: Crew): boolean {
  if (!options.tdmrep) return false;
  const isAllowed =
    options.robots === "ignore" || robots.rulesFor(url)?.robots.allows(tdmrepUrlOf(url)) === true;
  return isAllowed && robots.reservedFor(url) === undefined;
}

function toErrand(file: Errand["file"], { url }: Entry, owner: Host): Errand {
  const at = file === "robots.txt" ? robotsUrlOf(url) : tdmrepUrlOf(url);
  return { file, origin: new URL(url).origin, url: at, hops: 0, tries: 0, owner };
}

/** Records a URL that is not fetched as a reject. */
async function turnAway({ id, url }: Entry, { reason, detail }: Refusal, { recorder }: Crew): Promise<void> {
  const outcome = reject({ id: url, url }, "acquire", reason, detail);
  await recorder.record({ id, finish: { result: "rejected", attempts: 0, reason, detail }, outcome });
}

/** Fetches a file about a site, or follows its redirect, perhaps for another host. */
async function runErrand(host: Host, errand: Errand, crew: Crew): Promise<void> {
  const { frontier, robots } = crew;
  const { politeness } = crew.options;
  const result = await ask(host, { url: errand.url, maxBytes: ROBOTS_BYTES, longer: "cut" }, crew);
  const read = robots.read(errand, result, errand.tries < politeness.retries);
  if (read === "retry") {
    crew.counts.retried += 1;
    host.errands.push({ ...errand, tries: errand.tries + 1 });
    restBeforeRetry(host, { result, tries: errand.tries + 1 }, crew);
    frontier.putBack(host);
    return;
  }
  const { owner } = errand;
  if (read === "known") {
    heed(owner, errand.origin, crew);
    owner.isWaiting = false;
    if (owner !== host) frontier.release(owner);
    frontier.putBack(host);
    return;
  }
  owner.isWaiting = true;
  const next = { ...errand, url: read.url, hops: errand.hops + 1, tries: 0 };
  if (hostNameOf(read.url) === host.name) host.errands.unshift(next);
  else frontier.send(next);
  frontier.block(host);
}

/** Adds the sitemaps of a seed's origin when the first of its URLs has its turn. */
function listOnce({ listed }: Host, { url, seed }: Entry, crew: Crew): void {
  const { origin } = new URL(url);
  if (listed.has(origin)) return;
  listed.add(origin);
  addSitemaps({ origin, seed }, crew);
}

/** Adds the lists that the robots.txt of a seed's host names, as lists of that seed. */
export function addSitemaps(
  { origin, seed }: Pick<Errand, "origin"> & Pick<Entry, "seed">,
  { robots, frontier }: Pick<Crew, "robots"> & { readonly frontier: Pick<Frontier, "add"> },
): void {
  for (const url of robots.rulesFor(origin)?.robots.sitemaps ?? []) {
    const canonical = canonicalUrl(url);
    if (canonical !== undefined) frontier.add({ url: canonical, kind: "list", seed, depth: 0, hops: 0 });
  }
}
