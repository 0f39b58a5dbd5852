/**
 * Groups documents that are scored separately: by language, page type, register or length, but never across corpora.
 */
import type { GoldDocument } from "../corpora/gold.js";
import { tokenize } from "./tokens.js";

export const GROUPINGS = ["lang", "pageType", "register", "length"] as const;
export type Grouping = (typeof GROUPINGS)[number];

/** Length groups: a text falls into the first group whose limit, in words of main content, is above its length. */
const LENGTHS: readonly (readonly [number, string])[] = [
  [1, "no text"],
  [100, "1–99 words"],
  [300, "100–299 words"],
  [1000, "300–999 words"],
  [3000, "1,000–2,999 words"],
  [Infinity, "3,000 words and more"],
];

/** Returns the group of a document; undefined if its corpus does not give one. */
export function groupOf(document: GoldDocument, grouping: Grouping): string | undefined {
  if (grouping === "length") return lengthGroup(document);
  return document[grouping];
}

function lengthGroup(document: GoldDocument): string | undefined {
  const text = goldText(document);
  if (text === undefined) return undefined;
  const words = tokenize(text).length;
  return LENGTHS.find(([below]) => words < below)?.[1];
}

/**
 * Returns the main text: the corpus's own, or else the content lines joined by newlines. undefined if the document has
 * neither, or if some of its lines have no label.
 */
export function goldText(document: GoldDocument): string | undefined {
  if (document.text !== undefined) return document.text;
  if (document.lines?.some(({ label }) => label === null) === true) return undefined;
  return document.lines
    ?.filter(({ label }) => label === 1)
    .map(({ text }) => text)
    .join("\n");
}

/** Groups documents, with the groups sorted by name (lengths by size), and leaves out documents without a group. */
export function groupDocuments<T>(
  items: readonly T[],
  documentOf: (item: T) => GoldDocument,
  grouping: Grouping,
): Map<string, T[]> {
  const groups = new Map<string, T[]>();
  for (const item of items) {
    const group = groupOf(documentOf(item), grouping);
    if (group === undefined) continue;
    const members = groups.get(group);
    if (members === undefined) groups.set(group, [item]);
    else members.push(item);
  }
  const order = LENGTHS.map(([, name]) => name);
  return new Map([...groups].sort(([a], [b]) => order.indexOf(a) - order.indexOf(b) || (a < b ? -1 : 1)));
}
