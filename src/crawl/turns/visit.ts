/** Fetches one URL of the frontier, and records its outcome: a page, a list, a redirect, a reject, or a retry. */
import { mayHoldPage, toAnsweredPage } from "../../acquire/http/answer-page.js";
import { headerOf } from "../../acquire/http/exchange.js";
import type { Exchange, ExchangeResult, Failure } from "../../acquire/http/transport.js";
import type { Page } from "../../document.js";
import { reserveUses } from "../../document/reservations.js";
import { readRobotsTag } from "../../extract/robots-directives.js";
import { accept, reject, type Outcome, type Reason, type Reject } from "../../outcome.js";
import { digestAnswer } from "../../write/warc/warc-exchange.js";
import { ask, restBeforeRetry, type Crew } from "./crew.js";
import {
  addListed,
  findLinks,
  findRedirect,
  findRefresh,
  LIST_BYTES,
  mayBeList,
  readList,
} from "./found-urls.js";
import { canonicalUrl, withoutSession } from "../reach/url.js";
import { mayPass } from "../robots/politeness.js";
import { productTokenOf } from "../robots/robots.js";
import type { Host } from "../state/frontier.js";
import type { Entry, Finish } from "../state/url-table.js";
import { isSuccess } from "../../acquire/http/status.js";

/** Fetches a URL; after a failure that may be temporary, it stays queued for another try. */
export async function visit(host: Host, entry: Entry, crew: Crew): Promise<void> {
  const { store, options, counts } = crew;
  const accepts = mayBeList(entry) ? undefined : mayHoldPage;
  const request = {
    url: entry.url,
    headers: toConditions(entry),
    ...(accepts && { accepts }),
    ...(entry.kind === "list" && { maxBytes: LIST_BYTES }),
  };
  const result = await ask(host, request, crew);
  const tries = entry.attempts + 1;
  if (isPassing(result) && tries <= options.politeness.retries) {
    counts.retried += 1;
    store.urls.addAttempt(entry.id);
    restBeforeRetry(host, { result, tries }, crew);
    return;
  }
  // Other URLs of the host can still be fetched, but the pause that the server asks for applies to all of them.
  if (result.ok && mayPass(result.exchange.status)) restBeforeRetry(host, { result, tries: 1 }, crew);
  judgeHost(host, result, crew);
  if (!result.ok) return finishFailure(entry, result, crew);
  counts.bytes += result.exchange.bytes.length;
  await finishExchange(host, { entry, exchange: result.exchange }, crew);
}

/** Returns headers that make the request conditional if an earlier crawl got an answer. */
function toConditions({ kind, earlier }: Entry): Record<string, string> {
  if (kind === "list") return {};
  return {
    ...(earlier.etag !== undefined && { "if-none-match": earlier.etag }),
    ...(earlier.lastModified !== undefined && { "if-modified-since": earlier.lastModified }),
  };
}

function isPassing(result: ExchangeResult): boolean {
  return result.ok ? mayPass(result.exchange.status) : result.failure.retryable;
}

/** Reject reasons that are a fault of the host, not of one of its URLs. */
export const OF_HOST: readonly Reason[] = ["blocked-address", "dns", "tls", "fetch-failed", "timeout"];

/** Counts the failures of a host in a row, and closes a host that keeps failing. */
function judgeHost(host: Host, result: ExchangeResult, { options }: Crew): void {
  const failure = result.ok ? failureOf(result.exchange) : result.failure;
  if (failure === undefined || !(result.ok || OF_HOST.includes(failure.reason))) {
    host.failures = 0;
    return;
  }
  host.failures += 1;
  if (host.failures < options.politeness.failures) return;
  const detail = `given up after ${host.failures} consecutive failures of the host, the last one: ${failure.detail}`;
  host.closed = { reason: failure.reason, detail };
}

function failureOf({ status }: Exchange): Pick<Failure, "reason" | "detail"> | undefined {
  return mayPass(status) ? { reason: "http-status", detail: `HTTP ${status}` } : undefined;
}

type Failed = Extract<ExchangeResult, { readonly ok: false }>;

async function finishFailure({ id, url }: Entry, { failure, exchange }: Failed, crew: Crew): Promise<void> {
  const { reason, detail } = failure;
  const { status, contentType, ms, startedAt } = exchange ?? {};
  await crew.recorder.record({
    id,
    outcome: reject({ id: url, url }, "acquire", reason, detail),
    finish: {
      result: "rejected",
      reason,
      detail,
      ...(status !== undefined && { status }),
      ...(contentType !== undefined && { contentType }),
      ...(ms !== undefined && { ms: Math.round(ms) }),
      ...(startedAt !== undefined && { fetchedAt: startedAt.toISOString() }),
    },
  });
}

