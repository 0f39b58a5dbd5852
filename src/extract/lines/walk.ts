/** Walks the light tree and collects its lines of visible text; all extractors share this walk. */
import { isHeadingTag, type BlockTag, type Holder, type Line } from "../../document.js";
import type { PathTree } from "../../document/path-tree.js";
import type { ElementNode, ParsedPage, TextNode } from "../../document/tree.js";
import type { ExtractorOptions } from "../extractor.js";
import { readInk, createInk, type Ink } from "./text/characters.js";
import { isFlatFormula } from "./visible/machinery.js";
import { chooseCurtain } from "./visible/curtain.js";
import { toLine, type Draft, type Row, isDataRow, joinCells, type Gap } from "./draft.js";
import { spotAt, numberSpots, startSpot, type Place, type Spot } from "./path.js";
import { isLabel, isListing, isNoteText, isPaper, isTag } from "./generators/latexml.js";
import { readCents } from "./text/cents.js";
import { findMathMarks } from "./text/math.js";
import { findQuotes } from "./text/quotes.js";
import { holdsCodeLines, createPreRun, type PreRun, isGatsbyLine, isNextCodeLine } from "./text/pre.js";
import { createRun, type Around, type Run, type Target, type RunText } from "./text/text-run.js";
import { traitsOf, KEPT_IN_ITEMS } from "./line-tags.js";
import { isNextLine, isVerse } from "./generators/verse.js";
import { readBullet } from "./generators/word-bullets.js";
import {
  beginBlockMark,
  beginMark,
  createStructure,
  drawHidden,
  endMark,
  enterHeading,
  openHolder,
  settleDrawn,
  settleLast,
  takeLead,
  type Structure,
} from "../structure/structure.js";
import { isInCodeCell, isInNumberCell, isNumberCell } from "../structure/cells.js";
import { isCodeBar } from "../structure/code-language.js";
import { GRID_CLASS } from "../structure/grids.js";
import {
  isCount,
  isLineNumber,
  isListOfNumbers,
  isNumberInCode,
  isToolOfCode,
} from "../structure/left-out.js";
import { isNumberedByStyle } from "../structure/lists.js";
import { classOf } from "../bounded-attributes.js";
import { isCodeBox, isCodeCell, isSignatureTable } from "../structure/boxes.js";
import { isPixel } from "../structure/media/image.js";
import { readEmoji } from "./text/emoji.js";
import { texOfFlat } from "../structure/formulas/formula.js";
import { markFormulas } from "../structure/formulas/raw-formulas.js";
import {
  isBlockByStyle,
  isHiddenByPage,
  isHiddenCopy,
  isHiddenInNamespace,
  isIcon,
  isTakenOut,
  keepsBreaks,
} from "./visible/visible.js";
import type { Writable } from "../../writable.js";

/** Bits for what leaving an element undoes. */
const LEAVE_TARGET = 1;
const LEAVE_BUTTON = 2;
const LEAVE_RUBY = 4;
const LEAVE_EDGE = 8;
const LEAVE_BLOCK = 16;
const LEAVE_ROW = 32;
const LEAVE_BREAKS_KEPT = 64;
const LEAVE_BREAKS_DROPPED = 128;
const LEAVE_MATH = 256;
const LEAVE_MARK = 512;
const LEAVE_HEADING = 1024;
const LEAVE_QUOTE = 2048;
const LEAVE_CODE_LINE = 4096;

/**
 * Returns the lines in page order. Text nodes that `keep` refuses leave no text, but the block, path and row of the
 * other lines stay the same.
 */
export function walkLines(page: ParsedPage, keep?: (node: TextNode) => boolean): Line[] {
  return walkPlainly(page, { keep }).lines;
}

interface WalkOptions {
  readonly keep?: Walk["keep"];
  readonly structure?: ExtractorOptions["structure"] | undefined;
}

export interface WalkedPage {
  readonly lines: Line[];
  /** Does what `isHiddenByPage` does, but faster, for elements that are not inside hidden ones. */
  readonly isHidden: (element: ElementNode) => boolean;
  readonly paths?: PathTree;
  readonly holders?: readonly Holder[];
}

