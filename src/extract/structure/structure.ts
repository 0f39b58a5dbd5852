/**
 * Records the structure that plain text loses: spans in lines, the elements that hold lines, and elements without text.
 */
import { HEADING_TAGS, type Holder, type HolderTag, type InlineSpan } from "../../document.js";
import type { ElementNode } from "../../document/tree.js";
import type { Draft } from "../lines/draft.js";
import { isListing } from "../lines/generators/latexml.js";
import { isVerse } from "../lines/generators/verse.js";
import type { Ink } from "../lines/text/characters.js";
import type { Bullet } from "../lines/generators/word-bullets.js";
import type { Around, Run, RunText } from "../lines/text/text-run.js";
import { classOf } from "../bounded-attributes.js";
import { EDIT_CLASS, isCount, isLineNumber } from "./left-out.js";
import {
  isAside,
  isAsideTitle,
  isCodeBox,
  isNoList,
  isEquation,
  isHintTable,
  isQuote,
  isSignature,
  readAlert,
  readListedTask,
  readNamedTask,
  readTask,
} from "./boxes.js";
import { describeCell } from "./cells.js";
import { findCodeLanguage } from "./code-language.js";
import { followsText } from "./media/following-image.js";
import { readFormula } from "./formulas/formula.js";
import { mayMean, openMark, readDrawn, readMeaning } from "./inline.js";
import { openBullet, type Bullets } from "./bullets.js";
import { findGridPart, rowOf, type Grids } from "./grids.js";
import { findHeading } from "./headings.js";
import {
  findListBefore,
  holdsNumbered,
  isMargin,
  rememberList,
  type ListPlace,
  type Lists,
} from "./lists.js";
import {
  canBeNote,
  holdsWayBack,
  idOfNote,
  idsOfReference,
  isInNoteBox,
  isNumberOfNote,
  leadsBack,
  linkInBrackets,
  namedAs,
  readNoteTarget,
} from "./notes.js";
import { isListOfPosts, isPost } from "./posts.js";
import { holdsTabs, pairTabs } from "./tabs.js";
import { createKnownNames, isTelling, type KnownNames } from "./telling.js";
import { DROPPED, placeSpan, type Mark, type Meaning } from "./spans.js";
import type { Writable } from "../../writable.js";

/** The parts of a walk that are used here: the current block and the text at its position. */
interface Walk {
  block: Block;
  readonly around: Writable<Around>;
  readonly run: Pick<Run, "draw">;
  readonly ink: Pick<Ink, "hasSpaceBefore">;
  readonly drafts: Draft[];
  readonly breaks: number;
  readonly hasText: boolean;
  readonly leastDepth: number;
  /** The links that are open, innermost last. */
  readonly targets: readonly { readonly href: string }[];
}

interface Block {
  readonly tag: string;
  readonly item: { readonly hasLine: boolean } | null;
  readonly holder: number;
  readonly isVerbatim: boolean;
  readonly depth: number;
}

/** An element without text (an image or a formula) that waits for the line that it belongs to. */
interface Drawn {
  readonly meaning: Meaning;
  readonly block: Block;
  readonly holder: number;
  readonly breaks: number;
  /** The least depth between the text before it and the element. */
  readonly leastDepth: number;
  readonly follows: boolean;
}

export interface Structure {
  readonly images: "drop" | "keep";
  readonly holders: Holder[];
  readonly lists: Lists;
  readonly bullets: Bullets;
  /** The heading or term that the walk is in. */
  heading: ElementNode | undefined;
  /** Ids of the notes that are referred to, and whether the reference is doubtful; ids that notes may link back to. */
  readonly notes: Map<string, boolean>;
  readonly references: Set<string>;
  /** Titles of tabs by their panels; "" for the tabs themselves. */
  readonly tabs: Map<ElementNode, string>;
  readonly grids: Grids;
  readonly knownNames: KnownNames;
  /** Whether the names of the element that begins may give it a meaning of its own (see telling.ts). */
  mayTell: boolean;
  waiting: Drawn[];
  /** Spans at the beginning of the line that is being built. */
  lead: InlineSpan[];
}

