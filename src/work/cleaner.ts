/** The seam between the pipeline and whoever cleans single pages: this process, or others beside it. */
import type { Page } from "../document.js";
import { openChoice, type LabellerChoice } from "../label/labeller-choice.js";
import type { Form } from "../write/registry.js";
import { labellers } from "../label/registry.js";
import type { PageOptions } from "../options.js";
import { cleanPage, type Cleaned } from "./clean-page.js";
import { createGuard, type Guard, type GuardOptions } from "./guard.js";
import { createBatches, createSlots } from "./slots.js";

/** What becomes of a single page. */
export interface CleanerOptions extends PageOptions {
  /** Documents come in this form, without lines, and with what they carry along in it. */
  readonly form?: Form;
}

export interface Cleaner {
  /** Whatever the page holds is an outcome; only bugs and the signal throw. */
  clean(page: Page, signal: AbortSignal): Promise<Cleaned>;
  /** What still runs is not waited for longer than it must be. */
  close(): Promise<void>;
}

/** Throws UsageError when a model is named that cannot be used. */
export function openLabellers(options: CleanerOptions): Promise<LabellerChoice> {
  const { extractor, comments } = options;
  return openChoice({
    ...options,
    pages: extractor === "readability" ? "extracted" : "raw",
    mayAskText: comments === "keep" || comments === "only",
  });
}

/**
 * Pages that are cleaned as one batch: those that wait are read in one go (see watched.ts), then labelled one by one. More
 * of them would keep the process busy for too long.
 */
export const PAGES_AT_ONCE = 8;

type OwnOptions = CleanerOptions & Pick<GuardOptions, "isWatched">;

/** In this process. The labellers stay the caller's, who closes them afterwards. */
export function createCleaner(options: OwnOptions, choice: LabellerChoice): Cleaner {
  const guard = openGuard(options);
  const tools = { ...options, guard, choice, inTurn: createSlots(1) };
  const inBatches = createBatches(PAGES_AT_ONCE);
  const open = new Set<Promise<unknown>>();
  return {
    async clean(page, signal) {
      const work = inBatches(() => {
        signal.throwIfAborted();
        return cleanPage(page, tools, signal);
      });
      open.add(work);
      try {
        return await work;
      } finally {
        open.delete(work);
      }
    },
    async close() {
      await guard.close();
      // A model's runtime must not be closed while it computes.
      await Promise.allSettled(open);
    },
  };
}

function openGuard(options: OwnOptions): Guard {
  const { labeller, keepBoilerplate } = options;
  const wantsMarkup = labeller !== undefined && labellers[labeller].needs?.markup === true;
  return createGuard({
    ...options,
    leftOut: keepBoilerplate ? "mark" : "drop",
    ...(wantsMarkup && { markup: "count" }),
  });
}
