/** The seam of `extract/`: how a parsed page becomes lines. */
import type { Document } from "../document.js";
import type { Outcome } from "../outcome.js";
import type { ParsedPage } from "../tree.js";

/** By name, apart from the registry: whoever offers the choice need not load every parser behind it. */
export const EXTRACTOR_NAMES = ["page", "readability", "body"] as const;
export type ExtractorName = (typeof EXTRACTOR_NAMES)[number];

/** Pure and synchronous: the same page always gives the same lines. */
export interface Extractor {
  readonly name: string;
  extract(page: ParsedPage): Outcome<Document>;
}

export interface ExtractorOptions {
  /** What becomes of the lines that an extractor does not take: gone, or marked with its name in `leftOutBy`. */
  readonly leftOut: "drop" | "mark";
  /** Whether lines and page say what markup stands around them; they do not when absent. */
  readonly markup?: "count";
}
