/** Reads the attributes of a tag that the readers of the tree need. */
import type { Attributes } from "../../document/tree.js";
import type { HtmlPage } from "../limits.js";
import { decodeAttribute } from "../../references.js";
import { CODES, isNameEnd, isSpace, createNames, FIRST_STATE, nextState } from "./characters.js";

/**
 * Attributes that the tree keeps: what `extract/` reads, and what decides how a page nests (`color`, `face` and `size`
 * of `font`, `encoding` of `annotation-xml`).
 */
export const KEPT_ATTRIBUTES: readonly string[] = [
  "alt",
  "aria-controls",
  "aria-expanded",
  "aria-haspopup",
  "aria-hidden",
  "aria-labelledby",
  "aria-modal",
  "class",
  "color",
  "content",
  "data-line-number",
  "datetime",
  "encoding",
  "epub:type",
  "face",
  "hidden",
  "href",
  "http-equiv",
  "id",
  "itemprop",
  "itemscope",
  "itemtype",
  "lang",
  "layout",
  "name",
  "open",
  "popover",
  "property",
  "pubdate",
  "rel",
  "reversed",
  "role",
  "shadowrootmode",
  "size",
  "slot",
  "start",
  "style",
  "title",
  "type",
  "value",
  "xml:lang",
];

/** Attributes that are read only for the structure of lines: formulas, cells, the language of code. */
export const STRUCTURE_ATTRIBUTES: readonly string[] = [
  "align",
  "alttext",
  "aria-level",
  "checked",
  "close",
  "code-brush",
  "colspan",
  "data-align",
  "data-attrs",
  "data-callout-type",
  "data-code-brush",
  "data-code-lang",
  "data-code-language",
  "data-enlighter-language",
  "data-formula",
  "data-formula-type",
  "data-lang",
  "data-language",
  "data-math-style",
  "data-panel-type",
  "data-syntaxhighlighter-params",
  "data-tex",
  "disabled",
  "display",
  "lang-name",
  "language",
  "linethickness",
  "mathvariant",
  "rowspan",
  "separators",
  "src",
];

/** Attributes that are read as well if images are wanted; most images of a page have several of them. */
export const IMAGE_ATTRIBUTES: readonly string[] = [
  "allowfullscreen",
  "autoplay",
  "data-cfsrc",
  "data-cp-src",
  "data-delayed-url",
  "data-echo",
  "data-ezsrc",
  "data-flickity-lazyload",
  "data-image-src",
  "data-img-src",
  "data-img-url",
  "data-layzr",
  "data-lazy",
  "data-lazy-src",
  "data-lazy-srcset",
  "data-lazyload",
  "data-original",
  "data-original-src",
  "data-pagespeed-lazy-src",
  "data-rp-src",
  "data-src",
  "data-srcset",
  "height",
  "poster",
  "srcset",
  "width",
  "zoomfile",
];

const toNames = (names: readonly string[]): NonNullable<AttributeNames> =>
  createNames(names.map((name) => [name, name] as const));

/** The names that a tree keeps; undefined keeps all. */
type AttributeNames = ReturnType<typeof createNames<string>> | undefined;

const NO_NAMES = toNames([]);
const FEW = toNames(KEPT_ATTRIBUTES);
let more: AttributeNames;
let most: AttributeNames;

/** Returns the names of the attributes that a tree keeps. Each table is made when the first page needs it. */
export function namesFor(keeps: HtmlPage["keeps"]): AttributeNames {
  if (keeps === "all") return undefined;
  if (keeps === undefined) return FEW;
  const structure = [...KEPT_ATTRIBUTES, ...STRUCTURE_ATTRIBUTES];
  if (keeps === "structure") return (more ??= toNames(structure));
  return (most ??= toNames([...structure, ...IMAGE_ATTRIBUTES]));
}

/** The state of reading one tag at a time. */
export interface TagScan {
  readonly names: AttributeNames;
  readonly maxAttributes: number;
  /**
   * Names and values, in turn, of the attributes of all tags so far: one list for a page takes less than one for each
   * tag.
   */
  readonly entries: string[];
  /** The offset of the ampersand that was found last; the length of the source if it has no more. */
  ampersand: number;
  /** Where the tag ends: after its `>`, or -1 if the page ends first. */
  at: number;
  /** Whether it ends in `/>`. */
  isSelfClosed: boolean;
}

