/** Judges a page by its logits and the scores of its lines: what it is, whether it has main content at all, and where to cut. */
import type { Cuts, PageVerdict } from "../../document.js";
import type { PageModel } from "./page-model.js";
import { roundScore, sigmoid } from "../label-line.js";

/** Before calibration: one a line; of the page one a type, then that of main content. */
interface Logits {
  readonly lines: Float32Array;
  readonly page: Float32Array;
  /** One a type, where more is known than the network judges. */
  readonly types?: Float32Array;
}

/** What is made of a page's lines: by the place of each its score after calibration and its letters, and `excessOfWalls`. */
interface ScoredLines {
  readonly scores: Float32Array;
  readonly lengths: readonly number[];
  readonly walls: number;
}

/**
 * The network's judgement of the page is one sign of four. The letters of content that the scores of the lines let expect, and
 * the likeliest line, tell long pages; of two short ones, a post of thirty words and a login, the words of walls tell which is
 * which (the model's README has the figures).
 */
export function judgePage(
  { lines, page, types: told = page }: Logits,
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

/** How much a lost word weighs against a false one, squared in F-beta: half, the same, or twice. */
const BETA: Cuts = { precision: 0.5, balanced: 1, recall: 2 };

/** A line below is never content, however little else a page has; one above always is. */
const LOWEST_CUT = 0.05;
const HIGHEST_CUT = 0.9;

/** The cut of each focus, rounded as scores are written, since they are compared as they are written. */
export function choosePageCuts(scores: ArrayLike<number>, lengths: ArrayLike<number>): Cuts {
  const order = orderByScore(scores, lengths);
  const choose = (focus: keyof Cuts): number => roundScore(choosePageCut(scores, lengths, focus, order));
  return { precision: choose("precision"), balanced: choose("balanced"), recall: choose("recall") };
}

/** The lower cut of each focus: lines of which there is no doubt are not lost for that of others, nor all lines of a page of doubtful ones. */
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
 * The cut with the highest expected F-beta, if the scores are what they claim to be: lines above it are content,
 * each line counts by its length. A page of clear lines gets a cut of about one half, a page of doubtful ones a lower one, so
 * that doubt does not empty it (Lewis 1995, "Evaluating and optimizing autonomous text classification systems").
 */
export function choosePageCut(
  scores: ArrayLike<number>,
  lengths: ArrayLike<number>,
  focus: keyof Cuts,
  order: Uint32Array = orderByScore(scores, lengths),
): number {
  const weight = BETA[focus] ** 2;
  let wanted = 0;
  for (const line of order) wanted += (scores[line] ?? 0) * (lengths[line] ?? 0);
  let found = 0;
  let right = 0;
  let best = 0;
  let cut = HIGHEST_CUT;
  for (let rank = 0; rank < order.length; rank++) {
    const line = order[rank] ?? 0;
    const length = lengths[line] ?? 0;
    found += length;
    right += length * (scores[line] ?? 0);
    // A cut takes all lines of its score, so it is looked at behind the last of them.
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
 * The lines from the highest score to the lowest, of equal ones the shortest first. Sums in this order are the same to the
 * last digit wherever the lines are on the page.
 */
function orderByScore(scores: ArrayLike<number>, lengths: ArrayLike<number>): Uint32Array {
  const order = new Uint32Array(scores.length);
  for (let line = 0; line < order.length; line++) order[line] = line;
  return order.sort((a, b) => (scores[b] ?? 0) - (scores[a] ?? 0) || (lengths[a] ?? 0) - (lengths[b] ?? 0));
}
