/**
 * Keeps the head row of a table, and the caption of a figure that holds text, if the cut drops them but keeps the rest.
 *
 * To the network a row of names looks like a menu, and a name looks like the line below a picture. Of 2,265 pages with
 * gold text (no test split among them), 18 have 44 of these head rows: 39 are main content, and the other five head a
 * table that is. Two pages have eleven heads of tables whose cells hold lists: ten are main content. Four pages have 38 of
 * these captions, most with the name of the person quoted: 37 are main content.
 *
 * Dropped rows in the middle of kept tables are main content in three of ten cases, dropped items of kept lists in
 * four, dropped lines of kept quotes in none of ten, so the network's labels stay there.
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
  /** The block tag of the part's line. */
  readonly block: Line["block"];
  /** Matches a line's path up to the element that the part belongs to. */
  readonly whole: RegExp;
  readonly why: string;
  /** The score of a kept part: the share of these parts that is main content. */
  readonly score: number;
  readonly choose: (inside: readonly LabelledLine[]) => readonly LabelledLine[];
}

const IN_HEAD = />thead(?:[.#[][^>]*)?>tr(?:[.#[][^>]*)?$/;

const PARTS: readonly Part[] = [
  {
    block: "tr",
    whole: innermost("table"),
    why: "head-of-table",
    // 39 of 44 rows.
    score: 0.886,
    choose: (inside) => {
      const heads = inside.slice(0, 1).filter(isRow);
      const isAboveLists =
        heads.some(({ path }) => IN_HEAD.test(path)) && inside.some(({ block }) => block !== "tr");
      return isAboveLists || inside.filter(isRow).length >= FEWEST_ROWS ? heads : [];
    },
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

const PART_OF = new Map(PARTS.map((part) => [part.block, part] as const));

/** Takes lines that are not blank, and returns the same lines, some of them now content. */
export function keepParts(shown: readonly LabelledLine[]): readonly LabelledLine[] {
  const kept = new Map<LabelledLine, Part>();
  let end = 0;
  for (let at = 0; at < shown.length; at++) {
    const line = shown[at];
    if (line === undefined || at < end || !isDropped(line)) continue;
    // Checking a tag is cheaper than searching a path for elements.
    const part = PART_OF.get(line.block);
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
