/** A URL into the answer at the end of its redirects, which may not lead from the public into the private. */
import { isIP } from "node:net";
import { whyNotPublic } from "./address.js";
import { fail, type Failure } from "./failure.js";
import type { Exchange, Transport } from "./transport.js";

/** Two that differ in the addresses that they admit. */
export type Transports = Readonly<Record<"any" | "public", Transport>>;

const MAX_REDIRECTS = 10;

export interface Following {
  readonly transports: Transports;
  readonly signal: AbortSignal;
  readonly accepts?: (contentType: string | undefined) => boolean;
}

/** The first answer that leads nowhere else, or why there is none. */
type End =
  { readonly ok: true; readonly exchange: Exchange } | { readonly ok: false; readonly failure: Failure };

/**
 * Asks, and asks where the answer points to, until there is one that does not. From https to http as well, as browsers
 * and other programs go: nothing secret goes with it. Once a public server has answered, only such may follow.
 */
export async function followRedirects(
  first: string,
  { transports, signal, accepts }: Following,
): Promise<End> {
  const seen = new Set<string>();
  let url = first;
  let policy: keyof Transports = "any";
  for (;;) {
    const result = await transports[policy].exchange({ url, ...(accepts && { accepts }) }, signal);
    if (!result.ok) return result;
    const { exchange } = result;
    if (exchange.location === undefined) return result;
    seen.add(withoutFragment(exchange.url));
    const refuse = (detail: string): End => ({
      ok: false,
      failure: fail("http-status", `HTTP ${exchange.status}: ${detail}`, false),
    });
    const next = exchange.location;
    if (!/^https?:/.test(next) || !URL.canParse(next))
      return refuse(`redirect to what cannot be fetched: ${next}`);
    if (seen.has(withoutFragment(next))) return refuse(`redirect loop at ${next}`);
    if (seen.size > MAX_REDIRECTS) return refuse(`more than ${MAX_REDIRECTS} redirects`);
    if (!isPrivate(exchange.address)) policy = "public";
    url = next;
  }
}

/** An address that is not known may be a public one. */
function isPrivate(address: string): boolean {
  return isIP(address) !== 0 && whyNotPublic(address) !== undefined;
}

function withoutFragment(url: string): string {
  const { href, hash } = new URL(url);
  return href.slice(0, href.length - hash.length);
}
