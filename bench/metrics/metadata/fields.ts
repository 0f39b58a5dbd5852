/** Names the metadata fields that are compared, and normalises their values so that equal answers compare equal. */
import { baseOf, imageTarget } from "../structure/addresses.js";

export interface FieldKind {
  readonly name: string;
  readonly title: string;
  readonly explanation: string;
}

export const FIELDS = [
  { name: "title", title: "title", explanation: "the headline" },
  { name: "author", title: "author", explanation: "who wrote it: the same names in any order" },
  { name: "date", title: "date", explanation: "when it was published, to the day" },
  { name: "site", title: "site", explanation: "the name of the site" },
  { name: "description", title: "description", explanation: "what it says of itself in a sentence or two" },
  { name: "image", title: "image", explanation: "the address of its picture, without its query" },
  { name: "lang", title: "lang", explanation: "its language, without the country" },
] as const satisfies readonly FieldKind[];

export type FieldName = (typeof FIELDS)[number]["name"];

/** The values of a gold page or a system: a text, or a list of names. An absent, null or blank field has no value. */
export type FieldValues = Readonly<Partial<Record<FieldName, string | readonly string[] | null>>>;

/** Invisible characters, which are removed. */
const INVISIBLE = /[\u00ad\u200b-\u200f\u202a-\u202e\u2060-\u2069\ufeff\u061c]/g;
const ALIKE: readonly (readonly [RegExp, string])[] = [
  [/[“”„‟«»″]/g, '"'],
  [/[‘’‚‛′`´]/g, "'"],
  [/[‐‑‒–—―−]/g, "-"],
  [/…/g, "..."],
];
/** Separates two names. */
const BETWEEN_NAMES = /\s*[,;|/&\n]\s*|\s+(?:and|und|et|y|e|og|och|en|i)\s+/u;
/** A word for "by" before the first name. */
const BY = /^(?:by|von|par|por|di|door|av|af)\s+/u;

/**
 * Returns the normalised forms of a value, any of which may be meant; empty if the field has no value or no readable
 * one.
 */
export function formsOf(field: FieldName, value: FieldValues[FieldName], url: string): readonly string[] {
  const text = joinValues(value);
  if (text === "") return [];
  switch (field) {
    case "author":
      return some(foldNames(text));
    case "date":
      return readDays(text);
    case "image":
      return some(imageTarget(text, baseOf(url)) ?? "");
    case "lang":
      return some(text.toLowerCase().split(/[-_]/)[0] ?? "");
    default:
      return some(foldField(text));
  }
}

/** Returns whether the field has a value that is not blank. */
export function isSaid(value: FieldValues[FieldName]): boolean {
  return joinValues(value) !== "";
}

function joinValues(value: FieldValues[FieldName]): string {
  if (value === null || value === undefined) return "";
  return (typeof value === "string" ? value : value.join("\n")).replace(INVISIBLE, "").trim();
}

function some(form: string): readonly string[] {
  return form === "" ? [] : [form];
}

/** Normalises a text: NFKC, lower case, and one form of quotation marks, hyphens and whitespace. */
export function foldField(text: string): string {
  const alike = ALIKE.reduce((folded, [from, to]) => folded.replace(from, to), text);
  return alike.normalize("NFKC").toLowerCase().replace(/\s+/gu, " ").trim();
}

/**
 * Returns each name once, in alphabetical order, without the dots of initials and titles: "J.P. Ek" equals "J. P. Ek".
 */
function foldNames(text: string): string {
  const lines = text.split("\n").map(foldField).join("\n");
  const names = lines
    .replace(BY, "")
    .split(BETWEEN_NAMES)
    .map((name) =>
      name
        .replace(/\.(?=\p{L})/gu, " ")
        .replaceAll(".", "")
        .trim(),
    )
    .filter((name) => name !== "");
  return [...new Set(names)].sort().join("; ");
}

/** An ISO 8601 date: with hyphens, or without hyphens before a time or the end of the text. */
const ISO_DAY = /^(\d{4})(?:-(\d{2})-(\d{2})(?!\d)|(\d{2})(\d{2})(?=T|$))/;
/** In a date with dots the day comes first; Node.js would read the first number as the month. */
const DOTTED_DAY = /^(\d{1,2})\.(\d{1,2})\.(\d{4})(?!\d)/;
const ZONE = /(?:[+-]\d{2}:?\d{2}|GMT|UTC|Z)$/;
/** A time zone that gives only hours, which Node.js cannot read. */
const ZONE_OF_HOURS = /(\d{2}:\d{2}(?:\.\d{1,9})?[+-]\d{2})$/;

/**
 * Returns the day that a date names and, if it has a time zone, the day of that moment in UTC: gold sets use either.
 * Dates that are neither in ISO 8601 nor day-first with dots are read as Node.js reads them.
 */
function readDays(text: string): readonly string[] {
  const stated = readStated(text);
  const whole = text.replace(ZONE_OF_HOURS, "$1:00");
  const moment = ZONE.test(whole) ? toDay(Date.parse(whole)) : undefined;
  return [...new Set([stated, moment].filter((day) => day !== undefined))];
}

function readStated(text: string): string | undefined {
  const [iso, year, month, , monthClose, dayClose] = ISO_DAY.exec(text) ?? [];
  if (iso !== undefined && month !== undefined) return iso;
  if (iso !== undefined) return toDay(Date.parse(`${year}-${monthClose}-${dayClose}`));
  const [dotted, first, second, last] = DOTTED_DAY.exec(text) ?? [];
  if (dotted === undefined) return toDay(Date.parse(`${text} UTC`));
  return toDay(Date.parse(`${last}-${second?.padStart(2, "0")}-${first?.padStart(2, "0")}`));
}

function toDay(moment: number): string | undefined {
  return Number.isNaN(moment) ? undefined : new Date(moment).toISOString().slice(0, 10);
}
