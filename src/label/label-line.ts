/** Turns P(content) of a line into its score and label, the same way in every labeller. */
import { codeUnit } from "../code-unit.js";
import type { Label, LabelledLine, Line } from "../document.js";
import type { Writable } from "../writable.js";

export const WHY_BLANK = "blank-line";
/** Of a line whose own score is above the cut: the page as a whole holds no main content. */
export const WHY_NOTHING_HERE = "nothing-here";

/** White space, and format characters that show nothing. */
export function isBlank(text: string): boolean {
  const first = codeUnit(text, 0);
  // Nearly every line starts with a letter, and needs no expression to be looked at.
  if ((first > 0x20 && first < 0x7f) || (first >= 0xc0 && first < 0x300)) return false;
  return !/[^\s\p{Cf}]/u.test(text);
}

export function sigmoid(logit: number): number {
  return 1 / (1 + Math.exp(-logit));
}

/** Three decimals: what is written out is what was compared with the cut. */
export function roundScore(probability: number): number {
  return Math.round(probability * 1000) / 1000;
}

/** Score and label can not contradict: the rounded score decides. `why` is given only where a rule changed the verdict. */
export function labelLine(line: Line, probability: number, cut: number, why?: string): LabelledLine {
  const score = roundScore(probability);
  return setLabel(line, { score, label: score >= cut ? "content" : "boilerplate", why });
}

/** A line that a rule calls boilerplate. Under a low cut it stays content, and then no rule decided. */
export function labelByRule(line: Line, score: number, cut: number, why: string): LabelledLine {
  const ruled = labelLine(line, score, cut, why);
  return ruled.label === "boilerplate" ? ruled : labelLine(line, score, cut);
}

export function labelBlank(line: Line): LabelledLine {
  return setLabel(line, { score: 0, label: "boilerplate", why: WHY_BLANK });
}

/** Labels blank lines as such, and each other one by `label`, which is told its place among those. */
export function labelEach(
  lines: readonly Line[],
  label: (line: Line, at: number) => LabelledLine,
): LabelledLine[] {
  return mapPlaces(lines, isSolid, (line, at) => (at === undefined ? labelBlank(line) : label(line, at)));
}

/** Whether a line shows anything. */
export function isSolid({ text }: Line): boolean {
  return !isBlank(text);
}

/** Whether the extractor took the line. */
export function isTaken({ leftOutBy }: Line): boolean {
  return leftOutBy === undefined;
}

/** Maps each line with its place among those that `isCounted`; the others have none. */
export function mapPlaces<L extends Line>(
  lines: readonly L[],
  isCounted: (line: L) => boolean,
  map: (line: L, place: number | undefined) => LabelledLine,
): LabelledLine[] {
  let next = 0;
  return lines.map((line) => {
    if (!isCounted(line)) return map(line, undefined);
    next += 1;
    return map(line, next - 1);
  });
}

export interface Verdict {
  readonly score: number;
  readonly label: Label;
  readonly why: string | undefined;
}

/**
 * The line with a verdict. Field by field, because to spread objects of as many shapes as lines have takes sixty times
 * as long: 1.2 µs a line, more than all else that happens to it here.
 */
export function setLabel(line: Line, { score, label, why }: Verdict): LabelledLine {
  const { text, block, path, linkChars, breakBefore, links, span, leftOutBy, continuesItem, number, kind } =
    line;
  const { spans, holder } = line;
  // Nearly every line has its place, and one that is made with it needs no second piece of memory.
  const labelled: Writable<LabelledLine> =
    span === undefined
      ? { text, block, path, linkChars, breakBefore, score, label }
      : { text, block, path, linkChars, breakBefore, score, label, span };
  if (links !== undefined) labelled.links = links;
  if (leftOutBy !== undefined) labelled.leftOutBy = leftOutBy;
  if (continuesItem !== undefined) labelled.continuesItem = continuesItem;
  if (number !== undefined) labelled.number = number;
  if (kind !== undefined) labelled.kind = kind;
  if (why !== undefined) labelled.why = why;
  if (spans !== undefined) labelled.spans = spans;
  if (holder !== undefined) labelled.holder = holder;
  return labelled;
}
