/** A page's logits and the scores of its lines into the verdict: what it is, and whether it has main content at all. */
import type { PageVerdict } from "../document.js";
import type { PageModel } from "./model.js";
import { roundScore, sigmoid } from "./verdict.js";

/** Before calibration: one a line; of the page one a type, then that of main content. */
interface Logits {
  readonly lines: Float32Array;
  readonly page: Float32Array;
}

/** What is made of a page's lines, each by its place: its score after calibration, and its letters. */
interface ScoredLines {
  readonly scores: Float32Array;
  readonly lengths: readonly number[];
}

/**
 * The network's judgement of the page is one sign of three. With the letters of content that the scores of the lines let
 * expect, and the likeliest line, two more of twenty pages without content are found at half the false alarms (five folds).
 */
export function judgePage(
  { lines, page }: Logits,
  { scores, lengths }: ScoredLines,
  { types, verdict }: Pick<PageModel, "types" | "verdict">,
): Omit<PageVerdict, "cut"> {
  const last = types.length;
  let best = 0;
  let sum = 0;
  for (let i = 1; i < last; i++) if ((page[i] ?? 0) > (page[best] ?? 0)) best = i;
  for (let i = 0; i < last; i++) sum += Math.exp((page[i] ?? 0) - (page[best] ?? 0));
  let highest = Number.NEGATIVE_INFINITY;
  for (const logit of lines) highest = Math.max(highest, logit);
  const signs =
    verdict.slope * (page[last] ?? 0) +
    verdict.letters * Math.log1p(sumProducts(scores, lengths)) +
    verdict.highest * (lines.length === 0 ? 0 : highest);
  const score = roundScore(sigmoid(signs + verdict.offset));
  return {
    type: types[best] ?? "article",
    typeScore: roundScore(1 / sum),
    score,
    hasContent: score >= verdict.threshold,
  };
}

function sumProducts(some: ArrayLike<number>, others: ArrayLike<number>): number {
  let sum = 0;
  for (let at = 0; at < some.length; at++) sum += (some[at] ?? 0) * (others[at] ?? 0);
  return sum;
}
