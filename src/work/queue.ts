/** Keeps the pages that wait until a process has time for them: this one, or one beside it. */
import type { Page } from "../document.js";
import type { Cleaned } from "../core/clean-page.js";
import type { CleanerOptions } from "./cleaner-options.js";

/** How one page is cleaned, where that is not how all are. */
export interface PageWish {
  readonly options: CleanerOptions;
  /** For the page with all that is done to it. */
  readonly maxPageMs: number;
}

/** A page that is to be cleaned, with the one who waits for it. */
export interface Asked extends Partial<PageWish> {
  readonly page: Page;
  readonly signal: AbortSignal;
  resolve(cleaned: Cleaned): void;
  reject(error: unknown): void;
}

/** First come, first served. */
export interface PageQueue {
  readonly length: number;
  /** Gives what becomes of the page; throws bugs, the signal's reason, and what the queue was closed with. */
  ask(page: Page, signal: AbortSignal, wish?: PageWish): Promise<Cleaned>;
  /** Takes out at most `count` pages, of those that suit. A page whose signal has aborted is settled on the way. */
  take(count: number, suits?: (page: Page) => boolean): Asked[];
  /** Puts pages first that were taken and have to be cleaned by another process. */
  giveBack(pages: readonly Asked[]): void;
  /** All that wait, and all that come later, get the error. */
  close(error: Error): void;
}

/** The one place where pages wait. What a process has taken it works on in this order. */
export function createQueue(): PageQueue {
  let waiting: Asked[] = [];
  let closed: Error | undefined;
  const settle = (): void => {
    if (closed !== undefined) for (const asked of waiting.splice(0)) asked.reject(closed);
  };
  return {
    get length() {
      return waiting.length;
    },
    ask: (page, signal, wish) =>
      new Promise((resolve, reject) => {
        waiting.push({ page, signal, resolve, reject, ...wish });
        settle();
      }),
    take(count, suits = () => true) {
      const taken: Asked[] = [];
      let at = 0;
      while (taken.length < count) {
        const asked = waiting[at];
        if (asked === undefined) break;
        if (asked.signal.aborted) asked.reject(asked.signal.reason);
        else if (suits(asked.page)) taken.push(asked);
        else {
          at += 1;
          continue;
        }
        waiting.splice(at, 1);
      }
      return taken;
    },
    giveBack(pages) {
      waiting = [...pages, ...waiting];
      settle();
    },
    close(error) {
      closed = error;
      settle();
    },
  };
}
