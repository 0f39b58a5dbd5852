/**
 * Matches references to footnotes with the notes that are shown, and numbers the notes in the order of the references.
 */
import { sha256 } from "../../bytes/digest.js";
import type { Document, Holder, InlineSpan, LabelledLine } from "../../document.js";
import { isContent, type ShownLine } from "../shown-lines.js";
import { createResolver } from "../targets.js";
import type { FormatOptions } from "../writer.js";

/** A note, and its first line among those of the document. */
interface Place {
  readonly name: string;
  readonly at: number;
}

/**
 * Gives notes that share an id ids of their own, because each post on a page may have a note "fn1". A reference belongs
 * to the next of these notes, or to the last one.
 */
export function pairNotes(doc: Document<LabelledLine>): Document<LabelledLine> {
  const { holders = [], lines } = doc;
  const repeated = findRepeated(holders);
  if (repeated.size === 0) return doc;
  const names = new Map<number, string>();
  const places = new Map<string, Place[]>();
  const seen = new Set<number>();
  for (const [at, line] of lines.entries()) {
    if (!isContent(line)) continue;
    for (let id = line.holder; id !== undefined && !seen.has(id); id = holders[id]?.parent) {
      seen.add(id);
      const note = holders[id]?.note ?? "";
      if (!repeated.has(note) || isWithin(id, note, holders)) continue;
      const known = places.get(note) ?? [];
      const name = known.length === 0 ? note : `${note} ${known.length}`;
      places.set(note, known);
      known.push({ name, at });
      names.set(id, name);
    }
  }
  const rename = (span: InlineSpan, at: number): InlineSpan => {
    const left = places.get(span.note ?? "") ?? [];
    while (left.length > 1 && (left[0]?.at ?? at) < at) left.shift();
    return left[0] === undefined ? span : { ...span, note: left[0].name };
  };
  return {
    ...doc,
    holders: holders.map(({ note, ...holder }, id) => {
      const name = repeated.has(note ?? "") ? names.get(id) : note;
      return name === undefined ? holder : { ...holder, note: name };
    }),
    lines: lines.map((line, at) =>
      line.spans === undefined ? line : { ...line, spans: line.spans.map((span) => rename(span, at)) },
    ),
  };
}

/**
 * Widens the link of a reference to the brackets around it, so that no link is in a reference, which is written as a
 * link if its note is shown. If the document has no address, drops the link: its target is on the page alone.
 */
export function settleReferences(doc: Document<LabelledLine>): Document<LabelledLine> {
  if (!doc.lines.some(isReferring)) return doc;
  const hasAddress = !createResolver(doc)("#").startsWith("#");
  return {
    ...doc,
    lines: doc.lines.map((line) => {
      if (!isReferring(line)) return line;
      const references = (line.spans ?? []).filter(({ kind }) => kind === "note");
      let at = 0;
      const links = (line.links ?? []).flatMap((link) => {
        while ((references[at]?.end ?? Infinity) <= link.start) at += 1;
        const { start = Infinity, end = 0 } = references[at] ?? {};
        if (start >= link.end) return [link];
        if (!hasAddress && link.href.trimStart().startsWith("#")) return [];
        return start <= link.start && link.end <= end ? [{ ...link, start, end }] : [link];
      });
      return { ...line, links };
    }),
  };
}

function isReferring({ links, spans }: LabelledLine): boolean {
  return links !== undefined && spans?.some(({ kind }) => kind === "note") === true;
}

/** Whether a holder is in another one of the same note. */
function isWithin(inner: number, note: string, holders: readonly Holder[]): boolean {
  for (let id = holders[inner]?.parent; id !== undefined; id = holders[id]?.parent)
    if (holders[id]?.note === note) return true;
  return false;
}

function findRepeated(holders: readonly Holder[]): ReadonlySet<string> {
  const seen = new Set<string>();
  const repeated = new Set<string>();
  for (const { note } of holders)
    if (note !== undefined) {
      if (seen.has(note)) repeated.add(note);
      seen.add(note);
    }
  return repeated;
}

/**
 * The labels of the notes by note id: numbers from 1 on. In a file of many documents a digest of the document is before
 * the number, because a label must be unique in its file. The digest includes the lines, because ids may repeat.
 */
export function findNotes(
  { id, holders = [] }: Document<LabelledLine>,
  shown: readonly ShownLine<LabelledLine>[],
  documents: FormatOptions["documents"],
): ReadonlyMap<string, string> {
  const labels = new Map<string, string>();
  const notes = findShown(shown, holders);
  if (notes.size === 0) return labels;
  const start = documents === "many" ? `${digestOf(id, shown)}-` : "";
  for (const { line } of shown)
    for (const { note } of line.spans ?? [])
      if (note !== undefined && notes.has(note) && !labels.has(note))
        labels.set(note, `${start}${labels.size + 1}`);
  return labels;
}

function digestOf(id: string, shown: readonly ShownLine<LabelledLine>[]): string {
  return sha256([id, ...shown.map(({ line }) => line.text)].join("\n")).slice(0, 8);
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