/** Reads a tag from the end of its name on. Every step goes forward, so a tag costs no more than its length. */
export function readAttributes(html: string, start: number, tagScan: TagScan): Attributes {
  const { length } = html;
  const { entries, names } = tagScan;
  const { states } = names ?? NO_NAMES;
  const own = entries.length;
  let at = start;
  tagScan.isSelfClosed = false;
  tagScan.at = -1;
  while (at < length) {
    const code = html.charCodeAt(at);
    if (code === CODES.greater) {
      tagScan.isSelfClosed = at > start && html.charCodeAt(at - 1) === CODES.slash;
      tagScan.at = at + 1;
      break;
    }
    if (code === CODES.slash || isSpace(code)) {
      at += 1;
      continue;
    }
    // A name ends at whitespace, `/`, `>` or `=`, but may start with `=`.
    const nameStart = at;
    let state = nextState(states, FIRST_STATE, code);
    let next = html.charCodeAt(++at);
    while (at < length && !isAttributeNameEnd(next)) {
      state = nextState(states, state, next);
      next = html.charCodeAt(++at);
    }
    const name = names === undefined ? html.slice(nameStart, at).toLowerCase() : names.entries[state];
    while (isSpace(next)) next = html.charCodeAt(++at);
    let valueStart = at;
    let valueEnd = at;
    if (next === CODES.equals) {
      do next = html.charCodeAt(++at);
      while (isSpace(next));
      if (next === CODES.quote || next === CODES.apostrophe) {
        valueStart = at + 1;
        valueEnd = html.indexOf(next === CODES.quote ? '"' : "'", valueStart);
        if (valueEnd < 0) break;
        at = valueEnd + 1;
      } else {
        valueStart = at;
        while (at < length && html.charCodeAt(at) !== CODES.greater && !isSpace(html.charCodeAt(at))) at += 1;
        valueEnd = at;
      }
    }
    if (name === undefined || isNamed(entries, own, name)) continue;
    if (entries.length - own >= 2 * tagScan.maxAttributes) continue;
    const value = html.slice(valueStart, valueEnd);
    entries.push(name, hasAmpersand(html, valueStart, valueEnd, tagScan) ? decodeAttribute(value) : value);
  }
  return entries.length === own ? NO_ATTRIBUTES : new AttributeList(entries, own);
}

/**
 * Checks whether [start, end) has an ampersand. Texts and attributes must be asked about in the order of the source, so
 * that one search from ampersand to ampersand is enough for all of them.
 */
export function hasAmpersand(html: string, start: number, end: number, tagScan: TagScan): boolean {
  if (tagScan.ampersand < start) {
    const at = html.indexOf("&", start);
    tagScan.ampersand = at < 0 ? html.length : at;
  }
  return tagScan.ampersand < end;
}

function isAttributeNameEnd(code: number): boolean {
  return code <= CODES.greater && (code === CODES.equals || isNameEnd(code));
}

function isNamed(entries: readonly string[], first: number, name: string): boolean {
  for (let at = first; at < entries.length; at += 2) if (entries[at] === name) return true;
  return false;
}

/**
 * The attributes whose names and values, in turn, are in a list from `from` on; no name may be there twice. The list is
 * searched by name: for a few entries a map takes several times the memory and time.
 */
export class AttributeList implements Attributes {
  // Only declared: a class sets the fields that it defines to undefined first, and pages have thousands of lists. Without
  // that, the first 120 pages take .95 of the CPU time.
  declare readonly size: number;
  declare private readonly entries: readonly string[];
  declare private readonly from: number;
  declare private readonly to: number;

  constructor(entries: readonly string[], from = 0) {
    this.entries = entries;
    this.from = from;
    this.to = entries.length;
    this.size = (this.to - from) >> 1;
  }

  get(name: string): string | undefined {
    const { entries, to } = this;
    for (let at = this.from; at < to; at += 2) if (entries[at] === name) return entries[at + 1];
    return undefined;
  }

  has(name: string): boolean {
    return this.get(name) !== undefined;
  }

  *[Symbol.iterator](): Generator<[string, string], undefined> {
    for (let at = this.from; at < this.to; at += 2)
      yield [this.entries[at] ?? "", this.entries[at + 1] ?? ""];
  }
}

/** The empty list that all elements without attributes share. */
export const NO_ATTRIBUTES: Attributes = new AttributeList([]);

/** Returns the attributes of `first`, and those of `second` that `first` does not have, up to `most` in all. */
export function joinAttributes(first: Attributes, second: Attributes, most: number): Attributes {
  if (first.size >= most) return first;
  const more = [...second].filter(([name]) => !first.has(name));
  return new AttributeList([...first, ...more.slice(0, most - first.size)].flat());
}
