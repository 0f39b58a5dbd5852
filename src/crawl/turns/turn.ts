/**
 * Takes one turn of a host: at most one exchange, for its robots.txt, its tdmrep.json, or the first of its URLs that may
 * be fetched.
 */
import { reject } from "../../outcome.js";
import type { ResolvedOptions } from "../crawl-options.js";
import { ask, delayFor, heed, rest, restBeforeRetry, type Crew } from "./crew.js";
import { canonicalUrl } from "../reach/url.js";
import { ROBOTS_BYTES, type OriginRules } from "../robots/robots-keeper.js";
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
  const { frontier, store, options, robots } = crew;
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
    const rules = robots.rulesFor(entry.url);
    if (host.closed === undefined && rules === undefined && needsRobots(entry, options))
      return runErrand(host, toErrand("robots.txt", entry, host), crew);
    const refusal = host.closed ?? (await judge(entry, rules, options));
    if (refusal === undefined && lacksTdmrep(entry, crew))
      return runErrand(host, toErrand("tdmrep.json", entry, host), crew);
    addSitemaps(host, entry, crew);
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

/** Whether the robots.txt for a URL must be known: for its rules, or for the sitemaps that it names. */
export function needsRobots(
  { depth }: Pick<Entry, "depth">,
  { robots, sitemaps }: Pick<ResolvedOptions, "robots" | "sitemaps">,
): boolean {
  return robots === "obey" || (sitemaps && depth === 0);
}

/** Returns why a URL is not fetched, by the rules that its robots.txt has; undefined if it may be fetched. */
export async function judge(
  { url }: Pick<Entry, "url">,
  rules: OriginRules | undefined,
  options: ResolvedOptions,
): Promise<Refusal | undefined> {
  if (options.robots === "obey" && rules !== undefined) {
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

/**
 * Adds the lists that the robots.txt for a seed names, as lists of that seed, when the first URL of its origin has its
 * turn, whether it is fetched or not.
 */
export function addSitemaps(
  { listed }: Pick<Host, "listed">,
  { url: found, seed, depth }: Entry,
  {
    options,
    robots,
    frontier,
  }: Pick<Crew, "options" | "robots"> & { readonly frontier: Pick<Frontier, "add"> },
): void {
  if (!options.sitemaps || depth > 0) return;
  const { origin } = new URL(found);
  if (listed.has(origin)) return;
  listed.add(origin);
  for (const url of robots.rulesFor(origin)?.robots.sitemaps ?? []) {
    const canonical = canonicalUrl(url);
    if (canonical !== undefined) frontier.add({ url: canonical, kind: "list", seed, depth: 0, hops: 0 });
  }
}
