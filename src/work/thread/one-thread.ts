/** Runs tasks in one worker thread that can be killed; the only file that imports Piscina. */
import type { Piscina } from "piscina";
import { followSignal } from "../../time/stop.js";
import { codeOf } from "../../thrown.js";

export interface ThreadOptions<Task> {
  /** A file of `dist/command/`, even if this file runs as TypeScript (in the tests). Its default export is called. */
  readonly body: "thread-body" | "json-thread-body";
  readonly maxHeapMb: number;
  /** A task that loads what all others need. It runs first whenever the thread starts, and does not count as theirs. */
  readonly first: Task;
}

/** Milliseconds for the thread to start and run its first task. */
const MAX_START_MS = 60_000;

export type DeathReason = "timeout" | "out-of-memory" | "crashed";

/** Thrown if a task has no result, because it took too long or the thread died of it. */
export class ThreadDeath extends Error {
  readonly reason: DeathReason;
  /** Milliseconds that the task took. */
  readonly ms: number;

  constructor(reason: DeathReason, ms: number, cause: unknown) {
    super(`the thread was lost: ${reason}`, { cause });
    this.reason = reason;
    this.ms = ms;
  }
}

export interface OneThread<Task, Result> {
  /** Runs a task for at most `ms` milliseconds, one call at a time. Throws ThreadDeath, or the reason of the signal. */
  run(task: Task, limits: Limits): Promise<Result>;
  close(): Promise<void>;
}

interface Limits {
  readonly signal: AbortSignal;
  readonly ms: number;
}

export function openThread<Task, Result>(options: ThreadOptions<Task>): OneThread<Task, Result> {
  const pool = openPool(options);
  let hasStarted = false;
  return {
    async run(task, limits) {
      const opened = await pool;
      if (!hasStarted) await runWithin(opened, options.first, { ...limits, ms: MAX_START_MS });
      // A task without a result may have ended the thread; then another one starts.
      hasStarted = false;
      const result = await runWithin(opened, task, limits);
      hasStarted = true;
      // The default export of the file returns this type, but messages between threads have no types.
      return result as Result;
    },
    close: async () => (await pool).destroy(),
  };
}

async function runWithin(pool: Piscina, task: unknown, { signal, ms }: Limits): Promise<unknown> {
  const begun = performance.now();
  const stop = followSignal(signal);
  const clock = setTimeout(() => {
    stop.abort();
  }, ms);
  try {
    return await pool.run(task, { signal: stop.signal });
  } catch (error) {
    signal.throwIfAborted();
    const reason = stop.signal.aborted ? "timeout" : explainDeath(error);
    throw new ThreadDeath(reason, performance.now() - begun, error);
  } finally {
    clearTimeout(clock);
    stop.release();
  }
}

/** Loads Piscina only here, because that takes a good part of the start time, and most pages need no thread. */
async function openPool({ body, maxHeapMb }: Omit<ThreadOptions<never>, "first">): Promise<Piscina> {
  const library = await import("piscina");
  const pool = new library.Piscina({
    filename: new URL(`../../../dist/command/${body}.cjs`, import.meta.url).href,
    minThreads: 1,
    maxThreads: 1,
    idleTimeout: Number.POSITIVE_INFINITY,
    resourceLimits: { maxOldGenerationSizeMb: maxHeapMb },
  });
  // A thread can still die of a task that was aborted; this was reported already.
  pool.on("error", () => undefined);
  return pool;
}

function explainDeath(error: unknown): DeathReason {
  return codeOf(error) === "ERR_WORKER_OUT_OF_MEMORY" ? "out-of-memory" : "crashed";
}
