/** Fetches the page at a URL that a user gave: follows redirects, and limits time and size whatever the server does. */
import { isIP } from "node:net";
import type { Page } from "../../document.js";
import { reject, type Outcome } from "../../outcome.js";
import { parseWebUrl, withoutUser } from "../../parse-url.js";
import { startDeadline } from "../../time/stop.js";
import type { InputKind } from "../kind.js";
import { whyNotPublic } from "./addresses.js";
import { mayHoldPage, toAnsweredPage } from "./answer-page.js";
import { createChainCookies } from "./chain-cookies.js";
import { fail, type Failure } from "./failure.js";
import {
  openTransport,
  type AddressPolicy,
  type TransportOptions,
  type Exchange,
  type Transport,
} from "./transport.js";

export interface FetchOptions extends Pick<TransportOptions, "ca" | "lookup" | "proxy"> {
  /** The most decoded bytes of a page. */
  readonly maxBytes: number;
  /** Milliseconds for a whole fetch, with redirects and body. */
  readonly timeoutMs: number;
  /** The version in our `user-agent` header: "Thresher/<version>". */
  readonly version?: string;
  /** The kind of the page, whatever the server says. */
  readonly from?: InputKind;
  /**
   * Default "any": users may name their own private server, but redirects from a public server must lead to public
   * ones. Use "public" if the URL comes from somebody else: then every address must be public.
   */
  readonly addresses?: AddressPolicy;
}

/**
 * Fetches pages and keeps connections open until `close`. Removes user names and passwords from URLs, as a crawl does.
 */
export interface Fetcher {
  /** Throws the signal's reason when it aborts; returns everything else as an outcome. */
  fetchPage(url: string, signal?: AbortSignal): Promise<Outcome<Page>>;
  close(): Promise<void>;
}

export function openFetcher(options: FetchOptions): Fetcher {
  const { from, maxBytes, timeoutMs, addresses = "any" } = options;
  // A page on a public server must not lead to a private one.
  const transports: Transports = {
    any: openTransport({ ...options, addresses }),
    public: openTransport({ ...options, addresses: "public" }),
  };
  const accepts = from === "html" || from === "text" ? undefined : mayHoldPage;
  return {
    async fetchPage(given, signal) {
      signal?.throwIfAborted();
      const url = withoutUser(given);
      const deadline = startDeadline(timeoutMs, signal);
      const of = { id: url, url };
      try {
        const end = await followRedirects(url, {
          transports,
          signal: deadline.signal,
          ...(accepts && { accepts }),
        });
        if (!end.ok) return reject(of, "acquire", end.failure.reason, end.failure.detail);
        return await toAnsweredPage(end.exchange, { id: url, maxBytes, ...(from && { from }) });
      } catch (error) {
        signal?.throwIfAborted();
        if (!deadline.isOver()) throw error;
        return reject(of, "acquire", "timeout", `no complete answer in ${timeoutMs} ms`);
      } finally {
        deadline.end();
      }
    },
    async close() {
      await Promise.all([transports.any.close(), transports.public.close()]);
    },
  };
}

/** Two transports that differ only in the addresses that they admit. */
type Transports = Readonly<Record<"any" | "public", Transport>>;

const MAX_REDIRECTS = 10;

export interface Following {
  readonly transports: Transports;
  readonly signal: AbortSignal;
  readonly accepts?: (contentType: string | undefined) => boolean;
}

/** The first response that is not a redirect, or the failure. */
type End =
  | { readonly ok: true; readonly exchange: Exchange }
  | { readonly ok: false; readonly failure: Failure };

/**
 * Follows redirects to the final response, also from https to http as browsers do, because no secret is sent: cookies
 * are only those of this chain. After a public server has answered, only public servers may follow.
 */
export async function followRedirects(
  first: string,
  { transports, signal, accepts }: Following,
): Promise<End> {
  const seen = new Set<string>();
  const cookies = createChainCookies();
  let url = first;
  let cookie = "";
  let policy: keyof Transports = "any";
  for (;;) {
    const headers = cookie === "" ? {} : { headers: { cookie } };
    const result = await transports[policy].exchange(
      { url, ...headers, ...(accepts && { accepts }) },
      signal,
    );
    if (!result.ok) return result;
    const { exchange } = result;
    if (exchange.location === undefined) return result;
    seen.add(`${withoutFragment(exchange.url)} ${cookie}`);
    cookies.take(exchange.url, exchange.headers);
    const refuse = (detail: string): End => ({
      ok: false,
      failure: fail("http-status", `HTTP ${exchange.status}: ${detail}`, false),
    });
    const next = withoutUser(exchange.location);
    if (parseWebUrl(next) === undefined) return refuse(`redirect to a URL that cannot be fetched: ${next}`);
    // A page that redirects to itself may show itself to a reader who has its cookie.
    cookie = cookies.headerFor(next);
    if (seen.has(`${withoutFragment(next)} ${cookie}`)) return refuse(`redirect loop at ${next}`);
    if (seen.size > MAX_REDIRECTS) return refuse(`more than ${MAX_REDIRECTS} redirects`);
    if (!isPrivate(exchange.address)) policy = "public";
    url = next;
  }
}

/** Checks whether an address is known to be private; false if the address is unknown. */
function isPrivate(address: string): boolean {
  return isIP(address) !== 0 && whyNotPublic(address) !== undefined;
}

function withoutFragment(url: string): string {
  const { href, hash } = new URL(url);
  return href.slice(0, href.length - hash.length);
}
