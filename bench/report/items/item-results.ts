/** Declares what a run found that measured structure, metadata or units: the one file that its reports are written from. Plain JSON. */
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

/** By the names of the kinds. */
export type ItemScores = Readonly<Record<string, ItemScore>>;

/** What a system missed on a page, and what it has there beyond. Cut. */
export interface ItemExample {
  readonly id: string;
  readonly missed: readonly string[];
  readonly extra: readonly string[];
}

export interface SystemItems {
  readonly system: string;
  /** Documents given to it. Where it failed, it found nothing. */
  readonly documents: number;
  readonly failures: Readonly<Record<"crash" | "timeout" | "missing" | "reject", number>>;
  readonly failed: readonly { readonly id: string; readonly failure: string; readonly detail: string }[];
  readonly overall: ItemScores;
  /** The mean F1 of the kinds that count, where structure is measured. */
  readonly mean: Measured;
  /** By page type, without intervals. */
  readonly pageTypes: Readonly<
    Record<string, { readonly documents: number; readonly mean: number | null; readonly scores: ItemScores }>
  >;
  /** By kind. */
  readonly examples: Readonly<Record<string, readonly ItemExample[]>>;
  /** CPU time, mean over the pages that it answered, in milliseconds. */
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
  /** Pages whose gold cannot be used for this: their lines are not known well enough. */
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
