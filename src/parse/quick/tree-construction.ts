/**
 * Builds the tree of a page from its tags and the text between them, as the HTML standard constructs it.
 *
 * The parts follow the order of the standard's section 13.2, and name its sub-sections. All of them change one `Build`,
 * which holds the whole state; `scan.ts` cuts the source into tags and text, and `tags.ts` holds what is known about a
 * tag.
 */
import type { Attributes, ElementNode, TextNode, TreeNode } from "../../document/tree.js";
import type { HtmlPage, ParseLimits } from "../limits.js";
import { hasAmpersand, joinAttributes, namesFor, NO_ATTRIBUTES, type TagScan } from "./attributes.js";
import { decodeText, mayBeReference } from "../../references.js";
import { isSpace } from "./characters.js";
import { BITS, createTag, TAGS, tagOf, type EndKind, type StartKind, type Tag } from "./tags.js";

const HTML = tagOf("html");
const HEAD = tagOf("head");
const BODY = tagOf("body");
const TEMPLATE = tagOf("template");
const P = tagOf("p");
const BR = tagOf("br");
const IMG = tagOf("img");
const DD = tagOf("dd");
const DT = tagOf("dt");
const RUBY = tagOf("ruby");
const RTC = tagOf("rtc");
const TABLE = tagOf("table");
const TBODY = tagOf("tbody");
const TR = tagOf("tr");
const COLGROUP = tagOf("colgroup");
const COL = tagOf("col");
const SELECT = tagOf("select");
const OPTION = tagOf("option");
const OPTGROUP = tagOf("optgroup");

/* 13.2.4 Parse state, and what the limits on a page add to it. */

/** The part of the page that is being built. */
type Phase = "start" | "head" | "afterHead" | "body" | "frameset";

/** A formatting element. If a block closes it, it is opened again after that block. */
interface Formatting {
  readonly tag: Tag;
  readonly attributes: Attributes;
  node: ElementNode;
  isOpen: boolean;
}

/** An element too deep for the tree. */
interface Sunken {
  readonly tag: Tag;
  node: ElementNode;
}

/** The state of a page under construction. */
export interface Build {
  readonly html: string;
  readonly limits: ParseLimits;
  readonly root: ElementNode;
  phase: Phase;
  head: ElementNode | undefined;
  body: ElementNode | undefined;
  /**
   * Open elements from `html` inwards, at most `maxDepth`. This list and the next three hold one entry for each of
   * them.
   */
  readonly nodes: ElementNode[];
  readonly tags: Tag[];
  /** The index of the innermost element with a context, up to and including this one. */
  readonly contexts: number[];
  /** For a marker, the number of formatting elements before it; -1 for other elements. */
  readonly marks: number[];
  /** The number of open elements by the id of their tag. */
  readonly counts: Int32Array;
  readonly formatting: Formatting[];
  /** The number of formatting elements that are not open. */
  dormant: number;
  readonly sunken: Sunken[];
  readonly sunkenCounts: Map<Tag, number>;
  form: ElementNode | undefined;
  elements: number;
  depth: number;
  /** The number of elements that were closed before their content. The tree may be this much deeper than `nodes`. */
  uneven: number;
  isSunk: boolean;
  isQuirks: boolean;
  /** Whether nodes that do not belong into a table go before it. */
  isFostering: boolean;
  /** Whether a space was already added for the tags dropped since the last text. */
  isApart: boolean;
  /** Whether the next line break is skipped: right after `<pre>` it is not part of the text. */
  skipsBreak: boolean;
  /** Whether the source has a NUL; then each text is searched for NULs. */
  readonly hasNul: boolean;
  /** The state of reading the current tag: where it ends, and how. */
  readonly tagScan: TagScan;
  /** Tags of this page that the table does not name. */
  readonly ownTags: Map<string, Tag>;
}

/** Starts a page. `keeps`: the attributes that its tree keeps besides those that are always read. */
export function createBuild(html: string, limits: ParseLimits, keeps?: HtmlPage["keeps"]): Build {
  return {
    html,
    limits,
    root: createElement({ tag: "#document", attributes: NO_ATTRIBUTES, namespace: "html", parent: null }),
    phase: "start",
    head: undefined,
    body: undefined,
    nodes: [],
    tags: [],
    contexts: [],
    marks: [],
    counts: new Int32Array(TAGS.length),
    formatting: [],
    dormant: 0,
    sunken: [],
    sunkenCounts: new Map(),
    form: undefined,
    elements: 0,
    depth: 0,
    uneven: 0,
    isSunk: false,
    isQuirks: true,
    isFostering: false,
    isApart: false,
    skipsBreak: false,
    hasNul: html.includes("\0"),
    tagScan: {
      names: namesFor(keeps),
      maxAttributes: limits.maxAttributes,
      entries: [],
      ampersand: -1,
      at: -1,
      isSelfClosed: false,
    },
    ownTags: new Map(),
  };
}

/** Checks whether the tree has as many elements as it may have; further tags are dropped. */
export function isCapped(build: Build): boolean {
  return build.elements >= build.limits.maxElements;
}

/* 13.2.4.2 The stack of open elements: which of them are in scope, and what closes them. */

/** Returns the tag of the innermost open element; `html` if no element is open yet. */
function currentTag(build: Build): Tag {
  return build.tags[build.tags.length - 1] ?? HTML;
}

export function currentNode(build: Build): ElementNode {
  return build.nodes[build.nodes.length - 1] ?? build.root;
}

/** Returns the index of the innermost open element with a context. */
function currentContext(build: Build): number {
  return build.contexts[build.contexts.length - 1] ?? 0;
}

function contextTag(build: Build): Tag {
  return build.tags[currentContext(build)] ?? TABLE;
}

function tagAt(build: Build, place: number): Tag {
  return build.tags[place] ?? currentTag(build);
}

function push(build: Build, tag: Tag, node: ElementNode): void {
  const place = build.nodes.length;
  build.nodes.push(node);
  build.tags.push(tag);
  build.contexts.push((tag.bits & BITS.context) !== 0 ? place : (build.contexts[place - 1] ?? 0));
  build.marks.push((tag.bits & BITS.marker) !== 0 ? build.formatting.length : -1);
  build.counts[tag.id] = (build.counts[tag.id] ?? 0) + 1;
}

/** Closes the innermost elements until `length` are open. The document keeps its `html`. */
function truncate(build: Build, length: number): void {
  const { nodes, tags, contexts, marks, counts } = build;
  while (nodes.length > length && nodes.length > 1) {
    const node = nodes.pop();
    const tag = tags.pop();
    contexts.pop();
    const mark = marks.pop() ?? -1;
    if (node === undefined || tag === undefined) return;
    counts[tag.id] = (counts[tag.id] ?? 0) - 1;
    if (mark >= 0) cutFormatting(build, mark);
    else if ((tag.bits & BITS.formatting) !== 0) rest(build, node);
  }
}

