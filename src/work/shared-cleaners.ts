/** Cleans pages for many callers, each with options of its own, in the same few processes beside this one. */
import { pickTravelling } from "../options/options.js";
import { reject, UsageError } from "../outcome.js";
import { untilAborted } from "../time/stop.js";
import type { CleanerOptions } from "./cleaner-options.js";
import { CLOSED, type Cleaner } from "./cleaner.js";
import { DEFAULT_HEAP_MB } from "./cleaners.js";
import { NO_PROCESS, Processes } from "./process/processes.js";
import { createQueue } from "./queue.js";
import { MAX_TIMER_MS } from "../time/max-timer.js";

export interface SharedOptions {
  readonly workers: number;
  /** What a process gets ready for as soon as it starts: what most pages are cleaned with. */
  readonly usual: CleanerOptions;
  /** Heap of one process. */
  readonly maxHeapMb?: number;
}

export interface SharedCleaners {
  readonly workers: number;
  /** Cleans by these options. Closing it closes no process: others use them too. */
  withOptions(options: CleanerOptions): Cleaner;
  close(): Promise<void>;
}

/**
 * A page that a process has for so many times its limit is one that it cannot stop; the rest is for the clock of a busy
 * machine.
 */
const PATIENCE = 2;
const SLACK_MS = 1000;
/** The page that a process is at, and one for which it need not wait: others would wait behind a page that has no end. */
const AHEAD = 2;

/** This process only hands pages out: it has time for those who ask, whatever a page does. */
export function createSharedCleaners({ workers, usual, maxHeapMb }: SharedOptions): SharedCleaners {
  const queue = createQueue();
  const processes = new Processes(
    {
      ...pickTravelling(usual),
      maxHeapMb: maxHeapMb ?? DEFAULT_HEAP_MB,
      maxPageMs: mostMs(usual),
      workers,
      ahead: AHEAD,
    },
    queue,
    () => {
      if (processes.areLost) giveUp();
    },
  );
  /** What waits would wait forever; the next page tries again. */
  const giveUp = (): void => {
    const why = `${NO_PROCESS}: ${processes.lastWords}`;
    for (const asked of queue.take(queue.length))
      asked.resolve({ outcome: reject(asked.page, "extract", "crashed", why), ms: 0 });
    processes.forgive();
  };
  // Processes that start or idle let this one end, which is here for pages to come until it is closed.
  const awake = setInterval(() => undefined, MAX_TIMER_MS);
  return {
    workers,
    withOptions(options) {
      const { form } = options;
      const wish = {
        options: { ...pickTravelling(options), ...(form && { form }) },
        maxPageMs: mostMs(options),
      };
      return {
        clean(page, signal) {
          const cleaned = queue.ask(page, signal, wish);
          processes.handOut();
          // What a process is at is not waited for when it is wanted no more.
          return untilAborted(cleaned, signal);
        },
        close: () => Promise.resolve(),
      };
    },
    async close() {
      clearInterval(awake);
      queue.close(new UsageError(CLOSED));
      await processes.close();
    },
  };
}

function mostMs({ timeoutMs }: CleanerOptions): number {
  return timeoutMs * PATIENCE + SLACK_MS;
}
