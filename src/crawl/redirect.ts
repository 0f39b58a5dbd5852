/** Where an answer sends a crawler into the entry of the frontier that it becomes, or into why nobody goes there. */
import type { Reason } from "../outcome.js";
import type { Crew } from "./crew.js";
import { canonicalUrl } from "./url.js";
import type { Entry, NewEntry } from "./url-table.js";

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
