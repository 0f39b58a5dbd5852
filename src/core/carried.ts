/** Puts what the record of a text carried along into its document: what it says of the text becomes metadata, the rest stays as it is. */
import type { CarriedJson, Document, LabelledLine, Metadata } from "../document.js";
import { formatJson, isStrings, parseJson, parseFields, toFields, type Fields } from "../json.js";
import type { DocumentRecord } from "../write/document-record.js";

const NAMES = [
  ...(["title", "lang", "author", "date", "site", "modified"] as const),
  ...(["description", "image", "license", "canonical", "feed", "type"] as const),
] as const;
const LISTS = ["tags", "categories"] as const;

/** What a run says of its own work; the next run says it anew of its own. */
const OF_ONE_RUN: ReadonlySet<string> = new Set([
  ...(["words", "score", "source", "page", "condition", "registers"] as const),
  ...(["lines", "holders", "base", "statedTitle", "clues", "notes", "fingerprint"] as const),
] satisfies readonly (keyof DocumentRecord)[]);

/** What other tools call what is said of a text; the last two names are those of Trafilatura. */
const STATED = [
  ["title", "title"],
  ["author", "author"],
  ["date", "date"],
  ["site", "sitename"],
  ["site", "source-hostname"],
  ["description", "excerpt"],
] as const;

const ISO_DATE = /^\d{4}-\d\d-\d\d(?:T\d\d:\d\d|$)/;

type Mutable<T> = { -readonly [K in keyof T]: T[K] };

/** A page says of itself what there is to say; of a text its record does. */
export function addCarried(
  document: Document<LabelledLine>,
  carried: CarriedJson | undefined,
): Document<LabelledLine> {
  if (carried === undefined) return document;
  if (document.source === "html") return { ...document, carried };
  const fields = toFields(parseJson(carried));
  return isOurs(fields)
    ? addOurs(document, fields)
    : { ...document, meta: addStated(document.meta, fields), carried };
}

/**
 * What a record of ours says of the page that its text came from is said of the text again: no page is there to say it,
 * and a second pass would lose title and language. What it carried is carried on, at the same place after any number of passes.
 */
function addOurs(document: Document<LabelledLine>, fields: Fields): Document<LabelledLine> {
  const { title, lang, meta, carried: before, ...others } = fields;
  const said: Fields = { ...toFields(meta), title, lang };
  const found: Mutable<Metadata> = { ...document.meta };
  for (const name of NAMES) {
    const value = said[name];
    if (isSaid(value)) found[name] ??= value;
  }
  for (const name of LISTS) {
    const value = said[name];
    if (isStrings(value)) found[name] ??= value;
  }
  const added = Object.entries(others).filter(([name]) => !OF_ONE_RUN.has(name));
  const rest = { ...(parseFields(before) ?? { carried: before }), ...Object.fromEntries(added) };
  const told = { ...document, meta: found };
  return Object.keys(rest).length === 0 ? told : { ...told, carried: formatJson(rest) };
}

function isOurs({ fingerprint, source, title, lang, meta }: Fields): boolean {
  const isText = (value: unknown): boolean => value === undefined || typeof value === "string";
  const isRecord = typeof fingerprint === "string" && (source === "html" || source === "text");
  return isRecord && isText(title) && isText(lang) && (meta === undefined || typeof meta === "object");
}

/**
 * Other records mean by the same names what they like, so their fields stay as they are, too. A date without title and author
 * is mostly the day of a crawl.
 */
function addStated(meta: Metadata, fields: Fields): Metadata {
  const found: Mutable<Metadata> = { ...meta };
  const isNamed = isSaid(fields["title"]) || isSaid(fields["author"]);
  for (const [name, theirs] of STATED) {
    const value = fields[theirs];
    if (name === "date" && !(isNamed && ISO_DATE.test(String(value)))) continue;
    if (isSaid(value)) found[name] ??= value;
  }
  return found;
}

function isSaid(value: unknown): value is string {
  return typeof value === "string" && value !== "";
}
