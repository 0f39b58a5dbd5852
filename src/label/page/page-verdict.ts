/** Judges a page by its logits and the scores of its lines: its type, whether it has main content, and where to cut. */
import type { Cuts, PageVerdict } from "../../document.js";
import type { PageLogits, PageModel } from "./page-model.js";
import { roundScore, sigmoid } from "../label-line.js";

/** For each line, its calibrated score and its length in letters; `walls` is the page's `excessOfWalls`. */
interface ScoredLines {
  readonly scores: Float32Array;
  readonly lengths: readonly number[];
  readonly walls: number;
}

/**
 * Combines four signs: the network's logit for the page, the letters of content expected from the line scores, the
 * highest logit of a line, and the words of login and error pages. The second and third decide on long pages; the words
 * separate short ones, for example a post of thirty words from a login form (the model's README has the figures).
 */
export function judgePage(
  { lines, page, types: told = page }: Pick<PageLogits, "lines" | "page" | "types">,
  { scores, lengths, walls }: ScoredLines,
  { types, verdict }: Pick<PageModel, "types" | "verdict">,
): Omit<PageVerdict, "cut" | "cuts"> {
  const last = types.length;
  let best = 0;
  let sum = 0;
  for (let i = 1; i < last; i++) if ((told[i] ?? 0) > (told[best] ?? 0)) best = i;
  for (let i = 0; i < last; i++) sum += Math.exp((told[i] ?? 0) - (told[best] ?? 0));
  let highest = Number.NEGATIVE_INFINITY;
  for (const logit of lines) highest = Math.max(highest, logit);
  const signs =
    verdict.slope * (page[last] ?? 0) +
    verdict.letters * Math.log1p(sumProducts(scores, lengths)) +
    verdict.highest * (lines.length === 0 ? 0 : highest) +
    verdict.walls * walls;
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

/* The cut that fits a page best. */

/** The beta of F-beta, the weight of recall against precision: half, the same, or twice. */
export const BETA: Cuts = { precision: 0.5, balanced: 1, recall: 2 };

/** A line below the lowest cut is never content, however little else a page has; a line above the highest always is. */
const LOWEST_CUT = 0.05;
const HIGHEST_CUT = 0.9;

/** Returns the cut for each focus, rounded like the scores that are compared with it. */
export function choosePageCuts(scores: ArrayLike<number>, lengths: ArrayLike<number>): Cuts {
  const order = orderByScore(scores, lengths);
  const choose = (focus: keyof Cuts): number => roundScore(choosePageCut(scores, lengths, focus, order));
  return { precision: choose("precision"), balanced: choose("balanced"), recall: choose("recall") };
}

/**
 * Returns the lower cut for each focus, so that a page neither loses clear lines because others are doubtful, nor loses
 * all lines because all are doubtful.
 */
export function lowerCuts(some: Cuts, others: Cuts | false): Cuts {
  if (!others) return some;
  const { precision, balanced, recall } = some;
  return {
    precision: Math.min(precision, others.precision),
    balanced: Math.min(balanced, others.balanced),
    recall: Math.min(recall, others.recall),
  };
}

/**
 * Returns the cut with the highest expected F-beta, if the scores are true probabilities: lines at or above it are
 * content, and each line counts by its length. A page of clear lines gets a cut of about one half. A page of doubtful
 * lines gets a lower one, so that it is not emptied (Lewis 1995, "Evaluating and optimizing autonomous text
 * classification systems").
 */
export function choosePageCut(
  scores: ArrayLike<number>,
  lengths: ArrayLike<number>,
  focus: keyof Cuts,
  order: Uint32Array = orderByScore(scores, lengths),
): number {
  const weight = BETA[focus] ** 2;
  let wanted = 0;
  for (let rank = 0; rank < order.length; rank++) {
    const line = order[rank] ?? 0;
    wanted += (scores[line] ?? 0) * (lengths[line] ?? 0);
  }
  let found = 0;
  let right = 0;
  let best = 0;
  let cut = HIGHEST_CUT;
  for (let rank = 0; rank < order.length; rank++) {
    const line = order[rank] ?? 0;
    const length = lengths[line] ?? 0;
    found += length;
    right += length * (scores[line] ?? 0);
    // A cut keeps all lines with its score, so it is evaluated after the last of them.
    if (scores[order[rank + 1] ?? -1] === scores[line]) continue;
    const all = found + weight * wanted;
    const expected = all === 0 ? 0 : ((1 + weight) * right) / all;
    if (expected < best) continue;
    best = expected;
    cut = scores[line] ?? 0;
  }
  return Math.min(HIGHEST_CUT, Math.max(LOWEST_CUT, cut));
}

/**
 * Sorts the lines from the highest score to the lowest, and lines with equal scores by length, shortest first. Sums in
 * this order are the same to the last digit wherever the lines are on the page.
 */
function orderByScore(scores: ArrayLike<number>, lengths: ArrayLike<number>): Uint32Array {
  const order = new Uint32Array(scores.length);
  for (let line = 0; line < order.length; line++) order[line] = line;
  return order.sort((a, b) => (scores[b] ?? 0) - (scores[a] ?? 0) || (lengths[a] ?? 0) - (lengths[b] ?? 0));
}
