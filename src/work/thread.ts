/** Reads pages in a worker thread, which a page can neither hang, nor exhaust, nor crash for its neighbours. */
import { Piscina } from "piscina";
import type { ReadPage } from "../core/clean-page.js";
import { messageOf } from "../core/read-page.js";
import type { ExtractorName } from "../extract/registry.js";
import { reject, type Reason } from "../outcome.js";
import { followSignal } from "../stop.js";
import type { Guard, GuardOptions } from "./guard.js";
import type { Task } from "./thread-body.js";

/** Heap of one worker. A 10 MB page needs about 25 times its size as a tree and a DOM. */
const DEFAULT_HEAP_MB = 1024;

/** The extractor that is left to try when another one fails on a page: the cheapest, which has no retries inside. */
const LAST_RESORT: ExtractorName = "page";

/** The share of a page's time that is for an extractor, where another one may have to be tried. */
const FIRST_SHARE = 2 / 3;

export function createThread(options: GuardOptions): Guard {
  const maxHeapMb = options.maxHeapMb ?? DEFAULT_HEAP_MB;
  const pool = new Piscina({
    // Threads run compiled JavaScript also when this file runs as TypeScript (in the tests).
    filename: new URL("../../dist/work/thread-body.js", import.meta.url).href,
    minThreads: 1,
    maxThreads: 1,
    idleTimeout: Number.POSITIVE_INFINITY,
    resourceLimits: { maxOldGenerationSizeMb: maxHeapMb },
  });
  // A thread can still die of a page that was given up: its reject is out already.
  pool.on("error", () => undefined);

  const attempt = async (task: Task, signal: AbortSignal, ms: number): Promise<ReadPage> => {
    const start = performance.now();
    const stop = followSignal(signal);
    const clock = setTimeout(() => {
      stop.abort();
    }, ms);
    try {
      // The worker's default export returns this type; a thread boundary cannot carry it.
      return (await pool.run(task, { signal: stop.signal })) as ReadPage;
    } catch (error) {
      signal.throwIfAborted();
      const reason = stop.signal.aborted ? "timeout" : explainDeath(error);
      const detail = {
        timeout: `${options.timeoutMs} ms`,
        "out-of-memory": `${maxHeapMb} MB`,
        crashed: messageOf(error),
      };
      const outcome = reject(task.page, "extract", reason, detail[reason]);
      return { outcome, ms: performance.now() - start };
    } finally {
      clearTimeout(clock);
      stop.release();
    }
  };

  return {
    async read([{ page, signal }]) {
      const { extractor, leftOut, markup, structure, metadata, keep, remove } = options;
      const asked = {
        ...(markup && { markup }),
        ...(structure && { structure }),
        ...(metadata && { metadata }),
      };
      const task = { page, extractor, leftOut, ...asked, ...(keep && { keep }), ...(remove && { remove }) };
      const share = extractor === LAST_RESORT ? 1 : FIRST_SHARE;
      const first = await attempt(task, signal, options.timeoutMs * share);
      if (first.outcome.ok || !isDeath(first.outcome.reason) || extractor === LAST_RESORT) return [first];
      const left = options.timeoutMs - first.ms;
      const second = await attempt({ ...task, extractor: LAST_RESORT }, signal, left);
      const ms = first.ms + second.ms;
      if (!second.outcome.ok) return [{ ...second, ms }];
      const { value } = second.outcome;
      const notes = [...value.notes, `${extractor}-${first.outcome.reason}`];
      return [{ outcome: { ok: true, value: { ...value, notes } }, ms }];
    },
    close: () => pool.destroy(),
  };
}

function isDeath(reason: Reason): boolean {
  return reason === "timeout" || reason === "out-of-memory" || reason === "crashed";
}

function explainDeath(error: unknown): "out-of-memory" | "crashed" {
  const code = error instanceof Error && "code" in error ? error.code : undefined;
  return code === "ERR_WORKER_OUT_OF_MEMORY" ? "out-of-memory" : "crashed";
}
