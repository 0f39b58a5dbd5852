/** Writes lists as Markdown: items inside of items, tasks, numbers as the page has them. */
import { adoptLists, isItemGroup, isList, type Group, type ListTag, type Part } from "../blocks.js";

/** What one part is written as; items of a list without blank lines inside may follow each other closely. */
export interface Block {
  readonly text: string;
  /** A paragraph is words of a text: no heading, code, table or quote. */
  readonly kind: "list" | "definitions" | "note" | "text" | "paragraph";
}

export function joinBlocks(blocks: readonly Block[]): string {
  return blocks.map(({ text }) => text).join("\n\n");
}

export function add(blocks: Block[], kind: Block["kind"], text: string): void {
  if (text !== "") blocks.push({ kind, text });
}

/** A blank line keeps the bar of its quote, or the quote would end there, and has no other space at its end. */
export function prefix(text: string, mark: string, first = mark): string {
  if (!text.includes("\n")) return first + text;
  const blank = mark.trimEnd();
  return first + text.replace(/\n(?=(\n?))/g, (_, next) => `\n${next === "" ? mark : blank}`);
}

/** How what is in an item is written. */
export interface ListWriting {
  readonly write: (parts: readonly Part[]) => Block[];
  /** Of what is a note that is shown: its text, which is in no list; undefined for all else. */
  readonly writeNote: (group: Group) => string | undefined;
  /** Every line has its verdict behind it. */
  readonly isAnnotated: boolean;
}

interface ListStyle {
  readonly tag: ListTag;
  readonly writing: ListWriting;
}

/** A list of which only an inner list is shown gives its place to that one. */
export function addInnerList(blocks: Block[], { parts }: Group, list: ListStyle): void {
  const [only, other] = parts;
  const inner = only === undefined || other !== undefined ? undefined : listIn(only);
  if (inner === undefined) addList(blocks, parts, list);
  else addInnerList(blocks, inner, { ...list, tag: inner.holder.tag === "ol" ? "ol" : "ul" });
}

/** The list that a part is, or that is all of an item. */
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

/** Two lists side by side need different markers, or they are one. */
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

/** An item of which only an inner list is shown gives its place to the items of that one. */
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

/** Text and the lists below it follow each other closely; anything else is set apart. */
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
