/** Holds readers' comments for the less likely to be main content, the likelier their page is an article. */
import { PAGE_TYPES, type Line } from "../../document.js";
import { sigmoid } from "../label-line.js";
import type { PageLogits } from "./page-labeller.js";
import { pageOdds, type PageModel } from "./page-model.js";

const ARTICLE = PAGE_TYPES.indexOf("article");
/** Comments are never held for impossible: `thresher train` can still learn that they are wanted. */
const LEAST_SHARE = 0.05;

/**
 * The log-odds of each line before any correction, where P(main content) of a comment is multiplied by P(the page is no article).
 *
 * Of the 237,000 letters of comments below the articles of WCXB none is main content, but half of those on its forums is. A
 * network that has seen few of the programs that comments are written with takes them for posts, and the page's type
 * is known from more than the lines. Where a page has nothing else, its cut follows them, and they stay.
 */
export function doubtComments(
  { of, lines, page, types = page }: PageLogits,
  { calibration }: Pick<PageModel, "calibration">,
): Float32Array {
  const share = Math.max(LEAST_SHARE, 1 - shareOfArticle(types));
  return lines.map((logit, at) => {
    const odds = pageOdds(logit, calibration);
    return isComment(of[at]) ? oddsOf(sigmoid(odds) * share) : odds;
  });
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
