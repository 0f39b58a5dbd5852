/** One process beside this one: pages to it, what they became back, and the page that it died of. */
import { fork, type ChildProcess } from "node:child_process";
import { once } from "node:events";
import { fileURLToPath } from "node:url";
import type { Page } from "../document.js";
import { UsageError } from "../outcome.js";
import type { Cleaned } from "./clean-page.js";
import type { CleanerOptions } from "./cleaner.js";
import type { Answer, Question } from "./messages.js";

/** Processes run compiled JavaScript also when this file runs as TypeScript (in the tests). */
const BODY = fileURLToPath(new URL("../../dist/shard/child.js", import.meta.url));
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
/** The end of what a dying process says. */
const LAST_WORDS = 4_000;

/** Thrown to whoever waits for a page when its process is gone. */
export class ProcessDied extends Error {
  /** Whether this is the page that the process was at: not so for pages that waited, nor where it never began. */
  readonly isAtFault: boolean;
  readonly isOutOfMemory: boolean;
  readonly hasStarted: boolean;
  constructor(message: string, about: Pick<ProcessDied, "isAtFault" | "isOutOfMemory" | "hasStarted">) {
    super(message);
    this.isAtFault = about.isAtFault;
    this.isOutOfMemory = about.isOutOfMemory;
    this.hasStarted = about.hasStarted;
  }
}

export interface PageProcess {
  /** Whether it answers at once, and need not start first. */
  isReady(): boolean;
  /** Pages that wait for it. */
  load(): number;
  clean(page: Page): Promise<Cleaned>;
  kill(): Promise<void>;
}

interface Waiting {
  readonly resolve: (cleaned: Cleaned) => void;
  readonly reject: (error: Error) => void;
}

/** `onEnd` is called when it can be given no more pages. */
export function startProcess(
  options: CleanerOptions,
  { maxHeapMb, onEnd }: { readonly maxHeapMb: number; readonly onEnd: () => void },
): PageProcess {
  const child = fork(BODY, {
    execArgv: [`--max-old-space-size=${maxHeapMb}`, ...HEAP],
    serialization: "advanced",
    stdio: ["ignore", "ignore", "pipe", "ipc"],
  });
  const waiting: Waiting[] = [];
  let lastWords = "";
  let hasStarted = false;
  child.stderr?.setEncoding("utf8").on("data", (text: string) => {
    lastWords = (lastWords + text).slice(-LAST_WORDS);
  });
  const ended = Promise.all([once(child, "close"), once(child, "disconnect")]).then(() => {
    onEnd();
    const { exitCode, signalCode } = child;
    const how = `its process ended with ${signalCode ?? `exit code ${String(exitCode)}`}`;
    const message = hasStarted ? how : `${how} before it began: ${lastWords.trim()}`;
    const isOutOfMemory = lastWords.includes("out of memory");
    for (const [place, { reject }] of waiting.splice(0).entries())
      reject(new ProcessDied(message, { isAtFault: hasStarted && place === 0, isOutOfMemory, hasStarted }));
  });
  // A process that cannot be started, or written to, ends; then all who wait are told.
  child.on("error", () => child.kill("SIGKILL"));
  // The body sends answers only.
  child.on("message", (answer: Answer) => {
    if ("hasStarted" in answer) {
      hasStarted = true;
      return;
    }
    const asked = waiting.shift();
    if (waiting.length === 0) keepAlive(child, false);
    settle(asked, answer);
  });
  const send = (question: Question): void => {
    child.send(question, (error) => {
      if (error !== null) child.kill("SIGKILL");
    });
  };
  send({ options });
  keepAlive(child, false);
  return {
    isReady: () => hasStarted,
    load: () => waiting.length,
    clean(page) {
      keepAlive(child, true);
      return new Promise((resolve, reject) => {
        waiting.push({ resolve, reject });
        send({ page });
      });
    },
    async kill() {
      keepAlive(child, true);
      child.kill("SIGKILL");
      await ended;
    },
  };
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
