/** An answer that is a list of URLs, a sitemap or a feed, into the entries of the frontier that it names. */
import type { Exchange } from "../acquire/http/transport.js";
import { chooseFormat } from "../acquire/kind.js";
import { readSitemap, SITEMAP_LIMITS } from "../acquire/lists/sitemap.js";
import type { Page } from "../document.js";
import { readLinks, type PageLink } from "../extract/links.js";
import { accept, type Outcome, type Reason } from "../outcome.js";
import { decodePage } from "../parse/charset.js";
import { parseQuickly } from "../parse/quick-tree.js";
import type { Crew } from "./crew.js";
import { canonicalUrl } from "./reach/url.js";
import type { Entry, NewEntry } from "./state/url-table.js";

export interface ReadList {
  readonly entries: readonly NewEntry[];
  /** What was found, in a few words. */
  readonly detail: string;
}

/** Bytes that a list may have. */
export const LIST_BYTES = SITEMAP_LIMITS.maxBytes;
/** Lists in lists. */
const MAX_NESTED = 5;

/** Whether an answer to an entry may be read as a list, at least if it is no page. */
export function mayBeList({ kind, url, seed }: Entry): boolean {
  return kind === "list" || url === seed;
}

/**
 * What a list names that is a seed itself are seeds, each with a reach of its own; what one names that was found in a
 * robots.txt belongs to the seed that led there.
 */
export async function readList(exchange: Exchange, { url, seed, hops }: Entry): Promise<Outcome<ReadList>> {
  const read = await readSitemap(exchange.bytes, exchange.url);
  if (!read.ok) return read;
  const { kind, entries, notes } = read.value;
  const isNested = kind === "index";
  const found = isNested && hops >= MAX_NESTED ? [] : entries;
  const canonical = found.map((entry) => canonicalUrl(entry.url, url)).filter((known) => known !== undefined);
  const detail = [`${kind} of ${entries.length} URLs`, ...notes].join("; ");
  return accept({
    detail,
    entries: canonical.map((known) => ({
      url: known,
      kind: isNested ? "list" : "page",
      seed: seed === url ? known : seed,
      depth: 0,
      hops: isNested ? hops + 1 : 0,
    })),
  });
}

/* MERGED src/crawl/found.ts: A page into the URLs that it links to, read where its answer is. */

/** Bounded like all that is read of a page; text has no links. */
export function findLinks({ id, url, content }: Page): readonly PageLink[] {
  if (content.kind !== "bytes") return [];
  const { bytes, contentType, format } = content;
  if ((format ?? chooseFormat(bytes, contentType)) === "text") return [];
  const { text, notes } = decodePage(bytes, contentType);
  return readLinks(parseQuickly({ id, url, html: text, notes }).root, url);
}

/* MERGED src/crawl/found.ts: Where an answer sends a crawler into the entry of the frontier that it becomes, or into why nobody goes there. */

/** As many as browsers and other crawlers follow at least. */
const MAX_HOPS = 10;

/**
 * The target waits its turn like any other URL, so its host's robots.txt and delay hold. From http to https and back
 * are both followed: nothing is sent along that an unencrypted connection could give away. What a seed leads to takes
 * its place as a seed. Loops are found by what earlier answers said, which the state keeps.
 */
export function findRedirect(
  entry: Entry,
  location: string,
  { store, scope }: Pick<Crew, "store" | "scope">,
): NewEntry | { readonly reason: Reason; readonly detail: string } {
  const url = canonicalUrl(location, entry.url);
  if (url === undefined)
    return { reason: "http-status", detail: `redirect to what cannot be fetched: ${location.slice(0, 200)}` };
  if (leadsTo(entry.url, url, store)) return { reason: "http-status", detail: `redirect loop at ${url}` };
  const hops = entry.hops + 1;
  if (hops > MAX_HOPS) return { reason: "http-status", detail: `more than ${MAX_HOPS} redirects` };
  const seed = entry.seed === entry.url ? url : entry.seed;
  const verdict = scope.admits(url, entry.depth, seed);
  if (!verdict.admitted) return { reason: verdict.reason, detail: `redirect to ${url}: ${verdict.detail}` };
  return { url, kind: entry.kind, seed, depth: entry.depth, hops };
}

/** Whether the redirects behind `from` come back to `url`. */
function leadsTo(url: string, from: string, { urls }: Crew["store"]): boolean {
  let at: string | undefined = from;
  for (let hops = 0; hops <= MAX_HOPS && at !== undefined; hops += 1) {
    if (at === url) return true;
    at = urls.redirectOf(at);
  }
  return false;
}
