/**
 * Keeps headings above kept text, questions above their answers, and terms before their definitions, if the cut drops
 * them. To the network each is a short line, and several of the same form look like a menu.
 *
 * Of 2,891 pages with gold text (no test split among them), 16 have 116 headings that this rule keeps. The text below
 * 62 of them is in the gold text, and so are 58 of these 62 headings; for the other 54 the network is wrong about the
 * text itself. Six pages have 27 of these questions: 15 are in the gold text, and ten of the other twelve are buttons,
 * which the gold text leaves out although it has the answers. Terms may be links, and may all have the same words
 * ("Signature:"): nine of 2,750 pages have 78 of them, and 74 are in the gold text.
 *
 * Since heads that differ in their ids alone count as one form, 11 more pages have 14 more headings (ten are in the
 * gold text); all questions of an answer that is kept are on two pages whose gold text leaves them out, as before.
 *
 * Bold lines, which blogs have in place of headings, are kept on three of 2,750 pages: nine of the 11 are in the gold
 * text.
 */
import { isHeadingTag, type LabelledLine } from "../../document.js";
import {
  endsSentence,
  hasFewLinks,
  isDropped,
  isKeptText,
  isSentence,
  keepLines,
} from "./elements-of-lines.js";

interface Head {
  readonly why: string;
  /** The score of a kept line: the share of these lines that is main content. */
  readonly score: number;
  /** A line's score must be at least this share of the cut. */
  readonly nearness: number;
  readonly isHead: (line: LabelledLine, below: LabelledLine) => boolean;
  /** Whether the markup says that the line is a head: it may be a link, and the same words may be in all heads. */
  readonly isMarked?: true;
}

const QUESTION_END = /[?？؟]["'”’»）)」]?$/;
/** The path of a line that is bold as a whole. */
const BOLD = />(?:b|strong)(?:[.#[][^>]*)?$/;
const IN_DEFINITION = />dd(?=[.#[>]|$)/;

const HEADS: readonly Head[] = [
  {
    why: "heading-of-text",
    // 58 of 116 headings.
    score: 0.5,
    nearness: 0.6,
    isHead: ({ block }, below) => isHeadingTag(block) && isSentence(below),
  },
  {
    why: "bold-head-of-text",
    // Nine of 11 bold lines.
    score: 0.818,
    nearness: 0.6,
    isHead: ({ path }, below) => BOLD.test(path) && isSentence(below),
  },
  {
    why: "question-of-answer",
    // 15 of 27 questions.
    score: 0.556,
    nearness: 0.4,
    isHead: ({ text }, below) => QUESTION_END.test(text.slice(-2)) && endsSentence(below),
  },
  {
    why: "term-of-definition",
    // 74 of 78 terms.
    score: 0.949,
    nearness: 0.4,
    isHead: ({ block }, below) => block === "dt" && IN_DEFINITION.test(below.path),
    isMarked: true,
  },
];

/** The fewest heads with different texts on one path, above kept text, for the rule to keep them. */
const FEWEST_HEADS = 2;

/** Takes lines that are not blank, and returns them, some now content. `cut`: the lowest score of main content. */
export function keepHeads(shown: readonly LabelledLine[], cut: number): readonly LabelledLine[] {
  const dropped = findHeads(shown, cut, isDropped);
  if (dropped.size === 0) return shown;
  const saidByForm = new Map<string, Set<string>>();
  for (const [line, head] of [...dropped, ...findHeads(shown, cut, isKeptText)]) {
    const form = formOf(line, head);
    const said = saidByForm.get(form) ?? new Set();
    // A marked head counts, whatever it says.
    saidByForm.set(form, said.add(head.isMarked ? `${said.size}` : line.text));
  }
  const isOneOfMany = ([line, head]: readonly [LabelledLine, Head]): boolean =>
    (saidByForm.get(formOf(line, head))?.size ?? 0) >= FEWEST_HEADS;
  return keepLines(shown, new Map([...dropped].filter(isOneOfMany)));
}

function findHeads(
  shown: readonly LabelledLine[],
  cut: number,
  isAsked: (line: LabelledLine) => boolean,
): ReadonlyMap<LabelledLine, Head> {
  const found = new Map<LabelledLine, Head>();
  for (let at = 0; at + 1 < shown.length; at++) {
    const line = shown[at];
    const below = shown[at + 1];
    if (line === undefined || below === undefined || !isAsked(line) || !isKeptText(below)) continue;
    const head = HEADS.find(({ nearness, isHead }) => line.score >= nearness * cut && isHead(line, below));
    if (head !== undefined && (head.isMarked || hasFewLinks([line]))) found.set(line, head);
  }
  return found;
}

/** The number of steps of a path, from its end, whose ids do not tell forms apart: `dt#json.dumps` is like other `dt`. */
const OWN_STEPS = 3;

function formOf({ path }: LabelledLine, { why }: Head): string {
  const steps = path.split(">");
  const own = steps.slice(-OWN_STEPS).map((step) => step.split("#", 1)[0]);
  return [why, ...steps.slice(0, -OWN_STEPS), ...own].join(">");
}