/** Like `walkLines`, with the holders of the lines if `structure` is set. */
export function walkPlainly(page: ParsedPage, options: WalkOptions): WalkedPage {
  const walk = draftLines(page, options);
  const { drafts, structure } = walk;
  return { lines: toLines(drafts), isHidden: recall(walk), ...(structure && { holders: structure.holders }) };
}

/** Returns the lines in page order and the tree of their paths, which is undefined if a path leaves out steps. */
export function walkWithPaths(page: ParsedPage, options: WalkOptions = {}): WalkedPage {
  const walk = draftLines(page, options);
  const { drafts, structure } = walk;
  const lines = toLines(drafts);
  const paths = numberSpots(drafts);
  return {
    lines,
    isHidden: recall(walk),
    ...(paths && { paths }),
    ...(structure && { holders: structure.holders }),
  };
}

/** Finds the curtain of a page in a first walk; if there is one, walks the page again without it. */
function draftLines(page: ParsedPage, options: WalkOptions): Walk {
  const walk = walkPage(page, options, undefined);
  const curtain = chooseCurtain(page.root, walk.hidden, walk.shown);
  const last = curtain === undefined ? walk : walkPage(page, options, curtain);
  if (last.structure !== undefined) markFormulas(last.drafts, page.root);
  return last;
}

/** Returns `isHidden` of a walked page. The walk judges no elements inside of those that it leaves out. */
function recall({ hidden, curtain, leavesOut }: Walk): (element: ElementNode) => boolean {
  if (leavesOut) return isHiddenByPage;
  const all = new Set(hidden);
  if (curtain !== undefined) all.add(curtain);
  return (element) => all.has(element);
}

function toLines(drafts: readonly Draft[]): Line[] {
  let before: Draft | undefined;
  return drafts.map((draft) => {
    const line = toLine(draft, before);
    before = draft;
    return line;
  });
}

function walkPage({ root }: ParsedPage, options: WalkOptions, curtain: ElementNode | undefined): Walk {
  const walk = startWalk(root, options, curtain);
  const { open } = walk;
  for (let top = open[0]; top !== undefined; top = open[walk.depth]) {
    const { children } = top.element;
    const child = top.next < children.length ? children[top.next] : undefined;
    top.next += 1;
    if (child === undefined) {
      if (walk.nextNote < walk.notes.length && (top.leave & LEAVE_BLOCK) !== 0) {
        enterNote(walk);
        continue;
      }
      walk.depth -= 1;
      if (walk.depth < walk.leastDepth) walk.leastDepth = walk.depth;
      if (top.leave !== 0) leave(walk, top.leave);
      if (walk.depth < 0) break;
    } else if (child.kind === "text") addText(walk, child);
    else enter(walk, child);
  }
  endLine(walk);
  if (walk.structure !== undefined) settleLast(walk.structure, walk.drafts);
  return walk;
}

function enter(walk: Walk, element: ElementNode): void {
  const { tag } = element;
  const traits = traitsOf(tag);
  if (traits.isHidden && isHiddenInNamespace(element)) {
    const emoji = tag === "img" ? readEmoji(element) : undefined;
    if (emoji !== undefined && !isHiddenByPage(element)) {
      addText(walk, emoji);
      return;
    }
    if (walk.structure !== undefined) drawHidden(walk, walk.structure, element);
    const isGap = traits.isDrawn && element.attributes.get("type") !== "hidden" && !isPixel(element);
    if (isGap && !isHiddenByPage(element)) walk.run.gap();
  } else if (element !== walk.curtain && isHiddenByPage(element)) hide(walk, element);
  else if (isLeftOut(walk, element, traits.block !== undefined)) walk.leavesOut = true;
  else if (tag === "br") breakLine(walk);
  else if (tag === "hr") {
    endLine(walk);
    walk.breaks = 2;
  } else if (tag === "code" && isBrokenCode(walk, element))
    push(walk, element, beginBlock(walk, element, "pre"));
  else if (traits.block !== undefined && element.namespace === "html" && !isInOneLine(walk, element))
    push(walk, element, beginBlock(walk, element, traits.block) | beginBreaks(walk, element));
  else {
    const span = walk.structure !== undefined && beginMark(walk, walk.structure, element) ? LEAVE_MARK : 0;
    push(walk, element, beginInline(walk, element) | beginBreaks(walk, element) | span);
  }
}

