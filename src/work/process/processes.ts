/**
 * Manages the processes that clean pages: starts them as pages come, distributes pages, and replaces dead processes.
 */
import { reject, type Reject } from "../../outcome.js";
import { PROCESS_ENDED, PageProcess, type ProcessEnd, type ProcessOptions } from "./process.js";
import type { Asked, PageQueue } from "../queue.js";
import { namePage } from "../see-page.js";

/** Processes in a row that end before they start; after these, the next one would fail as well. */
const MOST_FAILURES = 5;

/** The reason in the reject of any page if no process can be started. */
export const NO_PROCESS = "no process can be started";

/** Whether a page was rejected only because no process could be started. */
export function isLackOfProcesses({ reason, detail }: Pick<Reject, "reason" | "detail">): boolean {
  return reason === "crashed" && detail?.includes(NO_PROCESS) === true;
}

/** Whether the process that cleaned the page ended without a message, twice. */
export function isEndOfProcess({ reason, detail }: Pick<Reject, "reason" | "detail">): boolean {
  return reason === "crashed" && detail?.startsWith(PROCESS_ENDED) === true;
}

interface ProcessesOptions extends ProcessOptions {
  readonly workers: number;
  /** The most pages that a process holds: the one that it cleans, and those that wait in it. */
  readonly ahead: number;
}

/** The child processes, which start one by one as pages come that no other process has time for. */
export class Processes {
  readonly #options: ProcessOptions;
  readonly #workers: number;
  readonly #ahead: number;
  readonly #queue: PageQueue;
  readonly #onHandedOut: () => void;
  readonly #living = new Set<PageProcess>();
  /** Pages that a process seems to have died of; each is tried once more, alone. */
  readonly #secondTries = new WeakSet<Asked>();
  readonly #again: Asked[] = [];
  /** The process that gets no other pages, because it cleans a page that is tried again, or will do so. */
  #alone: PageProcess | undefined;
  #failures = 0;
  #lastWords = "";
  #haveBegun = false;
  #isClosed = false;

  /** `onHandedOut` is called when the processes have all the pages that they may have. */
  constructor({ workers, ahead, ...options }: ProcessesOptions, queue: PageQueue, onHandedOut: () => void) {
    this.#options = options;
    this.#workers = workers;
    this.#ahead = ahead;
    this.#queue = queue;
    this.#onHandedOut = onHandedOut;
  }

  /** Whether pages can wait for the processes: not before the first one is ready, nor if no more can be started. */
  get areThere(): boolean {
    return this.#haveBegun && !this.areLost;
  }

  /** Whether so many processes failed to start that the next one is not tried. */
  get areLost(): boolean {
    return this.#failures >= MOST_FAILURES;
  }

  /** The message about the last process that failed to start, with the end of its stderr. */
  get lastWords(): string {
    return this.#lastWords;
  }

  /** Forgets the failures, so that the next page starts a process again. */
  forgive(): void {
    this.#failures = 0;
  }

  /** Gives each page to the process with the fewest pages. If all have some, another one is started as well. */
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

  /** Gives a page that is tried again to the process with the fewest pages, once that has no other page. */
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
      const why = `its process ended, and ${NO_PROCESS}`;
      for (const asked of this.#again.splice(0))
        asked.resolve({ outcome: reject(namePage(asked.page), "extract", "crashed", why), ms: 0 });
    }
    if (this.#alone?.load !== 0) return;
    const asked = this.#again.shift();
    if (asked !== undefined) this.#alone.clean(asked);
  }

  /** Finds a ready process with room. If all have died, pages wait for those that start in their place. */
  #findFree(): PageProcess | undefined {
    const living = [...this.#living].filter((process) => process !== this.#alone);
    const ready = living.filter(({ isReady }) => isReady);
    const those = ready.length > 0 || !this.areThere ? ready : living;
    return those.filter(({ load }) => load < this.#ahead).sort((one, other) => one.load - other.load)[0];
  }

  #start(): void {
    if (this.#living.size >= this.#workers || this.areLost) return;
    const started = new PageProcess(this.#options, {
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
   * Handles the end of a process. The other pages that it had go to another process. So does the page that it was
   * cleaning, once, since it may not be the cause: something else may have killed the process.
   */
  #bury({ hasStarted, pages, ms, reason, message }: ProcessEnd): void {
    if (!hasStarted) {
      this.#failures += 1;
      this.#lastWords = message;
    }
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
    const { maxHeapMb } = this.#options;
    const maxPageMs = atFault.maxPageMs ?? this.#options.maxPageMs;
    const details = { crashed: message, "out-of-memory": `${maxHeapMb} MB`, timeout: `${maxPageMs} ms` };
    atFault.resolve({ outcome: reject(namePage(atFault.page), "extract", reason, details[reason]), ms });
  }
}
