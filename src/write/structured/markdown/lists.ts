/** Writes lists as Markdown: nested items, tasks, and the item numbers of the page. */
import { adoptLists, isItemGroup, isList, type Group, type ListTag, type Part } from "../blocks.js";

/** The Markdown of one part. The kind decides whether list items can follow each other without blank lines. */
export interface Block {
  readonly text: string;
  /** "paragraph" is running text: no heading, code, table or quote. */
  readonly kind: "list" | "definitions" | "note" | "text" | "paragraph";
}

export function joinBlocks(blocks: readonly Block[]): string {
  return blocks.map(({ text }) => text).join("\n\n");
}

export function add(blocks: Block[], kind: Block["kind"], text: string): void {
  if (text !== "") blocks.push({ kind, text });
}

/** Adds blocks one by one: as arguments of a single call, those of a huge page would overflow the stack. */
export function addAll(blocks: Block[], more: readonly Block[]): void {
  for (const block of more) blocks.push(block);
}

/**
 * Starts each line with a mark. A blank line keeps the bar of a quote, or the quote would end there, but no trailing
 * space.
 */
export function prefix(text: string, mark: string, first = mark): string {
  if (!text.includes("\n")) return first + text;
  const blank = mark.trimEnd();
  return first + text.replace(/\n(?=(\n?))/g, (_, next) => `\n${next === "" ? mark : blank}`);
}

/** How the content of items is written. */
export interface ListWriting {
  readonly write: (parts: readonly Part[]) => Block[];
  /** The text of a note that is shown, which is written outside of the list; undefined for any other group. */
  readonly writeNote: (group: Group) => string | undefined;
  /** Whether each line is followed by its verdict. */
  readonly isAnnotated: boolean;
}

interface ListStyle {
  readonly tag: ListTag;
  readonly writing: ListWriting;
}

/** Writes a list. If nothing but a nested list is left of it, that list takes its place. */
export function addInnerList(blocks: Block[], { parts }: Group, list: ListStyle): void {
  const [only, other] = parts;
  const inner = only === undefined || other !== undefined ? undefined : listIn(only);
  if (inner === undefined) addList(blocks, parts, list);
  else addInnerList(blocks, inner, { ...list, tag: inner.holder.tag === "ol" ? "ol" : "ul" });
}

/** The list that a part is, or that is the only content of an item. */
function listIn(part: Part): Group | undefined {
  const [only, other] = isItemGroup(part) ? part.parts : [part];
  return only !== undefined && other === undefined && isList(only) ? only : undefined;
}

export function addList(blocks: Block[], parts: readonly Part[], { tag, writing }: ListStyle): void {
  const isBeside = isBesideList(blocks, tag);
  const marker = tag === "ul" ? (isBeside ? "* " : "- ") : isBeside ? ") " : ". ";
  const items: Item[] = [];
  let number = 0;
  const flush = (): void => {
    addItems(blocks, items.splice(0), "list");
  };
  for (const part of flattenItems(parts)) {
    const note = part.kind === "group" ? writing.writeNote(part) : undefined;
    if (note !== undefined) {
      flush();
      add(blocks, "note", note);
      continue;
    }
    const inner = isItemGroup(part) ? part.parts : [part];
    number = part.kind === "group" ? (part.holder.number ?? number + 1) : number + 1;
    const mark = tag === "ul" ? marker : `${String(Math.max(0, number))}${marker}`;
    const task = part.kind === "group" && !writing.isAnnotated ? part.holder.task : undefined;
    const item = writeItem(checkTask(writing.write(inner), task), mark);
    if (item !== undefined) items.push(item);
  }
  flush();
}

export function isListBlock<B extends Pick<Block, "kind">>(block: B | undefined): block is B {
  return block?.kind === "list" || block?.kind === "definitions";
}

/** Whether the block before is a list with the usual marker. Adjacent lists need different markers to stay separate. */
export function isBesideList(blocks: readonly Block[], tag: ListTag): boolean {
  const before = blocks.at(-1);
  return isListBlock(before) && (tag === "ul" ? /^- / : /^\d+\. /).test(before.text);
}

export function addItems(blocks: Block[], items: readonly Item[], kind: "list" | "definitions"): void {
  const glue = items.every(({ isTight }) => isTight) ? "\n" : "\n\n";
  const text = items.map((item) => item.text).join(glue);
  const before = blocks.at(-1);
  if (kind === "list" || before?.kind !== "definitions" || text === "") add(blocks, kind, text);
  else {
    const isLoose = before.text.includes("\n\n") || text.includes("\n\n");
    blocks.splice(-1, 1, { kind, text: `${before.text}${isLoose ? "\n\n" : "\n"}${text}` });
  }
}

function checkTask(blocks: readonly Block[], task: "done" | "open" | undefined): readonly Block[] {
  const [first, ...others] = blocks;
  if (task === undefined || first?.kind !== "paragraph") return blocks;
  return [{ ...first, text: `${task === "done" ? "[x]" : "[ ]"} ${first.text}` }, ...others];
}

/** Replaces each item that holds only a nested list by the items of that list. */
function flattenItems(parts: readonly Part[]): Part[] {
  return adoptLists(parts).flatMap((part) => {
    const inner = listIn(part);
    return inner === undefined ? [part] : flattenItems(inner.parts);
  });
}

export interface Item {
  readonly text: string;
  readonly isTight: boolean;
}

/** Writes an item. It is tight, without blank lines, if it holds text and lists that begin with a bullet or with 1. */
export function writeItem(blocks: readonly Block[], mark: string): Item | undefined {
  if (blocks.length === 0) return undefined;
  const isTight = blocks.every(({ kind, text }, at) =>
    at === 0
      ? kind === "text" || kind === "paragraph"
      : isListBlock({ kind }) && /^(?:[-*]|1[.)]) /.test(text),
  );
  const text = blocks.map((block) => block.text).join(isTight ? "\n" : "\n\n");
  return { text: prefix(text, " ".repeat(mark.length), mark), isTight };
}
