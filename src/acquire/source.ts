/** Declares the interface of `acquire/`: a source of pages. */
import type { Page } from "../document.js";
import type { Outcome } from "../outcome.js";

/** Pages from anywhere; `cleanAll` takes what `pages` yields. */
export interface Source {
  /** Names the source in messages. */
  readonly name: string;
  /** Yields pages in a fixed order. Ends early, without error, when the signal aborts. */
  pages(signal: AbortSignal): AsyncIterable<Outcome<Page>>;
}
