/** Pages into documents in processes beside this one: each does the whole of a page, and costs one page when it dies. */
import type { Page } from "../document.js";
import { reject } from "../outcome.js";
import { untilAborted } from "../stop.js";
import type { Cleaned } from "./clean-page.js";
import type { Cleaner, CleanerOptions } from "./cleaner.js";
import { PageProcess, ProcessDied } from "./process.js";
import { createSlots } from "./slots.js";

export interface ProcessesOptions extends CleanerOptions {
  readonly workers: number;
  /** Heap of one process. */
  readonly maxHeapMb?: number;
  /** For a page with all that is done to it; six times `timeoutMs` when absent, which is for reading it alone. */
  readonly maxPageMs?: number;
}

/** A 10 MB page needs about 25 times its size as a tree. */
const DEFAULT_HEAP_MB = 1024;
/** Pages that are at a process: one that it works on, and others, so that it need not wait while this one is busy. */
export const PAGES_AT_A_PROCESS = 8;
/** Processes that end before they begin: the next page would fare no better. */
const MOST_FAILURES = 5;

export interface Processes extends Cleaner {
  /** Whether a page would be cleaned at once. Before, the first process is started. */
  isReady(): boolean;
  /** Whether a process that is ready has less to do than it may have. */
  hasRoom(): boolean;
}

/** Processes start one by one, as pages come that no other has time for. */
export function createProcesses(options: ProcessesOptions): Processes {
  const { workers, ...rest } = options;
  const limits = {
    maxHeapMb: options.maxHeapMb ?? DEFAULT_HEAP_MB,
    maxPageMs: options.maxPageMs ?? options.timeoutMs * 6,
  };
  const living = new Set<PageProcess>();
  let failures = 0;
  const slots = createSlots(workers * PAGES_AT_A_PROCESS);

  const start = (): PageProcess => {
    const started = new PageProcess({ ...rest, ...limits }, () => living.delete(started));
    living.add(started);
    return started;
  };
  const findReady = (): PageProcess[] => [...living].filter((process) => process.isReady);

  /** Of those that are ready; where they have enough to do, another one starts meanwhile. */
  const choose = (): PageProcess => {
    const ready = findReady();
    const [first = start(), ...others] = ready.length > 0 ? ready : living;
    const best = others.reduce((least, other) => (other.load < least.load ? other : least), first);
    if (best.load > 0 && living.size < workers) start();
    return best;
  };

  const attempt = async (page: Page, signal: AbortSignal): Promise<Cleaned> => {
    const begun = performance.now();
    for (;;) {
      signal.throwIfAborted();
      try {
        // What a process is at is not waited for when nobody wants it any more.
        return await untilAborted(choose().clean(page), signal);
      } catch (error) {
        if (!(error instanceof ProcessDied)) throw error;
        if (!error.hasStarted && (failures += 1) >= MOST_FAILURES) throw error;
        // Its neighbours go to another process; each death takes one page along, so this ends.
        if (!error.isAtFault) continue;
        const details = {
          crashed: error.message,
          "out-of-memory": `${limits.maxHeapMb} MB`,
          timeout: `${limits.maxPageMs} ms`,
        };
        return {
          outcome: reject(page, "extract", error.reason, details[error.reason]),
          ms: performance.now() - begun,
        };
      }
    }
  };

  return {
    isReady() {
      if (living.size === 0) start();
      return findReady().length > 0;
    },
    hasRoom: () => findReady().some(({ load }) => load < PAGES_AT_A_PROCESS),
    clean: (page, signal) => slots(() => attempt(page, signal)),
    async close() {
      await Promise.all([...living].map((process) => process.kill()));
    },
  };
}
