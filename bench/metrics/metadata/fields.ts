/** Names the fields of metadata that are compared, and brings each into the form in which two answers are the same. */
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

/** What a gold page or a system says: text, or several names. A field that is absent, null or blank says nothing. */
export type FieldValues = Readonly<Partial<Record<FieldName, string | readonly string[] | null>>>;

/** Thrown-away characters: they show nothing. */
const INVISIBLE = /[\u00ad\u200b-\u200f\u202a-\u202e\u2060-\u2069\ufeff\u061c]/g;
const ALIKE: readonly (readonly [RegExp, string])[] = [
  [/[“”„‟«»″]/g, '"'],
  [/[‘’‚‛′`´]/g, "'"],
  [/[‐‑‒–—―−]/g, "-"],
  [/…/g, "..."],
];
/** Between two names. */
const BETWEEN_NAMES = /\s*[,;|/&\n]\s*|\s+(?:and|und|et|y|e|og|och|en|i)\s+/u;
/** Before the first name. */
const BY = /^(?:by|von|par|por|di|door|av|af)\s+/u;

/** The forms of a value, any of which may be meant; none where it says nothing. */
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

/** Whether the field says anything at all, in whatever form. */
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

/** NFKC, one case, quotation marks, hyphens and white space of one kind. */
export function foldField(text: string): string {
  const alike = ALIKE.reduce((folded, [from, to]) => folded.replace(from, to), text);
  return alike.normalize("NFKC").toLowerCase().replace(/\s+/gu, " ").trim();
}

/** Each name once, in the order of the alphabet, without the dots of initials and titles: "J.P. Ek" is "J. P. Ek". */
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

/** Year, month and day as ISO 8601 has them: with hyphens, or without any before a time or the end. */
const ISO_DAY = /^(\d{4})(?:-(\d{2})-(\d{2})(?!\d)|(\d{2})(\d{2})(?=T|$))/;
/** Wherever dots part a date, the day comes first; Node.js would read a month. */
const DOTTED_DAY = /^(\d{1,2})\.(\d{1,2})\.(\d{4})(?!\d)/;
const ZONE = /(?:[+-]\d{2}:?\d{2}|GMT|UTC|Z)$/;
/** A zone that states its hours alone, which Node.js does not read. */
const ZONE_OF_HOURS = /(\d{2}:\d{2}(?:\.\d{1,9})?[+-]\d{2})$/;

/**
 * The day that a date names, and that on which the moment falls in UTC, where it names a zone: gold sets state either.
 * Dates in other forms than that of ISO 8601, and with the day first between dots, are read as Node.js reads them.
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
