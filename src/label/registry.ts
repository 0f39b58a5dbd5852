/** The labellers by name. To add one: its file, one line here, one test file, one row in the benchmark. */
import type { Labeller, LabellerOptions } from "./labeller.js";
import { createNoneLabeller } from "./none.js";
import { createRulesLabeller } from "./rules.js";
import { createTextLabeller } from "./sequence.js";

type LabellerFactory = (options: LabellerOptions) => Labeller | Promise<Labeller>;

export const labellers = {
  text: createTextLabeller,
  rules: createRulesLabeller,
  none: createNoneLabeller,
} satisfies Readonly<Record<string, LabellerFactory>>;

export type LabellerName = keyof typeof labellers;
