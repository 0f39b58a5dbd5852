/** Pages into documents in the calling thread, one after another: nothing to start, and nothing to copy. */
import { setImmediate } from "node:timers/promises";
import { readOrCrash, type Guard, type GuardOptions } from "./guarded.js";
import { openReader, type PageReader } from "./read-page.js";
import { createSlots } from "./slots.js";

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
