/** Reads what a page says of itself: title, author, date, site, language. */
import type { Metadata } from "../../document.js";
import { normaliseLang } from "../../language-tag.js";
import type { ElementNode, ParsedPage } from "../../tree.js";
import { findElement, textOf } from "../elements.js";
import { normaliseText } from "../lines/characters.js";
import { boundDates, normaliseDate, type DateBounds } from "./date.js";
import { readJsonLd, type LinkedData } from "./json-ld.js";
import { findPageDate } from "./page-date.js";
import { META_NAMES, collectStatements, type Statements } from "./statements.js";
import { cutSite, cutToHeading } from "./title.js";

/** Longer values are no titles or names; a page that has them is broken or hostile. */
const MAX_VALUE = 500;
/** A byline's length at most (as in Readability). */
const MAX_BYLINE = 100;
const MAX_AUTHORS = 20;
const MAX_DATES = 50;
/** Characters read of all JSON-LD. */
const MAX_JSON_LD = 2_000_000;

/** What the page states, and its JSON-LD, which is read when something else does not say enough. */
interface Page {
  readonly found: Statements;
  readonly linked: () => LinkedData;
}

/** `now` bounds dates: none is later than tomorrow, wherever the reader is. */
export function readMetadata(parsed: ParsedPage, now: Date = new Date()): Metadata {
  const found = collectStatements(parsed.root);
  let read: LinkedData | undefined;
  const page: Page = { found, linked: () => (read ??= readLinkedData(found.scripts)) };
  const site = firstOf(metas(found, "site")) ?? firstOf(page.linked().sites);
  const author = chooseAuthor(page);
  const title = chooseTitle(page, site);
  const lang =
    firstDefined(found.langs, normaliseLang) ??
    firstDefined(metas(found, "lang"), normaliseLang) ??
    firstDefined(page.linked().langs, normaliseLang);
  const bounds = boundDates(now);
  const hints = { title, site, lang, address: found.address, isPlausible: bounds.canBeShown };
  const date = chooseDate(page, bounds) ?? findPageDate(parsed, hints);
  const meta: { -readonly [K in keyof Metadata]: Metadata[K] } = {};
  if (title !== undefined) meta.title = title;
  if (author !== undefined) meta.author = author;
  if (date !== undefined) meta.date = date;
  if (site !== undefined) meta.site = site;
  if (lang !== undefined) meta.lang = lang;
  return meta;
}

function readLinkedData(scripts: readonly ElementNode[]): LinkedData {
  let left = MAX_JSON_LD;
  return readJsonLd(
    scripts.map((script) => {
      const json = textOf(script, left, "raw");
      left -= json.length;
      return json;
    }),
  );
}

function metas({ metas: values }: Statements, field: keyof typeof META_NAMES): string[] {
  return META_NAMES[field].flatMap((name) => values.get(name) ?? []);
}

function chooseTitle({ found, linked }: Page, site: string | undefined): string | undefined {
  const lonely = found.headings.length === 1 ? found.headings : [];
  const title =
    firstOf(metas(found, "title")) ??
    firstOf(linked().titles) ??
    firstText(found.titles) ??
    firstText(lonely) ??
    firstOf(linked().names);
  if (title === undefined) return undefined;
  const headings = found.headings.map((heading) => textOf(heading, MAX_VALUE));
  return headings.reduce(cutToHeading, cutSite(title, site));
}

function firstText(elements: readonly ElementNode[]): string | undefined {
  for (const element of elements) {
    const text = firstOf([textOf(element, MAX_VALUE)]);
    if (text !== undefined) return text;
  }
  return undefined;
}

function chooseAuthor({ found, linked }: Page): string | undefined {
  for (const name of META_NAMES.author) {
    const people = joinPeople(found.metas.get(name) ?? []);
    if (people !== undefined) return people;
  }
  return joinPeople(linked().authors) ?? joinPeople(found.bylines.map(readByline));
}

function joinPeople(names: readonly string[]): string | undefined {
  const people = new Set<string>();
  for (const name of names) {
    const person = toName(name);
    if (person !== undefined && people.size < MAX_AUTHORS) people.add(person);
  }
  return people.size > 0 ? [...people].join(", ") : undefined;
}

/** "" for what is too long to be a name. */
function readByline(element: ElementNode): string {
  const named = findElement(element, (child) => child.attributes.get("itemprop") === "name");
  const name = named?.attributes.get("content") ?? textOf(named ?? element, MAX_BYLINE + 1);
  return name.length <= MAX_BYLINE ? name : "";
}

/** What says that a name follows. Words that can begin a name, such as "von", are none. */
const BYLINE =
  /^(?:(?:(?:written|posted|published) )?by(?:\s*[:：]\s*|\s+)|(?:author|autor|auteur|autore|författare|автор|作者|著者|記者|记者)\s*[:：]\s*)/iu;
/** A link to a profile, a handle, or what a program wrote where it knew no name. */
const NO_NAME = /^(?:(?:https?:|www\.|@)|(?:null|undefined|none|n\/a|\[object object\])$)/i;

/** A name as text; undefined for what is none. */
function toName(value: string): string | undefined {
  const name = normaliseText(value.slice(0, MAX_VALUE)).replace(BYLINE, "");
  return name === "" || NO_NAME.test(name) ? undefined : name;
}

/** What the page states; a date that cannot be true is passed over. */
function chooseDate({ found, linked }: Page, bounds: DateBounds): string | undefined {
  const read = (value: string): string | undefined => {
    const date = normaliseDate(value);
    return date !== undefined && bounds.canBeStated(date) ? date : undefined;
  };
  return (
    firstDefined(metas(found, "date").slice(0, MAX_DATES), read) ??
    firstDefined(linked().dates, read) ??
    firstDefined(found.dates.map(readDate), read) ??
    firstDefined([articleTime(found)], read)
  );
}

function readDate(element: ElementNode): string {
  const { attributes } = element;
  return attributes.get("datetime") ?? attributes.get("content") ?? textOf(element, MAX_BYLINE);
}

/** The time of a page's one article, when it is in the article's header or is the only one there. */
function articleTime(found: Statements): string | undefined {
  const [article, another] = found.articles;
  if (article === undefined || another !== undefined) return undefined;
  const inside = found.times.filter((time) => isInside(time, article));
  const stated =
    inside.find((time) => isInsideTag(time, "header", article)) ??
    (inside.length === 1 ? inside[0] : undefined);
  return stated?.attributes.get("datetime");
}

function isInside(element: ElementNode, ancestor: ElementNode): boolean {
  for (let { parent } = element; parent !== null; parent = parent.parent)
    if (parent === ancestor) return true;
  return false;
}

function isInsideTag(element: ElementNode, tag: string, within: ElementNode): boolean {
  for (let { parent } = element; parent !== null && parent !== within; parent = parent.parent) {
    if (parent.tag === tag) return true;
  }
  return false;
}

function firstOf(values: readonly string[]): string | undefined {
  return firstDefined(values, (value) => {
    const text = normaliseText(value.slice(0, MAX_VALUE));
    return text === "" ? undefined : text;
  });
}

function firstDefined(
  values: readonly (string | undefined)[],
  read: (value: string) => string | undefined,
): string | undefined {
  for (const value of values) {
    const result = value === undefined ? undefined : read(value);
    if (result !== undefined) return result;
  }
  return undefined;
}
