/** Decides what becomes of readers' comments among labelled lines, as the user asked. */
import type { Document, LabelledLine, Line } from "../document.js";
import { isTaken, mapPlaces } from "./label-line.js";
import { WHY_RESCUED } from "./rescue-lines.js";

/**
 * What becomes of readers' comments: the labeller decides line by line; they are judged by their text and not by where
 * they are; they go; or they stay and the rest goes.
 */
export const COMMENTS_OPTIONS = ["auto", "keep", "drop", "only"] as const;
export type CommentsOption = (typeof COMMENTS_OPTIONS)[number];

const WHY_COMMENT = "comment";
const WHY_NO_COMMENT = "not-comment";

/** Share of a page's content, in characters, beyond which its comments are what the page is about. */
const MOST = 0.5;

interface Settling {
  readonly document: Document;
  /** The same lines in the same order. */
  readonly labelled: Document<LabelledLine>;
  readonly comments: CommentsOption;
  /** Labels lines by their text alone. */
  readonly judge: (part: Document) => Promise<Document<LabelledLine>>;
}

export async function settleComments(settling: Settling): Promise<Document<LabelledLine>> {
  const { labelled, comments } = settling;
  if (comments === "auto") return labelled;
  if (comments === "drop") return isDiscussion(labelled) ? labelled : dropComments(labelled);
  const lifted = await liftComments(settling);
  return comments === "keep" ? lifted : dropOthers(lifted);
}

/** True where the comments are the page: a forum, or a page most of whose content they are. */
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

/** What was boilerplate anyway keeps the reason that it has. */
function drop(line: LabelledLine, why: string): LabelledLine {
  return line.label === "content" ? { ...line, label: "boilerplate", why } : line;
}

/** A line below an article is content if it reads like content; its place only ever speaks for it. */
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
  // What would be left of the comments alone is no reason to keep a line of a page that has more.
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
