/** Keeps lines that the cut leaves out, by rules on the elements of the page that they are in or stand beside. */
import type { LabelledLine } from "../../document.js";
import { isSolid, mapPlaces } from "../label-line.js";
import { keepBehindText } from "./keep-behind-text.js";
import { keepHeads } from "./keep-heads.js";
import { keepParts } from "./keep-parts.js";

/**
 * The same lines, some of them content; lines that a rule decided stay as they are. Each rule sees what those before it kept, and
 * no blank lines. `cut`: the lowest score of main content.
 */
export function keepElements(lines: readonly LabelledLine[], cut: number): readonly LabelledLine[] {
  const shown = lines.filter(isSolid);
  const kept = keepHeads(keepParts(keepBehindText(shown)), cut);
  if (kept === shown) return lines;
  return mapPlaces(lines, isSolid, (line, at) => (at === undefined ? line : (kept[at] ?? line)));
}
