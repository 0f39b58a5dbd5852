/** Declares the interface of `acquire/`: a source of pages. */
import type { Page } from "../document.js";
import type { Outcome } from "../outcome.js";

export interface Source {
  readonly name: string;
  /** Yields pages in a fixed order. Ends early, without error, when the signal aborts. */
  pages(signal: AbortSignal): AsyncIterable<Outcome<Page>>;
}
