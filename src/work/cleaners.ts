/** Shares pages out between this process and others beside it: a page of which two of them die is lost, and no other. */
import { getHeapStatistics } from "node:v8";
import { sizeOf } from "../core/clean-page.js";
import type { Page } from "../document.js";
import type { LabellerChoice } from "../label/labeller-choice.js";
import { pickTravelling } from "../options.js";
import { reject, UsageError } from "../outcome.js";
import { untilAborted } from "../stop.js";
import {
  CLOSED,
  createCleaner,
  OwnWorker,
  PAGES_AT_ONCE,
  type Cleaner,
  type CleanerOptions,
} from "./cleaner.js";
import { PageProcess, type ProcessEnd, type ProcessOptions } from "./process.js";
import { createQueue, type Asked, type PageQueue } from "./queue.js";

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
const DEFAULT_HEAP_MB = Math.floor(getHeapStatistics().heap_size_limit / 2 ** 20);
/** Processes in a row that end before they begin: the next one would fare no better. */
const MOST_FAILURES = 5;

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
      ...{ maxHeapMb, maxPageMs, workers: takesPart ? workers - 1 : workers },
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
      if (page.content.kind === "scored" && !options.rescore) return scored.clean(page, signal);
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

interface ProcessesOptions extends ProcessOptions {
  readonly workers: number;
}

/** The processes beside this one, which start one by one, as pages come that no other has time for. */
class Processes {
  readonly #options: ProcessesOptions;
  readonly #queue: PageQueue;
  readonly #onHandedOut: () => void;
  readonly #living = new Set<PageProcess>();
  /** Pages that a process died of, or so it seems: each is tried once more, alone. */
  readonly #secondTries = new WeakSet<Asked>();
  readonly #again: Asked[] = [];
  /** The process that gets no other pages: it is at one that is tried again, or will be. */
  #alone: PageProcess | undefined;
  #failures = 0;
  #haveBegun = false;
  #isClosed = false;

  /** `onHandedOut` is called when they have all the pages that they may have. */
  constructor(options: ProcessesOptions, queue: PageQueue, onHandedOut: () => void) {
    this.#options = options;
    this.#queue = queue;
    this.#onHandedOut = onHandedOut;
  }

  /** Whether pages can wait for them: not before the first one is ready, nor where none can be started any more. */
  get areThere(): boolean {
    return this.#haveBegun && this.#failures < MOST_FAILURES;
  }

  /** Gives each page to the one that has the least to do; where all have something to do, another one starts meanwhile. */
  handOut(): void {
    if (this.#queue.length + this.#again.length > 0 && this.#living.size === 0) this.#start();
    this.#tryAgain();
    for (let free = this.#findFree(); free !== undefined; free = this.#findFree()) {
      const [asked] = this.#queue.take(1);
      if (asked === undefined) break;
      if (free.load > 0) this.#start();
      free.clean(asked);
    }
    this.#onHandedOut();
  }

  async close(): Promise<void> {
    this.#isClosed = true;
    this.#queue.giveBack(this.#again.splice(0));
    await Promise.all([...this.#living].map((process) => process.kill()));
  }

  /** Gives a page that is tried again to the process that has the least to do, once it has nothing else to do. */
  #tryAgain(): void {
    const isIdle = this.#alone?.load === 0;
    if (this.#again.length === 0) {
      if (isIdle) this.#alone = undefined;
      return;
    }
    if (this.#alone === undefined) {
      this.#start();
      this.#alone = this.#findFree();
    }
    if (this.#living.size === 0) {
      const why = "its process ended, and no other one can be started";
      for (const asked of this.#again.splice(0))
        asked.resolve({ outcome: reject(asked.page, "extract", "crashed", why), ms: 0 });
    }
    if (this.#alone?.load !== 0) return;
    const asked = this.#again.shift();
    if (asked !== undefined) this.#alone.clean(asked);
  }

  /** One that is ready. Where all have died, those that start in their place are waited for. */
  #findFree(): PageProcess | undefined {
    const living = [...this.#living].filter((process) => process !== this.#alone);
    const ready = living.filter(({ isReady }) => isReady);
    const those = ready.length > 0 || !this.areThere ? ready : living;
    return those.filter(({ load }) => load < PAGES_AT_ONCE).sort((one, other) => one.load - other.load)[0];
  }

  #start(): void {
    const { workers, ...options } = this.#options;
    if (this.#living.size >= workers || this.#failures >= MOST_FAILURES) return;
    const started = new PageProcess(options, {
      onFree: () => {
        this.#haveBegun = true;
        this.#failures = 0;
        this.handOut();
      },
      onEnd: (end) => {
        this.#living.delete(started);
        if (this.#alone === started) this.#alone = undefined;
        this.#bury(end);
        this.handOut();
      },
    });
    this.#living.add(started);
  }

  /**
   * The neighbours of the page that the process was at go to another one; so does the page itself, once, where it need not be
   * what the process died of: somebody else may have killed it.
   */
  #bury({ hasStarted, pages, ms, reason, message }: ProcessEnd): void {
    if (!hasStarted) this.#failures += 1;
    const [atFault, ...others] = pages;
    if (!hasStarted || this.#isClosed || atFault === undefined) {
      this.#queue.giveBack(pages);
      return;
    }
    this.#queue.giveBack(others);
    if (reason === "crashed" && !this.#secondTries.has(atFault)) {
      this.#secondTries.add(atFault);
      this.#again.push(atFault);
      return;
    }
    const { maxHeapMb, maxPageMs } = this.#options;
    const details = { crashed: message, "out-of-memory": `${maxHeapMb} MB`, timeout: `${maxPageMs} ms` };
    atFault.resolve({ outcome: reject(atFault.page, "extract", reason, details[reason]), ms });
  }
}

function isSmall({ content }: Page): boolean {
  return sizeOf(content) <= SMALL_BYTES;
}
