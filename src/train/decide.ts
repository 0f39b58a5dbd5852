/** Decides on held-out documents which step a model takes, and whether it is better than its base model. */
import type { Step } from "./fit/design.js";
import { DRAWS, type Comparison, type Interval } from "./figures.js";

export interface Candidate {
  readonly step: Step;
  readonly comparison: Comparison;
}

/** Share of the draws of documents that must show a gain. */
const LEAST_SURE = 0.9;
/** Share of the draws in which the scores must predict labels better than the share of content alone. */
const LEAST_SKILLED = 0.975;

/** Returns the candidate with the highest macro F1 on documents that it was not trained on. */
export function chooseStep<C extends Candidate>(candidates: readonly [C, ...C[]]): C {
  return candidates.reduce((best, one) => (gainOf(one) > gainOf(best) ? one : best));
}

function gainOf({ comparison }: Candidate): number {
  return comparison.difference.macroF1.value;
}

/** The figures of a comparison that decide. */
interface Decisive {
  readonly difference: { readonly macroF1: Interval };
  readonly skill: Interval;
}

/** Returns why a model is not better on held-out documents; undefined if it is better. */
export function whyNotBetter({ difference, skill }: Decisive): string | undefined {
  if (skill.above < LEAST_SKILLED)
    return "its scores separate content from boilerplate no better than guessing by the share of content; do the labels belong to these lines?";
  const { value, above } = difference.macroF1;
  if (value <= 0) return "it is no better on documents that it was not trained on";
  if (above < LEAST_SURE)
    return `its gain may be chance: ${Math.round(above * DRAWS)} of ${DRAWS} draws of documents show one, but ${LEAST_SURE * DRAWS} are required`;
  return undefined;
}
