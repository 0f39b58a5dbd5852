/** Stretches of the source between tags into text nodes with positions. */
import type { ElementNode, TextNode } from "../../tree.js";
import { currentContext, currentNode, currentTag, isCapped, type Build } from "./build.js";
import { fosterNode, sunkenHolder } from "./insert.js";
import { truncate } from "./insert.js";
import { isSpace } from "./characters.js";
import { reconstruct } from "./formatting.js";
import { createText } from "./build.js";
import { isOutside, openBody } from "./outside.js";
import { decodeText, mayBeReference } from "./characters.js";
import { BITS, tagOf } from "./tags.js";

const COLGROUP = tagOf("colgroup");
const PRE = tagOf("pre");
const LISTING = tagOf("listing");

/** What is not white space, as the standard has it. */
const INK = /[^\t\n\f\r ]/g;
/** White space that ends a word. */
const WORD_END = /[\t\n\f\r \0]/g;
/** Characters that tell a reference from an ampersand that stands for itself. */
const REFERENCE_SAMPLE = 4;

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
  // Between the parts of a table white space is nothing.
  if (isMisplaced && findInkAt(build.html, from, end) === end) return;
  build.isFostering = isMisplaced;
  if (build.dormant > 0 && (currentTag(build).bits & BITS.foreign) === 0) reconstruct(build);
  const holder = sunkenHolder(build) ?? currentNode(build);
  const isFostered = build.isFostering && (currentTag(build).bits & BITS.rows) !== 0;
  build.isFostering = false;
  addPieces(build, isFostered ? undefined : holder, from, end);
}

function findInkAt(html: string, start: number, end: number): number {
  INK.lastIndex = start;
  const match = INK.exec(html);
  return match === null ? end : Math.min(match.index, end);
}

/** Adds the text at [start, end) to an element, or before the table that is open. */
export function addPieces(build: Build, holder: ElementNode | undefined, start: number, end: number): void {
  const { html } = build;
  if (build.nextReference < start) build.nextReference = findFrom(html, "&", start);
  if (build.nextNul < start) build.nextNul = findFrom(html, "\0", start);
  const isPre = (build.counts[PRE.id] ?? 0) + (build.counts[LISTING.id] ?? 0) > 0;
  if (isPre && build.nextReturn < start) build.nextReturn = findFrom(html, "\r", start);
  const isPlain = build.nextReference >= end && build.nextNul >= end && !(isPre && build.nextReturn < end);
  if (isPlain) addNode(build, holder, { value: html.slice(start, end), start, end });
  else addUneven(build, holder, { start, end, isPre });
}

function findFrom(html: string, wanted: string, start: number): number {
  const at = html.indexOf(wanted, start);
  return at < 0 ? html.length : at;
}

interface Stretch {
  readonly start: number;
  readonly end: number;
  readonly isPre: boolean;
}

const ODD = /[&\0]/g;
const ODD_IN_PRE = /[&\0\r]/g;

/** Adds text with character references, NUL or, inside `pre`, carriage returns: in pieces, so that positions hold. */
function addUneven(build: Build, holder: ElementNode | undefined, { start, end, isPre }: Stretch): void {
  const { html } = build;
  const text = html.slice(start, end);
  const odd = isPre ? ODD_IN_PRE : ODD;
  odd.lastIndex = 0;
  let from = 0;
  const add = (value: string, first: number, last: number): void => {
    if (value !== "") addNode(build, holder, { value, start: start + first, end: start + last });
  };
  for (let match = odd.exec(text); match !== null; match = odd.exec(text)) {
    const at = match.index;
    if (match[0] === "&") {
      const word = findWord(text, at, from);
      const decoded = word === undefined ? undefined : decodeText(text.slice(word.from, word.to));
      if (word === undefined || decoded === undefined) continue;
      odd.lastIndex = word.to;
      if (decoded === text.slice(word.from, word.to)) continue;
      add(text.slice(from, word.from), from, word.from);
      // `&#13;` before a line break is one break with it.
      const isBreak = decoded.endsWith("\r") && text.charAt(word.to) === "\n";
      from = isBreak ? word.to + 1 : word.to;
      add(isBreak ? `${decoded}\n` : decoded, word.from, from);
      odd.lastIndex = from;
    } else {
      add(text.slice(from, at), from, at);
      const isBreak = match[0] === "\r";
      from = isBreak && text.charAt(at + 1) === "\n" ? at + 2 : at + 1;
      if (isBreak) add("\n", at, from);
      odd.lastIndex = from;
    }
  }
  add(text.slice(from), from, text.length);
}

/** The word around a character reference; undefined for an ampersand that stands for itself. */
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

function addNode(
  build: Build,
  holder: ElementNode | undefined,
  { value, start, end }: Pick<TextNode, "value" | "start" | "end">,
): void {
  const last = holder === undefined || !isCapped(build) ? undefined : holder.children.at(-1);
  // Beyond the budget memory counts for more than positions.
  if (last?.kind === "text") {
    last.value += value;
    last.end = Math.max(last.end, end);
    return;
  }
  const node = createText({ value, parent: holder ?? null, start, end });
  if (holder === undefined) fosterNode(build, node);
  else holder.children.push(node);
}

/** A dropped tag may have parted two words. */
export function keepApart(build: Build): void {
  if (build.isApart || build.nodes.length === 0) return;
  build.isApart = true;
  const parent = currentNode(build);
  const last = parent.children[parent.children.length - 1];
  if (last?.kind === "text") last.value += " ";
  else parent.children.push(createText({ value: " ", parent, start: -1, end: -1 }));
}
