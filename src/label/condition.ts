/** What is said or guessed of a text's condition into the numbers that its network and its scores need. */
import { TEXT_CONDITIONS } from "../document.js";
import { isFamiliar } from "./familiar.js";

/** What somebody can say of all texts of a run; under `auto` the labeller tells by each text. */
export const CONDITION_OPTIONS = ["auto", ...TEXT_CONDITIONS] as const;
export type ConditionOption = (typeof CONDITION_OPTIONS)[number];

/** In the order of TEXT_CONDITIONS. */
export type ByCondition<T> = readonly T[];

/** The shares that the network is given: all for the one that is said, none under `auto`. */
export function saidShares(option: ConditionOption): Float32Array {
  return Float32Array.from(TEXT_CONDITIONS, (name) => (name === option ? 1 : 0));
}

/** What the network is told beside a text's features: the shares, then how far its language is one that it was labelled in. */
export function conditionInput(said: Float32Array, texts: readonly string[]): Float32Array {
  return Float32Array.of(...said, isFamiliar(texts) ? 1 : 0);
}

/** The mean of a number that each condition has, by the conditions' shares. */
export function mixConditions(shares: Float32Array, values: ByCondition<number>): number {
  let sum = 0;
  for (const [at, value] of values.entries()) sum += (shares[at] ?? 0) * value;
  return sum;
}
