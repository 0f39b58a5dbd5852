/** Chooses where a page becomes lines: in the calling thread where memory is bounded, else in one that can be killed. */
import { setImmediate } from "node:timers/promises";
import type { ExtractorName } from "../extract/registry.js";
import { type Guard, type GuardOptions, readOrCrash } from "./guarded.js";
import { openReader, type PageReader } from "./read-page.js";
import { createSlots } from "./slots.js";
import { createThread } from "./thread.js";
import { createWatched } from "./watched.js";
export type { Guard, GuardOptions } from "./guarded.js";

/**
 * Extractors whose time and memory grow linearly with the page, whatever the page: they need no thread of their own. (A
 * clock stops them for what nobody has thought of.) Readability explodes with depth, and the standard's tree
 * construction, which `body` gets as well, has no such bound either (its list of open formatting elements is searched
 * for each tag).
 */
const BOUNDED: ReadonlySet<ExtractorName> = new Set<ExtractorName>(["page"]);

export function createGuard(options: GuardOptions): Guard {
  if (!BOUNDED.has(options.extractor)) return createThread(options);
  return options.isWatched === true ? createWatched(options) : createInline(options);
}

/* MERGED src/work/guard.ts: Pages into documents in the calling thread, one after another: nothing to start, and nothing to copy. */

/** Only for extractors whose cost is bounded: here nobody can stop a page. (In watched.ts somebody can.) */
export function createInline(options: Pick<GuardOptions, "extractor" | "leftOut" | "markup">): Guard {
  let reader: Promise<PageReader> | undefined;
  const inTurn = createSlots(1);
  return {
    run: (page, signal, onTime) =>
      inTurn(async () => {
        reader ??= openReader(options.extractor, options);
        const read = await reader;
        // Between two pages Ctrl-C, timers and the network get a word in.
        await setImmediate();
        signal.throwIfAborted();
        const start = performance.now();
        const outcome = readOrCrash(read, page);
        onTime?.(performance.now() - start);
        return outcome;
      }),
    close: () => Promise.resolve(),
  };
}
