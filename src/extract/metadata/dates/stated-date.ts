/** Chooses the date that a page states, from the forms and places that leave the least doubt. */
import type { ElementNode } from "../../../document/tree.js";
import { textOf } from "../../elements.js";
import { isOrIsIn } from "../../around.js";
import { isAtComment } from "../author.js";
import { DAY_MS } from "./calendars.js";
import { statedTimeOf } from "./date-places.js";
import { normaliseDate, type DateBounds } from "./date.js";
import { findDates } from "./dates-in-text.js";
import type { Statements } from "../statements.js";
import {
  firstTold,
  fromLinked,
  fromMetas,
  valuesOf,
  type Source,
  type Statement,
  type Told,
} from "../told.js";

const MAX_DATES = 50;
/** The number of characters that are read of an element marked as a date. */
const MAX_DATE = 100;

/** The date that the page states. Dates outside the bounds are skipped. */
export function chooseDate(page: Statement, bounds: DateBounds, lang: string | undefined): Told | undefined {
  const { found } = page;
  const metas = fromMetas(found, "date");
  const stated = [fromLinked(page, "dates"), { ...metas, values: valuesOf(metas).slice(0, MAX_DATES) }];
  const sources = [
    ...stated,
    { from: "meta", values: found.created },
    { from: "microdata", values: markedDates(found.dates) },
    { from: "time", values: [articleTime(found)] },
  ];
  const date = firstDate(sources, bounds, lang);
  if (date === undefined || !IN_UTC.test(date.value)) return date;
  const read = readDateWithin(bounds, lang, "words");
  return firstTold((value) => asLocal(date.value, read(value)), stated) ?? date;
}

/**
 * Returns the shown date if no date is stated, or if it is one day off a stated time in UTC; otherwise the stated date.
 */
export function onSiteDay(stated: Told | undefined, shown: () => Told | undefined): Told | undefined {
  if (stated === undefined) return shown();
  if (!IN_UTC.test(stated.value)) return stated;
  const day = shown();
  const apart = Date.parse(day?.value.slice(0, 10) ?? "") - Date.parse(stated.value.slice(0, 10));
  return Math.abs(apart) === DAY_MS ? day : stated;
}

const IN_UTC = /T.*(?:Z|[+-]00:00)$/;
/** The largest difference between a local clock and UTC. */
const MAX_OFFSET_MS = 14 * 60 * 60 * 1000;

/** The same time in the site's time zone, if that is on another day, because its readers know that day. */
function asLocal(utc: string, other: string | undefined): string | undefined {
  if (other === undefined || !other.includes("T") || IN_UTC.test(other)) return undefined;
  const apart = Date.parse(`${other.slice(0, "2019-05-17T10:00".length)}Z`) - Date.parse(utc);
  const isSame = Math.abs(apart) <= MAX_OFFSET_MS;
  return isSame && other.slice(0, 10) !== utc.slice(0, 10) ? other : undefined;
}

/** The dates of marked elements; an empty list if they are of several days, as the dates of teasers are. */
export function markedDates(elements: readonly ElementNode[]): string[] {
  const dates = elements.filter((element) => !isAtComment(element)).map(readDate);
  const days = new Set(dates.map((date) => normaliseDate(date)?.slice(0, 10)));
  return days.size > 1 ? [] : dates;
}

type ReadDate = (value: string) => string | undefined;

function readDateWithin(bounds: DateBounds, lang: string | undefined, from: DateForm): ReadDate {
  return (value) => {
    const date = normaliseDate(value, lang) ?? findOnlyDate(value, lang, from);
    return date !== undefined && bounds.canBeStated(date) ? date : undefined;
  };
}

/** "words": only dates with a word in them. "any": also dates in numbers alone or in digits of other scripts. */
type DateForm = "words" | "any";

/** The first unambiguous date, or else the first date in any form that running text uses. */
export function firstDate(
  sources: readonly Source[],
  bounds: DateBounds,
  lang: string | undefined,
): Told | undefined {
  return (
    firstTold(readDateWithin(bounds, lang, "words"), sources) ??
    firstTold(readDateWithin(bounds, lang, "any"), sources)
  );
}

/** The date in a value that holds other text as well; undefined if it holds several dates. */
function findOnlyDate(value: string, lang: string | undefined, from: DateForm): string | undefined {
  if (value.length > MAX_DATE || (from === "words" && !/\p{L}{3}/u.test(value))) return undefined;
  const [only, other] = findDates(value, lang);
  return other === undefined ? only?.date : undefined;
}

function readDate(element: ElementNode): string {
  const { attributes } = element;
  return (
    attributes.get("datetime") ??
    attributes.get("content") ??
    statedTimeOf(element) ??
    textOf(element, MAX_DATE)
  );
}

/** The time of the only `<article>` of a page: the first one in its header, or the only one in the article. */
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
  return isOrIsIn(element.parent, (around) => around === ancestor);
}

function isInsideTag(element: ElementNode, tag: string, within: ElementNode): boolean {
  for (let { parent } = element; parent !== null && parent !== within; parent = parent.parent) {
    if (parent.tag === tag) return true;
  }
  return false;
}
