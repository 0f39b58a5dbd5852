/** Selects the lines to write, each with the gap to the line before; all writers use it. */
import type { LabelledLine, Line } from "../document.js";

export interface ShownLine<L extends Line = Line> {
  readonly line: L;
  /** "none" before the first line, and between chunks of a `pre`, whose text contains its own line breaks. */
  readonly gap: "none" | "line" | "block";
}

/** Whether the line begins a list item, and so gets the item's marker. */
export function isItem({ block, continuesItem }: Line): boolean {
  return block === "li" && continuesItem !== true;
}

export function isContent(line: LabelledLine): boolean {
  return line.label === "content";
}

/**
 * Returns the lines that `isShown` accepts. A block boundary between two shown lines counts even if it belongs to a
 * hidden line between them, so that dropping boilerplate never joins separate blocks.
 */
export function showLines<L extends Line>(
  lines: readonly L[],
  isShown: (line: L) => boolean,
): ShownLine<L>[] {
  const shown: ShownLine<L>[] = [];
  let gap: ShownLine["gap"] = "line";
  let before: L | undefined;
  for (const line of lines) {
    if (line.breakBefore === "block") gap = "block";
    if (isShown(line)) {
      const last = shown.at(-1)?.line;
      const isContinued = last !== undefined && last === before && continuesPre(last, line);
      shown.push({ line, gap: last === undefined || isContinued ? "none" : gap });
      gap = "line";
    }
    before = line;
  }
  return shown;
}

/** Whether `line` continues the `pre` of `before`, whose text then ends with the line breaks between them. */
function continuesPre(before: Line, line: Line): boolean {
  return (
    before.block === "pre" && line.block === "pre" && before.path === line.path && before.text.endsWith("\n")
  );
}

const LETTERS = "abcdefghij";

/**
 * The boilerplate score 1 − P(content) as one of ten letters, like in texrex: a is 0.0–0.1, j is 0.9–1.0 (Schäfer 2016,
 * section 5). Computed in thousandths, because 1 − 0.9 is not 0.1 in binary.
 */
export function grade(score: number): string {
  const tenth = Math.floor((1000 - Math.round(score * 1000)) / 100);
  return LETTERS.charAt(Math.min(9, Math.max(0, tenth)));
}