/** Checks whether an element is a table that is a single line, or a part of one. */
function isInOneLine(walk: Walk, element: ElementNode): boolean {
  if (!walk.block.isOneLine && isSignatureTable(element)) walk.block = { ...walk.block, isOneLine: true };
  return walk.block.isOneLine;
}

/** Leaves out an element that the page hides. A formula without tags is shown as its TeX. */
function hide(walk: Walk, element: ElementNode): void {
  walk.hidden.push(element);
  const value = isFlatFormula(element) ? texOfFlat(element) : undefined;
  if (value !== undefined) addText(walk, { kind: "text", value, parent: element.parent, start: -1, end: -1 });
}

/**
 * Checks whether an element that the page does not hide has no lines here: a copy for phones, a label, or a note, whose
 * lines come later.
 */
function isLeftOut(walk: Walk, element: ElementNode, isBlock: boolean): boolean {
  if (element !== walk.curtain && isHiddenCopy(element)) {
    walk.hidden.push(element);
    return true;
  }
  if (element === walk.bullet) return true;
  if (isBlock ? isBesideCode(walk, element) : walk.block.isVerbatim && isInCode(walk, element)) return true;
  if (!walk.isPaper) return false;
  if (isLabel(element)) return true;
  if (!isNoteText(element)) return false;
  walk.notes.push(element);
  return true;
}

/**
 * Checks whether a block holds the numbers of lines beside code: a cell, a `pre`, a list, or a box in a `pre`, which may
 * as well be the bar with the name of the language.
 */
function isBesideCode(walk: Walk, element: ElementNode): boolean {
  const { block, rows } = walk;
  switch (element.tag) {
    case "td":
    case "th":
      return isNumberCell(element) && leaveCell(walk, element);
    case "pre":
      return isLineNumber(element) || (rows.length > 0 && isCount(element) && isInNumberCell(element));
    case "ul":
      return isListOfNumbers(element);
    default:
      return block.hasCodeLines && (isLineNumber(element) || isCodeBar(element));
  }
}

/** Leaves out a cell for the number of a line; its holder tells writers that the row is code. Returns true. */
function leaveCell({ rows, structure, block, numbers }: Walk, cell: ElementNode): true {
  const row = rows.at(-1);
  if (row !== undefined) row.isCode = true;
  const place = { outer: block.holder, last: -1, numbers, number: undefined, bullet: undefined };
  if (structure !== undefined) openHolder(structure, cell, place);
  return true;
}

/** Checks whether an inline element in code is the number of a line or a button, and no code. */
function isInCode({ pre }: Walk, element: ElementNode): boolean {
  if (isToolOfCode(element)) return true;
  if (!mayBeNumber(element) || (!isLineNumber(element) && !isNumberInCode(element))) return false;
  pre.skipNumber();
  return true;
}

/** Checks quickly whether an element may hold nothing but a number, because code has many elements and few numbers. */
function mayBeNumber({ attributes, children: [first] }: ElementNode): boolean {
  return attributes.size > 0 && (first?.kind !== "text" || /^[\d\s]/.test(first.value));
}

/** Checks whether an element of code has breaks between its lines, and begins a line that is no cell or heading. */
function isBrokenCode({ block, hasText, open }: Walk, code: ElementNode): boolean {
  const { tag, isVerbatim, depth } = block;
  if (isVerbatim || hasText || tag === "td" || tag === "th" || isHeadingTag(tag)) return false;
  const breaks =
    holdsBreak(code) || code.children.some((child) => child.kind === "element" && holdsBreak(child));
  // Javadoc has cells that are no elements of tables.
  return breaks && !GRID_CLASS.test(classOf(open[depth]?.element ?? code));
}

function holdsBreak({ children }: ElementNode): boolean {
  return children.some((child) => child.kind === "element" && child.tag === "br");
}

