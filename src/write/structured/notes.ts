/**
 * Matches references to footnotes with the notes that are shown, and numbers the notes in the order of the references.
 */
import { sha256 } from "../../bytes/digest.js";
import type { Holder, LabelledLine } from "../../document.js";
import type { ShownLine } from "../shown-lines.js";

/** The numbers of the notes, from 1 on, by note id. */
export function findNotes(
  shown: readonly ShownLine<LabelledLine>[],
  holders: readonly Holder[],
): ReadonlyMap<string, number> {
  const numbers = new Map<string, number>();
  const notes = findShown(shown, holders);
  if (notes.size === 0) return numbers;
  for (const { line } of shown)
    for (const { note } of line.spans ?? [])
      if (note !== undefined && notes.has(note) && !numbers.has(note)) numbers.set(note, numbers.size + 1);
  return numbers;
}

/** The ids of the notes that have at least one shown line. */
function findShown(
  shown: readonly ShownLine<LabelledLine>[],
  holders: readonly Holder[],
): ReadonlySet<string> {
  const notes = new Set<string>();
  const seen = new Set<number>();
  if (!holders.some(({ note }) => note !== undefined)) return notes;
  for (const { line } of shown) {
    for (let at = line.holder; at !== undefined && !seen.has(at); at = holders[at]?.parent) {
      seen.add(at);
      const note = holders[at]?.note;
      if (note !== undefined) notes.add(note);
    }
  }
  return notes;
}

/**
 * Puts a digest of the document's id into the ids of its notes, because an id must be unique in a file. `start` matches
 * what is before the number in an id and in a reference. The process that formats a document does not know whether the
 * file will have others.
 */
export function setNotesApart(formatted: string, start: RegExp, id: string): string {
  const digest = sha256(id).slice(0, 8);
  return formatted.replace(start, (before) => `${before}${digest}-`);
}
