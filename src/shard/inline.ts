/** Pages into documents in the calling thread, one after another: nothing to start, and nothing to copy. */
import { setImmediate } from "node:timers/promises";
import { reject } from "../outcome.js";
import { messageOf, type Guard, type GuardOptions } from "./guarded.js";
import { openReader, type PageReader } from "./read-page.js";
import { createSlots } from "./slots.js";
import { runWithin, TookTooLong } from "./watchdog.js";

/** Only for extractors whose memory is bounded: here a page can be stopped, and no more. */
export function createInline(options: Omit<GuardOptions, "maxHeapMb">): Guard {
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
        try {
          return runWithin(options.timeoutMs, () => read(page));
        } catch (error) {
          if (!(error instanceof TookTooLong)) return reject(page, "extract", "crashed", messageOf(error));
          // Whatever the page left behind goes with its reader.
          reader = undefined;
          return reject(page, "extract", "timeout", error.message);
        } finally {
          onTime?.(performance.now() - start);
        }
      }),
    close: () => Promise.resolve(),
  };
}
