/**
 * Keeps the head row of a table, and the caption of a figure that holds text, if the cut drops them but keeps the rest; and
 * rows of data whose score is near the cut, if it keeps another row of their table.
 *
 * To the network a row of names looks like a menu, and a name looks like the line below a picture. Of 2,265 pages with
 * gold text (no test split among them), 18 have 44 of these head rows: 39 are main content, and the other five head a
 * table that is. Four pages have 38 of these captions, most with the name of the person quoted: 37 are main content.
 * Heads of tables without other rows of data (their cells hold lists) are main content, too, and so are 18 of 21 rows near
 * the cut, on four pages; the other three are in tables that are.
 *
 * Other dropped rows in the middle of kept tables are main content in three of ten cases, dropped items of kept lists in
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
  /** Matches a line's path up to the element that the part belongs to; the same for all parts with one block tag. */
  readonly whole: RegExp;
  readonly why: string;
  /** The score of a kept part: the share of these parts that is main content. */
  readonly score: number;
  /** A line's score must be at least this share of the cut. */
  readonly nearness: number;
  readonly choose: (inside: readonly LabelledLine[]) => readonly LabelledLine[];
}

const TABLE = innermost("table");
const IN_HEAD = />thead(?:[.#[][^>]*)?>tr(?:[.#[][^>]*)?$/;

const PARTS: readonly Part[] = [
  {
    block: "tr",
    whole: TABLE,
    why: "head-of-table",
    // 39 of 44 rows.
    score: 0.886,
    nearness: 0,
    choose: (inside) => {
      const heads = inside.slice(0, 1).filter(isRow);
      const isHeaded =
        heads.some(({ path }) => IN_HEAD.test(path)) && inside.some(({ block }) => block !== "tr");
      const isTable = isHeaded || inside.filter(isRow).length >= FEWEST_ROWS;
      return isTable && isKeptForMost(inside) ? heads : [];
    },
  },
  {
    block: "tr",
    whole: TABLE,
    why: "row-of-table",
    // 18 of 21 rows.
    score: 0.857,
    nearness: 0.7,
    choose: (inside) => {
      const rows = inside.filter(isRow);
      return rows.some(isKeptText) ? rows : [];
    },
  },
  {
    block: "figcaption",
    whole: innermost("figure"),
    why: "caption-of-text",
    // 37 of 38 captions.
    score: 0.974,
    nearness: 0,
    choose: (inside) => (isKeptForMost(inside) ? inside.filter(({ block }) => block === "figcaption") : []),
  },
];

const PARTS_OF = new Map(
  PARTS.map(({ block }) => [block, PARTS.filter((part) => part.block === block)] as const),
);

/** Takes lines that are not blank, and returns them, some now content. `cut`: the lowest score of main content. */
export function keepParts(shown: readonly LabelledLine[], cut: number): readonly LabelledLine[] {
  const kept = new Map<LabelledLine, Part>();
  let end = 0;
  for (let at = 0; at < shown.length; at++) {
    const line = shown[at];
    if (line === undefined || at < end || !isDropped(line)) continue;
    // Checking a tag is cheaper than searching a path for elements.
    const parts = PARTS_OF.get(line.block);
    const whole = parts?.[0]?.whole;
    const element = whole?.exec(line.path)?.[0];
    if (parts === undefined || whole === undefined || element === undefined) continue;
    const isInside = (other: LabelledLine | undefined): boolean =>
      other !== undefined && (other.path === line.path || whole.exec(other.path)?.[0] === element);
    let start = at;
    while (start > end && isInside(shown[start - 1])) start -= 1;
    end = at + 1;
    while (isInside(shown[end])) end += 1;
    const inside = shown.slice(start, end);
    for (const part of parts)
      for (const one of part.choose(inside))
        if (isDropped(one) && !kept.has(one) && one.score >= part.nearness * cut && hasFewLinks([one]))
          kept.set(one, part);
  }
  return keepLines(shown, kept);
}

function isKeptForMost(lines: readonly LabelledLine[]): boolean {
  return 2 * lines.filter(isKeptText).length >= lines.length;
}