interface Visited {
  readonly entry: Entry;
  readonly exchange: Exchange;
}

async function finishExchange(host: Host, { entry: asked, exchange }: Visited, crew: Crew): Promise<void> {
  const entry = { ...asked, ...crew.store.urls.wayTo(asked.id) };
  const visited = { entry, exchange };
  if (exchange.status === 304 && Object.keys(toConditions(entry)).length > 0)
    return finishUnmodified(visited, crew);
  if (exchange.location !== undefined) return finishRedirect(visited, exchange.location, crew);
  const reservations = reservationsOf(exchange.url, crew);
  const outcome = await toOutcome(exchange, reservations, crew.options.transport.maxBytes);
  if (await finishList(visited, outcome, crew)) return;
  if (!outcome.ok) return finishReject(visited, outcome, crew);
  const links = await linksOf(outcome.value, visited, crew);
  const refresh = findRefresh(outcome.value, exchange);
  const followAll = (): void => {
    if (refresh !== undefined) followRefresh(refresh, entry, crew);
    for (const link of links) follow(link, entry, crew);
  };
  if (isSame(visited)) return finishUnmodified(visited, crew, followAll);
  crew.counts.pages += 1;
  host.pages += 1;
  await crew.recorder.record({
    id: entry.id,
    exchange,
    reservations,
    outcome,
    finish: {
      result: "page",
      ...factsOf(exchange),
      ...validatorsOf(exchange),
      pageDate: exchange.startedAt.toISOString(),
      // With an archive, packing the answer gives the digest.
      ...(!crew.options.warc && { digest: digestAnswer(exchange) }),
    },
    apply: () => {
      crew.store.hosts.addPage(host.id);
      followAll();
    },
  });
}

/** Returns the uses of a page that files of its site reserve. */
function reservationsOf(url: string, { options, robots }: Crew): string[] {
  const inRobots = robots.rulesFor(url)?.robots.reservationsOf(url) ?? [];
  const inTdmrep = options.tdmrep ? (robots.reservedFor(url)?.(url) ?? []) : [];
  return [...inRobots, ...inTdmrep];
}

/** Returns the headers with which a later request for the same page is made conditional. */
function validatorsOf({ headers }: Exchange): Pick<Finish, "etag" | "lastModified"> {
  const etag = headerOf(headers, "etag");
  const lastModified = headerOf(headers, "last-modified");
  return { ...(etag !== undefined && { etag }), ...(lastModified !== undefined && { lastModified }) };
}

/** Whether an earlier crawl got the same page: many servers do not answer 304 for it. */
function isSame({ entry: { earlier }, exchange }: Visited): boolean {
  return (
    earlier.pageDate !== undefined &&
    earlier.digest !== undefined &&
    earlier.digest === digestAnswer(exchange)
  );
}

/**
 * Makes a page from an answer, the same as `readArchived` in replay.ts later reads from the archive. Its id is its URL.
 */
async function toOutcome(
  exchange: Exchange,
  reservations: readonly string[],
  maxBytes: number,
): Promise<Outcome<Page>> {
  const answered = await toAnsweredPage(exchange, { id: exchange.url, maxBytes });
  const page = reserveUses(answered, reservations);
  // In the form of the archive, so that cleaning the page again from there gives the same result.
  const date = `${exchange.startedAt.toISOString().slice(0, 19)}Z`;
  return page.ok ? accept({ ...page.value, carried: JSON.stringify({ "WARC-Date": date }) }) : page;
}

/** Finds the links of a page that may be followed. */
async function linksOf(
  page: Page,
  { entry, exchange }: Visited,
  { options, counts }: Crew,
): Promise<string[]> {
  if (entry.depth >= options.scope.depth) return [];
  const own = await options.hooks?.findLinks?.(page);
  if (own !== undefined) return [...own];
  const agent = productTokenOf(options.transport.userAgent ?? "Thresher");
  const { links, leftOut } = findLinks(page, agent);
  counts.leftOut["too-many"] += leftOut;
  const tags = exchange.headers.filter(([name]) => name.toLowerCase() === "x-robots-tag");
  const asked = readRobotsTag(
    tags.map(([, value]) => value),
    agent,
  );
  const followed = links.filter(
    ({ nofollow }) => options.robots === "ignore" || !(nofollow || asked.nofollow),
  );
  counts.leftOut.nofollow += links.length - followed.length;
  return followed.map(({ url }) => url);
}

