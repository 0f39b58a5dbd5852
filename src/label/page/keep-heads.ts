/**
 * Keeps headings above text that is kept, questions above their answers, and terms before what they mean, where the cut leaves
 * them out. To the network each is a short line, and many of one form look like a menu.
 *
 * Of 2,891 pages with gold text, no test split among them, 12 have 107 such headings: in the gold text are 52 of the 53 whose text is, and for the
 * other 54 the network is wrong about the text itself. Six have 27 such questions: 15 are in the gold text, and ten of the other
 * twelve are buttons, which the gold leaves out above the answers that it has. No page with gold text has such terms.
 */
import { isHeadingTag, type LabelledLine } from "../../document.js";
import { isBlank } from "../label-line.js";
import { hasFewLinks, isDropped, isKeptText, isSentence, keepLines } from "./elements-of-lines.js";

interface Head {
  readonly why: string;
  /** The score of a line that is kept: the share of them that is main content. */
  readonly score: number;
  /** It has this share of the cut, or more. */
  readonly nearness: number;
  readonly isHead: (line: LabelledLine, below: LabelledLine) => boolean;
}

const QUESTION_END = /[?？؟]["'”’»）)」]?$/;
const IN_DEFINITION = />dd(?=[.#[>]|$)/;

const HEADS: readonly Head[] = [
  {
    why: "heading-of-text",
    // 52 of 107 headings.
    score: 0.486,
    nearness: 0.7,
    isHead: ({ block }, below) => isHeadingTag(block) && isSentence(below),
  },
  {
    why: "question-of-answer",
    // 15 of 27 questions.
    score: 0.556,
    nearness: 0.4,
    isHead: ({ text }, below) => QUESTION_END.test(text) && isSentence(below),
  },
  {
    why: "term-of-definition",
    // All that were seen, none of them on a page with gold text.
    score: 0.5,
    nearness: 0.4,
    isHead: ({ block }, below) => block === "dt" && IN_DEFINITION.test(below.path),
  },
];

/** So many on the page, of one path, say different things. */
const FEWEST_HEADS = 2;

/** The same lines, some of them content; lines that a rule decided stay as they are. `cut`: the lowest score of main content. */
export function keepHeads(lines: readonly LabelledLine[], cut: number): readonly LabelledLine[] {
  const shown = lines.filter(({ text }) => !isBlank(text));
  const byForm = new Map<string, Map<LabelledLine, Head>>();
  for (const [at, line] of shown.entries()) {
    const below = shown[at + 1];
    if (below === undefined || !isDropped(line) || !isKeptText(below)) continue;
    const head = HEADS.find(({ nearness, isHead }) => line.score >= nearness * cut && isHead(line, below));
    if (head === undefined || !hasFewLinks([line])) continue;
    const form = `${head.why} ${line.path}`;
    byForm.set(form, (byForm.get(form) ?? new Map<LabelledLine, Head>()).set(line, head));
  }
  const kept = [...byForm.values()].filter(
    (heads) => new Set([...heads.keys()].map(({ text }) => text)).size >= FEWEST_HEADS,
  );
  return keepLines(lines, new Map(kept.flatMap((heads) => [...heads])));
}
