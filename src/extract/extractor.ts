/** Declares the seam of `extract/`: how a parsed page becomes lines. */
import type { Outcome } from "../outcome.js";
import type { ExtractedDocument } from "../path-tree.js";
import type { ParsedPage } from "../tree.js";

/** Pure and synchronous: the same page always gives the same lines. */
export interface Extractor {
  readonly name: string;
  extract(page: ParsedPage): Outcome<ExtractedDocument>;
}

export interface ExtractorOptions {
  /** What becomes of the lines that an extractor does not take: gone, or marked with its name in `leftOutBy`. */
  readonly leftOut: "drop" | "mark";
  /** Whether lines and page say what markup there is around them (`MarkedDocument`); they do not when absent. */
  readonly markup?: "count";
}
