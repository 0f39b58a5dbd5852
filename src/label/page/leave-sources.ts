/**
 * Drops the source of a quote ("— Ann Lee, May 2, 2024") if the cut drops the text of the quote.
 *
 * To the network the last line of an embedded post looks like a sentence of the article, and the post itself does not.
 * Of 32 pages with gold text and such posts (no test split among them), ten have 16 of these lines: one is main
 * content, together with its post.
 */
import type { LabelledLine } from "../../document.js";
import { overrule } from "../label-line.js";
import { endsSentence, innermost, isDropped, isKeptText } from "./elements-of-lines.js";

const QUOTE = innermost("blockquote");
/** A dash that is no hyphen, as a speaker's words in a dialogue have it, too. */
const DASH = /^[—―]\s*\S/;
/** In characters. */
const LONGEST = 120;
/** The share of these lines that is main content: 1 of 16. */
const SCORE = 0.063;

/** Takes lines that are not blank, and returns the same lines, some of them now boilerplate. */
export function leaveSources(shown: readonly LabelledLine[], cut: number): readonly LabelledLine[] {
  if (cut <= SCORE || !shown.some(isSource)) return shown;
  const left = shown.map((line, at) => {
    const before = shown[at - 1];
    if (!isSource(line) || before === undefined || !isDropped(before)) return line;
    const quote = QUOTE.exec(line.path)?.[0];
    const isInside = (other: LabelledLine | undefined): boolean =>
      quote !== undefined && QUOTE.exec(other?.path ?? "")?.[0] === quote;
    if (!isInside(before) || [before, shown[at + 1]].some((other) => isInside(other) && hasDash(other)))
      return line;
    return overrule(line, { score: SCORE, label: "boilerplate", why: "source-of-quote" });
  });
  return left.every((line, at) => line === shown[at]) ? shown : left;
}

function isSource(line: LabelledLine): boolean {
  const { text, why } = line;
  return (
    isKeptText(line) && why === undefined && text.length <= LONGEST && hasDash(line) && !endsSentence(line)
  );
}

function hasDash(line: LabelledLine | undefined): boolean {
  return line !== undefined && DASH.test(line.text);
}