/** Enters the next note of a paper, which comes after the block that refers to it. */
function enterNote(walk: Walk): void {
  const note = walk.notes[walk.nextNote];
  walk.nextNote += 1;
  if (note !== undefined) push(walk, note, beginBlock(walk, note, "p"));
}

function leave(walk: Walk, what: number): void {
  if ((what & LEAVE_QUOTE) !== 0) walk.run.closeQuote();
  if ((what & LEAVE_TARGET) !== 0) walk.targets.pop();
  if ((what & LEAVE_BUTTON) !== 0) walk.run.space();
  if ((what & LEAVE_RUBY) !== 0) walk.run.closeRuby();
  if ((what & LEAVE_CODE_LINE) !== 0) walk.pre.breakLine();
  if ((what & LEAVE_EDGE) !== 0) endBlock(walk);
  if ((what & LEAVE_BLOCK) !== 0) {
    endLine(walk);
    walk.hasEdge = true;
    walk.block = walk.block.outer ?? walk.block;
  }
  if ((what & LEAVE_ROW) !== 0) leaveRow(walk);
  if ((what & LEAVE_MATH) !== 0) walk.run.mark(")", "end", walk.around.mark);
  if ((what & LEAVE_MARK) !== 0 && walk.structure !== undefined) endMark(walk, walk.structure);
  if ((what & LEAVE_HEADING) !== 0 && walk.structure !== undefined) walk.structure.heading = undefined;
  if ((what & LEAVE_BREAKS_KEPT) !== 0) walk.keepsBreaks = false;
  if ((what & LEAVE_BREAKS_DROPPED) !== 0) walk.keepsBreaks = true;
}

/**
 * Applies an element's style to line breaks of the source: from here on they are drawn or not. Returns what undoes it.
 */
function beginBreaks(walk: Walk, element: ElementNode): number {
  const keeps = element.attributes.size === 0 ? undefined : keepsBreaks(element);
  if (keeps === undefined || keeps === walk.keepsBreaks) return 0;
  walk.keepsBreaks = keeps;
  return keeps ? LEAVE_BREAKS_KEPT : LEAVE_BREAKS_DROPPED;
}

/** Applies what an inline element means for the text inside, and returns what undoes it. */
function beginInline(walk: Walk, element: ElementNode): number {
  const { tag, attributes } = element;
  if (element.namespace === "mathml") return beginMath(walk, element);
  let undo = 0;
  if (
    tag === "button" ||
    (attributes.size > 0 && attributes.get("role") === "button") ||
    isTakenOut(element)
  ) {
    // The edges of a button separate it from the text beside it; so does a style that takes an element out of the line.
    walk.run.space();
    undo = LEAVE_BUTTON;
  } else if (walk.isPaper && isTag(element)) {
    undo = LEAVE_BUTTON;
  } else if (tag === "rt" && isAnnotation(element)) {
    walk.run.openRuby();
    undo = LEAVE_RUBY;
  } else if (tag === "sup") {
    const point = readCents(element);
    if (point !== undefined) walk.run.mark(point, "inside", walk.around.mark);
  } else if (tag === "q" && !walk.block.isVerbatim) {
    walk.run.openQuote(findQuotes(element), { target: walk.targets.at(-1), mark: walk.around.mark });
    undo = LEAVE_QUOTE;
  }
  const href = tag === "a" ? attributes.get("href") : undefined;
  if (href !== undefined) {
    walk.targets.push({ href });
    undo |= LEAVE_TARGET;
  }
  if (!isBlockByStyle(element)) return walk.block.isVerbatim ? undo | beginCodeLine(walk, element) : undo;
  endBlock(walk);
  return undo | LEAVE_EDGE;
}

function beginMath({ run, around }: Walk, element: ElementNode): number {
  const marks = findMathMarks(element);
  if (marks === undefined) return 0;
  run.mark(marks.before, "inside", around.mark);
  return marks.after === "" ? 0 : LEAVE_MATH;
}

/** Checks whether an `rt` is in ruby, and not an element that only has this name. */
function isAnnotation({ parent }: ElementNode): boolean {
  return parent?.tag === "ruby" || parent?.tag === "rtc" || parent?.tag === "rb";
}

