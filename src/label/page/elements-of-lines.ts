/** Finds the lines of an element by their paths and keeps them, for the rules on whole elements of a page. */
import type { LabelledLine } from "../../document.js";
import { countLetters } from "../features/chars.js";
import { overrule } from "../label-line.js";

/** Returns a pattern that matches the beginning of a line's path, up to the innermost element with the tag. */
export function innermost(tag: string): RegExp {
  return new RegExp(`^.*>${tag}(?:[.#[][^>]*)?(?=>|$)`);
}

/** Checks whether the cut alone, and not a rule, made boilerplate of a line that is not a comment. */
export function isDropped({ label, why, kind }: LabelledLine): boolean {
  return label === "boilerplate" && why === undefined && kind !== "comment";
}

export function isKeptText({ label, kind }: LabelledLine): boolean {
  return label === "content" && kind !== "comment";
}

/** The fewest rows of a table, items of a list or sentences of a definition list for a rule to keep it. */
export const FEWEST_ROWS = 2;

/** Checks whether a line is a table row with at least two cells. */
export function isRow({ block, text }: LabelledLine): boolean {
  return block === "tr" && text.includes("\t");
}

/** In letters (`countLetters`). Names, dates and counts of posts are shorter. */
const SHORTEST_SENTENCE = 25;
const SENTENCE_END = /[\p{STerm}…]["'”’»）)」』】]?$/u;

export function endsSentence({ text }: LabelledLine): boolean {
  return SENTENCE_END.test(text);
}

/** Checks whether a line ends like a sentence and is longer than a name, a date or a count. */
export function isSentence(line: LabelledLine): boolean {
  return endsSentence(line) && countLetters(line.text, SHORTEST_SENTENCE) >= SHORTEST_SENTENCE;
}

/** The highest share of characters inside links. */
const MOST_LINKS = 0.2;

/** Checks whether at most a fifth of the characters of these lines are inside links. */
export function hasFewLinks(lines: readonly LabelledLine[]): boolean {
  let chars = 0;
  let links = 0;
  for (const line of lines) {
    chars += line.text.length;
    links += line.linkChars;
  }
  return links <= MOST_LINKS * chars;
}

/** Returns the same lines; those in `kept` become content, with the score and the reason of their rule. */
export function keepLines(
  lines: readonly LabelledLine[],
  kept: ReadonlyMap<LabelledLine, { readonly score: number; readonly why: string }>,
): readonly LabelledLine[] {
  if (kept.size === 0) return lines;
  return lines.map((line) => {
    const rule = kept.get(line);
    return rule === undefined ? line : overrule(line, { score: rule.score, label: "content", why: rule.why });
  });
}
