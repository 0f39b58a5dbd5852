/**
 * Adds the JSON record that a text came in to its document: known fields become metadata, the others stay as they are.
 */
import { META_FIELDS, readMeta, RUN_FIELDS } from "../acquire/records/own-fields.js";
import type { CarriedJson, Document, LabelledLine, Metadata } from "../document.js";
import { formatJson, parseFields, parseJson, toFields, toText, type Fields } from "../json.js";
import type { Writable } from "../writable.js";
import type { StoredRecord } from "../write/document-record.js";

/**
 * The fields of our own records that are not carried along: each becomes a part of the document, or is written anew.
 */
const OURS: ReadonlySet<string> = new Set([
  ...META_FIELDS,
  ...RUN_FIELDS,
  "carried",
] satisfies readonly (keyof StoredRecord)[]);

/** Our metadata fields and the names that other tools use for them; the last two names are those of Trafilatura. */
const STATED = [
  ["title", "title"],
  ["author", "author"],
  ["date", "date"],
  ["site", "sitename"],
  ["site", "source-hostname"],
  ["description", "excerpt"],
] as const;

/** A date, perhaps with a time after "T", or after a space, as Python writes it. */
const ISO_DATE = /^\d{4}-\d\d-\d\d(?:[T ]\d\d:\d\d|$)/;

/**
 * Adds the carried record. For HTML it stays as it is, since the page states its own metadata; for a text, it is read.
 */
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
 * Reads the metadata of the page again from a record of ours, because there is no page to read it from, and a second
 * pass would lose title and language. What that record carried is carried on, at the same place after any number of
 * passes.
 */
function addOurs(document: Document<LabelledLine>, fields: Fields): Document<LabelledLine> {
  const before = fields["carried"];
  const added = Object.entries(fields).filter(([name]) => !OURS.has(name));
  const rest = { ...(parseFields(before) ?? { carried: before }), ...Object.fromEntries(added) };
  const told = { ...document, meta: { ...readMeta(fields), ...document.meta } };
  return Object.keys(rest).length === 0 ? told : { ...told, carried: formatJson(rest) };
}

function isOurs({ fingerprint, source, title, lang, meta }: Fields): boolean {
  const isText = (value: unknown): boolean => value === undefined || typeof value === "string";
  const isRecord = typeof fingerprint === "string" && (source === "html" || source === "text");
  return isRecord && isText(title) && isText(lang) && (meta === undefined || typeof meta === "object");
}

/**
 * Reads metadata from the record of another tool. Its fields are kept as well, since such records may mean other things
 * by the same names. A date without title and author is mostly the day of a crawl.
 */
function addStated(meta: Metadata, fields: Fields): Metadata {
  const found: Writable<Metadata> = { ...meta };
  const isNamed = (toText(fields["title"]) ?? toText(fields["author"])) !== undefined;
  for (const [name, theirs] of STATED) {
    const text = toText(fields[theirs]);
    if (text === undefined || (name === "date" && !(isNamed && ISO_DATE.test(text)))) continue;
    found[name] ??= name === "date" ? text.replace(" ", "T") : text;
  }
  return found;
}