/** Removes an element from the open ones; elements inside it stay open. */
function removeAt(build: Build, place: number): void {
  const { nodes, tags, contexts, marks, counts } = build;
  const tag = tags[place];
  if (tag === undefined) return;
  counts[tag.id] = (counts[tag.id] ?? 0) - 1;
  nodes.splice(place, 1);
  tags.splice(place, 1);
  marks.splice(place, 1);
  contexts.length = place;
  refreshContexts(build);
}

function insertAt(build: Build, place: number, tag: Tag, node: ElementNode): void {
  build.counts[tag.id] = (build.counts[tag.id] ?? 0) + 1;
  build.nodes.splice(place, 0, node);
  build.tags.splice(place, 0, tag);
  build.marks.splice(place, 0, -1);
  build.contexts.length = place;
  refreshContexts(build);
}

function refreshContexts(build: Build): void {
  for (let place = build.contexts.length; place < build.tags.length; place += 1) {
    const hasContext = ((build.tags[place]?.bits ?? 0) & BITS.context) !== 0;
    build.contexts.push(hasContext ? place : (build.contexts[place - 1] ?? 0));
  }
}

/**
 * Returns the index of the innermost open element with this tag; -1 if it is not open, or if an element with one of the
 * `bounds` is nearer.
 */
function findInScope(build: Build, tag: Tag, bounds: number): number {
  if (build.counts[tag.id] === 0) return -1;
  for (let place = build.tags.length - 1; place >= 0; place -= 1) {
    const open = build.tags[place];
    if (open === tag) return place;
    if (open === undefined || (open.bits & bounds) !== 0) return -1;
  }
  return -1;
}

/* 13.2.4.3 The list of active formatting elements. */

/**
 * The standard keeps three equal entries. Without a bound on different entries, n unclosed tags would make n² elements.
 */
const MAX_EQUAL = 3;
const MAX_LISTED = 16;

/** Opens the formatting elements again that the end of a block closed. */
function reconstruct(build: Build): void {
  if (build.dormant === 0 || build.sunken.length > 0) return;
  const { formatting } = build;
  const first = firstListed(build);
  let from = formatting.length;
  while (from > first && formatting[from - 1]?.isOpen === false) from -= 1;
  for (let index = from; index < formatting.length; index += 1) {
    const entry = formatting[index];
    if (entry === undefined || isCapped(build)) return;
    const before = build.nodes.length;
    entry.node = openElement(build, entry.tag, entry.attributes);
    if (build.nodes.length === before) return;
    entry.isOpen = true;
    build.dormant -= 1;
  }
}

/** Returns the index in the list after the last marker. */
function firstListed(build: Build): number {
  for (let place = build.marks.length - 1; place >= 0; place -= 1) {
    const mark = build.marks[place] ?? -1;
    if (mark >= 0) return mark;
  }
  return 0;
}

function openFormatting(build: Build, tag: Tag, attributes: Attributes): void {
  const before = build.nodes.length;
  const node = openElement(build, tag, attributes);
  // Too deep: a leaf is not opened again.
  if (build.nodes.length === before) return;
  const first = firstListed(build);
  dropEarlier(build, first, { tag, attributes });
  build.formatting.push({ tag, attributes, node, isOpen: true });
}

function dropEarlier(build: Build, first: number, wanted: Pick<Formatting, "tag" | "attributes">): void {
  const { formatting } = build;
  let equal = 0;
  for (let index = formatting.length - 1; index >= first; index -= 1) {
    const entry = formatting[index];
    if (entry?.tag !== wanted.tag || !hasSame(entry.attributes, wanted.attributes)) continue;
    equal += 1;
    if (equal === MAX_EQUAL) {
      dropFormatting(build, index);
      return;
    }
  }
  if (formatting.length - first >= MAX_LISTED) dropFormatting(build, first);
}

function hasSame(a: Attributes, b: Attributes): boolean {
  if (a.size !== b.size) return false;
  for (const [name, value] of a) if (b.get(name) !== value) return false;
  return true;
}

function dropFormatting(build: Build, index: number): void {
  const [entry] = build.formatting.splice(index, 1);
  if (entry?.isOpen === false) build.dormant -= 1;
}

function findListed(build: Build, tag: Tag): number {
  const first = firstListed(build);
  for (let index = build.formatting.length - 1; index >= first; index -= 1)
    if (build.formatting[index]?.tag === tag) return index;
  return -1;
}

function cutFormatting(build: Build, length: number): void {
  while (build.formatting.length > length) {
    const entry = build.formatting.pop();
    if (entry?.isOpen === false) build.dormant -= 1;
  }
}

/** Notes that something other than its own end tag closed a formatting element: it continues in what comes next. */
function rest(build: Build, node: ElementNode): void {
  for (let index = build.formatting.length - 1; index >= 0; index -= 1) {
    const entry = build.formatting[index];
    if (entry?.node !== node) continue;
    if (entry.isOpen) build.dormant += 1;
    entry.isOpen = false;
    return;
  }
}

/* 13.2.6 Tree construction: the dispatcher, which chooses the rules for a tag by its place. */

/** Handles the next start tag. Returns its element if the content is text, which the caller adds. */
export function startTag(build: Build, tag: Tag, attributes: Attributes): ElementNode | undefined {
  build.skipsBreak = false;
  // Without their start tag, the content of raw elements would turn into visible text.
  if (isCapped(build) && tag.content === "markup" && tag.start !== "plaintext") {
    keepApart(build);
    return undefined;
  }
  if (build.sunken.length > 0) return startSunken(build, tag, attributes);
  if (isForeign(build) && startInForeign(build, tag, attributes)) return undefined;
  if (isOutside(build)) {
    const outcome = startOutside(build, tag, attributes);
    if (outcome !== "inBody") return outcome === "done" ? undefined : outcome;
  }
  return startInside(build, tag, attributes);
}

function startInside(build: Build, tag: Tag, attributes: Attributes): ElementNode | undefined {
  if (tag.start === "tablePart") {
    startTablePart(build, tag, attributes);
    return undefined;
  }
  let context = contextTag(build);
  if (context === SELECT) {
    const outcome = startInSelect(build, tag, attributes);
    if (outcome !== "ended") return outcome === "done" ? undefined : outcome;
    context = contextTag(build);
  }
  if (context === COLGROUP) {
    truncate(build, currentContext(build));
    context = contextTag(build);
  }
  if ((context.bits & BITS.rows) !== 0) {
    const outcome = startInTable(build, tag, attributes);
    if (outcome !== "fostered") return outcome === "done" ? undefined : outcome;
    build.isFostering = true;
  }
  const element = START_RULES_BY_ID[tag.id]?.(build, tag, attributes);
  build.isFostering = false;
  return element;
}