/** The largest number of elements that wait for one line, and of notes that are referred to on a page. */
const MAX_WAITING = 1_000;
const MAX_NOTES = 10_000;

export function createStructure(images: Structure["images"]): Structure {
  return {
    images,
    holders: [],
    lists: new Map(),
    bullets: { last: undefined, open: [] },
    heading: undefined,
    notes: new Map(),
    references: new Set(),
    tabs: new Map(),
    grids: new Map(),
    knownNames: createKnownNames(),
    mayTell: false,
    waiting: [],
    lead: [],
  };
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
  // The walk begins a block at a `code` only if line breaks are in it.
  ["code", "pre"],
  ["details", "details"],
  ["summary", "summary"],
]);

/** Tags of holders, and of headings that may be one. */
const MAY_HOLD: ReadonlySet<string> = new Set([...HOLDERS.keys(), ...HEADING_TAGS]);

interface Item {
  readonly number: number | undefined;
  readonly bullet: Bullet | undefined;
}

/** The holder for the lines of a block: a new one if the block is a holder itself, and otherwise the one around it. */
export function openHolder(structure: Structure, element: ElementNode, place: ListPlace & Item): number {
  const mayTell = isTelling(element, structure.knownNames);
  structure.mayTell = mayTell;
  // A quick path for most blocks.
  const isUsual = !mayTell && !MAY_HOLD.has(element.tag) && place.bullet === undefined;
  if (isUsual && structure.notes.size === 0 && structure.tabs.size === 0) return place.outer;
  return openNamed(structure, element, place);
}

function openNamed(structure: Structure, element: ElementNode, place: ListPlace & Item): number {
  const { holders, tabs, mayTell } = structure;
  const { bullet, outer: around } = place;
  if (bullet !== undefined) return openBullet(structure, element, { bullet, outer: around });
  const isList = element.tag === "ul" || element.tag === "ol";
  const before = isList && place.last > place.outer ? findListBefore(structure, element, place) : undefined;
  if (before !== undefined && "list" in before) {
    structure.lists.set(before.list, element);
    return before.list;
  }
  let outer = before?.item ?? place.outer;
  const title = tabs.size === 0 ? undefined : tabs.get(element) || undefined;
  if (mayTell) checkNamed(structure, element, outer);
  const known = element.tag === "ul" && holdsNumbered(element) ? "ol" : tagOf(element, structure.knownNames);
  const part = mayTell && known === undefined ? findGridPart(element, structure.grids) : undefined;
  if (part === "td" || part === "th") outer = rowOf(element, outer, structure);
  const box = known ?? part ?? (title === undefined ? findBox(element, mayTell) : "panel");
  const note = findNote(structure, element);
  const tag = box ?? (note === undefined ? findHeading(element, mayTell) : undefined);
  if (tag === undefined && note === undefined) return outer;
  const named = tag ?? "note";
  const holder: Writable<Holder> = outer >= 0 ? { tag: named, parent: outer } : { tag: named };
  if (note !== undefined) holder.note = note;
  if (title !== undefined) holder.title = title;
  if (tag !== undefined) describe(holder, element, { number: place.number, mayTell });
  holders.push(holder);
  if (isList) rememberList(structure, holders.length - 1, element);
  return holders.length - 1;
}

/**
 * The holder tag of an element by its tag name. Left out: lists without items that only widen the margin, lists of
 * forum posts, quotes that are posts or hints, figures that are hints, lists of terms that are hints or code with the bar
 * above it, and `pre` elements with verse.
 */
