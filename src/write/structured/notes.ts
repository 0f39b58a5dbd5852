/** Pairs the references to footnotes with the notes that are shown, and numbers them in the order of the references. */
import type { Holder, LabelledLine } from "../../document.js";

export function findNotes(
  lines: readonly LabelledLine[],
  holders: readonly Holder[],
): ReadonlyMap<string, number> {
  const notes = new Map<string, number>();
  const shown = findShown(lines, holders);
  if (shown.size === 0) return notes;
  for (const { spans } of lines)
    for (const { note } of spans ?? [])
      if (note !== undefined && shown.has(note) && !notes.has(note)) notes.set(note, notes.size + 1);
  return notes;
}

/** The ids of the notes of which a line is shown. */
function findShown(lines: readonly LabelledLine[], holders: readonly Holder[]): ReadonlySet<string> {
  const shown = new Set<string>();
  const seen = new Set<number>();
  if (!holders.some(({ note }) => note !== undefined)) return shown;
  for (const { holder } of lines) {
    for (let at = holder; at !== undefined && !seen.has(at); at = holders[at]?.parent) {
      seen.add(at);
      const note = holders[at]?.note;
      if (note !== undefined) shown.add(note);
    }
  }
  return shown;
}