function beginBlock(walk: Walk, element: ElementNode, named: BlockTag): number {
  if (walk.block.hasCodeLines) {
    endBlock(walk);
    return LEAVE_EDGE;
  }
  endLine(walk);
  walk.hasEdge = !isNextLine(element, placeOf(walk));
  const { block: outer, rows } = walk;
  const { tag: name } = element;
  walk.isPaper ||= name === "article" && isPaper(element);
  const bullet = readBullet(element);
  if (bullet !== undefined) walk.bullet = bullet.mark;
  const isPre = isCodeBox(element) || (walk.isPaper && isListing(element));
  const tag = isPre ? "pre" : bullet !== undefined ? "li" : name === "pre" && isVerse(element) ? "p" : named;
  const isCell = tag === "td" || tag === "th";
  const isCodeOnly = isCell && isCodeCell(element);
  const item =
    tag === "li" ? { hasLine: false, outer: outer.item, number: numberItem(walk, element) } : outer.item;
  const holder =
    walk.structure === undefined
      ? -1
      : openHolder(walk.structure, element, {
          outer: outer.holder,
          last: walk.drafts.at(-1)?.holder ?? -1,
          numbers: walk.numbers,
          number: item?.number,
          bullet,
        });
  walk.block = {
    outer,
    depth: walk.depth + 1,
    tag,
    item,
    holder,
    list: isCell ? null : (outer.list ?? listOf(element, bullet !== undefined)),
    table: name === "table" ? element : outer.table,
    hasCodeLines: tag === "pre" && holdsCodeLines(element),
    hasBreaks: name === "code",
    isOneLine: false,
    isVerbatim:
      tag === "pre" || (outer.isVerbatim && (isCell || tag === "tr" || tag === "table")) || isCodeOnly,
  };
  const row = isCell && element.parent?.tag === "tr" ? rows.at(-1) : undefined;
  if (row !== undefined) {
    row.cells.push({ start: walk.drafts.length, lines: 0, isLayout: false });
    row.isCode ||= isCodeOnly;
  }
  const undo = LEAVE_BLOCK | beginStructure(walk, element);
  if (tag !== "tr") return undo;
  rows.push({ table: outer.table, holder, cells: [], isCode: false });
  return undo | LEAVE_ROW;
}

/** Breaks the line at an element of code whose class name makes it a line of its own; returns what undoes it. */
function beginCodeLine(walk: Walk, element: ElementNode): number {
  if (element.attributes.size === 0 && element.tag !== "code") return 0;
  if (isNextCodeLine(element, placeOf(walk))) walk.pre.breakLine();
  return isGatsbyLine(element) ? LEAVE_CODE_LINE : 0;
}

/** Returns the index of the current element in its parent. */
function placeOf({ open, depth }: Walk): number {
  return (open[depth]?.next ?? 0) - 1;
}

/** Returns the list that begins here, or null. The list of an item that Word made a paragraph is its parent. */
function listOf(element: ElementNode, isItem: boolean): ElementNode | null {
  if (isItem) return element.parent;
  return traitsOf(element.tag).isList ? element : null;
}

/** Begins what a block is besides a holder of lines: a heading, or the numbers beside code. Returns what undoes it. */
function beginStructure(walk: Walk, element: ElementNode): number {
  const { structure } = walk;
  if (structure === undefined) return 0;
  const heading = enterHeading(structure, element) ? LEAVE_HEADING : 0;
  return heading | (beginBlockMark(walk, structure, element) ? LEAVE_MARK : 0);
}

/**
 * Returns the number of an item of an ordered list, from `start`, `value` and `reversed`; undefined for any other item.
 */
function numberItem({ numbers }: Walk, item: ElementNode): number | undefined {
  const { parent, attributes } = item;
  if (parent === null || (parent.tag !== "ol" && !isNumberedByStyle(item) && !isNumberedByStyle(parent)))
    return undefined;
  const isReversed = parent.attributes.has("reversed");
  const last = numbers.get(parent);
  const number =
    readInteger(attributes.get("value")) ??
    (last === undefined
      ? (readInteger(parent.attributes.get("start")) ?? (isReversed ? countItems(parent) : 1))
      : last + (isReversed ? -1 : 1));
  numbers.set(parent, number);
  return number;
}

