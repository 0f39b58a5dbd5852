/**
 * Keeps the head row of a table, and what a figure says of the text in it, where the cut leaves them out and keeps the rest.
 *
 * To the network a row of names looks like a menu, and a name like the line below a picture. Of 2,265 pages with gold text, no
 * test split among them, 18 have 44 such head rows: 39 are main content, and the other five head a table that is. Four pages have
 * 38 such captions, most of them of the one who is quoted: 37 are main content.
 *
 * Rows in the middle of such tables are main content in three of ten cases, items of such lists in four, and lines of such quotes
 * in none of ten: there the network has its reasons.
 */
import type { LabelledLine, Line } from "../../document.js";
import {
  FEWEST_ROWS,
  hasFewLinks,
  innermost,
  isDropped,
  isKeptText,
  isRow,
  keepLines,
} from "./elements-of-lines.js";

interface Part {
  /** What its line is. */
  readonly block: Line["block"];
  /** The path of the element that it is a part of. */
  readonly whole: RegExp;
  readonly why: string;
  /** The score of a part that is kept: the share of them that is main content. */
  readonly score: number;
  readonly choose: (inside: readonly LabelledLine[]) => readonly LabelledLine[];
}

const PARTS: readonly Part[] = [
  {
    block: "tr",
    whole: innermost("table"),
    why: "head-of-table",
    // 39 of 44 rows.
    score: 0.886,
    choose: (inside) => (inside.filter(isRow).length < FEWEST_ROWS ? [] : inside.slice(0, 1).filter(isRow)),
  },
  {
    block: "figcaption",
    whole: innermost("figure"),
    why: "caption-of-text",
    // 37 of 38 captions.
    score: 0.974,
    choose: (inside) => inside.filter(({ block }) => block === "figcaption"),
  },
];

/** Takes lines that show something, and gives back the same ones, some of them content. */
export function keepParts(shown: readonly LabelledLine[]): readonly LabelledLine[] {
  const kept = new Map<LabelledLine, Part>();
  let end = 0;
  for (const [at, line] of shown.entries()) {
    // To look at a tag costs less than to look for elements in a path.
    const part = at >= end && isDropped(line) ? PARTS.find(({ block }) => block === line.block) : undefined;
    const element = part?.whole.exec(line.path)?.[0];
    if (part === undefined || element === undefined) continue;
    const isInside = (other: LabelledLine | undefined): boolean =>
      other !== undefined && (other.path === line.path || part.whole.exec(other.path)?.[0] === element);
    let start = at;
    while (start > end && isInside(shown[start - 1])) start -= 1;
    end = at + 1;
    while (isInside(shown[end])) end += 1;
    const inside = shown.slice(start, end);
    if (!isKeptForMost(inside)) continue;
    for (const one of part.choose(inside)) if (isDropped(one) && hasFewLinks([one])) kept.set(one, part);
  }
  return keepLines(shown, kept);
}

function isKeptForMost(lines: readonly LabelledLine[]): boolean {
  return 2 * lines.filter(isKeptText).length >= lines.length;
}
