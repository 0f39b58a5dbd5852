/** Cleans pages in one process beside this one, and tells which page that process died of. */
import { fork, type ChildProcess } from "node:child_process";
import { fileURLToPath } from "node:url";
import type { Page } from "../../document.js";
import { UsageError } from "../../outcome.js";
import type { Cleaned } from "../../core/clean-page.js";
import type { CleanerOptions } from "../cleaner-options.js";
import type { Asked } from "../queue.js";

/** What a process is told: the options first, then pages, of which each may come with options of its own. */
export type Question =
  | { readonly options: CleanerOptions }
  | { readonly page: Page; readonly by?: CleanerOptions };

/**
 * What it answers: that it has started, then what became of each page, in the order in which it was asked. `error` is a
 * bug, or a model that cannot be used.
 */
export type Answer =
  | { readonly hasStarted: true }
  | { readonly cleaned: Cleaned }
  | { readonly error: { readonly message: string; readonly isUsage: boolean; readonly stack?: string } };

/** Processes run compiled JavaScript also when this file runs as TypeScript (in the tests). */
const BODY = fileURLToPath(new URL("../../../dist/command/process-body.js", import.meta.url));
/**
 * The heap, in MB, that a few pages fill: what V8 begins with is collected too often. Threads that collect would take
 * time from the other processes.
 */
const HEAP = [
  "--min-semi-space-size=8",
  "--max-semi-space-size=16",
  "--initial-old-space-size=64",
  "--single-threaded-gc",
];
/** For the process to load what it needs before its first page. */
const MAX_START_MS = 60_000;
/** The end of what a dying process says. */
const LAST_WORDS = 4_000;

/** How the sentence begins that says how a process ended. */
export const PROCESS_ENDED = "its process ended with";

/** How a process ended. */
export interface ProcessEnd {
  readonly hasStarted: boolean;
  /** Pages that it had; where it had started, the first one is what it was at, and the others only waited. */
  readonly pages: readonly Asked[];
  /** For how long it was at the first page. */
  readonly ms: number;
  readonly reason: "crashed" | "out-of-memory" | "timeout";
  readonly message: string;
}

export interface ProcessEvents {
  /** When it has started, and after each answer. */
  readonly onFree: () => void;
  /** When it can be given no more pages. */
  readonly onEnd: (end: ProcessEnd) => void;
}

export interface ProcessOptions extends CleanerOptions {
  /** Heap of the process. */
  readonly maxHeapMb: number;
  /** A process that is at one page for longer is killed: nothing takes so long but what has no end. */
  readonly maxPageMs: number;
}

export class PageProcess {
  readonly #child: ChildProcess;
  readonly #maxPageMs: number;
  /** The pages that were sent and not answered yet. */
  readonly #sent: Asked[] = [];
  readonly #ended: Promise<void>;
  readonly #onFree: () => void;
  #lastWords = "";
  #hasStarted = false;
  #isTooLong = false;
  /** Somebody waits for its end, which an answer that is still on its way must not keep from being heard. */
  #isAwaited = false;
  #begun = 0;
  #clock: NodeJS.Timeout | undefined;

  constructor({ maxHeapMb, maxPageMs, ...options }: ProcessOptions, { onFree, onEnd }: ProcessEvents) {
    this.#maxPageMs = maxPageMs;
    this.#onFree = onFree;
    const child = fork(BODY, {
      execArgv: [`--max-old-space-size=${maxHeapMb}`, ...HEAP],
      serialization: "advanced",
      // Its stdin ends with this process, which it hears while it is busy, too.
      stdio: ["pipe", "ignore", "pipe", "ipc"],
    });
    this.#child = child;
    child.stderr?.setEncoding("utf8").on("data", (text: string) => {
      this.#lastWords = (this.#lastWords + text).slice(-LAST_WORDS);
    });
    this.#ended = whenEnded(child).then(() => {
      clearTimeout(this.#clock);
      onEnd(this.#explainEnd());
    });
    // A process that cannot be started, or written to, ends, and its end is told.
    child.on("error", () => child.kill("SIGKILL"));
    // The body sends answers only.
    child.on("message", (answer: Answer) => {
      this.#hear(answer);
    });
    this.#send({ options });
    this.#watch();
    keepAlive(child, false);
  }

