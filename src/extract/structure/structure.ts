/** Follows a walk and keeps what plain text loses: spans of lines, what holds lines together, and what is drawn without text. */
import type { Holder, HolderTag, InlineSpan } from "../../document.js";
import type { ElementNode } from "../../tree.js";
import type { Draft } from "../lines/draft.js";
import type { Ink } from "../lines/characters.js";
import type { Around, Run, RunText } from "../lines/text-run.js";
import { isCount, isLineNumber } from "./asides.js";
import { findCodeLanguage } from "./code-language.js";
import { openMark, readDrawn, readMeaning } from "./inline.js";
import { idOf } from "./notes.js";
import type { Mark, Meaning } from "./spans.js";

/** What is used of a walk: the block and the text that it is at. */
interface Walk {
  block: Block;
  readonly around: { -readonly [K in keyof Around]: Around[K] };
  readonly run: Pick<Run, "draw">;
  readonly ink: Pick<Ink, "hasSpaceBefore">;
  readonly drafts: Draft[];
  readonly breaks: number;
  readonly hasText: boolean;
  readonly leastDepth: number;
}

interface Block {
  readonly tag: string;
  readonly holder: number;
  readonly isVerbatim: boolean;
}

/** Something without text that waits for the line that it belongs to. */
interface Drawn {
  readonly meaning: Meaning;
  readonly block: Block;
  readonly breaks: number;
  /** The least depth between the text before and it. */
  readonly leastDepth: number;
}

export interface Structure {
  readonly holders: Holder[];
  /** The heading or term around the place where the walk is. */
  heading: ElementNode | undefined;
  /** Ids of the notes that were referred to. */
  readonly notes: Set<string>;
  waiting: Drawn[];
  /** What the line that is being gathered begins with. */
  lead: InlineSpan[];
}

/** What waits for one line, and references to notes of a page, at most. */
const MAX_WAITING = 1_000;
const MAX_NOTES = 10_000;
const MAX_SPAN = 1_000;

export function createStructure(): Structure {
  return { holders: [], heading: undefined, notes: new Set(), waiting: [], lead: [] };
}

const HOLDERS: ReadonlyMap<string, HolderTag> = new Map([
  ["blockquote", "blockquote"],
  ["ul", "ul"],
  ["menu", "ul"],
  ["dir", "ul"],
  ["ol", "ol"],
  ["li", "li"],
  ["dl", "dl"],
  ["dt", "dt"],
  ["dd", "dd"],
  ["table", "table"],
  ["caption", "caption"],
  ["tr", "tr"],
  ["td", "td"],
  ["th", "th"],
  ["figure", "figure"],
  ["figcaption", "figcaption"],
  ["pre", "pre"],
  ["listing", "pre"],
  ["xmp", "pre"],
  ["details", "details"],
  ["summary", "summary"],
]);

/** The holder of the lines in a block: a new one where the block is one, and else the one around it. */
export function openHolder(
  { holders, notes }: Structure,
  element: ElementNode,
  outer: number,
  number: number | undefined,
): number {
  const tag = HOLDERS.get(element.tag);
  const note = notes.size > 0 ? findNote(notes, element) : undefined;
  if (tag === undefined && note === undefined) return outer;
  const parent = outer < 0 ? {} : { parent: outer };
  const noted = note === undefined ? {} : { note };
  holders.push({ tag: tag ?? "note", ...parent, ...noted, ...(tag && readHolder(element, tag, number)) });
  return holders.length - 1;
}

function readHolder(element: ElementNode, tag: HolderTag, number: number | undefined): Partial<Holder> {
  const { attributes, parent } = element;
  if (tag === "li") return number === undefined ? {} : { number };
  if (tag === "pre") {
    const lang = findCodeLanguage(element);
    return lang === undefined ? {} : { lang };
  }
  if (tag === "td" || tag === "th") return readCell(element);
  if (tag === "tr") return parent?.tag === "thead" ? { isHeader: true } : {};
  const isLayout = tag === "table" && /^(?:presentation|none)$/.test(attributes.get("role") ?? "");
  return isLayout ? { isLayout: true } : {};
}

function readCell({ tag, attributes }: ElementNode): Partial<Holder> {
  const colSpan = readSpan(attributes.get("colspan"));
  const rowSpan = readSpan(attributes.get("rowspan"));
  return {
    ...(tag === "th" && { isHeader: true }),
    ...(colSpan > 1 && { colSpan }),
    ...(rowSpan > 1 && { rowSpan }),
  };
}

function readSpan(value: string | undefined): number {
  const span = /^\s*(\d{1,6})/.exec(value ?? "")?.[1];
  return span === undefined ? 1 : Math.min(MAX_SPAN, Math.max(1, Number(span)));
}

