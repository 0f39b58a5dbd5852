/**
 * Keeps data tables, definition lists with sentences, and lists that follow kept text, if the cut drops all of their
 * lines, and lists in kept items.
 *
 * The network sees only cells with a word or a number, which look like menus and product lists. Of 2,891 pages with
 * gold text (no test split among them), 43 have 73 of these tables: 46 are main content, 11 in part, and 16 are not.
 * Seven of the 16 are in atf, whose gold text has no tables. Lists, other definition lists and quotes in the same
 * position are main content in less than half of the cases.
 *
 * Definition lists with sentences are rare: the labelled pages have 61, nearly all in long documentation, where the
 * network keeps 995 of their 1,051 lines. On pages of a few lines it drops the whole list; this rule changes no page
 * with gold text.
 *
 * A list must have kept text on both sides. 16 lists do, all in wcxb, one of twelve sets; 7 of them are in the gold
 * text. The other nine are on two pages and look like part of the text to a human: the gold text of one page leaves out
 * all its lists.
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

/** A kind of element that is kept as a whole, or not at all. */
interface Unit {
  /** Matches a line's path up to the innermost element of this kind. */
  readonly path: RegExp;
  readonly why: string;
  /** The score of a kept line: the share of these lines that is main content. */
  readonly score: number;
  /** Whether kept text must follow the element, too. */
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
    // 597 of 1,051 lines are in the gold text letter by letter.
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
    // 21 of 53 lines are content by the gold text, all of them by eye.
    score: 0.5,
    isBetween: true,
    isWanted: (lines) => lines.length >= FEWEST_ROWS && !lines.some(({ path }) => NO_ITEM.test(path)),
  },
];

/** A list in an item that is kept: 32 of 39 such lines, on eight pages, are in the gold text. */
const NESTED = { why: "list-of-item", score: 0.821 };
/** The path from an item to what a list in it holds. */
const LIST = /^>[uo]l(?=[.#[>])/;

/** The path of a form field or of a picture's caption: lists of these are forms and slide shows. */
const NO_ITEM = />(?:label|figcaption)(?=[.#[>]|$)/;

/** The most elements that may wrap the unit alone: a frame for scrolling, and a figure. */
const MOST_FRAMES = 2;
/** A term, its definition, and one more line. */
const MOST_LINES_A_SENTENCE = 3;

/** Takes lines that are not blank, and returns the same lines, some of them now content. */
export function keepBehindText(shown: readonly LabelledLine[]): readonly LabelledLine[] {
  const kept = new Map<LabelledLine, Pick<Unit, "why" | "score">>();
  for (let at = 1; at < shown.length; at++) {
    const line = shown[at];
    const before = shown[at - 1];
    // Checking two labels is cheaper than searching a path for elements.
    if (line === undefined || before === undefined || !isDropped(line) || !isKeptText(before)) continue;
    for (const unit of UNITS) for (const inside of unitAt(shown, at, unit)) kept.set(inside, unit);
    for (const item of listOfItem(shown, at)) kept.set(item, NESTED);
  }
  return keepLines(shown, kept);
}

/** Returns the lines of the unit that begins at `at`, or no lines if there is no unit there or it must not be kept. */
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

/** Returns the dropped lines of the list that begins at `at`, in the item before it; none if there is no such list. */
function listOfItem(shown: readonly LabelledLine[], at: number): readonly LabelledLine[] {
  const { block, path } = shown[at - 1] ?? {};
  if (block !== "li" || path === undefined) return [];
  const isInside = (line: LabelledLine | undefined): boolean => line?.path.startsWith(`${path}>`) === true;
  if (!isInside(shown[at]) || !LIST.test(shown[at]?.path.slice(path.length) ?? "")) return [];
  let end = at + 1;
  while (isInside(shown[end])) end += 1;
  return shown.slice(at, end).filter(isDropped);
}

/** Checks whether the line is kept text next to the element, or next to the elements that wrap it alone. */
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

/** Checks whether the cut alone drops all of the lines, and few of their characters are in links. */
function isLeftOut(lines: readonly LabelledLine[]): boolean {
  return lines.every(isDropped) && hasFewLinks(lines);
}
