/** Keeps what cleans pages ready for several sets of options, those that were used last. */
import { cleanRead, type Cleaned } from "../core/clean-page.js";
import type { Page } from "../document.js";
import type { LabellerChoice } from "../label/labeller-choice.js";
import { pickTravelling } from "../options/options.js";
import type { CleanerOptions } from "./cleaner-options.js";
import { openGuard, openLabellers, toCleanTools } from "./cleaner.js";
import type { Guard } from "./guard.js";
import { seePage } from "./see-page.js";

export type Clean = (page: Page) => Promise<Cleaned>;

interface Opened {
  readonly choice: LabellerChoice;
  readonly guard: Guard;
}

/** Sets of options that are kept ready: the tables of a model take megabytes. */
const MOST_SETS = 16;

const never = new AbortController().signal;

/** Gives what cleans a page by these options. One page at a time may be at work: what is used no more is closed. */
export function createCleaning(): (options: CleanerOptions) => Promise<Clean> {
  const ready = new Map<string, Promise<Opened>>();
  const open = async (options: CleanerOptions): Promise<Opened> => ({
    choice: await openLabellers(options),
    guard: openGuard(options),
  });
  const find = async (options: CleanerOptions): Promise<Opened> => {
    const shaping = pickTravelling(options); // which reader and labeller it is does not depend on the form
    const key = JSON.stringify(shaping);
    const opened = ready.get(key) ?? open(shaping);
    // The one that was used last is the last to go.
    ready.delete(key);
    ready.set(key, opened);
    opened.catch(() => ready.delete(key)); // who asked for it is told
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
