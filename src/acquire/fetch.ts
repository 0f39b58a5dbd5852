/** A URL that somebody typed into a page: redirects followed, time and size bounded, whatever the server does. */
import type { Page } from "../document.js";
import { reject, type Outcome } from "../outcome.js";
import { mayHoldPage, toAnsweredPage } from "./answer-page.js";
import { startDeadline } from "./deadline.js";
import type { InputKind } from "./kind.js";
import { followRedirects, type Transports } from "./redirects.js";
import { openTransport, type TransportOptions } from "./transport.js";

export interface FetchOptions extends Pick<TransportOptions, "ca" | "lookup"> {
  /** Decoded bytes a page may have. */
  readonly maxBytes: number;
  /** Of a fetch as a whole, redirects and body included. */
  readonly timeoutMs: number;
  /** Names us to servers: "Thresher/<version>". */
  readonly version?: string;
  /** What the page is, whatever the server says. */
  readonly from?: InputKind;
}

/** Fetches pages over connections that it keeps; `close` ends them. */
export interface Fetcher {
  /** Throws the signal's reason when it aborts; everything else that can happen is an outcome. */
  fetchPage(url: string, signal?: AbortSignal): Promise<Outcome<Page>>;
  close(): Promise<void>;
}

export function openFetcher(options: FetchOptions): Fetcher {
  const { from, maxBytes, timeoutMs } = options;
  // Whoever types the address of a server of their own means it; a page of somebody else's may not lead there.
  const transports: Transports = {
    any: openTransport({ ...options, addresses: "any" }),
    public: openTransport({ ...options, addresses: "public" }),
  };
  const accepts = from === "html" || from === "text" ? undefined : mayHoldPage;
  return {
    async fetchPage(url, signal) {
      signal?.throwIfAborted();
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

/** One page over a connection of its own. */
export async function fetchPage(
  url: string,
  options: FetchOptions & { readonly signal?: AbortSignal },
): Promise<Outcome<Page>> {
  const fetcher = openFetcher(options);
  try {
    return await fetcher.fetchPage(url, options.signal);
  } finally {
    await fetcher.close();
  }
}
