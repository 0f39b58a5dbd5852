/** Lowers the probability that readers' comments are main content, the more so the likelier the page is an article. */
import { PAGE_TYPES, type Line } from "../../document.js";
import { sigmoid } from "../label-line.js";
import { pageOdds, type PageLogits, type PageModel } from "./page-model.js";

const ARTICLE = PAGE_TYPES.indexOf("article");
/** The factor is never lower than this, so that `thresher train` can still learn that comments are wanted. */
const LEAST_SHARE = 0.05;

/**
 * Returns the log-odds of each line before any correction, after multiplying P(main content) of each comment by P(the
 * page is not an article).
 *
 * None of the 237,000 letters of comments below WCXB's articles is main content, but half of those on its forums are. A
 * network that has seen few comment systems takes comments for posts, and the page's type is known from more than the
 * lines. If a page has nothing but comments, the cut falls with their scores, and they stay.
 */
export function doubtComments(
  judged: Omit<PageLogits, "corrections">,
  { calibration }: Pick<PageModel, "calibration">,
): Float32Array {
  const share = shareOfComments(judged);
  return judged.lines.map((logit, at) => {
    const odds = pageOdds(logit, calibration);
    return isComment(judged.of[at]) ? doubtComment(odds, share) : odds;
  });
}

/** Returns the factor for P(main content) of a comment: P(not an article), but at least 0.05. */
export function shareOfComments({ page, types = page }: Pick<PageLogits, "page" | "types">): number {
  return Math.max(LEAST_SHARE, 1 - shareOfArticle(types));
}

/** Multiplies the probability of a comment by `share`. Takes and returns log-odds. */
export function doubtComment(odds: number, share: number): number {
  return oddsOf(sigmoid(odds) * share);
}

export function isComment(line: Line | undefined): boolean {
  return line?.kind === "comment";
}

function oddsOf(probability: number): number {
  return Math.log(probability / (1 - probability));
}

function shareOfArticle(types: ArrayLike<number>): number {
  let sum = 0;
  for (let at = 0; at < PAGE_TYPES.length; at++) sum += Math.exp((types[at] ?? 0) - (types[ARTICLE] ?? 0));
  return 1 / sum;
}