/** Handles the next end tag. */
export function endTag(build: Build, tag: Tag): void {
  build.skipsBreak = false;
  if (build.sunken.length > 0) {
    const isOpen = (tag.bits & BITS.special) !== 0 && build.counts[tag.id] !== 0;
    if (raise(build, tag) || !isOpen) return;
    raiseAll(build);
  }
  // For `p` and `br`, an end tag without its element creates an empty element.
  if (isCapped(build) && (tag.end === "p" || tag.end === "br")) {
    keepApart(build);
    return;
  }
  if ((currentTag(build).bits & BITS.foreign) !== 0 && endInForeign(build, tag)) return;
  if (isOutside(build) && endOutside(build, tag)) return;
  endInside(build, tag);
}

function endInside(build: Build, tag: Tag): void {
  if (contextTag(build) === COLGROUP && tag !== COLGROUP && tag !== TEMPLATE) {
    if (tag === COL) return;
    truncate(build, currentContext(build));
  }
  if (tag.end === "tablePart") {
    endTablePart(build, tag);
    return;
  }
  const context = contextTag(build);
  if (context === SELECT && tag !== TEMPLATE) {
    endInSelect(build, tag);
    return;
  }
  build.isFostering = (context.bits & BITS.rows) !== 0;
  END_RULES_BY_ID[tag.id]?.(build, tag);
  build.isFostering = false;
}

/* 13.2.6.1 Creating and inserting nodes. */

/*
 * Nodes of each kind are created in one place. The engine also distinguishes objects by where they were created: with
 * nodes from five places, every reader of the tree would pay for a lookup at every field.
 */

function createElement({
  tag,
  attributes,
  namespace,
  parent,
}: Pick<ElementNode, "tag" | "attributes" | "namespace" | "parent">): ElementNode {
  return { kind: "element", tag, attributes, namespace, parent, children: [] };
}

export function createText({ value, parent, start, end }: Omit<TextNode, "kind">): TextNode {
  return { kind: "text", value, parent, start, end };
}

/** Creates an element where the next node goes, but does not open it; `openElement` does both. */
function addElement(
  build: Build,
  tag: Tag,
  attributes: Attributes,
  namespace: ElementNode["namespace"] = "html",
): ElementNode {
  const { nodes } = build;
  build.elements += 1;
  if (nodes.length >= build.depth) build.depth = nodes.length + 1;
  const parent = currentNode(build);
  const node = createElement({ tag: tag.name, attributes, namespace, parent });
  if (build.isFostering && (currentTag(build).bits & BITS.rows) !== 0) fosterNode(build, node);
  else parent.children.push(node);
  return node;
}

/** Creates an element and opens it. */
function openElement(
  build: Build,
  tag: Tag,
  attributes: Attributes,
  namespace: ElementNode["namespace"] = "html",
): ElementNode {
  const node = addElement(build, tag, attributes, namespace);
  if (build.nodes.length >= build.limits.maxDepth - 1 && build.nodes.length > 0) sink(build, tag, node);
  else push(build, tag, node);
  return node;
}

/** Puts a node before the table that it does not belong into. */
function fosterNode(build: Build, node: ElementNode | TextNode): void {
  let place = currentContext(build);
  while (place > 0 && (tagAt(build, place).bits & BITS.tableScope) === 0) {
    place = build.contexts[place - 1] ?? 0;
  }
  const table = build.nodes[place];
  const parent = table?.parent;
  if (table === undefined || parent == null || tagAt(build, place).name !== "table") {
    // A row without a table, in a template.
    node.parent = table ?? build.root;
    node.parent.children.push(node);
    return;
  }
  node.parent = parent;
  // The table is open: it is the last node or nearly so.
  parent.children.splice(Math.max(0, parent.children.lastIndexOf(table)), 0, node);
}

/** Matches characters that are not whitespace in the standard. */
const INK = /[^\t\n\f\r ]/g;

function findInkAt(html: string, start: number, end: number): number {
  INK.lastIndex = start;
  const match = INK.exec(html);
  return match === null ? end : Math.min(match.index, end);
}

/** Adds the text at [start, end) where the next node goes. */
export function addText(build: Build, start: number, end: number): void {
  let from = start;
  if (build.skipsBreak) {
    build.skipsBreak = false;
    if (build.html.charAt(from) === "\r") from += 1;
    if (build.html.charAt(from) === "\n") from += 1;
  }
  if (isOutside(build)) {
    from = findInkAt(build.html, from, end);
    if (from === end || build.phase === "frameset") return;
    openBody(build);
  }
  if (from === end) return;
  build.isApart = false;
  if (currentTag(build) === COLGROUP) {
    from = findInkAt(build.html, from, end);
    if (from === end) return;
    truncate(build, currentContext(build));
  }
  const isMisplaced = (currentTag(build).bits & BITS.rows) !== 0;
  // Whitespace between the parts of a table is dropped.
  if (isMisplaced && findInkAt(build.html, from, end) === end) return;
  build.isFostering = isMisplaced;
  if (build.dormant > 0 && (currentTag(build).bits & BITS.foreign) === 0) reconstruct(build);
  const holder = sunkenHolder(build) ?? currentNode(build);
  const isFostered = build.isFostering && (currentTag(build).bits & BITS.rows) !== 0;
  build.isFostering = false;
  addPieces(build, isFostered ? undefined : holder, from, end);
}

/** Adds the text at [start, end) to an element, or before the table that is open. */
export function addPieces(build: Build, holder: ElementNode | undefined, start: number, end: number): void {
  const { html } = build;
  if (build.hasNul || hasAmpersand(html, start, end, build.tagScan)) addUneven(build, holder, start, end);
  else addNode(build, holder, { value: html.slice(start, end), start, end });
}

function addNode(
  build: Build,
  holder: ElementNode | undefined,
  { value, start, end }: Pick<TextNode, "value" | "start" | "end">,
): void {
  const last = holder === undefined || !isCapped(build) ? undefined : holder.children.at(-1);
  // Beyond the budget, memory matters more than positions.
  if (last?.kind === "text") {
    last.value += value;
    last.end = Math.max(last.end, end);
    return;
  }
  const node = createText({ value, parent: holder ?? null, start, end });
  if (holder === undefined) fosterNode(build, node);
  else holder.children.push(node);
}

/** Adds a space for a dropped tag, which may have separated two words. */
function keepApart(build: Build): void {
  if (build.isApart || build.nodes.length === 0) return;
  build.isApart = true;
  const parent = currentNode(build);
  const last = parent.children[parent.children.length - 1];
  if (last?.kind === "text") last.value += " ";
  else parent.children.push(createText({ value: " ", parent, start: -1, end: -1 }));
}

