/**
 * Declares the results of a run for structure, metadata or units: plain JSON in one file, from which all its reports
 * are written.
 */
import type { CorpusProblem } from "../../corpora/gold.js";
import type { Leanings } from "../../corpora/item-descriptors.js";
import type { ItemCounts } from "../../metrics/items/items.js";
import type { Subject } from "../../systems/subject.js";
import type { Measured, Results } from "../results.js";

/** The score of one kind of element, or of one field. */
export interface ItemScore extends ItemCounts {
  readonly precision: Measured;
  readonly recall: Measured;
  readonly f1: Measured;
}

/** Scores by the names of the kinds. */
export type ItemScores = Readonly<Record<string, ItemScore>>;

/** Examples of what a system missed and wrongly found on a page, shortened. */
export interface ItemExample {
  readonly id: string;
  readonly missed: readonly string[];
  readonly extra: readonly string[];
}

export interface SystemItems {
  readonly system: string;
  /** The number of documents given to it. A document on which it failed counts as one where it found nothing. */
  readonly documents: number;
  readonly failures: Readonly<Record<"crash" | "timeout" | "missing" | "reject", number>>;
  readonly failed: readonly { readonly id: string; readonly failure: string; readonly detail: string }[];
  readonly overall: ItemScores;
  /** The mean F1 of the kinds that count; the reports show it only for structure. */
  readonly mean: Measured;
  /** Scores by page type, without intervals. */
  readonly pageTypes: Readonly<
    Record<string, { readonly documents: number; readonly mean: number | null; readonly scores: ItemScores }>
  >;
  /** Examples by kind. */
  readonly examples: Readonly<Record<string, readonly ItemExample[]>>;
  /** The mean CPU time over the pages that it answered, in milliseconds. */
  readonly cpuMs?: number;
}

export interface CorpusItems {
  readonly corpus: string;
  readonly origin: string;
  readonly licence: string;
  readonly mainContent: string;
  readonly training: string;
  readonly digest: string;
  readonly documents: number;
  readonly isSample: boolean;
  /**
   * The number of documents whose gold cannot be used for this subject, for example because too few of their lines are
   * known.
   */
  readonly unusable: number;
  readonly problems: readonly CorpusProblem[];
  readonly leanings: Leanings;
  readonly systems: readonly SystemItems[];
}

export interface ItemResults extends Pick<
  Results,
  "date" | "command" | "version" | "machine" | "systems" | "unavailable"
> {
  readonly format: "thresher-bench-items-1";
  readonly subject: Exclude<Subject, "lines">;
  readonly corpora: readonly CorpusItems[];
}