function countItems({ children }: ElementNode): number {
  return children.filter((child) => child.kind === "element" && child.tag === "li").length;
}

/** Reads an integer as HTML does, of at most as many digits as Markdown takes. */
function readInteger(value: string | undefined): number | undefined {
  const digits = value === undefined ? undefined : /^\s*([+-]?\d{1,9})(?!\d)/.exec(value)?.[1];
  return digits === undefined ? undefined : Number(digits);
}

function addText(walk: Walk, node: TextNode): void {
  const { ink, run, around } = walk;
  if (walk.block.hasCodeLines && isBetweenLines(walk, node)) return;
  readInk(node.value, ink);
  if (ink.text === "" && isInMath(node)) return;
  if (!ink.isSourceBlank) walk.shown += node.value.length;
  if (isIcon(node, ink.text)) {
    run.space();
    return;
  }
  const isKept = walk.keep?.(node) ?? true;
  if (isKept) {
    around.target = walk.targets.at(-1);
    if (walk.block.isVerbatim) walk.pre.add(node, around, walk.block.hasBreaks);
    else if (walk.keepsBreaks && node.value.includes("\n")) {
      addBrokenText(walk, node);
      return;
    } else run.add(node, ink, around);
  }
  if (ink.isBlank) return;
  // Text that is left out leaves a gap, so that its neighbours are not joined.
  if (!isKept) run.space();
  holdText(walk);
}

/** Checks whether a text is whitespace between the lines of a listing that is no `pre`, where it is not drawn. */
function isBetweenLines({ open, block }: Walk, { parent, value }: TextNode): boolean {
  return parent?.tag === "div" && parent === open[block.depth]?.element && value.trim() === "";
}

/**
 * Checks whether a text is between the parts of a formula, where whitespace is not drawn (MathML Core, section 2.1.4).
 */
function isInMath({ parent }: TextNode): boolean {
  return parent?.namespace === "mathml" && parent.tag !== "mtext";
}

/** Adds each line of a text whose line breaks are drawn. Blank text between blocks breaks no line. */
function addBrokenText(walk: Walk, node: TextNode): void {
  const { ink, run, around } = walk;
  let from = 0;
  for (const line of node.value.split("\n")) {
    if (from > 0 && (walk.hasText || walk.breaks > 0)) breakLine(walk);
    readInk(line, ink);
    ink.start += from;
    ink.end += from;
    run.add(node, ink, around);
    if (!ink.isBlank) holdText(walk);
    from += line.length + 1;
  }
}

/** Notes that the current line has text here, and finds the innermost element around the whole line. */
function holdText(walk: Walk): void {
  const { depth } = walk;
  if (walk.structure !== undefined && !walk.hasText) settleDrawn(walk, walk.structure);
  const holderDepth = walk.hasText ? Math.min(walk.holderDepth, walk.leastDepth, depth) : depth;
  if (!walk.hasText || holderDepth !== walk.holderDepth) {
    walk.holderDepth = holderDepth;
    walk.spot = spotAt(walk.open, holderDepth);
  }
  walk.leastDepth = depth;
  walk.hasText = true;
}

/* The state of the walk: the open elements and blocks, and the text of the line so far. */

/** A list item; its first line counts as an item's line, wherever in the item it is. */
interface Item {
  hasLine: boolean;
  readonly outer: Item | null;
  /** Its number in an ordered list. */
  readonly number: number | undefined;
}

/** An open block and what it means for the lines inside. */
interface Block {
  readonly outer: Block | null;
  /** Its index in `open`. */
  readonly depth: number;
  readonly tag: BlockTag;
  readonly item: Item | null;
  /** The index of the innermost holder of lines; -1 if there is no holder, or holders are not wanted. */
  readonly holder: number;
  readonly list: ElementNode | null;
  readonly table: ElementNode | null;
  /** The block is a `pre` in which blocks are lines of its code. */
  readonly hasCodeLines: boolean;
  /** The block is a `code` whose lines end in `<br>`: line breaks of the source are not drawn in it. */
  readonly hasBreaks: boolean;
  /** The block holds a table whose cells are no blocks, but parts of one line. */
  readonly isOneLine: boolean;
  /** Text keeps its white space: in a `pre`, and in the cells of a table that numbers lines of code. */
  readonly isVerbatim: boolean;
}

