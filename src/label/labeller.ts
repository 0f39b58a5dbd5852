/** Declares the seam of `label/`: what says which lines of a document are main content. */
import type { Document, LabelledLine, TextCondition } from "../document.js";
import type { PathTree } from "../path-tree.js";
import type { TimeLimit } from "../time/time-limit.js";
import type { EngineName } from "./network/engine.js";
import type { ConditionOption } from "./text/condition.js";

export interface Labeller {
  readonly name: string;
  /**
   * One labelled document for each document, in order, each with the same lines in the same order. Throws TookTooLong
   * where the time is over; a labeller that has several steps looks at the clock between them.
   */
  label(batch: readonly Document[], by?: LabelTools): Promise<readonly Document<LabelledLine>[]>;
  close(): Promise<void>;
}

interface LabelTools {
  /** For each document the tree of its lines' paths, where one is known; the paths of the lines say the same. */
  readonly paths?: readonly (PathTree | undefined)[];
  readonly limit?: TimeLimit;
}

/** Where the cut is: few false lines, a balance, or few lost lines. */
export const FOCUSES = ["precision", "balanced", "recall"] as const;
export type Focus = (typeof FOCUSES)[number];

/** What every labeller is made from; those without a model or a cut ignore what they do not need. */
export interface LabellerOptions {
  readonly focus: Focus;
  /** P(content) from which a line is content; the focus decides when absent. */
  readonly cut?: number;
  /** In what condition texts are, for the labeller of plain text; it tells by each text when absent. */
  readonly condition?: ConditionOption;
  /** In what condition the extractor leaves pages, for the labeller of plain text; as `condition` says when absent. */
  readonly pages?: TextCondition;
  /** Folder of a model; the shipped one when absent. */
  readonly modelDir?: string;
  /** What runs its network; the best that is here when absent. */
  readonly engine?: EngineName;
}
