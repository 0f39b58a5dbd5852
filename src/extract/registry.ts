/**
 * Lists the extractors by name, with the tree that each reads. To add one, write its file, one entry here, one test
 * file, and one row in the benchmark. Each extractor loads its imports when it is created, so that it does not wait for
 * the parsers of another.
 */
import type { Extractor, ExtractorOptions } from "./extractor.js";

export interface ExtractorEntry {
  readonly create: (options: ExtractorOptions) => Promise<Extractor>;
  /** The tree that it reads: "standard" as HTML defines it, or "quick" if only lines matter. */
  readonly tree: "standard" | "quick";
  /**
   * Set if time and memory, tree included, grow linearly with the page, whatever the page. The extractor then needs no
   * thread of its own. Readability's time explodes with depth, and the standard's tree construction searches its list
   * of open formatting elements for each tag.
   */
  readonly isBounded?: true;
}

const ALL = {
  page: {
    create: async (options) => (await import("./body.js")).createPageExtractor(options),
    tree: "quick",
    isBounded: true,
  },
  readability: {
    create: async (options) =>
      (await import("./readability/readability.js")).createReadabilityExtractor(options),
    tree: "standard",
  },
  body: {
    create: async (options) => (await import("./body.js")).createBodyExtractor(options),
    tree: "standard",
  },
} satisfies Readonly<Record<string, ExtractorEntry>>;

/** How a page is split into lines, as `--extractor` names it. */
export type ExtractorName = keyof typeof ALL;
export const extractors: Readonly<Record<ExtractorName, ExtractorEntry>> = ALL;
// Object.keys of a literal: its keys are the names.
export const EXTRACTOR_NAMES = Object.keys(ALL) as readonly ExtractorName[];
