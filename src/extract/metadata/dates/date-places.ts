/** Finds the places of a page that may show its date, and those that may be its headline, with their text offsets. */
import { isHeadingTag } from "../../../document.js";
import type { ElementNode, ParsedPage, TextNode, TreeNode } from "../../../document/tree.js";
import { isBlank, normaliseText } from "../../lines/text/characters.js";
import { hasDateDigits } from "./dates-in-text.js";
import { textOf } from "../../elements.js";
import { traitsOf } from "../../lines/line-tags.js";
import { isHiddenByPage, isHiddenByTag } from "../../lines/visible/visible.js";

/** Places kept for one page. A page with more is a list, and its first places are as good as all of them. */
const MAX_PLACES = 300;
const MAX_HEADINGS = 50;
/** The largest length of a heading, and of the class names and id of an element, in characters. */
const MAX_HEADING = 300;
const MAX_NAMES = 200;
/** The number of characters that are read of the text on either side of a date; a longer text is no date line. */
const MAX_AROUND = 2_000;
/** The least length, in characters, of a title that is searched for in the text; a shorter one may be any word. */
const MIN_TITLE = 8;

/**
 * An element that states a time, one with a class name or id for dates, or a block with the digits of a year or date.
 */
export interface DatePlace {
  readonly kind: "time" | "name" | "line";
  readonly element: ElementNode;
  /** The text around the digits, for a line; "" otherwise. */
  readonly text: string;
  /** The number of visible characters of the page before it. */
  readonly at: number;
}

/** A heading, or a text node that has most of the title. */
export interface Heading {
  readonly kind: "h1" | "heading" | "text";
  readonly text: string;
  /** The number of visible characters of the page before it (start), and up to its end. */
  readonly start: number;
  end: number;
}

interface DatePlaces {
  readonly places: readonly DatePlace[];
  readonly headings: readonly Heading[];
}

interface Look {
  readonly title: string;
  readonly isHidden: (element: ElementNode) => boolean;
  /** The open elements, the number of children that were read of each, and the headings that some of them are. */
  readonly open: ElementNode[];
  readonly read: number[];
  readonly started: (Heading | undefined)[];
  readonly places: DatePlace[];
  readonly headings: Heading[];
  at: number;
}

/** Returns them in page order. `title`: the title of the page, which one of its texts may repeat; "" if unknown. */
export function findDatePlaces({ root }: ParsedPage, title: string, isHidden = isHiddenByPage): DatePlaces {
  const look: Look = {
    title,
    isHidden,
    open: [root],
    read: [0],
    started: [undefined],
    places: [],
    headings: [],
    at: 0,
  };
  const { open, read, started } = look;
  while (open.length > 0) {
    const depth = open.length - 1;
    const at = read[depth] ?? 0;
    const child = open[depth]?.children[at];
    read[depth] = at + 1;
    if (child === undefined) {
      const heading = started[depth];
      if (heading !== undefined) heading.end = look.at;
      open.pop();
    } else if (child.kind === "text") {
      if (!isBlank(child.value)) readText(look, child);
    } else if (!isHiddenByTag(child)) enter(look, child);
  }
  return { places: look.places, headings: look.headings };
}

function enter({ open, read, started, places, headings, at, isHidden }: Look, element: ElementNode): void {
  const { tag, attributes, children } = element;
  const isHeading = tag.length === 2 && isHeadingTag(tag);
  const kind = attributes.size === 0 || places.length >= MAX_PLACES ? undefined : kindOf(element);
  // An image, for example, is of no use, whether it is hidden or not.
  if (children.length === 0 && kind === undefined && !isHeading) return;
  if (isHidden(element)) return;
  let heading: Heading | undefined;
  if (isHeading && headings.length < MAX_HEADINGS) {
    const text = textOf(element, MAX_HEADING);
    heading = { kind: tag === "h1" ? "h1" : "heading", text, start: at, end: at };
    headings.push(heading);
  }
  open.push(element);
  read[open.length - 1] = 0;
  started[open.length - 1] = heading;
  if (kind !== undefined) places.push({ kind, element, text: "", at });
}

