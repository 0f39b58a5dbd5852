/** Says how sure a text is. */
import type { LabelledLine } from "./document.js";

/** The mean score of the content lines, each weighted by its length in characters; undefined where there is none. */
export function meanScore(lines: readonly LabelledLine[]): number | undefined {
  let weighted = 0;
  let characters = 0;
  for (const { label, score, text } of lines) {
    if (label !== "content") continue;
    weighted += score * text.length;
    characters += text.length;
  }
  return characters === 0 ? undefined : weighted / characters;
}
