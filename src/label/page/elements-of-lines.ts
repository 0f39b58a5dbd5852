/** What rules on whole elements of a page share: how they tell the lines of one by their paths, and how they keep them. */
import type { LabelledLine } from "../../document.js";
import { setLabel } from "../label-line.js";

/** The path of the innermost element of a tag, at the beginning of that of a line inside. */
export function innermost(tag: string): RegExp {
  return new RegExp(`^.*>${tag}(?:[.#[][^>]*)?(?=>|$)`);
}

/** A line of the text itself that the cut leaves out, and no rule. */
export function isDropped({ label, why, kind }: LabelledLine): boolean {
  return label === "boilerplate" && why === undefined && kind !== "comment";
}

export function isKeptText({ label, kind }: LabelledLine): boolean {
  return label === "content" && kind !== "comment";
}

/** A table has so many of them, and a list so many items. */
export const FEWEST_ROWS = 2;

/** A row of two cells or more. */
export function isRow({ block, text }: LabelledLine): boolean {
  return block === "tr" && text.includes("\t");
}

/** Characters; a name, a date or a count of posts is shorter. */
const SHORTEST_SENTENCE = 25;
const SENTENCE_END = /[.!?…。！？।؟]["'”’»）)」]?$/;

export function endsSentence({ text }: LabelledLine): boolean {
  return SENTENCE_END.test(text);
}

export function isSentence(line: LabelledLine): boolean {
  return line.text.length >= SHORTEST_SENTENCE && endsSentence(line);
}

/** Share of their characters that are links. */
const MOST_LINKS = 0.2;

export function hasFewLinks(lines: readonly LabelledLine[]): boolean {
  let chars = 0;
  let links = 0;
  for (const line of lines) {
    chars += line.text.length;
    links += line.linkChars;
  }
  return links <= MOST_LINKS * chars;
}

/** The same lines, some of them content, each with the score and the reason of the rule that keeps it. */
export function keepLines(
  lines: readonly LabelledLine[],
  kept: ReadonlyMap<LabelledLine, { readonly score: number; readonly why: string }>,
): readonly LabelledLine[] {
  if (kept.size === 0) return lines;
  return lines.map((line) => {
    const rule = kept.get(line);
    if (rule === undefined) return line;
    const { score, why } = rule;
    return { ...setLabel(line, { score, label: "content", why }), ownScore: line.score };
  });
}