function findNote(notes: ReadonlySet<string>, element: ElementNode): string | undefined {
  const id = element.attributes.size === 0 ? undefined : idOf(element);
  return id !== undefined && notes.has(id) ? id : undefined;
}

/** Whether a heading, or the term of a list, begins. */
export function enterHeading(structure: Structure, element: ElementNode): boolean {
  if (!/^(?:h[1-6]|dt)$/.test(element.tag)) return false;
  structure.heading = element;
  return true;
}

/** Whether a block holds the numbers of lines of code. */
export function beginAside(walk: Walk, element: ElementNode): boolean {
  return (
    (isLineNumber(element) || (element.tag === "pre" && isCount(element))) && open(walk, { kind: "drop" })
  );
}

/** Whether an inline element begins a span. */
export function beginMark(walk: Walk, structure: Structure, element: ElementNode): boolean {
  const id = structure.notes.size > 0 ? findNote(structure.notes, element) : undefined;
  if (id !== undefined) holdNote(walk, structure, id);
  const meaning = readMeaning(element, structure.heading);
  if (meaning?.note !== undefined && structure.notes.size < MAX_NOTES) structure.notes.add(meaning.note);
  return meaning !== undefined && open(walk, meaning);
}

/** An anchor at the beginning of a note names the block around it. */
function holdNote(walk: Walk, { holders }: Structure, note: string): void {
  const { block } = walk;
  const parent = block.holder < 0 ? {} : { parent: block.holder };
  if (walk.hasText || /^(?:body|div|section|article|main)$/.test(block.tag)) return;
  holders.push({ tag: "note", ...parent, note });
  walk.block = { ...block, holder: holders.length - 1 };
}

function open(walk: Walk, meaning: Meaning): boolean {
  const mark = openMark(meaning, walk.around.mark);
  if (mark !== undefined) walk.around.mark = mark;
  return mark !== undefined;
}

/** A formula that shows no text is drawn without. */
export function endMark(walk: Walk, structure: Structure): void {
  const { mark } = walk.around;
  walk.around.mark = mark?.outer;
  if (mark?.meaning.kind === "math" && !mark.hasText) draw(walk, structure, mark.meaning);
}

/** For an element that holds no text of the page. */
export function drawHidden(walk: Walk, structure: Structure, element: ElementNode): void {
  if (walk.block.isVerbatim || isOpaque(walk.around.mark)) return;
  const meaning = readDrawn(element);
  if (meaning !== undefined) draw(walk, structure, meaning);
}

function isOpaque(mark: Mark | undefined): boolean {
  for (let open = mark; open !== undefined; open = open.outer)
    if (open.meaning.kind === "math" || open.meaning.kind === "drop") return true;
  return false;
}

function draw(walk: Walk, { waiting }: Structure, meaning: Meaning): void {
  const { block, breaks, leastDepth } = walk;
  if (walk.hasText) walk.run.draw(meaning);
  else if (waiting.length < MAX_WAITING) waiting.push({ meaning, block, breaks, leastDepth });
}

/** A line begins: what waited belongs to it, or to the line before, whichever it is closer to in the tree. */
export function settleDrawn(walk: Walk, structure: Structure): void {
  const { waiting } = structure;
  if (waiting.length === 0) return;
  const { block, breaks, leastDepth, ink, drafts } = walk;
  structure.waiting = [];
  for (const [at, drawn] of waiting.entries()) {
    const isHere = drawn.block === block && drawn.breaks === breaks;
    const spaces = ink.hasSpaceBefore && at === waiting.length - 1 ? ({ spaces: "after" } as const) : {};
    if (isHere) structure.lead.push({ ...drawn.meaning, start: 0, end: 0, ...spaces });
    else if (leastDepth < drawn.leastDepth && drafts.length > 0)
      settleLast({ ...structure, waiting: [drawn] }, drafts);
    else structure.lead.push({ ...drawn.meaning, start: 0, end: 0, isAlone: true });
  }
}

/** No line comes any more, or not for this: it belongs to the one before. */
export function settleLast({ waiting }: Pick<Structure, "waiting">, drafts: Draft[]): void {
  const last = drafts.at(-1);
  if (last === undefined || waiting.length === 0) return;
  const at = last.text.length;
  const added = waiting.map(({ meaning }): InlineSpan => ({ ...meaning, start: at, end: at, isAlone: true }));
  drafts[drafts.length - 1] = { ...last, spans: [...(last.spans ?? []), ...added] };
}

/** The text of a line with what it begins with. */
export function takeLead(structure: Structure, text: RunText): RunText {
  const { lead } = structure;
  if (lead.length === 0) return text;
  structure.lead = [];
  return { ...text, spans: [...lead, ...(text.spans ?? [])] };
}