  /** Whether it answers at once, and need not start first. */
  get isReady(): boolean {
    return this.#hasStarted;
  }

  /** Pages that it has. */
  get load(): number {
    return this.#sent.length;
  }

  clean(asked: Asked): void {
    this.#sent.push(asked);
    if (this.#sent.length === 1) {
      keepAlive(this.#child, true);
      this.#watch();
    }
    const { page, options: by } = asked;
    this.#send(by === undefined ? { page } : { page, by });
  }

  async kill(): Promise<void> {
    this.#isAwaited = true;
    keepAlive(this.#child, true);
    this.#child.kill("SIGKILL");
    await this.#ended;
  }

  #send(question: Question): void {
    this.#child.send(question, (error) => {
      if (error !== null) this.#child.kill("SIGKILL");
    });
  }

  #hear(answer: Answer): void {
    if ("hasStarted" in answer) this.#hasStarted = true;
    else {
      settle(this.#sent.shift(), answer);
      if (this.#sent.length === 0 && !this.#isAwaited) keepAlive(this.#child, false);
    }
    this.#watch();
    this.#onFree();
  }

  /** The clock begins anew with each page. While it runs for the start alone, it keeps nothing from ending. */
  #watch(): void {
    clearTimeout(this.#clock);
    this.#begun = performance.now();
    if (this.#hasStarted && this.#sent.length === 0) return;
    const kill = (): void => {
      this.#isTooLong = true;
      this.#child.kill("SIGKILL");
    };
    const maxPageMs = this.#sent[0]?.maxPageMs ?? this.#maxPageMs;
    this.#clock = setTimeout(kill, this.#hasStarted ? maxPageMs : MAX_START_MS);
    if (!this.#hasStarted) this.#clock.unref();
  }

  #explainEnd(): ProcessEnd {
    const hasStarted = this.#hasStarted;
    const { signalCode, exitCode } = this.#child;
    const how = `${PROCESS_ENDED} ${signalCode ?? `exit code ${String(exitCode)}`}`;
    const isOutOfMemory = this.#lastWords.includes("out of memory");
    return {
      hasStarted,
      pages: this.#sent.splice(0),
      ms: performance.now() - this.#begun,
      reason: this.#isTooLong ? "timeout" : isOutOfMemory ? "out-of-memory" : "crashed",
      message: hasStarted ? how : `${how} before it began: ${this.#lastWords.trim()}`,
    };
  }
}

/** All that it said has been heard by then. */
function whenEnded(child: ChildProcess): Promise<void> {
  return new Promise((resolve) => {
    let open = 2;
    const end = (): void => {
      open -= 1;
      if (open === 0) resolve();
    };
    child.once("close", end);
    child.once("disconnect", end);
    // There never was one.
    child.once("error", () => {
      if (child.pid === undefined) resolve();
    });
  });
}

/** An idle process must not keep this one from ending. */
function keepAlive(child: ChildProcess, isWanted: boolean): void {
  const { channel, stdin, stderr } = child;
  // A pipe's end is a socket, which can be let go of; the types do not say so.
  const pipes = [stdin, stderr] as ({ ref?(): void; unref?(): void } | null)[];
  const handles = [child, channel, ...pipes];
  for (const handle of handles) {
    if (isWanted) handle?.ref?.();
    else handle?.unref?.();
  }
}

function settle(asked: Asked | undefined, answer: Exclude<Answer, { readonly hasStarted: true }>): void {
  if (asked === undefined) throw new Error("a process answered that was not asked");
  if ("cleaned" in answer) {
    asked.resolve(answer.cleaned);
    return;
  }
  const { message, isUsage, stack } = answer.error;
  const error = isUsage ? new UsageError(message) : new Error(message);
  if (stack !== undefined) error.stack = stack;
  asked.reject(error);
}
