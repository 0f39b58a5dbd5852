/** Finds the units of a page in its own HTML: tables, lists, code, quotes, posts and cards, and sections. */
import { isDataTable } from "../structure/data-tables.js";
import type { PageBlock, ReadElements } from "../structure/elements.js";
import { asElement, attributeOf, type HtmlElement, type HtmlNode } from "../structure/html-tree.js";
import type { PartName } from "./unit-kinds.js";

/** A range [from, to) of the page's tokens. */
export type Range = readonly [number, number];

export interface Unit {
  readonly kind: PartName;
  readonly range: Range;
}

/** A heading and the text below it, up to the next heading or the end of the element that holds both. */
export interface Section {
  readonly heading: Range;
  readonly below: Range;
}

export interface PageUnits {
  readonly units: readonly Unit[];
  /** Sections, except those whose heading repeats the page's title: corpora disagree on whether it is main content. */
  readonly sections: readonly Section[];
}

const LISTS = new Set(["ul", "ol", "menu", "dir", "dl"]);
const QUOTES = new Set(["blockquote"]);
const HEADING = /^h[1-6]$/;
/** Elements that posts and cards are made of. */
const CARDS = new Set(["article", "div", "section", "li", "figure"]);
/** The minimum number of similar siblings that form a group. */
const MIN_CARDS = 3;
/** A post or card has at least a heading and a text: this many lines and this many words. */
const MIN_CARD_LINES = 2;
const MIN_CARD_WORDS = 5;
/** A single word cannot be torn. */
const MIN_WORDS = 2;

export function findUnits(page: ReadElements): PageUnits {
  const blocks = page.blocks.toSorted((a, b) => a.range[0] - b.range[0] || b.range[1] - a.range[1]);
  const sections = findSections(blocks);
  const units: Unit[] = [
    ...blocks.flatMap(({ element, range }): Unit[] => {
      const kind = kindOf(element);
      return kind === undefined ? [] : [{ kind, range }];
    }),
    ...findCards(blocks, page.lines).map((range): Unit => ({ kind: "card", range })),
    ...sections.map(({ heading, below }): Unit => ({ kind: "section", range: [heading[0], below[1]] })),
  ];
  const tokens = page.lines.flat();
  const isTitle = ({ heading: [from, to] }: Section): boolean =>
    page.titles.has(tokens.slice(from, to).join(" "));
  return {
    units: units.filter(({ range: [from, to] }) => to - from >= MIN_WORDS),
    sections: sections.filter((section) => !isTitle(section)),
  };
}

/**
 * Returns the kind of unit that an element is, or undefined. If lists or quotes are nested, only the outermost one is a
 * unit.
 */
function kindOf(element: HtmlElement): PartName | undefined {
  const { tagName } = element;
  if (tagName === "table") return isDataTable(element) ? "table" : undefined;
  if (LISTS.has(tagName)) return isInside(element, LISTS) ? undefined : "list";
  if (tagName === "pre") return "code";
  if (tagName === "blockquote") return isInside(element, QUOTES) ? undefined : "quote";
  return undefined;
}

function isInside(element: HtmlElement, tags: ReadonlySet<string>): boolean {
  for (let outer = parentOf(element); outer !== undefined; outer = parentOf(outer))
    if (tags.has(outer.tagName)) return true;
  return false;
}

function parentOf(element: HtmlElement): HtmlElement | undefined {
  return element.parentNode === null ? undefined : asElement(element.parentNode);
}

/**
 * Returns the ranges of posts and cards: siblings with the same tag and the same first class name, each with several
 * lines.
 */
function findCards(blocks: readonly PageBlock[], lines: ReadElements["lines"]): Range[] {
  const groups = new Map<HtmlNode, Map<string, Range[]>>();
  const starts = lineStarts(lines);
  for (const { element, range } of blocks) {
    const like = likeness(element);
    const parent = element.parentNode;
    if (like === undefined || parent === null || !isCard(range, starts)) continue;
    const group = groups.get(parent) ?? new Map<string, Range[]>();
    groups.set(parent, group);
    const ranges = group.get(like) ?? [];
    group.set(like, ranges);
    ranges.push(range);
  }
  return [...groups.values()]
    .flatMap((group) => [...group.values()])
    .filter((g) => g.length >= MIN_CARDS)
    .flat();
}

function likeness(element: HtmlElement): string | undefined {
  const { tagName } = element;
  if (!CARDS.has(tagName)) return undefined;
  const [first] = (attributeOf(element, "class") ?? "").trim().split(/\s+/);
  if (first === undefined || first === "") return tagName === "article" ? tagName : undefined;
  return `${tagName}.${first}`;
}

function lineStarts(lines: ReadElements["lines"]): ReadonlySet<number> {
  let at = 0;
  return new Set(lines.map(({ length }) => (at += length) - length));
}

function isCard([from, to]: Range, starts: ReadonlySet<number>): boolean {
  if (to - from < MIN_CARD_WORDS) return false;
  let found = 1;
  for (let at = from + 1; at < to && found < MIN_CARD_LINES; at += 1) if (starts.has(at)) found += 1;
  return found >= MIN_CARD_LINES;
}

function findSections(blocks: readonly PageBlock[]): Section[] {
  const ranges = new Map(blocks.map(({ element, range }) => [element, range]));
  const headings = blocks.filter(({ element }) => HEADING.test(element.tagName));
  return headings.flatMap(({ element, range: heading }, index): Section[] => {
    const next = headings[index + 1]?.range[0] ?? Infinity;
    const below: Range = [heading[1], Math.min(next, endOfHolder(element, heading, ranges))];
    return below[1] > below[0] ? [{ heading, below }] : [];
  });
}

/** Returns the end of the nearest ancestor of a heading that has more text below the heading. */
function endOfHolder(heading: HtmlElement, [, end]: Range, ranges: ReadonlyMap<HtmlElement, Range>): number {
  for (let outer = parentOf(heading); outer !== undefined; outer = parentOf(outer)) {
    const to = ranges.get(outer)?.[1] ?? end;
    if (to > end) return to;
  }
  return end;
}
