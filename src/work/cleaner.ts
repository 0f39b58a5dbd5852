/** Cleans single pages in this process, and says what anything that cleans pages promises to the pipeline. */
import { setImmediate } from "node:timers/promises";
import { cleanRead, type Cleaned, type CleanTools, type ReadPage } from "../core/clean-page.js";
import { toReaderOptions } from "../core/read-page.js";
import { toAsked } from "../core/labels.js";
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
  /** Whatever the page holds is an outcome; only bugs and the signal throw. */
  clean(page: Page, signal: AbortSignal): Promise<Cleaned>;
  /** What still runs is not waited for longer than it must be. */
  close(): Promise<void>;
}

/** Throws UsageError when a model is named that cannot be used. */
export function openLabellers(options: CleanerOptions): Promise<LabellerChoice> {
  return openChoice({ ...options, ...toAsked(options) });
}

/** What labels pages that were read in this process. */
export function toCleanTools(options: CleanerOptions, choice: LabellerChoice): CleanTools {
  const { form, ...others } = options;
  return {
    ...others,
    choice,
    startLimit: startTimeLimit,
    ...(form && { format: (document, words) => formatDocument(document, form, words) }),
  };
}

/**
 * Chooses where pages are read: in the calling thread where time and memory are bounded (a clock stops what takes too long
 * after all), else in one that can be killed.
 */
export function createGuard(options: GuardOptions): Guard {
  const { isBounded = false } = extractors[options.extractor];
  return isBounded ? createLocalGuard(options) : createThread(options);
}

export type OwnOptions = CleanerOptions & Pick<GuardOptions, "isWatched">;

/** The guard that reads pages as the labeller needs them. */
export function openGuard(options: OwnOptions): Guard {
  const { extractor, timeoutMs, isWatched } = options;
  return createGuard({
    ...toReaderOptions(options),
    extractor,
    timeoutMs,
    ...(isWatched !== undefined && { isWatched }),
  });
}

/** In this process alone. The labellers stay the caller's, who closes them afterwards. */
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

/** What those are told whose pages are not clean when a cleaner is closed. */
export const CLOSED = "closed while it was at work";

/** Pages that a process has ahead of its work. */
export const PAGES_AHEAD = 8;
/**
 * Pages that this process takes out of the queue: some of them are read under one clock while others are labelled. Twice as many
 * would need 20 MB more for pages of 140 KB, and save nothing that shows (docs/speed.md).
 */
export const PAGES_AT_ONCE = 8;

interface TakenPage extends PageToRead {
  readonly asked: Asked;
}

/**
 * Cleans pages in this process: reads those that it has taken, as many in one go as the guard can, and labels them one
 * after another. Meanwhile the next ones are read, for which a thread has time.
 */
export class OwnWorker {
  readonly #guard: Guard;
  readonly #tools: CleanTools;
  readonly #take: (count: number) => readonly Asked[];
  readonly #unread: TakenPage[] = [];
  #unlabelled = 0;
  #isAtWork = false;
  #work: Promise<void> | undefined;

  /** `take` gives at most so many pages of those that this process may clean. */
  constructor(options: OwnOptions, choice: LabellerChoice, take: (count: number) => readonly Asked[]) {
    this.#guard = openGuard(options);
    this.#tools = toCleanTools(options, choice);
    this.#take = take;
  }

  /** To be called when there may be something to take. */
  wake(): void {
    if (this.#isAtWork) return;
    this.#isAtWork = true;
    this.#work = this.#run();
  }

  /** Who waits for a page that is not read yet gets the error. */
  async close(error: Error): Promise<void> {
    for (const { asked } of this.#unread.splice(0)) asked.reject(error);
    await this.#guard.close();
    // A model's runtime must not be closed while it computes.
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

  /** Undefined where there is nothing to read. */
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
    // Ctrl-C, timers and the network get a word in.
    await setImmediate();
    dropAborted(this.#unread);
    const [first, ...others] = this.#unread;
    if (first === undefined) return [];
    try {
      const reads = await this.#guard.read([first, ...others]);
      return reads.flatMap((read) => {
        const taken = this.#unread.shift(); // none is left where it was closed meanwhile
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

/** Those who gave up are told with the reason of their signal. */
function dropAborted(taken: TakenPage[]): void {
  for (const one of taken.splice(0)) {
    if (one.signal.aborted) one.asked.reject(one.signal.reason);
    else taken.push(one);
  }
}