/** Adds the target of a refresh like that of a redirect, at the same depth. The page itself stays a page. */
function followRefresh(target: string, entry: Entry, crew: Crew): void {
  const found = findRedirect(entry, target, crew);
  if (!("reason" in found)) crew.frontier.add(found);
  else if (found.reason === "out-of-scope" || found.reason === "trap") crew.counts.leftOut[found.reason] += 1;
}

/** Adds the target of a link to the frontier, or counts why it is not followed. */
function follow(link: string, { url, seed, depth }: Entry, { scope, frontier, counts }: Crew): void {
  const canonical = canonicalUrl(link, url);
  if (canonical === undefined) return;
  const target = withoutSession(canonical);
  const verdict = scope.admits(target, depth + 1, seed);
  if (verdict.admitted) frontier.add({ url: target, kind: "page", seed, depth: depth + 1, hops: 0 });
  else counts.leftOut[verdict.reason] += 1;
}

async function finishUnmodified(
  { entry, exchange }: Visited,
  { recorder }: Crew,
  apply?: () => void,
): Promise<void> {
  const { id, url, earlier } = entry;
  const { warcRecord, digest, pageDate } = earlier;
  await recorder.record({
    id,
    exchange,
    original: {
      profile: exchange.status === 304 ? "server-not-modified" : "identical-payload-digest",
      ...(warcRecord !== undefined && { record: warcRecord }),
      ...(pageDate !== undefined && { date: pageDate }),
      ...(digest !== undefined && { digest }),
    },
    outcome: reject({ id: url, url }, "acquire", "not-modified"),
    finish: {
      result: "rejected",
      reason: "not-modified",
      ...factsOf(exchange),
      // Names the record that has the page, not the one that says that it has not changed.
      ...earlier,
      ...validatorsOf(exchange),
    },
    ...(apply && { apply }),
  });
}

async function finishRedirect({ entry, exchange }: Visited, location: string, crew: Crew): Promise<void> {
  const found = findRedirect(entry, location, crew);
  if ("reason" in found) {
    const { reason, detail, isEndless = false } = found;
    const setsCookie = headerOf(exchange.headers, "set-cookie") !== undefined;
    const why =
      isEndless && setsCookie ? `${detail}; the server sets a cookie, but crawls keep no cookies` : detail;
    const outcome = reject({ id: entry.url, url: entry.url }, "acquire", reason, why);
    return finishReject({ entry, exchange }, outcome, crew);
  }
  await crew.recorder.record({
    id: entry.id,
    exchange,
    finish: { result: "redirected", redirectedTo: found.url, ...factsOf(exchange) },
    apply: () => {
      crew.frontier.add(found);
    },
  });
}

/** Records a list; returns false if the answer is not a list. A seed can be a list without being named as one. */
async function finishList(
  { entry, exchange }: Visited,
  outcome: Outcome<Page>,
  crew: Crew,
): Promise<boolean> {
  if (!mayBeList(entry) || (entry.kind === "page" && outcome.ok)) return false;
  if (!isSuccess(exchange.status)) return false;
  const read = await readList(exchange, entry);
  if (!read.ok) {
    if (entry.kind === "page") return false;
    await finishReject(
      { entry, exchange },
      reject({ id: entry.url, url: entry.url }, read.stage, read.reason, read.detail),
      crew,
    );
    return true;
  }
  const list = read.value;
  await crew.recorder.record({
    id: entry.id,
    finish: { result: "list", detail: list.detail, ...factsOf(exchange) },
    apply: () => {
      addListed(list, crew);
    },
  });
  return true;
}

async function finishReject({ entry, exchange }: Visited, outcome: Reject, crew: Crew): Promise<void> {
  const { reason, detail } = outcome;
  await crew.recorder.record({
    id: entry.id,
    exchange,
    outcome,
    finish: { result: "rejected", reason, ...(detail !== undefined && { detail }), ...factsOf(exchange) },
  });
}

function factsOf(exchange: Exchange): Partial<Finish> {
  const { status, contentType, bytes, ms, startedAt } = exchange;
  return {
    status,
    bytes: bytes.length,
    ms: Math.round(ms),
    fetchedAt: startedAt.toISOString(),
    ...(contentType !== undefined && { contentType }),
  };
}
