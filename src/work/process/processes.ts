/** Keeps the processes that clean pages: starts them as pages come, hands pages out, and replaces those that die of one. */
import { reject, type Reject } from "../../outcome.js";
import { PROCESS_ENDED, PageProcess, type ProcessEnd, type ProcessOptions } from "./process.js";
import type { Asked, PageQueue } from "../queue.js";
import { namePage } from "../see-page.js";

/** Processes in a row that end before they begin: the next one would fare no better. */
const MOST_FAILURES = 5;

/** What is said where pages cannot be cleaned, whatever they are. */
export const NO_PROCESS = "no process can be started";

/** Whether a page was not cleaned for no fault of its own. */
export function isLackOfProcesses({ reason, detail }: Pick<Reject, "reason" | "detail">): boolean {
  return reason === "crashed" && detail?.includes(NO_PROCESS) === true;
}

/** Whether the process that was at a page ended, twice, without a word. */
export function isEndOfProcess({ reason, detail }: Pick<Reject, "reason" | "detail">): boolean {
  return reason === "crashed" && detail?.startsWith(PROCESS_ENDED) === true;
}

interface ProcessesOptions extends ProcessOptions {
  readonly workers: number;
  /** Pages that a process has at most: the one that it is at, and those that wait there for it. */
  readonly ahead: number;
}

/** The processes beside this one, which start one by one, as pages come that no other has time for. */
export class Processes {
  readonly #options: ProcessOptions;
  readonly #workers: number;
  readonly #ahead: number;
  readonly #queue: PageQueue;
  readonly #onHandedOut: () => void;
  readonly #living = new Set<PageProcess>();
  /** Pages that a process died of, or so it seems: each is tried once more, alone. */
  readonly #secondTries = new WeakSet<Asked>();
  readonly #again: Asked[] = [];
  /** The process that gets no other pages: it is at one that is tried again, or will be. */
  #alone: PageProcess | undefined;
  #failures = 0;
  #lastWords = "";
  #haveBegun = false;
  #isClosed = false;

  /** `onHandedOut` is called when they have all the pages that they may have. */
  constructor({ workers, ahead, ...options }: ProcessesOptions, queue: PageQueue, onHandedOut: () => void) {
    this.#options = options;
    this.#workers = workers;
    this.#ahead = ahead;
    this.#queue = queue;
    this.#onHandedOut = onHandedOut;
  }

  /** Whether pages can wait for them: not before the first one is ready, nor where none can be started any more. */
  get areThere(): boolean {
    return this.#haveBegun && !this.areLost;
  }

  /** Whether so many could not be started that the next one is not tried. */
  get areLost(): boolean {
    return this.#failures >= MOST_FAILURES;
  }

  /** What the last one that could not be started said. */
  get lastWords(): string {
    return this.#lastWords;
  }

  /** Lets the next page try again what failed before. */
  forgive(): void {
    this.#failures = 0;
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
      const why = `its process ended, and ${NO_PROCESS}`;
      for (const asked of this.#again.splice(0))
        asked.resolve({ outcome: reject(namePage(asked.page), "extract", "crashed", why), ms: 0 });
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
   * The neighbours of the page that the process was at go to another one; so does the page itself, once, where it need not be
   * what the process died of: somebody else may have killed it.
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