/** An open element. The object is reused for the next element at its depth. */
interface Frame extends Place {
  next: number;
  /** What leaving the element undoes: a sum of the constants above. */
  leave: number;
}

interface Walk {
  readonly curtain: ElementNode | undefined;
  /** Accepts text nodes; undefined accepts all. */
  readonly keep: ((node: TextNode) => boolean) | undefined;
  /** The open elements, from the document at 0 to the innermost at `depth`; entries after that are stale. */
  readonly open: Frame[];
  depth: number;
  block: Block;
  readonly rows: Row[];
  readonly targets: Target[];
  readonly around: Writable<Around>;
  readonly structure: Structure | undefined;
  readonly drafts: Draft[];
  readonly run: Run;
  readonly pre: PreRun;
  readonly ink: Ink;
  /**
   * What separates the last line from the next: the number of `<br>`s, or 2 for a rule, and whether a block began or
   * ended.
   */
  breaks: number;
  hasEdge: boolean;
  /** Whether the current line has text, and the depth in `open` of the innermost element around all of it. */
  hasText: boolean;
  holderDepth: number;
  spot: Spot;
  /** The least depth since the last text. */
  leastDepth: number;
  /** Elements that the page hides, one of which may be its curtain, and the characters outside of all of them. */
  readonly hidden: ElementNode[];
  shown: number;
  /** Whether the walk left out elements, with those inside them, that the page does not hide. */
  leavesOut: boolean;
  /** The number of the last item of each ordered list. */
  readonly numbers: Map<ElementNode, number>;
  /** Line breaks of the source are drawn, because an inline style says so. */
  keepsBreaks: boolean;
  /** The bullet of an item that Word has made a paragraph. */
  bullet: ElementNode | undefined;
  /** Whether LaTeXML made the page, and its notes; those from `nextNote` on wait for the end of their block. */
  isPaper: boolean;
  readonly notes: ElementNode[];
  nextNote: number;
}

function startWalk(root: ElementNode, options: WalkOptions, curtain: ElementNode | undefined): Walk {
  const { structure } = options;
  const spot = startSpot();
  return {
    curtain,
    keep: options.keep,
    open: [{ element: root, next: 0, leave: 0, spot }],
    depth: 0,
    block: {
      outer: null,
      depth: 0,
      tag: "body",
      item: null,
      holder: -1,
      list: null,
      table: null,
      hasCodeLines: false,
      hasBreaks: false,
      isOneLine: false,
      isVerbatim: false,
    },
    rows: [],
    targets: [],
    around: { target: undefined, mark: undefined },
    structure: structure && createStructure(structure === "keep" ? "keep" : "drop"),
    drafts: [],
    run: createRun(),
    pre: createPreRun(),
    ink: createInk(),
    breaks: 0,
    hasEdge: true,
    hasText: false,
    holderDepth: 0,
    spot,
    leastDepth: 0,
    hidden: [],
    shown: 0,
    leavesOut: false,
    numbers: new Map(),
    keepsBreaks: false,
    bullet: undefined,
    isPaper: false,
    notes: [],
    nextNote: 0,
  };
}

function push(walk: Walk, element: ElementNode, leave: number): void {
  walk.depth += 1;
  const frame = walk.open[walk.depth];
  if (frame === undefined) walk.open.push({ element, next: 0, leave, spot: undefined });
  else {
    frame.element = element;
    frame.next = 0;
    frame.leave = leave;
    frame.spot = undefined;
  }
}

/* The ends of lines: the text so far becomes a draft, with its block, path, gap and row. */

/** Ends the line at an inline element that is drawn as a block; its lines still belong to the block around it. */
function endBlock(walk: Walk): void {
  if (walk.block.isVerbatim) {
    walk.pre.endLine();
    return;
  }
  endLine(walk);
  walk.hasEdge = true;
}

function breakLine(walk: Walk): void {
  if (walk.block.isVerbatim) {
    walk.pre.breakLine();
    return;
  }
  endLine(walk);
  walk.breaks += 1;
}

