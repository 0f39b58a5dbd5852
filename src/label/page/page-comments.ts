/** Holds readers' comments for the less likely to be main content, the likelier their page is an article. */
import { PAGE_TYPES, type Line } from "../../document.js";
import { sigmoid } from "../label-line.js";
import { pageOdds, type PageModel } from "./page-model.js";

const ARTICLE = PAGE_TYPES.indexOf("article");
/** Comments are never held for impossible: `thresher train` can still learn that they are wanted. */
const LEAST_SHARE = 0.05;

/** What the network judges of a page, a logit a type first; `types` has those from all that is known, where the model weighs it. */
interface JudgedPage {
  readonly page: Float32Array;
  readonly types?: Float32Array;
}

interface JudgedLines extends JudgedPage {
  readonly of: readonly Line[];
  readonly lines: Float32Array;
}

/**
 * The log-odds of each line before any correction, where P(main content) of a comment is multiplied by P(the page is no article).
 *
 * Of the 237,000 letters of comments below the articles of WCXB none is main content, but half of those on its forums is. A
 * network that has seen few of the programs that comments are written with takes them for posts, and the page's type
 * is known from more than the lines. Where a page has nothing else, its cut follows them, and they stay.
 */
export function doubtComments(
  judged: JudgedLines,
  { calibration }: Pick<PageModel, "calibration">,
): Float32Array {
  const share = shareOfComments(judged);
  return judged.lines.map((logit, at) => {
    const odds = pageOdds(logit, calibration);
    return isComment(judged.of[at]) ? doubtComment(odds, share) : odds;
  });
}

/** What P(main content) of a comment is multiplied by. */
export function shareOfComments({ page, types = page }: JudgedPage): number {
  return Math.max(LEAST_SHARE, 1 - shareOfArticle(types));
}

/** Log-odds in, log-odds out. */
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
