/** Queues pages until a process has time for them: this one or a child process. */
import type { Page } from "../document.js";
import type { Cleaned } from "../core/clean-page.js";
import type { CleanerOptions } from "./cleaner-options.js";

/** The options of one page, if they differ from those of the others. */
export interface PageWish {
  readonly options: CleanerOptions;
  /** Milliseconds for the page with all that is done to it. */
  readonly maxPageMs: number;
}

/** A page to clean, with the callbacks that settle the caller's promise. */
export interface Asked extends Partial<PageWish> {
  readonly page: Page;
  readonly signal: AbortSignal;
  resolve(cleaned: Cleaned): void;
  reject(error: unknown): void;
}

/** A queue of pages: first in, first out. */
export interface PageQueue {
  readonly length: number;
  /**
   * Adds a page and returns its result. Throws for bugs, with the reason of the signal, and with the error of `close`.
   */
  ask(page: Page, signal: AbortSignal, wish?: PageWish): Promise<Cleaned>;
  /** Removes and returns at most `count` pages that suit. Pages on the way whose signal has aborted are rejected. */
  take(count: number, suits?: (page: Page) => boolean): Asked[];
  /** Puts pages back at the front that were taken and have to be cleaned by another process. */
  giveBack(pages: readonly Asked[]): void;
  /** Rejects all pages that wait, and all later ones, with the error. */
  close(error: Error): void;
}

/** Creates the queue, the only one in which pages wait. A process cleans the pages that it has taken in this order. */
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
