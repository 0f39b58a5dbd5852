/** An answer that is a list of URLs, a sitemap or a feed, into the entries of the frontier that it names. */
import { readSitemap, SITEMAP_LIMITS } from "../acquire/sitemap.js";
import type { Exchange } from "../acquire/transport.js";
import { accept, type Outcome } from "../outcome.js";
import { canonicalUrl } from "./url.js";
import type { Entry, NewEntry } from "./url-table.js";

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
