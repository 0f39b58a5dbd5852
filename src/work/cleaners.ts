/** Pages into documents by as many workers as are wanted: this process, and others beside it. */
import type { Page, PageContent } from "../document.js";
import type { LabellerChoice } from "../label/labeller-choice.js";
import { pickTravelling } from "../options.js";
import { createCleaner, PAGES_AT_ONCE, type Cleaner, type CleanerOptions } from "./cleaner.js";
import { createProcesses, PAGES_AT_A_PROCESS } from "./processes.js";
import { createSlots } from "./slots.js";

export interface CleanersOptions extends CleanerOptions {
  readonly workers: number;
  /**
   * Whether this process is one of the workers: it cleans what the others have no time for, which costs no copy of the
   * page, and stops what takes too long. Otherwise it only hands pages out, and has time for what else it does.
   */
  readonly takesPart: boolean;
}

/** A page of at most so many bytes takes milliseconds here, for which the others have enough to do. */
const SMALL_BYTES = 1 << 18;

/**
 * The first page is often the only one, and a process takes longer to start than many pages: the first one starts when a
 * second page comes, and this process cleans pages until it is there.
 */
export function createCleaners(options: CleanersOptions, choice: LabellerChoice): Cleaner {
  const { takesPart } = options;
  const own = createCleaner({ ...options, isWatched: takesPart }, choice);
  if (options.workers === 1) return own;
  const workers = takesPart ? options.workers - 1 : options.workers;
  const others = createProcesses({ ...pickTravelling(options), ...(options.form && { form: options.form }), workers });
  const slots = createSlots(workers * PAGES_AT_A_PROCESS + (takesPart ? PAGES_AT_ONCE : 0));
  let isFirst = true;
  let atWork = 0;

  const choose = ({ content }: Page): Cleaner => {
    const isAlone = isFirst;
    isFirst = false;
    if (isAlone || !others.isReady()) return own;
    const mayTake = takesPart && atWork < PAGES_AT_ONCE && sizeOf(content) <= SMALL_BYTES;
    return mayTake && !others.hasRoom() ? own : others;
  };
  return {
    clean: (page, signal) =>
      slots(async () => {
        const chosen = choose(page);
        if (chosen === others) return others.clean(page, signal);
        atWork += 1;
        try {
          return await own.clean(page, signal);
        } finally {
          atWork -= 1;
        }
      }),
    async close() {
      await Promise.all([own.close(), others.close()]);
    },
  };
}

/** Bytes, or UTF-16 code units of what is already decoded: a bound is wanted, not a count. */
export function sizeOf(content: PageContent): number {
  if (content.kind === "bytes") return content.bytes.byteLength;
  if (content.kind === "html") return content.html.length;
  if (content.kind === "text") return content.text.length;
  return content.lines.reduce((sum, line) => sum + line.length, 0);
}
