/** Turns P(content) of a line into its score and label, in the same way for every labeller. */
import { codeUnit } from "../code-unit.js";
import type { Label, LabelledLine, Line } from "../document.js";
import type { Writable } from "../writable.js";

export const WHY_BLANK = "blank-line";
/** The reason for a line whose score reaches the cut on a page that has no main content as a whole. */
export const WHY_NOTHING_HERE = "nothing-here";

/** Checks whether a text has only whitespace and invisible format characters. */
export function isBlank(text: string): boolean {
  const first = codeUnit(text, 0);
  // Nearly every line starts with a letter; these skip the regular expression.
  if ((first > 0x20 && first < 0x7f) || (first >= 0xc0 && first < 0x300)) return false;
  return !/[^\s\p{Cf}]/u.test(text);
}

export function sigmoid(logit: number): number {
  return 1 / (1 + Math.exp(-logit));
}

/** Rounds to three decimals, so that the score in the output is the one that was compared with the cut. */
export function roundScore(probability: number): number {
  return Math.round(probability * 1000) / 1000;
}

/** Labels a line by its rounded score, so that both agree. `why`: the rule that changed the verdict, if any. */
export function labelLine(line: Line, probability: number, cut: number, why?: string): LabelledLine {
  const score = roundScore(probability);
  return setLabel(line, { score, label: score >= cut ? "content" : "boilerplate", why });
}

/** Labels a line that a rule calls boilerplate. If the cut is so low that it stays content, `why` is not set. */
export function labelByRule(line: Line, score: number, cut: number, why: string): LabelledLine {
  const ruled = labelLine(line, score, cut, why);
  return ruled.label === "boilerplate" ? ruled : labelLine(line, score, cut);
}

export function labelBlank(line: Line): LabelledLine {
  return setLabel(line, { score: 0, label: "boilerplate", why: WHY_BLANK });
}

/** Labels blank lines as blank, and the others with `label`, whose `at` counts only lines that are not blank. */
export function labelEach(
  lines: readonly Line[],
  label: (line: Line, at: number) => LabelledLine,
): LabelledLine[] {
  return mapPlaces(lines, isSolid, (line, at) => (at === undefined ? labelBlank(line) : label(line, at)));
}

/** Checks whether a line is not blank. */
export function isSolid({ text }: Line): boolean {
  return !isBlank(text);
}

/** Checks whether the extractor took the line. */
export function isTaken({ leftOutBy }: Line): boolean {
  return leftOutBy === undefined;
}

/** Maps each line with its index among the lines that pass `isCounted`; `place` is undefined for the others. */
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
 * Returns the line with a verdict. Copies field by field, because line objects have many shapes, and spreading them
 * takes sixty times as long: 1.2 µs for each line, more than everything else here.
 */
export function setLabel(line: Line, { score, label, why }: Verdict): LabelledLine {
  const { text, block, path, linkChars, breakBefore, links, span, leftOutBy, continuesItem, number, kind } =
    line;
  const { spans, holder } = line;
  // Nearly every line has a span; an object created with it needs no second allocation.
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

/** Gives a line the verdict of a rule that overrules the labeller; the line keeps the labeller's score as `ownScore`. */
export function overrule(line: LabelledLine, verdict: Verdict): LabelledLine {
  return { ...setLabel(line, verdict), ownScore: line.score };
}
