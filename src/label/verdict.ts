/** Turns P(content) of a line into its score and label, the same way in every labeller. */
import type { LabelledLine, Line } from "../document.js";

export const WHY_BLANK = "blank-line";

/** White space, and format characters that show nothing. */
export function isBlank(text: string): boolean {
  return !/[^\s\p{Cf}]/u.test(text);
}

/** Three decimals: what is written out is what was compared with the threshold. */
export function roundScore(probability: number): number {
  return Math.round(probability * 1000) / 1000;
}

/** Score and label can not contradict: the rounded score decides. `why` is given only where a rule changed the verdict. */
export function labelLine(line: Line, probability: number, threshold: number, why?: string): LabelledLine {
  const score = roundScore(probability);
  const label = score >= threshold ? "content" : "boilerplate";
  return { ...line, score, label, ...(why === undefined ? {} : { why }) };
}

export function labelBlank(line: Line): LabelledLine {
  return { ...line, score: 0, label: "boilerplate", why: WHY_BLANK };
}
