/** The seam of `label/`: who says which lines are main content. */
import type { Document, LabelledLine, TextCondition } from "../document.js";
import type { ConditionOption } from "./text/condition.js";

/** By name, apart from the registry: whoever offers the choice need not load every model's runtime behind it. */
export const LABELLER_NAMES = [
  "page",
  "text",
  "transformer",
  "rules",
  "texrex",
  "boilernet",
  "fasttext",
  "justext",
  "none",
] as const;
export type LabellerName = (typeof LABELLER_NAMES)[number];

/** Those that want to know what markup stands around lines (`Line.markup`). */
export const READ_MARKUP: ReadonlySet<LabellerName> = new Set<LabellerName>(["texrex"]);

/** Those that read the tags around lines, and so cannot label plain text. */
export const NEED_PAGES: ReadonlySet<LabellerName> = new Set<LabellerName>(["boilernet"]);

export interface Labeller {
  readonly name: string;
  /** One labelled document for each document, in order, each with the same lines in the same order. */
  label(batch: readonly Document[]): Promise<readonly Document<LabelledLine>[]>;
  close(): Promise<void>;
}

/** Where the cut lies: few false lines, a balance, or few lost lines. */
export const FOCUSES = ["precision", "balanced", "recall"] as const;
export type Focus = (typeof FOCUSES)[number];

/** What every labeller is made from; those without a model or a cut ignore what they do not need. */
export interface LabellerOptions {
  readonly focus: Focus;
  /** P(content) from which a line is content; the focus decides when absent. */
  readonly threshold?: number;
  /** In what condition texts are, for the labeller of plain text; it tells by each text when absent. */
  readonly condition?: ConditionOption;
  /** In what condition the extractor leaves pages, for the labeller of plain text; as `condition` says when absent. */
  readonly pages?: TextCondition;
  /** Folder of a model; the shipped one when absent. */
  readonly modelDir?: string;
}
