/** Corrects what the cut keeps and drops, by rules on the page elements that contain the lines or are next to them. */
import type { LabelledLine } from "../../document.js";
import { isSolid, mapPlaces } from "../label-line.js";
import { keepBehindText } from "./keep-behind-text.js";
import { keepHeads } from "./keep-heads.js";
import { keepParts } from "./keep-parts.js";
import { leaveAds } from "./leave-ads.js";
import { leaveSources } from "./leave-sources.js";

/**
 * Returns the same lines, some of them with another label; lines that a rule decided stay as they are. Each rule sees what the
 * rules before it kept, but no blank lines. `cut`: the lowest score of main content.
 */
export function keepElements(lines: readonly LabelledLine[], cut: number): readonly LabelledLine[] {
  const shown = lines.filter(isSolid);
  const texts = keepBehindText(leaveAds(shown, cut));
  const kept = leaveSources(keepHeads(keepParts(texts), cut), cut);
  if (kept === shown) return lines;
  return mapPlaces(lines, isSolid, (line, at) => (at === undefined ? line : (kept[at] ?? line)));
}
