/** Distributes pages between this process and child processes; only a page that two of them die of is lost. */
import { getHeapStatistics } from "node:v8";
import { keepsScores, sizeOf } from "../core/clean-page.js";
import type { Page } from "../document.js";
import type { LabellerChoice } from "../label/labeller-choice.js";
import { pickTravelling } from "../options/page-options.js";
import { UsageError } from "../outcome.js";
import { untilAborted } from "../time/stop.js";
import type { CleanerOptions } from "./cleaner-options.js";
import { CLOSED, createCleaner, OwnWorker, PAGES_AHEAD, type Cleaner } from "./cleaner.js";
import { Processes } from "./process/processes.js";
import { createQueue } from "./queue.js";

export interface CleanersOptions extends CleanerOptions {
  readonly workers: number;
  /**
   * Whether this process is one of the workers: it cleans the pages that the others have no time for, which needs no
   * copy of the page, and stops a page that takes too long. Otherwise it only distributes pages, and stays free for
   * other work.
   */
  readonly takesPart: boolean;
  /** Heap of one process, in MB. */
  readonly maxHeapMb?: number;
  /**
   * Milliseconds for a page with all that is done to it. Default: six times `timeoutMs`, which is for reading alone.
   */
  readonly maxPageMs?: number;
}

/**
 * Bytes of the largest page that this process cleans once the others run: it takes milliseconds, and they stay busy.
 */
const SMALL_BYTES = 1 << 18;
/**
 * Heap of a process in MB, the same as that of this process, so that a page has the same outcome in all. A 10 MB page
 * needs about 25 times its size.
 */
export const DEFAULT_HEAP_MB = Math.floor(getHeapStatistics().heap_size_limit / 2 ** 20);

/**
 * Creates a cleaner with several workers. Often the first page is the only one, and a process takes longer to start
 * than to clean many pages. So the first process starts when the second page comes, and this process cleans pages until
 * it is ready. From then on, pages wait in one queue: the other processes take them first, then this one if `takesPart`
 * is set.
 */
export function createCleaners(options: CleanersOptions, choice: LabellerChoice): Cleaner {
  const { workers, takesPart, maxHeapMb = DEFAULT_HEAP_MB, maxPageMs = options.timeoutMs * 6 } = options;
  const ownOptions = { ...options, isWatched: takesPart };
  if (workers === 1) return createCleaner(ownOptions, choice);
  const queue = createQueue();
  const others = new Processes(
    {
      ...pickTravelling(options),
      ...(options.form && { form: options.form }),
      ...{ maxHeapMb, maxPageMs, workers: takesPart ? workers - 1 : workers, ahead: PAGES_AHEAD },
    },
    queue,
    () => {
      own.wake();
    },
  );
  const own = new OwnWorker(ownOptions, choice, (count) => {
    if (!others.areThere) return queue.take(count);
    return takesPart ? queue.take(count, isSmall) : [];
  });
  // Cutting scored lines again takes less time than sending them to another process.
  const scored = createCleaner(ownOptions, choice);
  let isFirst = true;
  return {
    clean(page, signal) {
      if (keepsScores(page, options)) return scored.clean(page, signal);
      const cleaned = queue.ask(page, signal);
      if (isFirst) own.wake();
      else others.handOut();
      isFirst = false;
      // When the signal aborts, the caller does not wait for the process that has the page.
      return untilAborted(cleaned, signal);
    },
    async close() {
      const error = new UsageError(CLOSED);
      queue.close(error);
      await Promise.all([own.close(error), others.close(), scored.close()]);
    },
  };
}

function isSmall({ content }: Page): boolean {
  return sizeOf(content) <= SMALL_BYTES;
}