function tagOf(element: ElementNode, known: KnownNames): HolderTag | undefined {
  const tag = HOLDERS.get(element.tag);
  const list = tag === "ol" || tag === "ul" ? element : tag === "li" ? element.parent : null;
  if (list !== null && isTelling(list, known) && isListOfPosts(list)) return undefined;
  if (tag === "blockquote" && (isPost(element) || isAside(element))) return undefined;
  if (tag === "figure" && isAside(element)) return undefined;
  if ((tag === "dl" || tag === "dt" || tag === "dd") && isNoList(tag === "dl" ? element : element.parent))
    return undefined;
  if (tag === "pre" && isVerse(element)) return undefined;
  return tag === "ul" && isMargin(element) ? undefined : tag;
}

function findBox(element: ElementNode, mayTell: boolean): HolderTag | undefined {
  if (!mayTell) return undefined;
  if (isCodeBox(element) || isListing(element)) return "pre";
  if (isAside(element)) return "aside";
  return isQuote(element) ? "blockquote" : undefined;
}

const LAYOUT = /^(?:presentation|none)$/;

/** Whether a table says that it is only layout, as the tables of data in articles of Intercom also do. */
function isLayout({ attributes, parent }: ElementNode): boolean {
  if (!LAYOUT.test(attributes.get("role") ?? "")) return false;
  return parent?.attributes.get("class") !== "intercom-interblocks-table-container";
}

interface Known {
  readonly number: number | undefined;
  readonly mayTell: boolean;
}

/** Completes a holder in place, because pages have thousands of them. */
function describe(holder: Writable<Holder>, element: ElementNode, { number, mayTell }: Known): void {
  const { parent } = element;
  switch (holder.tag) {
    case "li": {
      const task = readListedTask(element);
      if (number !== undefined) holder.number = number;
      if (task !== undefined) holder.task = task;
      return;
    }
    case "pre": {
      const lang = findCodeLanguage(element);
      if (lang !== undefined) holder.lang = lang;
      return;
    }
    case "td":
    case "th":
      describeCell(holder, element, mayTell);
      return;
    case "tr":
      if (parent?.tag === "thead") holder.isHeader = true;
      return;
    case "table":
      if (isLayout(element) || isEquation(element) || isHintTable(element)) holder.isLayout = true;
      return;
    case "aside":
      holder.alert = readAlert(element);
  }
}

function findNote({ notes, references }: Structure, element: ElementNode): string | undefined {
  if (notes.size === 0) return undefined;
  const named = namedAs(element);
  const id = named.attributes.size === 0 ? undefined : idOfNote(named);
  const isDoubtful = id === undefined ? undefined : notes.get(id);
  if (isDoubtful === undefined || !canBeNote(element)) return undefined;
  return isDoubtful && !holdsWayBack(named, references) ? undefined : id;
}

/** Returns true at a heading, a `dt` or a `summary`, and records it as the current heading. */
export function enterHeading(structure: Structure, element: ElementNode): boolean {
  if (!HEADS.has(element.tag)) return false;
  structure.heading = element;
  return true;
}

const HEADS: ReadonlySet<string> = new Set([...HEADING_TAGS, "dt", "summary"]);

/**
 * Opens a mark, and returns true, if all text of a block is one span: line numbers of code, a formula, a signature, the
 * title of a box.
 */
export function beginBlockMark(walk: Walk, structure: Structure, element: ElementNode): boolean {
  const { tabs, mayTell } = structure;
  if (element.tag === "pre") return (isLineNumber(element) || isCount(element)) && open(walk, DROPPED);
  if (mayTell && holdsTabs(element)) pairTabs(element, tabs);
  const isTab = tabs.size > 0 && tabs.get(element) === "";
  const meaning = isTab ? DROPPED : mayTell ? readBlock(element) : undefined;
  return meaning !== undefined && open(walk, meaning);
}

