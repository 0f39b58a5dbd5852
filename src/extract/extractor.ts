/** Declares the seam of `extract/`: how a parsed page becomes lines. */
import type { Outcome } from "../outcome.js";
import type { ExtractedDocument } from "../path-tree.js";
import type { ParsedPage } from "../tree.js";

/** Pure and synchronous: the same page always gives the same lines. */
export interface Extractor {
  readonly name: string;
  extract(page: ParsedPage): Outcome<ExtractedDocument>;
}

/**
 * What becomes of what a page says of itself: it is read, read with where each field came from, read for title and
 * language alone, or passed over.
 */
export const METADATA_OPTIONS = ["read", "origins", "brief", "skip"] as const;

export type MetadataOption = (typeof METADATA_OPTIONS)[number];

/**
 * What lines say besides their text: nothing, or what parts of them are and what holds them together, with images (keep)
 * or without (words).
 */
export const STRUCTURE_OPTIONS = ["none", "words", "keep"] as const;

export type StructureOption = (typeof STRUCTURE_OPTIONS)[number];

export interface ExtractorOptions {
  /** What becomes of the lines that an extractor does not take: gone, or marked with its name in `leftOutBy`. */
  readonly leftOut: "drop" | "mark";
  /** Whether lines and page say what markup there is around them (`MarkedDocument`); they do not when absent. */
  readonly markup?: "count";
  /** What lines say besides their text; nothing when absent. */
  readonly structure?: Exclude<StructureOption, "none">;
  /** Read when absent. */
  readonly metadata?: MetadataOption;
  /** CSS selectors of what alone is read, and of what is not; all is when they are absent. */
  readonly keep?: readonly string[];
  readonly remove?: readonly string[];
}
