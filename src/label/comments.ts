/** Keeps, drops or singles out readers' comments among labelled lines, as the user's option says. */
import type { Document, LabelledLine, Line } from "../document.js";
import { isTaken, mapPlaces } from "./label-line.js";
import { WHY_RESCUED } from "./rescue-lines.js";

/**
 * What happens to readers' comments. auto: the labeller decides line by line; keep: they are judged by their text, too,
 * and not only by their place; drop: they become boilerplate, except on pages that are discussions; only: like keep,
 * and all other lines become boilerplate.
 */
export const COMMENTS_OPTIONS = ["auto", "keep", "drop", "only"] as const;

/** How readers' comments are treated, as `--comments` names it. */
export type CommentsOption = (typeof COMMENTS_OPTIONS)[number];

const WHY_COMMENT = "comment";
const WHY_NO_COMMENT = "not-comment";

/** If comments are more than this share of a page's content, in characters, the page is a discussion. */
const MOST = 0.5;

interface Settling {
  readonly document: Document;
  /** The same lines in the same order. */
  readonly labelled: Document<LabelledLine>;
  readonly comments: CommentsOption;
  /** Labels lines by their text alone. */
  readonly judge: (part: Document) => Promise<Document<LabelledLine>>;
}

/** Applies the comments option to a labelled document. Calls `judge` only for `keep` and `only`. */
export async function settleComments(settling: Settling): Promise<Document<LabelledLine>> {
  const { labelled, comments } = settling;
  if (comments === "auto") return labelled;
  if (comments === "drop") return isDiscussion(labelled) ? labelled : dropComments(labelled);
  const lifted = await liftComments(settling);
  return comments === "keep" ? lifted : dropOthers(lifted);
}

/** Checks whether the comments are the page: its type is forum, or most of its content is comments. */
export function isDiscussion({ lines, verdict }: Document<LabelledLine>): boolean {
  if (verdict?.type === "forum") return true;
  let comments = 0;
  let all = 0;
  for (const { label, kind, text } of lines) {
    if (label !== "content") continue;
    all += text.length;
    if (kind === "comment") comments += text.length;
  }
  return comments > all * MOST;
}

function dropComments(document: Document<LabelledLine>): Document<LabelledLine> {
  return relabel(document, (line) => (line.kind === "comment" ? drop(line, WHY_COMMENT) : line));
}

function dropOthers(document: Document<LabelledLine>): Document<LabelledLine> {
  return relabel(document, (line) => (line.kind === "comment" ? line : drop(line, WHY_NO_COMMENT)));
}

/** Makes a line boilerplate; a line that already is boilerplate keeps its own reason. */
function drop(line: LabelledLine, why: string): LabelledLine {
  return line.label === "content" ? { ...line, label: "boilerplate", why } : line;
}

/** Makes a comment content if its text reads like content. A judgement by text never removes a line. */
async function liftComments({ document, labelled, judge }: Settling): Promise<Document<LabelledLine>> {
  const isJudged = (line: Line): boolean => line.kind === "comment" && isTaken(line);
  const comments = document.lines.filter(isJudged);
  if (comments.length === 0) return labelled;
  const judged = await judge({ ...document, lines: comments });
  const lines = mapPlaces(labelled.lines, isJudged, (line, at) =>
    at === undefined ? line : lift(line, judged.lines[at]),
  );
  return { ...labelled, lines };
}

function lift(line: LabelledLine, judged: LabelledLine | undefined): LabelledLine {
  // A line rescued because the comments alone would be empty is not kept: the page has other lines.
  if (judged === undefined || judged.why === WHY_RESCUED) return line;
  const { ownScore = line.score } = line;
  const lifted = judged.score > line.score ? { ...line, score: judged.score, ownScore } : line;
  if (line.label === "content" || judged.label === "boilerplate") return lifted;
  return { ...lifted, label: "content", why: WHY_COMMENT };
}

function relabel(
  document: Document<LabelledLine>,
  change: (line: LabelledLine) => LabelledLine,
): Document<LabelledLine> {
  return { ...document, lines: document.lines.map(change) };
}
