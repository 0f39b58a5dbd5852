/**
 * Keeps tables of data, definitions in sentences and lists that stand behind text that is kept, where the cut would leave all of them out.
 *
 * The network sees cells of a word or a number, as menus and lists of products have them. Of 2,891 pages with gold text, no
 * test split among them, 43 have 73 such tables: 46 are main content, 11 in part and 16 not, of which 7 are in atf, whose gold has
 * no tables. Lists, other definitions and quotes that stand so are main content in less than half of the cases.
 *
 * Definitions in sentences are rare: 61 lists on the labelled pages, nearly all of them in long documentation, where the network
 * keeps 995 of their 1,051 lines. On pages of a few lines it leaves all of such a list out; no page with gold text changes by this.
 *
 * A list must have text that is kept behind it as well. 16 stand so, all on wcxb, of twelve sets; 7 of them are in the gold text.
 * The other nine are of two pages, and belong to the text by eye: the gold of one leaves all of its lists out.
 */
import type { LabelledLine } from "../../document.js";
import {
  FEWEST_ROWS,
  hasFewLinks,
  innermost,
  isDropped,
  isKeptText,
  isRow,
  isSentence,
  keepLines,
} from "./elements-of-lines.js";

/** One element of the page that is kept as a whole, or not at all. */
interface Unit {
  /** Its path: all of a line's path up to the innermost such element. */
  readonly path: RegExp;
  readonly why: string;
  /** The score of a line that is kept: the share of them that is main content. */
  readonly score: number;
  /** Text that is kept must stand behind it, too. */
  readonly isBetween: boolean;
  readonly isWanted: (lines: readonly LabelledLine[]) => boolean;
}

const UNITS: readonly Unit[] = [
  {
    path: innermost("table"),
    why: "table-behind-text",
    // 556 of 808 rows.
    score: 0.688,
    isBetween: false,
    isWanted: (lines) => lines.filter(isRow).length >= FEWEST_ROWS,
  },
  {
    path: innermost("dl"),
    why: "definitions-behind-text",
    // 597 of 1,051 lines stand in the gold text letter by letter.
    score: 0.568,
    isBetween: false,
    isWanted: (lines) => {
      const sentences = lines.filter(isSentence).length;
      return sentences >= FEWEST_ROWS && sentences * MOST_LINES_A_SENTENCE >= lines.length;
    },
  },
  {
    path: innermost("[uo]l"),
    why: "list-between-text",
    // 21 of 53 lines by the gold, all of them by eye.
    score: 0.5,
    isBetween: true,
    isWanted: (lines) => lines.length >= FEWEST_ROWS,
  },
];

/** Elements around the unit alone: a frame to scroll it in, and the figure that it is. */
const MOST_FRAMES = 2;
/** A term, what it means, and one more line. */
const MOST_LINES_A_SENTENCE = 3;

/** Takes lines that show something, and gives back the same ones, some of them content. */
export function keepBehindText(shown: readonly LabelledLine[]): readonly LabelledLine[] {
  const kept = new Map<LabelledLine, Unit>();
  for (const [at, line] of shown.entries()) {
    // To look at two labels costs less than to look for elements in a path.
    const before = shown[at - 1];
    if (!isDropped(line) || before === undefined || !isKeptText(before)) continue;
    for (const unit of UNITS) for (const inside of unitAt(shown, at, unit)) kept.set(inside, unit);
  }
  return keepLines(shown, kept);
}

/** The lines of a unit that begins at `at` and is to be kept; none where there is no such unit. */
function unitAt(
  shown: readonly LabelledLine[],
  at: number,
  { path, isBetween, isWanted }: Unit,
): readonly LabelledLine[] {
  const elementOf = (line: LabelledLine | undefined) => line && path.exec(line.path)?.[0];
  const element = elementOf(shown[at]);
  if (element === undefined || !isKeptBeside(element, shown[at - 1])) return [];
  let end = at + 1;
  while (elementOf(shown[end]) === element) end += 1;
  if (isBetween && !isKeptBeside(element, shown[end])) return [];
  const inside = shown.slice(at, end);
  return isLeftOut(inside) && isWanted(inside) ? inside : [];
}

/** The line is text that is kept, and stands beside the element or what is around it alone. */
function isKeptBeside(element: string, line: LabelledLine | undefined): boolean {
  if (line === undefined || !isKeptText(line)) return false;
  const { path } = line;
  const around = path.slice(0, Math.max(0, path.lastIndexOf(">")));
  if (!element.startsWith(`${around}>`)) return false;
  return countSteps(element.slice(around.length)) <= MOST_FRAMES + 1;
}

function countSteps(path: string): number {
  return path.split(">").length - 1;
}

/** All of it is left out, by the cut alone, and few of its letters are links. */
function isLeftOut(lines: readonly LabelledLine[]): boolean {
  return lines.every(isDropped) && hasFewLinks(lines);
}
