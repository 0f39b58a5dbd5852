/** One process beside this one: pages to it, what they became back, and the page that it died of. */
import { fork, type ChildProcess } from "node:child_process";
import { fileURLToPath } from "node:url";
import type { Page } from "../document.js";
import { UsageError } from "../outcome.js";
import type { Cleaned } from "./clean-page.js";
import type { CleanerOptions } from "./cleaner.js";

/**
 * What V8 sees of the first pages can make it put the parts of every later one where only a full collection finds them,
 * and all that they hold stays with them: seen to take 25 % of the speed of a process for good.
 */
export const STEADY_HEAP = "--no-allocation-site-pretenuring";

/** Processes run compiled JavaScript also when this file runs as TypeScript (in the tests). */
const BODY = fileURLToPath(new URL("../../dist/work/process-body.js", import.meta.url));
/**
 * The heap, in MB, that a few pages fill: what V8 begins with is collected too often. Threads that collect would take
 * time from the other processes.
 */
const HEAP = [
  "--min-semi-space-size=8",
  "--max-semi-space-size=16",
  "--initial-old-space-size=64",
  "--single-threaded-gc",
  STEADY_HEAP,
];
/** For the process to load what it needs before its first page. */
const MAX_START_MS = 60_000;
/** The end of what a dying process says. */
const LAST_WORDS = 4_000;

/** Thrown to whoever waits for a page when its process is gone. */
export class ProcessDied extends Error {
  /** Whether this is the page that the process was at: not so for pages that waited, nor where it never began. */
  readonly isAtFault: boolean;
  readonly hasStarted: boolean;
  readonly reason: "crashed" | "out-of-memory" | "timeout";
  constructor(message: string, about: Pick<ProcessDied, "isAtFault" | "hasStarted" | "reason">) {
    super(message);
    this.isAtFault = about.isAtFault;
    this.hasStarted = about.hasStarted;
    this.reason = about.reason;
  }
}

export interface ProcessOptions extends CleanerOptions {
  /** Heap of the process. */
  readonly maxHeapMb: number;
  /** A process that is at one page for longer is killed: nothing takes so long but what has no end. */
  readonly maxPageMs: number;
}

interface Waiting {
  readonly resolve: (cleaned: Cleaned) => void;
  readonly reject: (error: Error) => void;
}

export class PageProcess {
  readonly #child: ChildProcess;
  readonly #maxPageMs: number;
  readonly #waiting: Waiting[] = [];
  readonly #ended: Promise<void>;
  #lastWords = "";
  #hasStarted = false;
  #isTooLong = false;
  #clock: NodeJS.Timeout | undefined;

  /** `onEnd` is called when it can be given no more pages. */
  constructor({ maxHeapMb, maxPageMs, ...options }: ProcessOptions, onEnd: () => void) {
    this.#maxPageMs = maxPageMs;
    const child = fork(BODY, {
      execArgv: [`--max-old-space-size=${maxHeapMb}`, ...HEAP],
      serialization: "advanced",
      stdio: ["ignore", "ignore", "pipe", "ipc"],
    });
    this.#child = child;
    child.stderr?.setEncoding("utf8").on("data", (text: string) => {
      this.#lastWords = (this.#lastWords + text).slice(-LAST_WORDS);
    });
    this.#ended = whenEnded(child).then(() => {
      onEnd();
      this.#tellAll();
    });
    // A process that cannot be started, or written to, ends; then all who wait are told.
    child.on("error", () => child.kill("SIGKILL"));
    // The body sends answers only.
    child.on("message", (answer: Answer) => {
      this.#hear(answer);
    });
    this.#send({ options });
    keepAlive(child, false);
  }

  /** Whether it answers at once, and need not start first. */
  get isReady(): boolean {
    return this.#hasStarted;
  }

  /** Pages that wait for it. */
  get load(): number {
    return this.#waiting.length;
  }

  /** Throws ProcessDied when there is no answer any more, and what the body threw. */
  clean(page: Page): Promise<Cleaned> {
    keepAlive(this.#child, true);
    return new Promise((resolve, reject) => {
      this.#waiting.push({ resolve, reject });
      if (this.#waiting.length === 1) this.#watch();
      this.#send({ page });
    });
  }

  async kill(): Promise<void> {
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
    if ("hasStarted" in answer) {
      this.#hasStarted = true;
      this.#watch();
      return;
    }
    const asked = this.#waiting.shift();
    this.#watch();
    if (this.#waiting.length === 0) keepAlive(this.#child, false);
    settle(asked, answer);
  }

  /** The clock begins anew with each page. */
  #watch(): void {
    clearTimeout(this.#clock);
    if (this.#waiting.length === 0) return;
    this.#clock = setTimeout(
      () => {
        this.#isTooLong = true;
        this.#child.kill("SIGKILL");
      },
      this.#hasStarted ? this.#maxPageMs : MAX_START_MS,
    );
  }

  /** Those who still wait when it has ended. */
  #tellAll(): void {
    clearTimeout(this.#clock);
    const hasStarted = this.#hasStarted;
    const { signalCode, exitCode } = this.#child;
    const how = `its process ended with ${signalCode ?? `exit code ${String(exitCode)}`}`;
    const message = hasStarted ? how : `${how} before it began: ${this.#lastWords.trim()}`;
    const isOutOfMemory = this.#lastWords.includes("out of memory");
    const reason = this.#isTooLong ? "timeout" : isOutOfMemory ? "out-of-memory" : "crashed";
    for (const [place, { reject }] of this.#waiting.splice(0).entries())
      reject(new ProcessDied(message, { isAtFault: hasStarted && place === 0, hasStarted, reason }));
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
  const { channel, stderr } = child;
  // A pipe's reading end is a socket, which can be let go of; the types do not say so.
  const handles = [child, channel, stderr as { ref?(): void; unref?(): void } | null];
  for (const handle of handles) {
    if (isWanted) handle?.ref?.();
    else handle?.unref?.();
  }
}

function settle(asked: Waiting | undefined, answer: Exclude<Answer, { readonly hasStarted: true }>): void {
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

/* MERGED src/work/process.ts: What a process that cleans pages is told, and what it answers: in the order in which it was asked. */

export type Question = { readonly options: CleanerOptions } | { readonly page: Page };

/** The first one says that there is somebody to answer. `error` is a bug, or a model that cannot be used. */
export type Answer =
  | { readonly hasStarted: true }
  | { readonly cleaned: Cleaned }
  | { readonly error: { readonly message: string; readonly isUsage: boolean; readonly stack?: string } };
