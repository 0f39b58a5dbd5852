/** Writes terms and definitions as Markdown, which has no definition lists. */
import type { Line } from "../../../document.js";
import { isHeading, leavesOf, type Group, type Leaf, type Part } from "../blocks.js";
import { writeLeaf, type Style } from "./lines.js";
import {
  addAll,
  addItems,
  isBesideList,
  isListBlock,
  writeItem,
  type Block,
  type Item,
  type ListWriting,
} from "./lists.js";

interface TermWriting extends Pick<ListWriting, "write" | "writeNote"> {
  readonly style: Style;
}

/**
 * Writes the parts of a term or a summary. Their words are made strong, unless they hold code blocks, rows or headings.
 */
export function writeTerms(parts: readonly Part[], writing: TermWriting): Block[] {
  const leaves = parts.flatMap(leavesOf);
  const isText = leaves.every(({ lines: [first] }) => first === undefined || isTerm(first));
  return isText ? leaves.flatMap((leaf) => writeTerm(leaf, writing.style)) : writing.write(parts);
}

function isTerm(line: Line): boolean {
  return line.block !== "pre" && line.block !== "tr" && !isHeading(line);
}

function writeTerm(leaf: Leaf, style: Style): Block[] {
  return writeLeaf(leaf, { ...style, isTerm: true }).map((text) => ({ kind: "paragraph", text }));
}

interface Entry {
  readonly terms: Block[];
  readonly definitions: Block[];
}

/**
 * CommonMark has no definition lists, so each term becomes a list item that also holds its definition. Definitions
 * without terms (wikis indent text with them) and lists of terms without definitions (a kind of heading) are written as
 * blocks.
 */
export function addDefinitions(blocks: Block[], { parts }: Group, writing: TermWriting): void {
  const entries = readEntries(parts, writing);
  const isList = entries.some(({ terms, definitions }) => terms.length > 0 && definitions.length > 0);
  const hasHeadings = entries.some(({ terms }) => terms.some(({ kind }) => kind !== "paragraph"));
  const items: Item[] = [];
  const flush = (): void => {
    addItems(blocks, items.splice(0), "definitions");
  };
  // Some generators write one list for each function; adjacent lists are joined.
  const isNext = blocks.at(-1)?.kind === "definitions";
  const marker = isNext ? (blocks.at(-1)?.text.slice(0, 2) ?? "") : isBesideList(blocks, "ul") ? "* " : "- ";
  for (const { terms, definitions } of entries) {
    if (isList && !hasHeadings && terms.length > 0) {
      const item = writeItem(joinTerms(terms, definitions), marker);
      if (item !== undefined) items.push(item);
    } else {
      flush();
      addAll(blocks, terms);
      addAll(blocks, definitions);
    }
  }
  flush();
}

function readEntries(parts: readonly Part[], writing: TermWriting): Entry[] {
  const entries: Entry[] = [];
  for (const part of parts) {
    const tag = part.kind === "group" ? part.holder.tag : undefined;
    const last = entries.at(-1);
    if (part.kind === "group" && tag === "dt") {
      const terms = writeTerms(part.parts, writing);
      if (terms.length > 0 && last?.definitions.length === 0) addAll(last.terms, terms);
      else if (terms.length > 0) entries.push({ terms, definitions: [] });
    } else {
      const note = part.kind === "group" ? writing.writeNote(part) : undefined;
      const written: Block[] =
        note === undefined
          ? writing.write(part.kind === "group" && tag === "dd" ? part.parts : [part])
          : [{ kind: "note", text: note }];
      if (last === undefined) entries.push({ terms: [], definitions: written });
      else addAll(last.definitions, written);
    }
  }
  return entries;
}

/** Writes a term and a definition of one paragraph as two lines of the same paragraph. */
function joinTerms(terms: readonly Block[], definitions: readonly Block[]): Block[] {
  const [first, ...others] = definitions;
  const isShort = first?.kind === "paragraph" && others.every(isListBlock);
  const lines = isShort ? [...terms, first] : terms;
  return [
    { kind: "paragraph", text: lines.map(({ text }) => text).join("  \n") },
    ...(isShort ? others : definitions),
  ];
}