function readBlock(element: ElementNode): Meaning | undefined {
  const names = classOf(element);
  if (isLineNumber(element) || EDIT_CLASS.test(names)) return DROPPED;
  if (!element.attributes.has("class")) return undefined;
  // rustdoc shows this text of a `summary` only while the fold is closed.
  if (element.tag === "summary" && element.attributes.get("class") === "hideme") return DROPPED;
  if (isSignature(element)) return { kind: "code" };
  if (isAsideTitle(element)) return { kind: "strong" };
  return element.tag === "div" || element.tag === "p" ? readFormula(element) : undefined;
}

/** Opens a mark for an inline element that is a span, and returns whether it did. */
export function beginMark(walk: Walk, structure: Structure, element: ElementNode): boolean {
  const mayTell = isTelling(element, structure.knownNames);
  structure.mayTell = mayTell;
  // A quick path for most inline elements.
  const isUsual = !mayTell && structure.heading === undefined && !walk.block.isVerbatim && !mayMean(element);
  if (isUsual && structure.notes.size === 0 && structure.tabs.size === 0) return false;
  return beginNamedMark(walk, structure, element);
}

function beginNamedMark(walk: Walk, structure: Structure, element: ElementNode): boolean {
  const raised = linkInBrackets(element);
  const link = raised ?? element;
  const id = findNote(structure, link);
  if (id !== undefined) holdNote(walk, structure, { note: id, anchor: link });
  const { notes, references, heading, tabs, mayTell } = structure;
  if (mayTell && holdsTabs(element)) pairTabs(element, tabs);
  const isDropped =
    (tabs.size > 0 && tabs.get(element) === "") || (references.size > 0 && leadsBack(link, references));
  const seen = { heading, isInCode: walk.block.isVerbatim, isTelling: mayTell };
  const target = raised === undefined ? undefined : readNoteTarget(raised);
  const meaning = isDropped
    ? DROPPED
    : target === undefined
      ? readMeaning(element, seen)
      : ({ kind: "note", note: target.note } as const);
  if (meaning?.note !== undefined && notes.size < MAX_NOTES) {
    const isDoubtful = (target ?? readNoteTarget(link))?.isDoubtful === true;
    notes.set(meaning.note, isDoubtful && notes.get(meaning.note) !== false);
    for (const reference of idsOfReference(link)) references.add(reference);
  }
  return meaning !== undefined && open(walk, meaning);
}

/** Records the id of a note that an anchor at the beginning of a block gives to that block. */
function holdNote(
  walk: Walk,
  { holders }: Structure,
  { note, anchor }: { readonly note: string; readonly anchor: ElementNode },
): void {
  const { block } = walk;
  const around = holders[block.holder];
  if (around?.note === note) return;
  // After a line break, another note may begin in the same block.
  const outer = around?.tag === "note" ? (around.parent ?? -1) : block.holder;
  const parent = outer < 0 ? {} : { parent: outer };
  const isLarge = /^(?:body|div|section|article|main)$/.test(block.tag);
  if (walk.hasText || block.tag === "dt" || (isLarge && !isInNoteBox(anchor)) || isNumberOfNote(anchor))
    return;
  if (around?.tag === "li" && block.item?.hasLine === false) {
    holders[block.holder] = { ...around, note };
    return;
  }
  holders.push({ tag: "note", ...parent, note });
  walk.block = { ...block, holder: holders.length - 1 };
}

function open(walk: Walk, meaning: Meaning): boolean {
  const mark = openMark(meaning, walk.around.mark);
  if (mark !== undefined) walk.around.mark = mark;
  return mark !== undefined;
}

/** Closes a mark. A formula without text is recorded as an element without text. */
export function endMark(walk: Walk, structure: Structure): void {
  const { mark } = walk.around;
  walk.around.mark = mark?.outer;
  if (mark?.meaning.kind === "math" && mark.line === undefined) draw(walk, structure, mark.meaning);
}

