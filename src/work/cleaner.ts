/** Cleans single pages in this process, and defines the interface of all cleaners for the pipeline. */
import { setImmediate } from "node:timers/promises";
import { cleanRead, type Cleaned, type CleanTools, type ReadPage } from "../core/clean-page.js";
import { toReaderOptions } from "../core/read-page.js";
import { toAsked } from "../core/labeller-options.js";
import type { Page } from "../document.js";
import { extractors } from "../extract/registry.js";
import { openChoice } from "../label/folder-choice.js";
import type { LabellerChoice } from "../label/labeller-choice.js";
import { UsageError } from "../outcome.js";
import { formatDocument } from "../write/registry.js";
import { createLocalGuard, type Guard, type GuardOptions, type PageToRead } from "./guard.js";
import type { CleanerOptions } from "./cleaner-options.js";
import { createQueue, type Asked } from "./queue.js";
import { seePage } from "./see-page.js";
import { createThread } from "./thread/thread.js";
import { startTimeLimit } from "./watch-time.js";

export interface Cleaner {
  /** Cleans a page. Every problem of the page becomes a reject; the promise rejects only for bugs and the signal. */
  clean(page: Page, signal: AbortSignal): Promise<Cleaned>;
  /** Closes the cleaner, and waits for running work no longer than it must. */
  close(): Promise<void>;
}

/** Opens the labellers that the options choose. Throws UsageError if a named model cannot be used. */
export function openLabellers(options: CleanerOptions): Promise<LabellerChoice> {
  return openChoice({ ...options, ...toAsked(options) });
}

/** Returns the tools that label and format the pages that this process has read. */
export function toCleanTools(options: CleanerOptions, choice: LabellerChoice): CleanTools {
  const { form, ...others } = options;
  return {
    ...others,
    choice,
    startLimit: startTimeLimit,
    ...(form && {
      format: (document, { sharesFile }, words) =>
        formatDocument(document, { ...form, documents: sharesFile === true ? "many" : "one" }, words),
    }),
  };
}

/**
 * Chooses where pages are read: in the calling thread if the extractor's time and memory are bounded (a timeout stops a
 * page that still takes too long), otherwise in a thread that can be killed.
 */
export function createGuard(options: GuardOptions): Guard {
  const { isBounded = false } = extractors[options.extractor];
  return isBounded ? createLocalGuard(options) : createThread(options);
}

export type OwnOptions = CleanerOptions & Pick<GuardOptions, "isWatched">;

/** Opens a guard that reads pages as the labeller needs them. */
export function openGuard(options: OwnOptions): Guard {
  const { extractor, timeoutMs, isWatched } = options;
  return createGuard({
    ...toReaderOptions(options),
    extractor,
    timeoutMs,
    ...(isWatched !== undefined && { isWatched }),
  });
}

/** Creates a cleaner that uses only this process. The caller keeps the labellers, and closes them afterwards. */
export function createCleaner(options: OwnOptions, choice: LabellerChoice): Cleaner {
  const queue = createQueue();
  const worker = new OwnWorker(options, choice, (count) => queue.take(count));
  return {
    clean(page, signal) {
      const cleaned = queue.ask(page, signal);
      worker.wake();
      return cleaned;
    },
    async close() {
      const error = new UsageError(CLOSED);
      queue.close(error);
      await worker.close(error);
    },
  };
}

/** The error message for pages that are not finished when a cleaner is closed. */
export const CLOSED = "closed while it was working";

/** The most pages that a process holds: the one that it cleans, and those that wait in it. */
export const PAGES_AHEAD = 8;
/**
 * Pages that this process takes from the queue: some are read under one timeout while others are labelled. Twice as
 * many would need 20 MB more for pages of 140 KB, and save no measurable time (docs/speed.md).
 */
export const PAGES_AT_ONCE = 8;

interface TakenPage extends PageToRead {
  readonly asked: Asked;
}

/**
 * Cleans pages in this process: reads the pages that it has taken, as many at once as the guard can, and labels them
 * one after another. If the guard has a thread, it reads the next pages meanwhile.
 */
export class OwnWorker {
  readonly #guard: Guard;
  readonly #tools: CleanTools;
  readonly #take: (count: number) => readonly Asked[];
  readonly #unread: TakenPage[] = [];
  #unlabelled = 0;
  #isAtWork = false;
  #work: Promise<void> | undefined;

  /** `take(count)` returns at most `count` pages that this process may clean. */
  constructor(options: OwnOptions, choice: LabellerChoice, take: (count: number) => readonly Asked[]) {
    this.#guard = openGuard(options);
    this.#tools = toCleanTools(options, choice);
    this.#take = take;
  }

  /** Starts work; call it when there may be a page to take. */
  wake(): void {
    if (this.#isAtWork) return;
    this.#isAtWork = true;
    this.#work = this.#run();
  }

  /** Rejects the promises of all pages that are not read yet with `error`. */
  async close(error: Error): Promise<void> {
    for (const { asked } of this.#unread.splice(0)) asked.reject(error);
    await this.#guard.close();
    // The runtime of a model must not be closed while it computes.
    await this.#work;
  }

  async #run(): Promise<void> {
    let next = this.#readOn();
    while (next !== undefined) {
      const read = await next;
      this.#unlabelled = read.length;
      next = this.#readOn();
      for (const one of read) {
        await this.#label(one);
        this.#unlabelled -= 1;
      }
      next ??= this.#readOn();
    }
    this.#isAtWork = false;
  }

  /** Takes more pages and starts to read; undefined if there is nothing to read. */
  #readOn(): Promise<ReadPages> | undefined {
    for (const asked of this.#take(PAGES_AT_ONCE - this.#unread.length - this.#unlabelled)) {
      const { signal } = asked;
      try {
        const judged = seePage(asked.page);
        if (judged.ok) this.#unread.push({ page: judged.value, signal, asked });
        else asked.resolve({ outcome: judged, ms: 0 });
      } catch (error) {
        asked.reject(error);
      }
    }
    return this.#unread.length === 0 ? undefined : this.#readSome();
  }

  async #readSome(): Promise<ReadPages> {
    // Lets signals, timers and network events be handled.
    await setImmediate();
    dropAborted(this.#unread);
    const [first, ...others] = this.#unread;
    if (first === undefined) return [];
    try {
      const reads = await this.#guard.read([first, ...others]);
      return reads.flatMap((read) => {
        const taken = this.#unread.shift(); // undefined if the worker was closed meanwhile
        return taken === undefined ? [] : [{ ...taken, read }];
      });
    } catch (error) {
      this.#unread.shift();
      first.asked.reject(error);
      return [];
    }
  }

  async #label({ asked, page, read }: ReadTaken): Promise<void> {
    try {
      asked.signal.throwIfAborted();
      asked.resolve(await cleanRead(page, read, this.#tools));
    } catch (error) {
      asked.reject(error);
    }
  }
}

interface ReadTaken extends TakenPage {
  readonly read: ReadPage;
}

type ReadPages = readonly ReadTaken[];

/** Rejects the promises of aborted pages with the reason of their signal, and removes the pages. */
function dropAborted(taken: TakenPage[]): void {
  for (const one of taken.splice(0)) {
    if (one.signal.aborted) one.asked.reject(one.signal.reason);
    else taken.push(one);
  }
}
