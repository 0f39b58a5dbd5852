/** Finds the URLs in an answer: those that a list names, those that a page links to, and the target of a redirect. */
import { tellCount } from "../../count.js";
import { headerOf } from "../../acquire/http/exchange.js";
import type { Exchange } from "../../acquire/http/transport.js";
import { chooseFormat } from "../../acquire/kind.js";
import { readSitemap, SITEMAP_LIMITS } from "../../acquire/lists/sitemap.js";
import type { Page } from "../../document.js";
import { readPageLinks, readRefresh, type PageLinks } from "../../extract/links.js";
import { decodeLatin1 } from "../../bytes/latin1.js";
import { accept, type Outcome, type Reason } from "../../outcome.js";
import { decodePage, type DecodedPage } from "../../parse/charset.js";
import { parseQuickly } from "../../parse/quick-tree.js";
import { openNoscript } from "../../parse/readings.js";
import type { Crew } from "./crew.js";
import type { Scope, Verdict } from "../reach/scope.js";
import { canonicalUrl, withoutSession } from "../reach/url.js";
import type { Frontier } from "../state/frontier.js";
import type { Entry, NewEntry } from "../state/url-table.js";

/** A sitemap or feed, as entries of the frontier. */
interface ReadList {
  readonly entries: readonly NewEntry[];
  /** What was found, in a few words. */
  readonly detail: string;
}

/** The most bytes of a list. */
export const LIST_BYTES = SITEMAP_LIMITS.maxBytes;
/** The most levels of lists in lists. */
const MAX_NESTED = 5;

/** Whether the answer to an entry may be read as a list if it is not a page. */
export function mayBeList({ kind, url, seed }: Entry): boolean {
  return kind === "list" || url === seed;
}

/**
 * Reads a list. If the list is a seed, the URLs that it names are seeds, each with a scope of its own; if it was found
 * in a robots.txt, they belong to the seed that led there.
 */
export async function readList(exchange: Exchange, { url, seed, hops }: Entry): Promise<Outcome<ReadList>> {
  const read = await readSitemap(exchange.bytes, exchange.url);
  if (!read.ok) return read;
  const { kind, entries, notes } = read.value;
  const isNested = kind === "index";
  const found = isNested && hops >= MAX_NESTED ? [] : entries;
  const canonical = found.map((entry) => canonicalUrl(entry.url, url)).filter((known) => known !== undefined);
  const detail = [`${kind} of ${tellCount(entries.length, "URL")}`, ...notes].join("; ");
  return accept({
    detail,
    entries: canonical.map(withoutSession).map((known) => ({
      url: known,
      kind: isNested ? "list" : "page",
      seed: seed === url ? known : seed,
      depth: 0,
      hops: isNested ? hops + 1 : 0,
    })),
  });
}

/** Adds the URLs of a list that are in scope to the frontier, and counts the others. */
export function addListed(
  { entries }: ReadList,
  { scope, frontier, counts }: Pick<Crew, "scope" | "counts"> & { readonly frontier: Pick<Frontier, "add"> },
): void {
  for (const found of entries) {
    const verdict = judgeListed(found, scope);
    if (verdict.admitted) frontier.add(found);
    else counts.leftOut[verdict.reason] += 1;
  }
}

/** Checks a URL of a list. A list in a list is always read; only the pages that it names are checked. */
function judgeListed({ url, kind, seed }: NewEntry, scope: Scope): Verdict {
  if (kind === "list") return { admitted: true };
  return seed === url ? scope.admitsListed(url) : scope.admits(url, 0, seed);
}

/** The most different URLs that a page may link to; a sitemap may name as many. */
const MAX_LINKS = SITEMAP_LIMITS.maxUrls;

/**
 * Reads the links of a page up to MAX_LINKS, also those in `noscript`; plain text has no links. `agent` is our product
 * token, which robots metas of the page may name.
 */
export function findLinks(page: Page, agent: string): Pick<PageLinks, "links" | "leftOut"> {
  const decoded = decodeHtml(page);
  if (decoded === undefined) return { links: [], leftOut: 0 };
  const { text, notes } = decoded;
  const { id, url } = page;
  const { root } = parseQuickly({ id, url, html: openNoscript(text) ?? text, notes, keeps: "all" });
  return readPageLinks(root, url, { agent, maxLinks: MAX_LINKS });
}

