/** Declares the interface of a labeller, which decides which lines of a document are main content. */
import type { Document, LabelledLine, TextCondition } from "../document.js";
import type { PathTree } from "../document/path-tree.js";
import type { TimeLimit } from "../time/time-limit.js";
import type { EngineName } from "./network/engine.js";
import type { ConditionOption } from "./text/condition.js";

export interface Labeller {
  readonly name: string;
  /**
   * Returns one labelled document for each document, in order, each with the same lines in the same order. Throws
   * TookTooLong when the time limit has passed; a labeller with several steps checks the clock between them.
   */
  label(batch: readonly Document[], by?: LabelTools): Promise<readonly Document<LabelledLine>[]>;
  close(): Promise<void>;
}

interface LabelTools {
  /** For each document, the tree of its lines' paths if known; the lines' `path` fields have the same data. */
  readonly paths?: readonly (PathTree | undefined)[];
  readonly limit?: TimeLimit;
}

/** Every value of `focus`. */
export const FOCUSES = ["precision", "balanced", "recall"] as const;

/** Where the cut is, as `--focus` names it: few false lines, a balance, or few lost lines. */
export type Focus = (typeof FOCUSES)[number];

/** The options of every labeller; a labeller without a model or a cut ignores what it does not need. */
export interface LabellerOptions {
  readonly focus: Focus;
  /** The lowest P(content) of a content line; the focus decides when absent. */
  readonly cut?: number;
  /** The condition of the texts, for the labeller `text`; when absent, it guesses for each text. */
  readonly condition?: ConditionOption;
  /** The condition in which the extractor leaves pages, for the labeller `text`; `condition` when absent. */
  readonly pages?: TextCondition;
  /** Folder of a model; the shipped one when absent. */
  readonly modelDir?: string;
  /** The engine that runs its network; the best available one when absent. */
  readonly engine?: EngineName;
}
