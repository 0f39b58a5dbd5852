/**
 * Finds what to keep of a document of which the cut would keep nothing: its likeliest long lines.
 *
 * The model sees a page of menus around one short story, and calls all of it boilerplate. Measured on the dev splits of
 * the first model of text, text-1 (turku-tq, wcxb and waddle, as they are, extracted and disguised: 924 documents, of which the balanced cut
 * empties 46): the rule keeps 69 lines of 25 documents; 54 of these lines are content, two of the documents have none.
 */
import type { LabelledLine } from "../document.js";
import { countLetters } from "./features/chars.js";
import type { Focus } from "./labeller.js";

export const WHY_RESCUED = "likeliest-line";

/** P(content) and length in letters of an alphabet from which a line is kept. */
const LOWEST_SCORE = 0.2;
const FEWEST_LETTERS = 80;
/** The score of such a line: the share of them that was content, 54 of 69. */
const RESCUED_SCORE = 0.783;

/** Whether documents may be rescued: not under `precision`, nor under a cut that was set. */
export function mayRescue(options: { readonly focus: Focus; readonly cut?: number }): boolean {
  return options.focus !== "precision" && options.cut === undefined;
}

/** The same lines, some of them content, if none was and any can be; lines that a rule decided stay as they are. */
export function rescueLines(lines: readonly LabelledLine[]): readonly LabelledLine[] {
  if (lines.some((line) => line.label === "content")) return lines;
  return lines.map((line) => {
    if (line.score < LOWEST_SCORE || line.why !== undefined) return line;
    if (countLetters(line.text, FEWEST_LETTERS) < FEWEST_LETTERS) return line;
    return { ...line, score: RESCUED_SCORE, ownScore: line.score, label: "content", why: WHY_RESCUED };
  });
}
