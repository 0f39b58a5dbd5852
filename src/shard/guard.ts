/** Chooses where pages become documents: in the calling thread where that is safe and fast, else in threads. */
import type { ExtractorName } from "../extract/extractor.js";
import type { Guard, GuardOptions } from "./guarded.js";
import { createInline } from "./inline.js";
import { createThreads } from "./threads.js";

export type { Guard, GuardOptions } from "./guarded.js";

/**
 * Extractors whose time and memory grow linearly with the page, whatever the page: they need no thread that can be
 * killed. Readability explodes with depth, and the standard's tree construction, which `body` gets as well, has no such
 * bound either (its list of open formatting elements is searched for each tag).
 */
const BOUNDED: ReadonlySet<ExtractorName> = new Set<ExtractorName>(["page"]);

/** The output is the same wherever a page runs. */
export function createGuard(options: GuardOptions): Guard {
  if (!BOUNDED.has(options.extractor)) return createThreads(options);
  const inline = createInline(options);
  return options.workers === 1 ? inline : createLateThreads(inline, options);
}

/** The first page is often the only one: threads are started, which takes longer than a page, when a second one comes. */
function createLateThreads(inline: Guard, options: GuardOptions): Guard {
  let threads: Guard | undefined;
  let isFirst = true;
  return {
    async run(page, signal, onTime) {
      // After the end nobody would close new threads.
      signal.throwIfAborted();
      if (!isFirst) return (threads ??= createThreads(options)).run(page, signal, onTime);
      isFirst = false;
      return inline.run(page, signal, onTime);
    },
    async close() {
      await inline.close();
      await threads?.close();
    },
  };
}