function leaveRow(walk: Walk): void {
  const { rows, drafts, open, depth } = walk;
  const row = rows.pop();
  if (row === undefined) return;
  if (isDataRow(row)) {
    // The row's own frame is the last frame that was left.
    const joined = joinCells(row, drafts, spotAt(open, depth + 1));
    drafts.length = row.cells[0]?.start ?? drafts.length;
    countLines(walk, 1, true);
    if (joined !== undefined) drafts.push(joined);
  } else for (const { lines, isLayout } of row.cells) countLines(walk, lines, isLayout);
  // An empty row is a blank line of the code.
  if (row.isCode && row.cells.every(({ lines }) => lines === 0)) walk.breaks = 2;
}

function endLine(walk: Walk): void {
  const { block } = walk;
  const isPre = block.isVerbatim;
  const pieces = isPre ? walk.pre.take() : undefined;
  const first = pieces === undefined ? walk.run.take() : pieces[0];
  if (!walk.hasText) return;
  walk.hasText = false;
  const { tag: own, continuesItem } = chooseTag(block);
  // A cell of several lines of code is laid out like a `pre`, and so is one beside a cell for the numbers of lines.
  const isCode = isPre && (first?.text.includes("\n") === true || isBesideNumbers(walk));
  const tag = isCode ? "pre" : own;
  countLines(walk, Math.max(1, pieces?.length ?? 1), isCode);
  if (first === undefined) return;
  const led = walk.structure === undefined ? first : takeLead(walk.structure, first);
  const spot = tag === "pre" ? spotAt(walk.open, block.depth) : walk.spot;
  walk.drafts.push(toDraft(led, { block, tag, spot, gap: chooseGap(walk), continuesItem }));
  for (let next = 1; pieces !== undefined && next < pieces.length; next += 1) {
    const piece = pieces[next];
    if (piece !== undefined)
      walk.drafts.push(toDraft(piece, { block, tag, spot, gap: "rift", continuesItem }));
  }
  walk.breaks = 0;
  walk.hasEdge = false;
}

/** Checks whether the current block is code in a cell, beside one for the numbers of its lines. */
function isBesideNumbers({ rows, open, block }: Walk): boolean {
  const row = rows.at(-1);
  if (row === undefined || block.tag !== "pre") return false;
  const pre = open[block.depth]?.element;
  return row.isCode || (pre?.tag === "pre" && isInCodeCell(pre));
}

interface Surroundings {
  readonly block: Block;
  readonly tag: BlockTag;
  readonly spot: Spot;
  readonly gap: Gap;
  readonly continuesItem: boolean;
}

function toDraft(
  { text, links, spans, span }: RunText,
  { block: { list, table, item, holder }, tag, spot, gap, continuesItem }: Surroundings,
): Draft {
  const number = tag === "li" && !continuesItem ? item?.number : undefined;
  return { text, links, spans, span, block: tag, spot, gap, continuesItem, number, list, table, holder };
}

function chooseGap({ breaks, hasEdge }: Walk): Gap {
  if (breaks > 1) return "rift";
  return hasEdge ? "edge" : "line";
}

/** Returns the block tag of the line that ends now: the first line of a list item belongs to the item. */
function chooseTag({ tag, item }: Block): { readonly tag: BlockTag; readonly continuesItem: boolean } {
  const isFirst = item?.hasLine === false;
  for (let open = item; open?.hasLine === false; open = open.outer) open.hasLine = true;
  if (isFirst && !KEPT_IN_ITEMS.has(tag)) return { tag: "li", continuesItem: false };
  return { tag, continuesItem: tag === "li" };
}

/** Counts lines in their cell, also those that were left out, before their drafts are added. */
function countLines({ rows, drafts }: Walk, lines: number, isLayout: boolean): void {
  const cells = rows.at(-1)?.cells;
  if (cells === undefined) return;
  let cell = cells.at(-1);
  if (cell === undefined) {
    cell = { start: drafts.length, lines: 0, isLayout: true };
    cells.push(cell);
  }
  cell.lines += lines;
  cell.isLayout ||= isLayout;
}
