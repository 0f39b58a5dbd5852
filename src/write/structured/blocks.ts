/**
 * Builds the tree of blocks (lists, quotes, tables, figures, notes) around the shown lines, for all structured formats.
 */
import {
  isHeadingTag,
  type Document,
  type Holder,
  type InlineSpan,
  type LabelledLine,
  type Line,
} from "../../document.js";
import { isItem, type ShownLine } from "../shown-lines.js";
import { addFollowing, drawLike } from "./following.js";

/** The lines of one element: the lines of a paragraph, or the chunks of a `pre`. */
export interface Leaf {
  readonly kind: "leaf";
  readonly lines: LabelledLine[];
}

export interface Group {
  readonly kind: "group";
  readonly holder: Holder;
  readonly id: number;
  readonly parts: Part[];
}

export type Part = Leaf | Group;

/** Makes a group whose holder is none of the page's. */
export function makeGroup(holder: Holder, parts: Part[]): Group {
  return { kind: "group", holder, id: -1, parts };
}

/** The largest depth of nested groups; deeper ones are left out, and their lines move up. */
const MAX_DEPTH = 24;

interface Holding {
  readonly holders: readonly Holder[];
  readonly holderOf: (line: LabelledLine, at: number) => number;
}

/** Builds the tree. Lines of list items outside of a list, such as posts of a forum, become paragraphs. */
export function buildBlocks(doc: Document<LabelledLine>, given: readonly ShownLine<LabelledLine>[]): Part[] {
  const shown = doc.holders === undefined ? given : setAllApart(addFollowing(doc.lines, given));
  const { holders, holderOf } = findHolders(doc, shown);
  const root: Part[] = [];
  const open: Group[] = [];
  const chains = new Map<number, readonly number[]>();
  for (let at = 0; at < shown.length; at += 1) {
    const entry = shown[at];
    if (entry === undefined) break;
    const { line, gap } = entry;
    const chain = chainOf(holderOf(line, at), holders, chains);
    let depth = 0;
    while (depth < open.length && open[depth]?.id === chain[depth]) depth += 1;
    open.length = depth;
    for (; depth < chain.length; depth += 1) {
      const id = chain[depth] ?? -1;
      const holder = holders[id];
      if (holder === undefined) break;
      const group: Group = { kind: "group", holder, id, parts: [] };
      (open.at(-1)?.parts ?? root).push(group);
      open.push(group);
    }
    const parts = open.at(-1)?.parts ?? root;
    if (line.block !== "li" || doc.holders === undefined || open.some(isItemGroup)) addLine(parts, line, gap);
    else addLine(parts, { ...line, block: "p" }, isItem(line) ? "block" : gap);
  }
  return root;
}

function setAllApart(shown: readonly ShownLine<LabelledLine>[]): readonly ShownLine<LabelledLine>[] {
  return shown.some(({ line }) => line.spans !== undefined && holdsAlone(line.spans))
    ? shown.flatMap(setApart)
    : shown;
}

/** Whether any span is an element on its own, apart from the text. */
function holdsAlone(spans: readonly InlineSpan[]): boolean {
  for (const { isAlone } of spans) if (isAlone === true) return true;
  return false;
}

/** Splits off images and formulas whose holder is not that of their line, as lines without text. */
function setApart(entry: ShownLine<LabelledLine>): ShownLine<LabelledLine>[] {
  const { line, gap } = entry;
  const { spans = [], holder } = line;
  const isElsewhere = (span: InlineSpan): boolean => span.isAlone === true && span.holder !== holder;
  const apart = spans.filter(isElsewhere);
  if (apart.length === 0) return [entry];
  const draw = drawLike(line);
  return [
    ...apart.filter(({ end }) => end === 0).map(draw),
    { line: { ...line, spans: spans.filter((span) => !isElsewhere(span)) }, gap },
    ...apart.filter(({ end }) => end > 0).map(draw),
  ];
}

/** The holders around a line, outermost first. */
function chainOf(
  holder: number,
  holders: readonly Holder[],
  chains: Map<number, readonly number[]>,
): readonly number[] {
  if (holder < 0) return [];
  const known = chains.get(holder);
  if (known !== undefined) return known;
  const chain: number[] = [];
  for (let id: number | undefined = holder; id !== undefined; id = holders[id]?.parent) chain.push(id);
  const found = chain.reverse().slice(0, MAX_DEPTH);
  // Rows hold only cells, so a table whose cells are too deep is left out as a whole.
  const cut = found.findIndex((id, depth) => depth > MAX_DEPTH - 3 && holders[id]?.tag === "table");
  if (cut !== -1) found.length = cut;
  chains.set(holder, found);
  return found;
}

