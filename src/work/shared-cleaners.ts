/** Cleans pages for many callers, each with its own options, in the same few child processes. */
import { pickTravelling } from "../options/page-options.js";
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
  /** The options that most pages have; a process loads what they need as soon as it starts. */
  readonly usual: CleanerOptions;
  /** Heap of one process, in MB. */
  readonly maxHeapMb?: number;
}

export interface SharedCleaners {
  readonly workers: number;
  /** Returns a cleaner with these options. Closing it does not close the processes, because others use them too. */
  withOptions(options: CleanerOptions): Cleaner;
  close(): Promise<void>;
}

/**
 * A process is killed if a page takes PATIENCE times its limit plus SLACK_MS: then the process itself cannot stop the
 * page. The slack allows for late timers on a busy machine.
 */
const PATIENCE = 2;
const SLACK_MS = 1000;
/**
 * Pages that a process holds: the one that it cleans, and one more so that it need not wait. More of them would wait
 * behind a page without an end.
 */
const AHEAD = 2;

/** Creates the cleaners. This process only distributes pages, so it has time for its callers whatever a page does. */
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
  /** Rejects all waiting pages, which would wait forever; the next page starts a process again. */
  const giveUp = (): void => {
    const why = `${NO_PROCESS}: ${processes.lastWords}`;
    for (const asked of queue.take(queue.length))
      asked.resolve({ outcome: reject(asked.page, "extract", "crashed", why), ms: 0 });
    processes.forgive();
  };
  // Keeps this process alive until it is closed, because child processes that start or idle do not.
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
          // When the signal aborts, the caller does not wait for the process that has the page.
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
