/** Tells what element of a page lines are in, by their paths, for rules on elements as a whole. */
import type { LabelledLine } from "../../document.js";

/** The path of the innermost element of a tag, at the beginning of that of a line inside. */
export function innermost(tag: string): RegExp {
  return new RegExp(`^.*>${tag}(?:[.#[][^>]*)?(?=>|$)`);
}

/** A line of the text itself that the cut leaves out, and no rule. */
export function isDropped({ label, why, kind }: LabelledLine): boolean {
  return label === "boilerplate" && why === undefined && kind !== "comment";
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
