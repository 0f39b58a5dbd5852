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

/** What becomes of the lines that an extractor does not take: gone, or marked with its name in `leftOutBy`. */
export interface ExtractorOptions {
  readonly leftOut: "drop" | "mark";
}
