/** Declares the seam of `acquire/`: where pages come from. */
import type { Page } from "../document.js";
import type { Outcome } from "../outcome.js";

export interface Source {
  readonly name: string;
  /** Gives pages in a fixed order. Ends early, without error, when the signal aborts. */
  pages(signal: AbortSignal): AsyncIterable<Outcome<Page>>;
}
