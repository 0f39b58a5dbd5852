/** Cleans pages in one child process, and reports which page the process died of. */
import { fork, type ChildProcess } from "node:child_process";
import { fileURLToPath } from "node:url";
import type { Page } from "../../document.js";
import { UsageError } from "../../outcome.js";
import type { Cleaned } from "../../core/clean-page.js";
import type { CleanerOptions } from "../cleaner-options.js";
import type { Asked } from "../queue.js";

/** What is sent to a process: the options first, then pages, each with its own options if they differ. */
export type Question =
  | { readonly options: CleanerOptions }
  | { readonly page: Page; readonly by?: CleanerOptions };

/**
 * What a process answers: that it has started, then the result of each page, in the order in which they were sent.
 * `error` is a bug, or a model that cannot be used.
 */
export type Answer =
  | { readonly hasStarted: true }
  | { readonly cleaned: Cleaned }
  | { readonly error: { readonly message: string; readonly isUsage: boolean; readonly stack?: string } };

/** Processes run compiled JavaScript, even if this file runs as TypeScript (in the tests). */
const BODY = fileURLToPath(new URL("../../../dist/command/process-body.js", import.meta.url));
/**
 * Heap sizes in MB that a few pages fill: with V8's initial sizes, garbage is collected too often. Threads that collect
 * garbage would take time from the other processes.
 */
const HEAP = [
  "--min-semi-space-size=8",
  "--max-semi-space-size=16",
  "--initial-old-space-size=64",
  "--single-threaded-gc",
];
/** Milliseconds for the process to load what it needs before its first page. */
const MAX_START_MS = 60_000;
/** Characters that are kept from the end of the stderr of a process. */
const LAST_WORDS = 4_000;

/** The beginning of the message that says how a process ended. */
export const PROCESS_ENDED = "its process ended with";

/** How a process ended. */
export interface ProcessEnd {
  readonly hasStarted: boolean;
  /** Pages that it had. If it had started, it was cleaning the first one, and the others only waited. */
  readonly pages: readonly Asked[];
  /** Milliseconds that it spent on the first page. */
  readonly ms: number;
  readonly reason: "crashed" | "out-of-memory" | "timeout";
  readonly message: string;
}

export interface ProcessEvents {
  /** Called when it has started, and after each answer. */
  readonly onFree: () => void;
  /** Called when it has ended and takes no more pages. */
  readonly onEnd: (end: ProcessEnd) => void;
}

export interface ProcessOptions extends CleanerOptions {
  /** Heap of the process, in MB. */
  readonly maxHeapMb: number;
  /** Milliseconds for one page, after which the process is killed: only a page without an end takes so long. */
  readonly maxPageMs: number;
}

export class PageProcess {
  readonly #child: ChildProcess;
  readonly #maxPageMs: number;
  /** The pages that were sent and are not answered yet. */
  readonly #sent: Asked[] = [];
  readonly #ended: Promise<void>;
  readonly #onFree: () => void;
  #lastWords = "";
  #hasStarted = false;
  #isTooLong = false;
  /** Whether `kill` waits for the end; then a late answer must not release the child, or its end would be missed. */
  #isAwaited = false;
  #begun = 0;
  #clock: NodeJS.Timeout | undefined;

  constructor({ maxHeapMb, maxPageMs, ...options }: ProcessOptions, { onFree, onEnd }: ProcessEvents) {
    this.#maxPageMs = maxPageMs;
    this.#onFree = onFree;
    const child = fork(BODY, {
      execArgv: [`--max-old-space-size=${maxHeapMb}`, ...HEAP],
      serialization: "advanced",
      // The stdin of the child closes when this process ends, which the child notices even while it is busy.
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
    // A process that cannot be started or written to is killed, and its end is reported.
    child.on("error", () => child.kill("SIGKILL"));
    // The child sends only answers.
    child.on("message", (answer: Answer) => {
      this.#hear(answer);
    });
    this.#send({ options });
    this.#watch();
    keepAlive(child, false);
  }

  /** Whether it has started, so that it can answer at once. */
  get isReady(): boolean {
    return this.#hasStarted;
  }

  /** The number of pages that it has. */
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

  /** Restarts the timeout, for each page anew. During the start, the timer does not keep this process alive. */
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
      message: hasStarted ? how : `${how} before it started: ${this.#lastWords.trim()}`,
    };
  }
}

/** Resolves when the child has ended, and all of its messages and output have been received. */
function whenEnded(child: ChildProcess): Promise<void> {
  return new Promise((resolve) => {
    let open = 2;
    const end = (): void => {
      open -= 1;
      if (open === 0) resolve();
    };
    child.once("close", end);
    child.once("disconnect", end);
    // The process was never started.
    child.once("error", () => {
      if (child.pid === undefined) resolve();
    });
  });
}

/** Sets whether the child keeps this process alive: an idle child must not. */
function keepAlive(child: ChildProcess, isWanted: boolean): void {
  const { channel, stdin, stderr } = child;
  // The pipes are sockets, which have `ref` and `unref`; the types do not say so.
  const pipes = [stdin, stderr] as ({ ref?(): void; unref?(): void } | null)[];
  const handles = [child, channel, ...pipes];
  for (const handle of handles) {
    if (isWanted) handle?.ref?.();
    else handle?.unref?.();
  }
}

function settle(asked: Asked | undefined, answer: Exclude<Answer, { readonly hasStarted: true }>): void {
  if (asked === undefined) throw new Error("a process answered without being asked");
  if ("cleaned" in answer) {
    asked.resolve(answer.cleaned);
    return;
  }
  const { message, isUsage, stack } = answer.error;
  const error = isUsage ? new UsageError(message) : new Error(message);
  if (stack !== undefined) error.stack = stack;
  asked.reject(error);
}
