/** Keeps readers and labellers open for the sets of options that were used last. */
import { cleanRead, type Cleaned } from "../core/clean-page.js";
import type { Page } from "../document.js";
import type { LabellerChoice } from "../label/labeller-choice.js";
import { pickTravelling } from "../options/page-options.js";
import type { CleanerOptions } from "./cleaner-options.js";
import { openGuard, openLabellers, toCleanTools } from "./cleaner.js";
import type { Guard } from "./guard.js";
import { seePage } from "./see-page.js";

export type Clean = (page: Page) => Promise<Cleaned>;

interface Opened {
  readonly choice: LabellerChoice;
  readonly guard: Guard;
}

/** Sets of options that are kept open; more would cost memory, since the tables of a model take megabytes. */
const MOST_SETS = 16;

const never = new AbortController().signal;

/**
 * Returns a function that opens what cleans a page with the given options. Only one page may be cleaned at a time,
 * because readers and labellers of older options are closed.
 */
export function createCleaning(): (options: CleanerOptions) => Promise<Clean> {
  const ready = new Map<string, Promise<Opened>>();
  const open = async (options: CleanerOptions): Promise<Opened> => ({
    choice: await openLabellers(options),
    guard: openGuard(options),
  });
  const find = async (options: CleanerOptions): Promise<Opened> => {
    const shaping = pickTravelling(options); // the form does not change reader and labeller
    const key = JSON.stringify(shaping);
    const opened = ready.get(key) ?? open(shaping);
    // The set that was used last moves to the end, so it is the last to be closed.
    ready.delete(key);
    ready.set(key, opened);
    opened.catch(() => ready.delete(key)); // the caller gets the error
    for (const [oldest, unused] of [...ready].slice(0, -MOST_SETS)) {
      ready.delete(oldest);
      await close(unused);
    }
    return opened;
  };
  return async (options) => {
    const { choice, guard } = await find(options);
    const tools = toCleanTools(options, choice);
    return async (page) => {
      const judged = seePage(page);
      if (!judged.ok) return { outcome: judged, ms: 0 };
      const [read] = await guard.read([{ page: judged.value, signal: never }]);
      return cleanRead(judged.value, read, tools);
    };
  };
}

async function close(unused: Promise<Opened>): Promise<void> {
  const { choice, guard } = await unused;
  await guard.close();
  await choice.close();
}