/** Adds a line to the last leaf if only a line break separates it from the line before, in the same block. */
function addLine(parts: Part[], line: LabelledLine, gap: ShownLine["gap"]): void {
  const last = parts.at(-1);
  const before = last?.kind === "leaf" ? last.lines.at(-1) : undefined;
  const isJoined =
    before?.block === line.block &&
    (gap === "none" || (gap === "line" && line.block !== "pre" && !isItem(line)));
  if (last?.kind === "leaf" && isJoined) last.lines.push(line);
  else parts.push({ kind: "leaf", lines: [line] });
}

function findHolders(doc: Document<LabelledLine>, shown: readonly ShownLine<LabelledLine>[]): Holding {
  const { holders } = doc;
  if (holders !== undefined) return { holders, holderOf: (line) => line.holder ?? -1 };
  const found = readPaths(shown.map(({ line }) => line));
  return { holders: found.holders, holderOf: (_, at) => found.places[at] ?? -1 };
}

/** Reads the lists and quotes of lines without holders from their paths. */
function readPaths(lines: readonly Line[]): { readonly holders: Holder[]; readonly places: number[] } {
  const holders: Holder[] = [];
  let open: { readonly tag: string; readonly id: number }[] = [];
  const enter = (holder: Holder): void => {
    const parent = open.at(-1)?.id;
    holders.push(parent === undefined ? holder : { ...holder, parent });
    open.push({ tag: holder.tag, id: holders.length - 1 });
  };
  const places = lines.map((line) => {
    const steps = stepsOf(line);
    let depth = 0;
    for (const step of steps) {
      if (open[depth]?.tag === "li") depth += 1;
      if (open[depth]?.tag !== step) break;
      depth += 1;
    }
    const isWhole = open.slice(0, depth).filter(({ tag }) => tag !== "li").length === steps.length;
    if (isWhole && !isItem(line) && open[depth]?.tag === "li") depth += 1;
    open = open.slice(0, depth);
    for (const step of steps.slice(open.filter(({ tag }) => tag !== "li").length))
      if (isItem(line) || step === "blockquote") enter({ tag: step });
    if (isItem(line)) enter({ tag: "li", ...(line.number === undefined ? {} : { number: line.number }) });
    return open.at(-1)?.id ?? -1;
  });
  return { holders, places };
}

export type ListTag = "ul" | "ol";

/** The lists and quotes in the path of a line, outermost first. */
export function stepsOf({ path }: Line): readonly (ListTag | "blockquote")[] {
  // The pattern matches only these three tags.
  return (path.match(/(?<=^|>)(?:[ou]l|blockquote)(?=[>.#[]|$)/g) ?? []) as (ListTag | "blockquote")[];
}

/** The leaves of a part, in order. */
export function leavesOf(part: Part): Leaf[] {
  return part.kind === "leaf" ? [part] : part.parts.flatMap(leavesOf);
}

export function isHeading({ block }: Pick<Line, "block">): boolean {
  return isHeadingTag(block);
}

/** Whether a part has a line. */
export function isFilled(part: Part): boolean {
  return part.kind === "leaf" || part.parts.some(isFilled);
}

/** Whether a part is a table row whose lines are in cells. */
export function isRow(part: Part): part is Group {
  return part.kind === "group" && part.holder.tag === "tr";
}

/** Moves a list that is directly in another list into the item before it. */
export function adoptLists(parts: readonly Part[]): readonly Part[] {
  const items: Part[] = [];
  let adopting: Group | undefined;
  for (const part of parts) {
    const last = items.at(-1);
    if (!isList(part) || !isItemGroup(last)) items.push(part);
    else if (last === adopting) last.parts.push(part);
    else {
      adopting = { ...last, parts: [...last.parts, part] };
      items[items.length - 1] = adopting;
    }
  }
  return items;
}

export function isList(part: Part): part is Group {
  return part.kind === "group" && (part.holder.tag === "ul" || part.holder.tag === "ol");
}

/** Whether a part is a list item. */
export function isItemGroup(part: Part | undefined): part is Group {
  return part?.kind === "group" && part.holder.tag === "li";
}
