/**
 * Keeps tables of data and definitions in sentences that stand behind text that is kept, where the cut would leave all of them out.
 *
 * The network sees cells of a word or a number, as menus and lists of products have them. Of 2,891 pages with gold text, no
 * test split among them, 43 have 73 such tables: 46 are main content, 11 in part and 16 not, of which 7 are in atf, whose gold has
 * no tables. Lists, other definitions and quotes that stand so are main content in less than half of the cases, and stay as they were cut.
 *
 * Definitions in sentences are rare: 61 lists on the labelled pages, nearly all of them in long documentation, where the network
 * keeps 995 of their 1,051 lines. On pages of a few lines it leaves all of such a list out; no page with gold text changes by this.
 */
import type { LabelledLine } from "../../document.js";
import { isBlank, setLabel } from "../label-line.js";

/** One element of the page that is kept as a whole, or not at all. */
interface Unit {
  /** What the element begins with in a path: a look that costs less than its expression. */
  readonly step: string;
  /** Its own path: all of a line's path up to the innermost such element. */
  readonly path: RegExp;
  readonly why: string;
  /** The score of a line that is kept: the share of them that is main content. */
  readonly score: number;
  readonly isWanted: (lines: readonly LabelledLine[]) => boolean;
}

const TABLE: Unit = {
  step: ">table",
  path: /^.*>table(?:[.#[][^>]*)?(?=>|$)/,
  why: "table-behind-text",
  // 556 of 808 rows.
  score: 0.688,
  isWanted: (lines) =>
    lines.filter(({ text, block }) => block === "tr" && text.includes("\t")).length >= FEWEST_ROWS,
};
const DEFINITIONS: Unit = {
  step: ">dl",
  path: /^.*>dl(?:[.#[][^>]*)?(?=>|$)/,
  why: "definitions-behind-text",
  // 597 of 1,051 lines stand in the gold text letter by letter.
  score: 0.568,
  isWanted: (lines) => {
    const sentences = lines.filter(
      ({ text }) => text.length >= SHORTEST_SENTENCE && SENTENCE_END.test(text),
    ).length;
    return sentences >= FEWEST_ROWS && sentences * MOST_LINES_A_SENTENCE >= lines.length;
  },
};

/** Elements around the unit alone: a frame to scroll it in, and the figure that it is. */
const MOST_FRAMES = 2;
const FEWEST_ROWS = 2;
/** Share of its characters that are links. */
const MOST_LINKS = 0.2;
/** Characters; an email of one word, a date or a count of posts is shorter. */
const SHORTEST_SENTENCE = 25;
const SENTENCE_END = /[.!?…。！？।؟]["'”’»）)」]?$/;
/** A term, what it means, and one more line. */
const MOST_LINES_A_SENTENCE = 3;

/** The same lines, some of them content; lines that a rule decided stay as they are. */
export function keepBehindText(lines: readonly LabelledLine[]): readonly LabelledLine[] {
  return keepUnits(keepUnits(lines, TABLE), DEFINITIONS);
}

function keepUnits(lines: readonly LabelledLine[], unit: Unit): readonly LabelledLine[] {
  const { step, path, why, score } = unit;
  if (!lines.some((line) => isDropped(line) && line.path.includes(step))) return lines;
  const shown = lines.filter(({ text }) => !isBlank(text));
  const units = shown.map((line) => path.exec(line.path)?.[0]);
  const kept = new Set<LabelledLine>();
  for (let at = 0, end = 0; at < shown.length; at = end) {
    const element = units[at];
    for (end = at + 1; end < shown.length && units[end] === element;) end += 1;
    const before = shown[at - 1];
    if (element === undefined || before === undefined || !isBehind(element, before)) continue;
    const inside = shown.slice(at, end);
    if (isLeftOut(inside) && unit.isWanted(inside)) for (const line of inside) kept.add(line);
  }
  if (kept.size === 0) return lines;
  return lines.map((line) =>
    kept.has(line) ? { ...setLabel(line, { score, label: "content", why }), ownScore: line.score } : line,
  );
}

function isDropped({ label, why }: LabelledLine): boolean {
  return label === "boilerplate" && why === undefined;
}

/** The text is kept, and stands beside the element or what is around it alone. */
function isBehind(element: string, { label, kind, path }: LabelledLine): boolean {
  if (label !== "content" || kind === "comment") return false;
  const around = path.slice(0, Math.max(0, path.lastIndexOf(">")));
  if (!element.startsWith(`${around}>`)) return false;
  return countSteps(element.slice(around.length)) <= MOST_FRAMES + 1;
}

function countSteps(path: string): number {
  return path.split(">").length - 1;
}

/** All of it is left out, by the cut alone, and few of its letters are links. */
function isLeftOut(lines: readonly LabelledLine[]): boolean {
  let chars = 0;
  let links = 0;
  for (const line of lines) {
    if (!isDropped(line) || line.kind === "comment") return false;
    chars += line.text.length;
    links += line.linkChars;
  }
  return links <= MOST_LINKS * chars;
}
