/** Runs tasks in one worker thread that can be killed; the only file that imports Piscina. */
import type { Piscina } from "piscina";
import { followSignal } from "../../time/stop.js";
import { codeOf } from "../../thrown.js";

export interface ThreadOptions {
  /** A file of `dist/command/`, even if this file runs as TypeScript (in the tests). Its default export is called. */
  readonly body: "thread-body" | "json-thread-body";
  readonly maxHeapMb: number;
}

export type DeathReason = "timeout" | "out-of-memory" | "crashed";

/** Thrown if a task has no result, because it took too long or the thread died of it. */
export class ThreadDeath extends Error {
  readonly reason: DeathReason;

  constructor(reason: DeathReason, cause: unknown) {
    super(`the thread was lost: ${reason}`, { cause });
    this.reason = reason;
  }
}

export interface OneThread<Task, Result> {
  /** Runs a task for at most `ms` milliseconds. Throws ThreadDeath, or the reason of the signal. */
  run(task: Task, limits: { readonly signal: AbortSignal; readonly ms: number }): Promise<Result>;
  close(): Promise<void>;
}

export function openThread<Task, Result>(options: ThreadOptions): OneThread<Task, Result> {
  const pool = openPool(options);
  return {
    async run(task, { signal, ms }) {
      const stop = followSignal(signal);
      const clock = setTimeout(() => {
        stop.abort();
      }, ms);
      try {
        // The default export of the file returns this type, but messages between threads have no types.
        return (await (await pool).run(task, { signal: stop.signal })) as Result;
      } catch (error) {
        signal.throwIfAborted();
        throw new ThreadDeath(stop.signal.aborted ? "timeout" : explainDeath(error), error);
      } finally {
        clearTimeout(clock);
        stop.release();
      }
    },
    close: async () => (await pool).destroy(),
  };
}

/** Loads Piscina only here, because that takes a good part of the start time, and most pages need no thread. */
async function openPool({ body, maxHeapMb }: ThreadOptions): Promise<Piscina> {
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
