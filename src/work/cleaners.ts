/** Shares pages out between this process and others beside it: a page of which two of them die is lost, and no other. */
import { getHeapStatistics } from "node:v8";
import { keepsScores, sizeOf } from "../core/clean-page.js";
import type { Page } from "../document.js";
import type { LabellerChoice } from "../label/labeller-choice.js";
import { pickTravelling } from "../options/options.js";
import { UsageError } from "../outcome.js";
import { untilAborted } from "../time/stop.js";
import type { CleanerOptions } from "./cleaner-options.js";
import { CLOSED, createCleaner, OwnWorker, PAGES_AHEAD, type Cleaner } from "./cleaner.js";
import { Processes } from "./process/processes.js";
import { createQueue } from "./queue.js";

export interface CleanersOptions extends CleanerOptions {
  readonly workers: number;
  /**
   * Whether this process is one of the workers: it cleans what the others have no time for, which costs no copy of the
   * page, and stops what takes too long. Otherwise it only hands pages out, and has time for what else it does.
   */
  readonly takesPart: boolean;
  /** Heap of one process. */
  readonly maxHeapMb?: number;
  /** For a page with all that is done to it; six times `timeoutMs` when absent, which is for reading it alone. */
  readonly maxPageMs?: number;
}

/** A page of at most so many bytes takes milliseconds here, for which the others have enough to do. */
const SMALL_BYTES = 1 << 18;
/** As much as this process has: what becomes of a page is the same in all. A 10 MB page needs about 25 times its size. */
export const DEFAULT_HEAP_MB = Math.floor(getHeapStatistics().heap_size_limit / 2 ** 20);

/**
 * The first page is often the only one, and a process takes longer to start than many pages: the first one starts when a
 * second page comes, and this process cleans pages until it is there. From then on pages wait in one queue until a
 * process has time: the others first, then, where it takes part, this one.
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
  // To cut scored lines again takes less time than to send them to another process.
  const scored = createCleaner(ownOptions, choice);
  let isFirst = true;
  return {
    clean(page, signal) {
      if (keepsScores(page, options)) return scored.clean(page, signal);
      const cleaned = queue.ask(page, signal);
      if (isFirst) own.wake();
      else others.handOut();
      isFirst = false;
      // What a process is at is not waited for when it is wanted no more.
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