/** Records an element that holds no visible text: a checkbox, an image, a formula, a video. */
export function drawHidden(walk: Walk, structure: Structure, element: ElementNode): void {
  if (element.tag === "input") checkItem(walk, structure, element);
  if (walk.block.isVerbatim || isOpaque(walk.around.mark)) return;
  const meaning = readDrawn(element, structure.images);
  if (meaning === undefined) return;
  const href = meaning.kind === "image" ? walk.targets.at(-1)?.href : undefined;
  // The logo of the site links to the front page.
  if (href === "/") return;
  draw(walk, structure, href === undefined ? meaning : { ...meaning, href }, followsText(walk, element));
}

/** Sets the state of a task whose checkbox is drawn by CSS. */
function checkNamed({ holders }: Structure, element: ElementNode, at: number): void {
  const item = holders[at];
  const task = item?.tag === "li" ? readNamedTask(element) : undefined;
  if (item !== undefined && task !== undefined) holders[at] = { ...item, task };
}

/** Sets the state of a task from the checkbox at the beginning of its item. */
function checkItem({ block, hasText }: Walk, { holders }: Structure, input: ElementNode): void {
  const item = holders[block.holder];
  const task = hasText || item?.tag !== "li" ? undefined : readTask(input);
  if (item !== undefined && task !== undefined) holders[block.holder] = { ...item, task };
}

function isOpaque(mark: Mark | undefined): boolean {
  for (let open = mark; open !== undefined; open = open.outer)
    if (open.meaning.kind === "math" || open.meaning.kind === "drop") return true;
  return false;
}

function draw(walk: Walk, { waiting }: Structure, meaning: Meaning, follows = false): void {
  const { block, breaks, leastDepth } = walk;
  if (walk.hasText) walk.run.draw(meaning);
  else if (waiting.length < MAX_WAITING)
    waiting.push({ meaning, block, holder: block.holder, breaks, leastDepth, follows });
}

/**
 * At the start of a line: adds each waiting element to this line or to the previous one, whichever is closer in the
 * tree.
 */
export function settleDrawn(walk: Walk, structure: Structure): void {
  const { waiting, lead } = structure;
  const last = waiting.at(-1);
  if (last === undefined) return;
  const { block, breaks, leastDepth, ink, drafts } = walk;
  structure.waiting = [];
  const behind: Drawn[] = [];
  for (const drawn of waiting) {
    const isHere = drawn.block === block && drawn.breaks === breaks;
    const spaces = ink.hasSpaceBefore && drawn === last ? ({ spaces: "after" } as const) : {};
    if (isHere) lead.push({ ...placeSpan(drawn.meaning, 0, 0), ...spaces });
    else if (leastDepth < drawn.leastDepth && drafts.length > 0) behind.push(drawn);
    else lead.push({ ...placeSpan(drawn.meaning, 0, 0), isAlone: true, ...placeOf(drawn) });
  }
  settleLast({ waiting: behind }, drafts);
}

/** Adds the elements that still wait to the previous line, because no line follows that they belong to. */
export function settleLast({ waiting }: Pick<Structure, "waiting">, drafts: Draft[]): void {
  const last = drafts.at(-1);
  if (last === undefined || waiting.length === 0) return;
  const at = last.text.length;
  const added = waiting.map((drawn): InlineSpan => ({
    ...placeSpan(drawn.meaning, at, at),
    isAlone: true,
    ...placeOf({ ...drawn, follows: false }),
  }));
  drafts[drafts.length - 1] = { ...last, spans: [...(last.spans ?? []), ...added] };
}

function placeOf({ holder, follows }: Drawn): Pick<InlineSpan, "holder" | "follows"> {
  return { ...(follows && { follows }), ...(holder >= 0 && { holder }) };
}

/** Returns the text of a line with the spans that belong at its beginning. */
export function takeLead(structure: Structure, text: RunText): RunText {
  const { lead } = structure;
  if (lead.length === 0) return text;
  structure.lead = [];
  return { ...text, spans: [...lead, ...(text.spans ?? [])] };
}
