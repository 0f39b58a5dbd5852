/** Computes the confidence of a text from the scores of its lines. */
import type { LabelledLine } from "./document.js";

/** The mean score of the content lines, weighted by their length in UTF-16 code units; undefined without content. */
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
