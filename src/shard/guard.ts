/** Chooses where a page becomes lines: in the calling thread where memory is bounded, else in one that can be killed. */
import type { ExtractorName } from "../extract/extractor.js";
import type { Guard, GuardOptions } from "./guarded.js";
import { createInline } from "./inline.js";
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