/* Text that differs between the source and the tree: with character references (13.2.5.72) or NUL. */

/** White space that ends a word. */
const WORD_END = /[\t\n\f\r \0]/g;
/** Characters that are enough to distinguish a reference from a plain ampersand. */
const REFERENCE_SAMPLE = 4;
const ODD = /[&\0]/g;

/** Adds text with character references or NUL: in pieces, so that positions hold. */
function addUneven(build: Build, holder: ElementNode | undefined, start: number, end: number): void {
  const { html } = build;
  const text = html.slice(start, end);
  ODD.lastIndex = 0;
  let from = 0;
  const add = (value: string, first: number, last: number): void => {
    if (value !== "") addNode(build, holder, { value, start: start + first, end: start + last });
  };
  for (let match = ODD.exec(text); match !== null; match = ODD.exec(text)) {
    const at = match.index;
    if (match[0] === "&") {
      const word = findWord(text, at, from);
      const decoded = word === undefined ? undefined : decodeText(text.slice(word.from, word.to));
      if (word === undefined || decoded === undefined) continue;
      ODD.lastIndex = word.to;
      if (decoded === text.slice(word.from, word.to)) continue;
      add(text.slice(from, word.from), from, word.from);
      // `&#13;` and a line break after it are one break.
      const isBreak = decoded.endsWith("\r") && text.charAt(word.to) === "\n";
      from = isBreak ? word.to + 1 : word.to;
      add(isBreak ? `${decoded}\n` : decoded, word.from, from);
      ODD.lastIndex = from;
    } else {
      add(text.slice(from, at), from, at);
      from = at + 1;
    }
  }
  add(text.slice(from), from, text.length);
}

/** Returns the word around a character reference; undefined for a plain ampersand. */
function findWord(
  text: string,
  at: number,
  least: number,
): { readonly from: number; readonly to: number } | undefined {
  if (!mayBeReference(text.slice(at, at + REFERENCE_SAMPLE))) return undefined;
  let from = at;
  while (from > least && !isWordEnd(text.charCodeAt(from - 1))) from -= 1;
  WORD_END.lastIndex = at;
  return { from, to: WORD_END.exec(text)?.index ?? text.length };
}

function isWordEnd(code: number): boolean {
  return code === 0 || isSpace(code);
}

/* Elements below the depth limit, which the standard does not have: each of them is a leaf. */

/** Opens an element that is too deep: it stays a leaf, and elements inside it go after it. */
function sink(build: Build, tag: Tag, node: ElementNode): void {
  build.isSunk = true;
  build.sunken.push({ tag, node });
  build.sunkenCounts.set(tag, (build.sunkenCounts.get(tag) ?? 0) + 1);
}

/** Closes elements that are too deep, up to the one with this tag. Returns false if that is not open. */
function raise(build: Build, tag: Tag): boolean {
  if ((build.sunkenCounts.get(tag) ?? 0) === 0) return false;
  for (let top = build.sunken.pop(); top !== undefined; top = build.sunken.pop()) {
    build.sunkenCounts.set(top.tag, (build.sunkenCounts.get(top.tag) ?? 1) - 1);
    if (top.tag === tag) return true;
  }
  return true;
}

function raiseAll(build: Build): void {
  build.sunken.length = 0;
  build.sunkenCounts.clear();
}

/** Returns the leaf for the next text of the innermost sunken element: a copy if another node came after it. */
function sunkenHolder(build: Build): ElementNode | undefined {
  const { sunken } = build;
  // This runs for each text, and it takes the engine long to read before the beginning of a list.
  const top = sunken.length === 0 ? undefined : sunken[sunken.length - 1];
  if (top === undefined) return undefined;
  const holder = currentNode(build);
  if (holder.children[holder.children.length - 1] === top.node) return top.node;
  if (isCapped(build)) return holder;
  top.node = createElement({ ...top.node, parent: holder });
  holder.children.push(top.node);
  build.elements += 1;
  return top.node;
}

const VOID: ReadonlySet<StartKind> = new Set(["void", "hr", "paramlike", "image", "input"]);

/** Below the depth limit there is no nesting: every element is a leaf. */
function startSunken(build: Build, tag: Tag, attributes: Attributes): ElementNode | undefined {
  if (tag.content !== "markup") return addElement(build, tag, attributes);
  if (tag.start === "ignored" || tag.start === "html" || tag.start === "body") return undefined;
  if (VOID.has(tag.start) || build.tagScan.isSelfClosed) addElement(build, tag, attributes);
  else openElement(build, tag, attributes);
  return undefined;
}

/* 13.2.6.3 Closing elements that have implied end tags. */

/** Closes elements whose end tags authors leave out, but not `except`. */
function closeImplied(build: Build, except?: Tag): void {
  for (;;) {
    const tag = currentTag(build);
    if ((tag.bits & BITS.impliedEnd) === 0 || (tag.bits & BITS.context) !== 0 || tag === except) return;
    truncate(build, build.nodes.length - 1);
  }
}

/* 13.2.6.4.1 The initial insertion mode: in quirks mode, a table does not end the paragraph before it. */

