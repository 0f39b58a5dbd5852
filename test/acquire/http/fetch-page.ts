import type { Page } from "../../../src/document.js";
import type { Outcome } from "../../../src/outcome.js";
import { openFetcher, type FetchOptions } from "../../../src/acquire/http/fetch.js";

/** Fetches one page over a new connection. */
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