function kindOf(element: ElementNode): "time" | "name" | undefined {
  if (statedTimeOf(element) !== undefined) return "time";
  return isNamedAfterDate(element) ? "name" : undefined;
}

/** The day and time that a tooltip begins with. */
const TIME_IN_TITLE =
  /^\s*(?:19|20)\d\d-\d\d-\d\d[T ]\d\d:\d\d(?::\d\d(?:\.\d+)?)?(?:\s?(?:Z|[+-]\d\d:?\d\d))?/;

/** The time of a `<time datetime>`, or of an element whose title begins with one: `<abbr title="2019-05-17T08:30:00Z">`. */
export function statedTimeOf({ tag, attributes }: ElementNode): string | undefined {
  const stated = tag === "time" ? attributes.get("datetime") : undefined;
  if (stated !== undefined) return stated;
  const title = attributes.get("title");
  return title === undefined ? undefined : TIME_IN_TITLE.exec(title)?.[0];
}

/** Whether the class or id of an element matches DATE_NAME. Short names are tested without joining them. */
function isNamedAfterDate(element: ElementNode): boolean {
  const names = element.attributes.get("class") ?? "";
  const id = element.attributes.get("id") ?? "";
  if (names.length + id.length >= MAX_NAMES) return DATE_NAME.test(namesOf(element));
  return (names !== "" && DATE_NAME.test(names)) || (id !== "" && DATE_NAME.test(id));
}

/** The class names and the id of an element, joined by a space. */
export function namesOf({ attributes }: ElementNode): string {
  return `${attributes.get("class") ?? ""} ${attributes.get("id") ?? ""}`.slice(0, MAX_NAMES);
}

/** Parts of class names and ids of elements that show a date. */
const DATE_NAME =
  /(?:^|[\s_-])(?:date|datetime|datestamp|fecha|datum|dateline|published|pubdate|posted|timestamp|postdate|pubtime)(?![a-z])|[a-z](?:Date|Time)(?![a-z])/;

function readText(look: Look, { value }: TextNode): void {
  const { open, read, places, headings, title, at } = look;
  look.at += trimmedLength(value);
  if (headings.length < MAX_HEADINGS && isMostOf(value, title))
    headings.push({ kind: "text", text: normaliseText(value), start: at, end: look.at });
  if (places.length >= MAX_PLACES || !hasDateDigits(value)) return;
  const block = open.findLast(({ tag }) => traitsOf(tag).block !== undefined);
  const text = textAround(open.at(-1)?.children ?? [], (read[open.length - 1] ?? 0) - 1);
  if (block !== undefined) places.push({ kind: "line", element: block, text, at });
}

/** The text between two elements. The tree has several text nodes for it if it contains character references. */
function textAround(children: readonly TreeNode[], middle: number): string {
  let text = "";
  for (let at = middle; text.length < MAX_AROUND; at -= 1) {
    const node = children[at];
    if (node?.kind !== "text") break;
    text = node.value + text;
  }
  for (let at = middle + 1; text.length < 2 * MAX_AROUND; at += 1) {
    const node = children[at];
    if (node?.kind !== "text") break;
    text += node.value;
  }
  return text;
}

/** The length of `value.trim()`. Most texts have nothing to trim. */
function trimmedLength(value: string): number {
  const { length } = value;
  return isAsciiInk(value.charCodeAt(0)) && isAsciiInk(value.charCodeAt(length - 1))
    ? length
    : value.trim().length;
}

function isAsciiInk(unit: number): boolean {
  return unit > 0x20 && unit < 0x7f;
}

/** Whether a text is at least half of the title, because a title usually ends with the name of its site. */
function isMostOf(value: string, title: string): boolean {
  const { length } = title;
  if (length < MIN_TITLE || value.length * 2 < length || value.length > 2 * length + 20) return false;
  const text = normaliseText(value);
  return text.length >= MIN_TITLE && text.length * 2 >= length && title.includes(text);
}
