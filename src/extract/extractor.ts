/** Declares the interface of `extract/`: how a parsed page becomes lines. */
import type { Outcome } from "../outcome.js";
import type { ExtractedDocument } from "../document/path-tree.js";
import type { ParsedPage } from "../document/tree.js";

/** Pure and synchronous: the same page always gives the same lines. */
export interface Extractor {
  readonly name: string;
  extract(page: ParsedPage): Outcome<ExtractedDocument>;
}

/** How a page's metadata is read: in full, with the origin of each field, only title and language, or not at all. */
export const METADATA_OPTIONS = ["read", "origins", "brief", "skip"] as const;

export type MetadataOption = (typeof METADATA_OPTIONS)[number];

/**
 * What lines carry besides their text: nothing, or their inline spans and holders, with images ("keep") or without
 * ("words").
 */
export const STRUCTURE_OPTIONS = ["none", "words", "keep"] as const;

export type StructureOption = (typeof STRUCTURE_OPTIONS)[number];

export interface ExtractorOptions {
  /**
   * What happens to the lines that an extractor does not take: "drop" removes them, "mark" keeps them with its name in
   * `leftOutBy`.
   */
  readonly leftOut: "drop" | "mark";
  /** If set, lines and page carry counts of the markup around them (`MarkedDocument`). */
  readonly markup?: "count";
  /** What lines carry besides their text; nothing when absent. */
  readonly structure?: Exclude<StructureOption, "none">;
  /** "read" when absent. */
  readonly metadata?: MetadataOption;
  /**
   * CSS selectors of the only parts that are read, and of the parts to remove; the whole page is read when both are
   * absent.
   */
  readonly keep?: readonly string[];
  readonly remove?: readonly string[];
}
