/** Reads pages in a worker thread, so that a page that hangs, crashes or exhausts memory harms no other page. */
import type { ReadPage } from "../../core/clean-page.js";
import type { ExtractorName } from "../../extract/registry.js";
import type { Page } from "../../document.js";
import { reject, type Reason } from "../../outcome.js";
import type { Guard, GuardOptions } from "../guard.js";
import { openThread, ThreadDeath } from "./one-thread.js";
import type { Task } from "./thread-body.js";
import { messageOf } from "../../thrown.js";

/** Heap of one thread, in MB. A 10 MB page needs about 25 times its size as a tree and a DOM. */
const DEFAULT_HEAP_MB = 1024;

/** The extractor to try when another one fails on a page: the cheapest one, which needs no thread of its own. */
const LAST_RESORT: ExtractorName = "page";

/** The share of a page's time limit for its extractor, so that LAST_RESORT can be tried in the rest. */
const FIRST_SHARE = 2 / 3;

/** The page that loads the extractor before others are read. */
const FIRST_PAGE: Page = { id: "", url: "", content: { kind: "html", html: "<p>x" } };

/** Creates a guard with a worker thread; a page that the extractor fails on is read again by LAST_RESORT. */
export function createThread(options: GuardOptions): Guard {
  const { extractor, leftOut, markup, structure, metadata, keep, remove } = options;
  const maxHeapMb = options.maxHeapMb ?? DEFAULT_HEAP_MB;
  const toTask = (page: Page): Task => ({
    ...{ page, extractor, leftOut },
    ...(markup && { markup }),
    ...(structure && { structure }),
    ...(metadata && { metadata }),
    ...(keep && { keep }),
    ...(remove && { remove }),
  });
  const thread = openThread<Task, ReadPage>({ body: "thread-body", maxHeapMb, first: toTask(FIRST_PAGE) });

  const attempt = async (task: Task, signal: AbortSignal, ms: number): Promise<ReadPage> => {
    try {
      return await thread.run(task, { signal, ms });
    } catch (error) {
      if (!(error instanceof ThreadDeath)) throw error;
      const detail = {
        timeout: `${options.timeoutMs} ms`,
        "out-of-memory": `${maxHeapMb} MB`,
        crashed: messageOf(error.cause),
      };
      const outcome = reject(task.page, "extract", error.reason, detail[error.reason]);
      return { outcome, ms: error.ms };
    }
  };

  return {
    async read([{ page, signal }]) {
      const task = toTask(page);
      const first = await attempt(task, signal, options.timeoutMs * FIRST_SHARE);
      if (first.outcome.ok || !isDeath(first.outcome.reason)) return [first];
      const left = Math.max(1, options.timeoutMs - first.ms);
      const second = await attempt({ ...task, extractor: LAST_RESORT }, signal, left);
      const ms = first.ms + second.ms;
      if (!second.outcome.ok) return [{ ...second, ms }];
      const { value } = second.outcome;
      const notes = [...value.notes, `${extractor}-${first.outcome.reason}`];
      return [{ outcome: { ok: true, value: { ...value, notes } }, ms }];
    },
    close: () => thread.close(),
  };
}

function isDeath(reason: Reason): boolean {
  return reason === "timeout" || reason === "out-of-memory" || reason === "crashed";
}