/** Returns undefined for plain text. */
function decodeHtml({ content }: Page): DecodedPage | undefined {
  if (content.kind !== "bytes") return undefined;
  const { bytes, contentType, format } = content;
  if ((format ?? chooseFormat(bytes, contentType)) === "text") return undefined;
  return decodePage(bytes, contentType);
}

/** The most seconds of a refresh that counts as a redirect; pages that later show something else wait longer. */
const MAX_REFRESH_S = 10;
/** The bytes at the beginning of a page in which a refresh is searched for. */
const REFRESH_WINDOW = 1 << 14;
const REFRESH_META = /http-equiv\s{0,20}=\s{0,20}["']?\s{0,20}refresh/i;

/**
 * Finds where a page redirects its readers at once, by its header or a meta element, as a canonical URL. A refresh in
 * `noscript` does not count.
 */
export function findRefresh(page: Page, { headers }: Pick<Exchange, "headers">): string | undefined {
  const { id, url, content } = page;
  const header = readRefresh(headerOf(headers, "refresh") ?? "");
  if (header !== undefined && header.seconds <= MAX_REFRESH_S) return canonicalUrl(header.href, url);
  // Parses only the few pages that may have a refresh.
  if (content.kind !== "bytes" || !REFRESH_META.test(decodeLatin1(content.bytes.subarray(0, REFRESH_WINDOW))))
    return undefined;
  const decoded = decodeHtml(page);
  if (decoded === undefined) return undefined;
  const { root } = parseQuickly({ id, url, html: decoded.text, notes: decoded.notes });
  const found = readPageLinks(root, url).refreshes.find(({ seconds }) => seconds <= MAX_REFRESH_S);
  return found && canonicalUrl(found.url);
}

/** The most redirects in a row; browsers and other crawlers follow at least as many. */
const MAX_HOPS = 10;

/** Why a redirect is not followed. */
interface NoRedirect {
  readonly reason: Reason;
  readonly detail: string;
  /** Whether it is a loop, or too many redirects in a row. */
  readonly isEndless?: boolean;
}

/**
 * Makes an entry for the target of a redirect, or returns why it is not followed. The target is queued like any other
 * URL, so the robots.txt and the delay of its host apply. Redirects from https to http are followed too, because
 * nothing is sent that an unencrypted connection could reveal. The target of a seed replaces it as a seed. Loops are
 * found by earlier redirects, which the state stores.
 */
export function findRedirect(
  entry: Entry,
  location: string,
  { store, scope }: Pick<Crew, "store" | "scope">,
): NewEntry | NoRedirect {
  const written = canonicalUrl(location, entry.url);
  if (written === undefined)
    return {
      reason: "http-status",
      detail: `redirect to a URL that cannot be fetched: ${location.slice(0, 200)}`,
    };
  const endless = { reason: "http-status", isEndless: true } as const;
  // Servers add a session id to redirects for visitors without cookies; few of them insist on it.
  const plain = withoutSession(written);
  const url = leadsTo(entry.url, plain, store) ? written : plain;
  if (leadsTo(entry.url, url, store)) return { ...endless, detail: `redirect loop at ${url}` };
  const hops = entry.hops + 1;
  if (hops > MAX_HOPS) return { ...endless, detail: `more than ${MAX_HOPS} redirects` };
  const seed = entry.seed === entry.url ? url : entry.seed;
  const verdict = scope.admits(url, entry.depth, seed);
  if (!verdict.admitted) return { reason: verdict.reason, detail: `redirect to ${url}: ${verdict.detail}` };
  return { url, kind: entry.kind, seed, depth: entry.depth, hops };
}

/** Whether the redirects that start at `from` lead back to `url`. */
function leadsTo(url: string, from: string, { urls }: Crew["store"]): boolean {
  let at: string | undefined = from;
  for (let hops = 0; hops <= MAX_HOPS && at !== undefined; hops += 1) {
    if (at === url) return true;
    at = urls.redirectOf(at);
  }
  return false;
}