/** Public identifiers that mean quirks mode, in lower case (HTML standard 13.2.6.4.1). */
const QUIRKY =
  /^(?:html$|-\/w3c\/dtd html 4\.0 transitional\/en$|\+\/\/silmaril\/\/|-\/\/(?:as\/\/|advasoft |ietf\/\/dtd html|metrius\/\/|microsoft\/\/dtd internet explorer|netscape comm\. corp\.\/\/|o'reilly and associates\/\/dtd html|softquad|spyglass\/\/|sq\/\/|sun microsystems corp\.\/\/|webtechs\/\/|w3o\/\/|w3c\/\/dtd (?:html 3|html experimental|w3 html|html 4\.0 (?:frameset|transitional)\/\/)))/;

/** Public identifiers that mean quirks mode only without a system identifier. */
const QUIRKY_ALONE = /^-\/\/w3c\/\/dtd html 4\.01 (?:frameset|transitional)\/\//;
const QUIRKY_SYSTEM = "http://www.ibm.com/data/dtd/v11/ibmxhtml1-transitional.dtd";

const DOCTYPE =
  /^\s*([^\s>]*)(?:\s+public\s*(?:"([^"]*)"|'([^']*)')\s*(?:"([^"]*)"|'([^']*)')?|\s+system\s*(?:"([^"]*)"|'([^']*)'))?/;

/** Doctypes are short; what comes later decides nothing. */
const MAX_DOCTYPE = 1_000;

/** Checks whether browsers read the page in quirks mode; `text` is the source between `<!doctype` and `>`. */
export function isQuirky(text: string): boolean {
  const doctype = text.slice(0, MAX_DOCTYPE).toLowerCase();
  const match = DOCTYPE.exec(doctype);
  const name = match?.[1];
  const publicId = match?.[2] ?? match?.[3];
  const systemId = match?.[4] ?? match?.[5] ?? match?.[6] ?? match?.[7];
  if (name !== "html" || systemId === QUIRKY_SYSTEM) return true;
  // Anything but an identifier after the name, or one without its closing quote, is an error.
  if (publicId === undefined) return systemId === undefined && doctype.trim() !== "html";
  return QUIRKY.test(publicId) || (systemId === undefined && QUIRKY_ALONE.test(publicId));
}

/* 13.2.6.4.2 to 13.2.6.4.6, and 13.2.6.4.20: what is outside of `body`, whether its tags are in the source or not. */

/** Levels: `html`, `head`, and what is in it. */
const HEAD_CHILD_DEPTH = 3;

/** Checks whether the rules of this section apply; a template is a page of its own. */
function isOutside(build: Build): boolean {
  return build.phase !== "body" && build.counts[TEMPLATE.id] === 0;
}

function openHtml(build: Build, attributes: Attributes): void {
  if (build.nodes.length === 0) openElement(build, HTML, attributes);
}

function openHead(build: Build, attributes: Attributes): void {
  openHtml(build, NO_ATTRIBUTES);
  build.head = openElement(build, HEAD, attributes);
  build.phase = "head";
}

function closeHead(build: Build): void {
  if (build.phase === "start") openHead(build, NO_ATTRIBUTES);
  if (build.phase !== "head") return;
  truncate(build, 1);
  build.phase = "afterHead";
}

function openBody(build: Build, attributes: Attributes = NO_ATTRIBUTES): void {
  closeHead(build);
  if (build.phase !== "afterHead") return;
  build.body = openElement(build, BODY, attributes);
  build.phase = "body";
}

/** A second `<html>` or `<body>` adds its attributes to the first. */
function adoptAttributes({ limits }: Build, element: ElementNode, attributes: Attributes): ElementNode {
  if (attributes.size === 0) return element;
  const joined = joinAttributes(element.attributes, attributes, limits.maxAttributes);
  return Object.assign(element, { attributes: joined });
}

/**
 * The result of a start tag outside of `body`: an element whose content is text, "done", or "inBody" if the rules for
 * `body` apply.
 */
type OutsideStart = ElementNode | "done" | "inBody";

function startOutside(build: Build, tag: Tag, attributes: Attributes): OutsideStart {
  if (tag === HTML) {
    const html = build.nodes[0];
    if (html === undefined) openHtml(build, attributes);
    else adoptAttributes(build, html, attributes);
    return "done";
  }
  if (build.phase === "frameset") return startInFrameset(build, tag, attributes);
  if (tag === HEAD) {
    if (build.phase === "start") openHead(build, attributes);
    return "done";
  }
  if (tag.isMetadata) return startMetadata(build, tag, attributes);
  if (tag === BODY) {
    openBody(build, attributes);
    return "done";
  }
  if (tag.start === "frameset") {
    closeHead(build);
    openElement(build, tag, attributes);
    build.phase = "frameset";
    return "done";
  }
  openBody(build);
  return "inBody";
}

function startMetadata(build: Build, tag: Tag, attributes: Attributes): OutsideStart {
  if (build.phase === "start") openHead(build, NO_ATTRIBUTES);
  if (tag === TEMPLATE) {
    openElement(build, tag, attributes);
    return "done";
  }
  const element = addElement(build, tag, attributes);
  const { head } = build;
  if (build.phase === "afterHead" && head !== undefined) {
    // It is the last child of `html`, and belongs into the head that was closed.
    currentNode(build).children.pop();
    element.parent = head;
    build.depth = Math.max(build.depth, HEAD_CHILD_DEPTH);
    head.children.push(element);
  }
  return tag.content === "markup" ? "done" : element;
}

function startInFrameset(build: Build, tag: Tag, attributes: Attributes): OutsideStart {
  if (tag.start === "frameset") openElement(build, tag, attributes);
  else if (tag.name === "frame") addElement(build, tag, attributes);
  else if (tag.name === "noframes") return addElement(build, tag, attributes);
  return "done";
}

/** Handles an end tag outside of `body`. Returns false if the rules for `body`, which is open then, apply. */
function endOutside(build: Build, tag: Tag): boolean {
  if (build.phase === "frameset") {
    if (tag.end === "frameset") truncate(build, build.nodes.length - 1);
    return true;
  }
  if (tag === HEAD) closeHead(build);
  if (tag !== HTML && tag !== BODY && tag.end !== "br") return true;
  openBody(build);
  return tag.end !== "br";
}

/* 13.2.6.4.7 In body: start tags. */

/** Handles a start tag. Returns its element if the content is text, not markup. */
type StartRule = (build: Build, tag: Tag, attributes: Attributes) => ElementNode | undefined;

const openGeneric: StartRule = (build, tag, attributes) => {
  reconstruct(build);
  openElement(build, tag, attributes);
  return undefined;
};

const openBlock: StartRule = (build, tag, attributes) => {
  closeParagraph(build);
  openElement(build, tag, attributes);
  return undefined;
};

const addVoid: StartRule = (build, tag, attributes) => {
  reconstruct(build);
  addElement(build, tag, attributes);
  return undefined;
};

/** A list item ends the item before it, unless it is in a list of its own. */
const openItem: StartRule = (build, tag, attributes) => {
  const isItem = (open: Tag): boolean => (tag.name === "li" ? open === tag : open === DD || open === DT);
  const count =
    tag.name === "li" ? build.counts[tag.id] : (build.counts[DD.id] ?? 0) + (build.counts[DT.id] ?? 0);
  for (let place = count === 0 ? 0 : build.tags.length - 1; place > 0; place -= 1) {
    const current = build.tags[place];
    if (current === undefined) break;
    if (isItem(current)) {
      truncate(build, place);
      break;
    }
    const isBound = (current.bits & BITS.special) !== 0;
    if (isBound && current.name !== "address" && current.name !== "div" && current.name !== "p") break;
  }
  return openBlock(build, tag, attributes);
};

const START_RULES: Readonly<Record<StartKind, StartRule>> = {
  generic: openGeneric,
  ignored: () => undefined,
  tablePart: () => undefined,
  frameset: () => undefined,
  block: openBlock,
  item: openItem,
  void: addVoid,
  input: addVoid,
  image: (build, _tag, attributes) => addVoid(build, IMG, attributes),
  heading(build, tag, attributes) {
    closeParagraph(build);
    if ((currentTag(build).bits & BITS.heading) !== 0) truncate(build, build.nodes.length - 1);
    openElement(build, tag, attributes);
    return undefined;
  },
  pre(build, tag, attributes) {
    openBlock(build, tag, attributes);
    build.skipsBreak = true;
    return undefined;
  },
  formatting(build, tag, attributes) {
    reconstruct(build);
    openFormatting(build, tag, attributes);
    return undefined;
  },
  link(build, tag, attributes) {
    endLink(build, tag);
    reconstruct(build);
    openFormatting(build, tag, attributes);
    return undefined;
  },
  nobr(build, tag, attributes) {
    reconstruct(build);
    if (findInScope(build, tag, BITS.scope) > 0) {
      endFormatting(build, tag);
      reconstruct(build);
    }
    openFormatting(build, tag, attributes);
    return undefined;
  },
  hr(build, tag, attributes) {
    closeParagraph(build);
    addElement(build, tag, attributes);
    return undefined;
  },
  paramlike(build, tag, attributes) {
    addElement(build, tag, attributes);
    return undefined;
  },
  raw(build, tag, attributes) {
    if (tag.name === "xmp") {
      closeParagraph(build);
      reconstruct(build);
    }
    return addElement(build, tag, attributes);
  },
  plaintext(build, tag, attributes) {
    closeParagraph(build);
    return addElement(build, tag, attributes);
  },
  html(build, _tag, attributes) {
    const html = build.nodes[0];
    if (html !== undefined && build.counts[TEMPLATE.id] === 0) adoptAttributes(build, html, attributes);
    return undefined;
  },
  body(build, _tag, attributes) {
    if (build.body !== undefined && build.counts[TEMPLATE.id] === 0)
      adoptAttributes(build, build.body, attributes);
    return undefined;
  },
  form(build, tag, attributes) {
    const isInTemplate = build.counts[TEMPLATE.id] !== 0;
    if (build.form !== undefined && !isInTemplate) return undefined;
    closeParagraph(build);
    const form = openElement(build, tag, attributes);
    if (!isInTemplate) build.form = form;
    return undefined;
  },
  button(build, tag, attributes) {
    closeInScope(build, tag, BITS.scope);
    return openGeneric(build, tag, attributes);
  },
  table(build, tag, attributes) {
    if (!build.isQuirks) closeParagraph(build);
    openElement(build, tag, attributes);
    return undefined;
  },
  option(build, tag, attributes) {
    if (currentTag(build) === OPTION) truncate(build, build.nodes.length - 1);
    return openGeneric(build, tag, attributes);
  },
  ruby(build, tag, attributes) {
    if (findInScope(build, RUBY, BITS.scope) > 0) closeImplied(build);
    openElement(build, tag, attributes);
    return undefined;
  },
  rubyText(build, tag, attributes) {
    if (findInScope(build, RUBY, BITS.scope) > 0) closeImplied(build, RTC);
    openElement(build, tag, attributes);
    return undefined;
  },
  template(build, tag, attributes) {
    openElement(build, tag, attributes);
    return undefined;
  },
  foreign(build, tag, attributes) {
    reconstruct(build);
    openForeign(build, tag.name, attributes, tag.name === "svg" ? "svg" : "mathml");
    return undefined;
  },
};

/** The rule for each start tag, by the id of the tag. */
const START_RULES_BY_ID: readonly StartRule[] = TAGS.map((tag) => START_RULES[tag.start]);

/** Closes the open paragraph, because a block starts. */
function closeParagraph(build: Build): void {
  closeInScope(build, P, BITS.buttonScope);
}

/* 13.2.6.4.7 In body: end tags. */

type EndRule = (build: Build, tag: Tag) => void;

/**
 * Closes the innermost element of the tag in scope, with all that is open inside. Returns false if it is not in scope.
 */
function closeInScope(build: Build, tag: Tag, bounds: number): boolean {
  const place = findInScope(build, tag, bounds);
  if (place > 0) truncate(build, place);
  return place > 0;
}

/** Closes an ordinary element; its end tag does not reach across a block. */
function endGeneric(build: Build, tag: Tag): void {
  closeInScope(build, tag, BITS.special);
}

const END_RULES: Readonly<Record<EndKind, EndRule>> = {
  generic: endGeneric,
  ignored: () => undefined,
  tablePart: () => undefined,
  frameset: () => undefined,
  block: (build, tag) => {
    closeInScope(build, tag, BITS.scope);
  },
  p(build, tag) {
    if (!closeInScope(build, tag, BITS.buttonScope)) addElement(build, tag, NO_ATTRIBUTES);
  },
  item: (build, tag) => {
    closeInScope(build, tag, tag.name === "li" ? BITS.listScope : BITS.scope);
  },
  heading(build) {
    for (let place = build.tags.length - 1; place > 0; place -= 1) {
      const bits = build.tags[place]?.bits ?? 0;
      if ((bits & BITS.heading) !== 0) {
        truncate(build, place);
        return;
      }
      if ((bits & BITS.scope) !== 0) return;
    }
  },
  formatting(build, tag) {
    if (!endFormatting(build, tag)) endGeneric(build, tag);
  },
  br(build) {
    reconstruct(build);
    addElement(build, BR, NO_ATTRIBUTES);
  },
  form(build, tag) {
    if (build.counts[TEMPLATE.id] !== 0) {
      closeInScope(build, tag, BITS.scope);
      return;
    }
    const { form } = build;
    build.form = undefined;
    if (form === undefined || findInScope(build, tag, BITS.scope) < 0) return;
    closeImplied(build);
    const place = build.nodes.lastIndexOf(form);
    if (place < 0) return;
    if (place === build.nodes.length - 1) truncate(build, place);
    else {
      // Elements that are open inside the form stay open.
      removeAt(build, place);
      build.uneven += 1;
    }
  },
  template: (build, tag) => {
    closeInScope(build, tag, 0);
  },
};

/** The rule for each end tag, by the id of the tag. */
const END_RULES_BY_ID: readonly EndRule[] = TAGS.map((tag) => END_RULES[tag.end]);

/* 13.2.6.4.7 In body: the adoption agency, which makes formatting elements that cross the edges of blocks nest. */

/** The standard's bounds of its two loops. */
const MAX_ROUNDS = 8;
const MAX_CLONED = 3;
/** A node that must move is searched among this many last children of its parent; before them it stays. */
const MAX_BACK = 64;

/** Ends the open link before another one, wherever it is, because `<a>` cannot nest. */
function endLink(build: Build, tag: Tag): void {
  const index = findListed(build, tag);
  const entry = index < 0 ? undefined : build.formatting[index];
  if (entry === undefined) return;
  endFormatting(build, tag);
  const left = build.formatting.indexOf(entry);
  if (left >= 0) dropFormatting(build, left);
  const place = build.nodes.lastIndexOf(entry.node);
  if (place > 0) {
    removeAt(build, place);
    build.uneven += 1;
  }
}

/** Handles the end tag of a formatting element. Returns false if it must be handled like any other. */
function endFormatting(build: Build, tag: Tag): boolean {
  const { nodes, tags } = build;
  const top = nodes.length - 1;
  const current = nodes[top];
  if (tags[top] === tag && !build.formatting.some(({ node }) => node === current)) {
    truncate(build, top);
    return true;
  }
  for (let round = 0; round < MAX_ROUNDS; round += 1) {
    const listed = findListed(build, tag);
    const entry = listed < 0 ? undefined : build.formatting[listed];
    if (entry === undefined) return round > 0;
    if (!entry.isOpen) {
      dropFormatting(build, listed);
      return true;
    }
    const place = nodes.lastIndexOf(entry.node);
    if (place <= 0 || !isInScope(build, place)) return true;
    const block = findBlockAbove(build, place);
    if (block < 0 || isCapped(build)) {
      dropFormatting(build, listed);
      truncate(build, place);
      return true;
    }
    adopt(build, entry, place, block);
  }
  return true;
}

function isInScope(build: Build, place: number): boolean {
  for (let above = build.tags.length - 1; above > place; above -= 1)
    if (((build.tags[above]?.bits ?? 0) & BITS.scope) !== 0) return false;
  return true;
}

function findBlockAbove(build: Build, place: number): number {
  for (let above = place + 1; above < build.tags.length; above += 1)
    if (((build.tags[above]?.bits ?? 0) & BITS.special) !== 0) return above;
  return -1;
}

/** Does one round of the adoption agency: the block moves out of the formatting element, which continues inside it. */
function adopt(build: Build, entry: Formatting, place: number, blockPlace: number): void {
  const { nodes, tags, formatting } = build;
  const block = nodes[blockPlace];
  const outer = nodes[place - 1];
  const outerTag = tags[place - 1];
  if (block === undefined || outer === undefined || outerTag === undefined) return;
  let bookmark = formatting.indexOf(entry);
  let last = block;
  let cloned = 0;
  for (let between = blockPlace - 1; between > place; between -= 1) {
    const index = formatting.findIndex(({ node }) => node === nodes[between]);
    const found = formatting[index];
    cloned += 1;
    if (found === undefined || cloned > MAX_CLONED) {
      if (index >= 0) {
        dropFormatting(build, index);
        if (index < bookmark) bookmark -= 1;
      }
      removeAt(build, between);
      continue;
    }
    const clone = cloneOf(build, found);
    found.node = clone;
    nodes[between] = clone;
    if (last === block) bookmark = index + 1;
    move(last, clone);
    last = clone;
  }
  if ((outerTag.bits & BITS.rows) !== 0) {
    if (detach(last)) fosterNode(build, last);
  } else move(last, outer);
  const clone = cloneOf(build, entry);
  for (const child of block.children) {
    child.parent = clone;
    clone.children.push(child);
  }
  block.children.length = 0;
  clone.parent = block;
  block.children.push(clone);
  const index = formatting.indexOf(entry);
  formatting.splice(index, 1);
  const { tag, attributes } = entry;
  formatting.splice(index < bookmark ? bookmark - 1 : bookmark, 0, {
    tag,
    attributes,
    node: clone,
    isOpen: true,
  });
  removeAt(build, place);
  insertAt(build, nodes.lastIndexOf(block) + 1, tag, clone);
}

function cloneOf(build: Build, { node }: Formatting): ElementNode {
  build.elements += 1;
  return createElement({ ...node, parent: null });
}

/** Removes a node from its parent. Returns false if it is too far back among its siblings. */
function detach(node: TreeNode): boolean {
  const { parent } = node;
  if (parent === null) return true;
  const { children } = parent;
  const least = Math.max(0, children.length - MAX_BACK);
  for (let index = children.length - 1; index >= least; index -= 1) {
    if (children[index] !== node) continue;
    children.splice(index, 1);
    return true;
  }
  return false;
}

function move(node: TreeNode, to: ElementNode): void {
  if (!detach(node)) return;
  node.parent = to;
  to.children.push(node);
}

/* 13.2.6.4.9 to 13.2.6.4.17: parts of tables and of `select`, which are read by the part around them. */

const isCell = (tag: Tag): boolean => tag.name === "td" || tag.name === "th";

/** Opens a part of a table at its place, with the missing parts around it. Ignores the tag outside of tables. */
function startTablePart(build: Build, tag: Tag, attributes: Attributes): void {
  // Each round closes a part or opens one that was left out: a few rounds for a page that nests as deep as it may.
  for (let round = 0; round < build.limits.maxDepth; round += 1) {
    const place = currentContext(build);
    const context = contextTag(build);
    if (context === TEMPLATE) {
      // A template may start with a part of a table; after other content the tag is ignored.
      if (currentTag(build) !== TEMPLATE) return;
      break;
    }
    if (context.name === "html") return;
    if (context === SELECT) {
      if (tag === COL || tag === COLGROUP || !isInTable(build, place)) return;
      truncate(build, place);
    } else if (context === COLGROUP) {
      if (tag === COL) break;
      truncate(build, place);
    } else if ((context.bits & BITS.rows) === 0) truncate(build, place);
    else {
      truncate(build, place + 1);
      const missing = missingPart(context, tag);
      if (missing === "none") break;
      if (missing === "outside") truncate(build, place);
      else {
        const before = build.nodes.length;
        openElement(build, missing, NO_ATTRIBUTES);
        if (build.nodes.length === before) break;
      }
    }
  }
  if (tag === COL) addElement(build, tag, attributes);
  else openElement(build, tag, attributes);
}

function isInTable(build: Build, selectPlace: number): boolean {
  return build.tags[build.contexts[selectPlace - 1] ?? 0]?.name !== "html";
}

/**
 * Returns the part that must be between `context` and `tag`; "none" if they fit together, "outside" if `context` ends
 * before `tag`.
 */
function missingPart(context: Tag, tag: Tag): Tag | "none" | "outside" {
  if (context === TABLE) {
    if (isCell(tag) || tag === TR) return TBODY;
    return tag === COL ? COLGROUP : "none";
  }
  if (context === TR) return isCell(tag) ? "none" : "outside";
  if (tag === TR) return "none";
  return isCell(tag) ? TR : "outside";
}

/**
 * Closes a part of a table if it is open, with all that is open inside. An end tag inside a nested table does not close
 * a part of the outer one.
 */
function endTablePart(build: Build, tag: Tag): void {
  if (build.counts[tag.id] === 0) return;
  let place = currentContext(build);
  for (;;) {
    const open = build.tags[place];
    if (open === tag) break;
    if (open === undefined || place === 0 || (open.bits & BITS.tableScope) !== 0) return;
    // The parts of a table hold each other in one order only.
    place = build.contexts[place - 1] ?? 0;
  }
  truncate(build, place);
}

/**
 * Handles a start tag right in a table or a row that is not a part of it. Returns "fostered" if its element goes before
 * the table, and the element if its content is text.
 */
function startInTable(build: Build, tag: Tag, attributes: Attributes): ElementNode | "done" | "fostered" {
  if (tag === TABLE) {
    closeInScope(build, TABLE, BITS.tableScope);
    return "fostered";
  }
  if (tag.name === "style" || tag.name === "script") return addElement(build, tag, attributes);
  if (tag === TEMPLATE) {
    openElement(build, tag, attributes);
    return "done";
  }
  if (tag.start === "input" && attributes.get("type")?.toLowerCase() === "hidden") {
    addElement(build, tag, attributes);
    return "done";
  }
  if (tag.start !== "form") return "fostered";
  if (build.form === undefined && build.counts[TEMPLATE.id] === 0)
    build.form = addElement(build, tag, attributes);
  return "done";
}

/**
 * Handles a start tag in `select`, which holds only options. Returns "ended" if the tag ends the `select` and must be
 * handled anew, and the element if its content is text.
 */
function startInSelect(build: Build, tag: Tag, attributes: Attributes): ElementNode | "done" | "ended" {
  if (tag === OPTION || tag === OPTGROUP || tag.start === "hr") {
    if (currentTag(build) === OPTION) truncate(build, build.nodes.length - 1);
    if (tag !== OPTION && currentTag(build) === OPTGROUP) truncate(build, build.nodes.length - 1);
    if (tag.start === "hr") addElement(build, tag, attributes);
    else openElement(build, tag, attributes);
    return "done";
  }
  if (tag.name === "script") return addElement(build, tag, attributes);
  if (tag === TEMPLATE) {
    openElement(build, tag, attributes);
    return "done";
  }
  const place = currentContext(build);
  if (tag === SELECT) {
    truncate(build, place);
    return "done";
  }
  const isEnd =
    tag.start === "input" ||
    tag.name === "keygen" ||
    tag.name === "textarea" ||
    (tag === TABLE && isInTable(build, place));
  if (!isEnd) return "done";
  truncate(build, place);
  return "ended";
}

function endInSelect(build: Build, tag: Tag): void {
  const place = currentContext(build);
  const top = build.nodes.length - 1;
  if (tag === SELECT) truncate(build, place);
  else if (tag === OPTION && currentTag(build) === OPTION) truncate(build, top);
  else if (tag === OPTGROUP) {
    const isInGroup = currentTag(build) === OPTION && build.tags[top - 1] === OPTGROUP;
    if (isInGroup) truncate(build, top - 1);
    else if (currentTag(build) === OPTGROUP) truncate(build, top);
  }
}

/* 13.2.6.5 Foreign content: tags inside of SVG and MathML. */

const ALL_SCOPES = BITS.special | BITS.scope | BITS.listScope | BITS.buttonScope;

/** Foreign elements that hold HTML, or text of it. */
const INTEGRATION: ReadonlySet<string> = new Set([
  "svg foreignobject",
  "svg desc",
  "svg title",
  "mathml mi",
  "mathml mo",
  "mathml mn",
  "mathml ms",
  "mathml mtext",
]);

/** Returns the tag of a name that the table does not have: the same object for the same name all over the page. */
export function ownTag(build: Build, name: string): Tag {
  const known = build.ownTags.get(name) ?? createTag(name, 0);
  build.ownTags.set(name, known);
  return known;
}

function foreignTag(build: Build, name: string, namespace: "svg" | "mathml", isHtml: boolean): Tag {
  const key = `${namespace} ${name}`;
  const isIntegration = isHtml || INTEGRATION.has(key);
  const id = isIntegration ? `${key} +` : key;
  const known = build.ownTags.get(id);
  if (known !== undefined) return known;
  const isBound = isIntegration || key === "mathml annotation-xml";
  const bits = BITS.foreign | (isIntegration ? BITS.integration : 0) | (isBound ? ALL_SCOPES : 0);
  const tag = createTag(name, 0, { start: "generic", end: "generic", bits });
  build.ownTags.set(id, tag);
  return tag;
}

/** Adds `<svg>`, `<math>` or an element below one, and opens it unless its tag closes itself. */
function openForeign(
  build: Build,
  name: string,
  attributes: Attributes,
  namespace: "svg" | "mathml",
): ElementNode {
  const encoding = name === "annotation-xml" ? attributes.get("encoding")?.toLowerCase() : undefined;
  const isHtml = encoding === "text/html" || encoding === "application/xhtml+xml";
  const tag = foreignTag(build, name, namespace, isHtml);
  return build.tagScan.isSelfClosed
    ? addElement(build, tag, attributes, namespace)
    : openElement(build, tag, attributes, namespace);
}

/** Checks whether the next tag is read as SVG or MathML, not as HTML. */
export function isForeign(build: Build): boolean {
  return (currentTag(build).bits & (BITS.foreign | BITS.integration)) === BITS.foreign;
}

/** Handles a start tag in foreign content. Returns false if the tag must be read as HTML. */
function startInForeign(build: Build, tag: Tag, attributes: Attributes): boolean {
  const isEnd = (tag.bits & BITS.breakout) !== 0 || (tag.name === "font" && isStyledFont(attributes));
  if (isEnd) {
    closeForeign(build);
    return false;
  }
  const { tag: parent, namespace } = currentNode(build);
  if (namespace === "html" || (parent === "annotation-xml" && tag.name === "svg")) return false;
  openForeign(build, tag.name, attributes, namespace);
  return true;
}

function isStyledFont(attributes: Attributes): boolean {
  return attributes.has("color") || attributes.has("face") || attributes.has("size");
}

function closeForeign(build: Build): void {
  while (isForeign(build)) truncate(build, build.nodes.length - 1);
}

/** Handles an end tag in foreign content. Returns false if it must be read as HTML. */
function endInForeign(build: Build, tag: Tag): boolean {
  if (tag.end === "p" || tag.end === "br") {
    closeForeign(build);
    return false;
  }
  for (let place = build.tags.length - 1; place > 0; place -= 1) {
    const open = build.tags[place];
    if (open === undefined || (open.bits & BITS.foreign) === 0) return false;
    if (open.name === tag.name) {
      truncate(build, place);
      return true;
    }
  }
  return false;
}

/* 13.2.7 The end. */

/** Ends the page: every page has a head and a body or frames. */
export function finish(build: Build): void {
  if (build.phase !== "body" && build.phase !== "frameset") {
    raiseOutOfTemplates(build);
    openBody(build);
  }
}

function raiseOutOfTemplates(build: Build): void {
  if (build.counts[TEMPLATE.id] !== 0) truncate(build, build.phase === "head" ? 2 : 1);
}
