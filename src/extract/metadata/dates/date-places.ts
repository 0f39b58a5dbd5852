/** Finds the places of a page that may show its date, and those that may be its headline, with how far apart they are. */
import { isHeadingTag } from "../../../document.js";
import type { ElementNode, ParsedPage, TextNode } from "../../../tree.js";
import { isBlank, normaliseText } from "../../lines/text/characters.js";
import { hasDateDigits } from "./dates-in-text.js";
import { textOf } from "../../elements.js";
import { traitsOf } from "../../lines/line-tags.js";
import { isHiddenByPage, isHiddenByTag } from "../../lines/visible/visible.js";

/** Places that are kept of one page: one with more is a list, and its first places are as good as all. */
const MAX_PLACES = 300;
const MAX_HEADINGS = 50;
/** Characters of a heading, and of the classes and the id of an element. */
const MAX_HEADING = 300;
const MAX_NAMES = 200;
/** Characters of a title that is looked for in the text; shorter ones may be any word. */
const MIN_TITLE = 8;

/** A `<time datetime>`, an element that is named after a date, or a block with the digits of a year or a date in its text. */
export interface DatePlace {
  readonly kind: "time" | "name" | "line";
  readonly element: ElementNode;
  /** Of a line, the text node with the digits. */
  readonly text: string;
  /** Visible characters of the page before it. */
  readonly at: number;
}

/** A heading, or a text that says most of the title. */
export interface Heading {
  readonly kind: "h1" | "heading" | "text";
  readonly text: string;
  /** Visible characters of the page before it, and with it. */
  readonly start: number;
  end: number;
}

interface DatePlaces {
  readonly places: readonly DatePlace[];
  readonly headings: readonly Heading[];
}

interface Open {
  readonly element: ElementNode;
  next: number;
  readonly heading: Heading | undefined;
}

interface Look {
  readonly title: string;
  readonly open: Open[];
  readonly places: DatePlace[];
  readonly headings: Heading[];
  at: number;
}

export function findDatePlaces({ root }: ParsedPage, title: string): DatePlaces {
  const open: Open[] = [{ element: root, next: 0, heading: undefined }];
  const look: Look = { title, open, places: [], headings: [], at: 0 };
  for (let top = open.at(-1); top !== undefined; top = open.at(-1)) {
    const child = top.element.children[top.next];
    top.next += 1;
    if (child === undefined) {
      if (top.heading !== undefined) top.heading.end = look.at;
      open.pop();
    } else if (child.kind === "text") readText(look, child);
    else if (!isHiddenByTag(child) && !isHiddenByPage(child)) enter(look, child);
  }
  return { places: look.places, headings: look.headings };
}

function enter({ open, places, headings, at }: Look, element: ElementNode): void {
  const { tag, attributes } = element;
  let heading: Heading | undefined;
  if (tag.length === 2 && isHeadingTag(tag) && headings.length < MAX_HEADINGS) {
    const kind = tag === "h1" ? "h1" : "heading";
    heading = { kind, text: textOf(element, MAX_HEADING), start: at, end: at };
    headings.push(heading);
  }
  open.push({ element, next: 0, heading });
  if (attributes.size === 0 || places.length >= MAX_PLACES) return;
  if (tag === "time" && attributes.has("datetime")) places.push({ kind: "time", element, text: "", at });
  else if (isNamedAfterDate(element)) places.push({ kind: "name", element, text: "", at });
}

/** Whether DATE_NAME is in the names of an element; short ones need not be joined for that. */
function isNamedAfterDate(element: ElementNode): boolean {
  const names = element.attributes.get("class") ?? "";
  const id = element.attributes.get("id") ?? "";
  if (names.length + id.length >= MAX_NAMES) return DATE_NAME.test(namesOf(element));
  return (names !== "" && DATE_NAME.test(names)) || (id !== "" && DATE_NAME.test(id));
}

/** The classes and the id of an element: what its author calls it. */
export function namesOf({ attributes }: ElementNode): string {
  return `${attributes.get("class") ?? ""} ${attributes.get("id") ?? ""}`.slice(0, MAX_NAMES);
}

/** Parts of the names of elements that show the date of what they are in. */
const DATE_NAME =
  /(?:^|[\s_-])(?:date|datetime|datestamp|fecha|datum|dateline|published|pubdate|posted|timestamp|postdate|pubtime)(?![a-z])|[a-z](?:Date|Time)(?![a-z])/;

function readText(look: Look, { value }: TextNode): void {
  if (isBlank(value)) return;
  const { open, places, headings, title, at } = look;
  look.at += trimmedLength(value);
  if (headings.length < MAX_HEADINGS && isMostOf(value, title))
    headings.push({ kind: "text", text: normaliseText(value), start: at, end: look.at });
  if (places.length >= MAX_PLACES || !hasDateDigits(value)) return;
  const block = open.findLast(({ element }) => traitsOf(element.tag).block !== undefined)?.element;
  if (block !== undefined) places.push({ kind: "line", element: block, text: textAround(open.at(-1)), at });
}

/** The text between two elements, of which the tree has several parts where there are references. */
function textAround(top: Open | undefined): string {
  if (top === undefined) return "";
  const { children } = top.element;
  let [start, end] = [top.next - 1, top.next];
  while (children[start - 1]?.kind === "text") start -= 1;
  while (children[end]?.kind === "text") end += 1;
  return children
    .slice(start, end)
    .map((node) => (node.kind === "text" ? node.value : ""))
    .join("");
}

/** As of `value.trim()`; most texts have nothing to be trimmed. */
function trimmedLength(value: string): number {
  const { length } = value;
  return isAsciiInk(value.charCodeAt(0)) && isAsciiInk(value.charCodeAt(length - 1))
    ? length
    : value.trim().length;
}

function isAsciiInk(unit: number): boolean {
  return unit > 0x20 && unit < 0x7f;
}

/** A title has the name of its site behind, as a rule. */
function isMostOf(value: string, title: string): boolean {
  const { length } = title;
  if (length < MIN_TITLE || value.length * 2 < length || value.length > 2 * length + 20) return false;
  const text = normaliseText(value);
  return text.length >= MIN_TITLE && text.length * 2 >= length && title.includes(text);
}
