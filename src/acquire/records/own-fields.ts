/** Names the fields of records that we write, and reads the metadata of the page that their text came from. */
import type { Metadata } from "../../document.js";
import { toFields, toText, type Fields } from "../../json.js";
import { normaliseLang } from "../../language/language-tag.js";
import type { Writable } from "../../writable.js";

/** The fields with the page's metadata, which `readMeta` reads. */
export const META_FIELDS = ["title", "lang", "meta"] as const;

/** The fields that describe a run's own work; the next run replaces them with its own. */
export const RUN_FIELDS = [
  "formatted",
  "words",
  "score",
  "source",
  "page",
  "condition",
  "registers",
  "lines",
  "holders",
  "base",
  "statedTitle",
  "clues",
  "notes",
  "fingerprint",
] as const;

/** The fields of `meta`, in the order in which records have them. */
const NAMES = [
  "author",
  "date",
  "site",
  "modified",
  "description",
  "image",
  "license",
  "tags",
  "categories",
  "canonical",
  "feed",
  "type",
  "reservations",
] as const;

/** Reads the metadata; skips fields of the wrong type. */
export function readMeta(record: Fields): Metadata {
  const given = toFields(record["meta"]);
  const meta: Writable<Metadata> = {};
  const title = toText(record["title"]);
  if (title !== undefined) meta.title = title;
  const lang = toText(record["lang"]);
  const tag = lang === undefined ? undefined : normaliseLang(lang);
  if (tag !== undefined) meta.lang = tag;
  for (const name of NAMES) {
    const value = given[name];
    if (name === "tags" || name === "categories" || name === "reservations") {
      if (Array.isArray(value)) meta[name] = value.filter((one) => typeof one === "string");
    } else {
      const text = toText(value);
      if (text !== undefined) meta[name] = text;
    }
  }
  const from = Object.entries(toFields(given["from"])).filter(([, one]) => typeof one === "string");
  // Values that are not strings were removed above.
  if (from.length > 0) meta.from = Object.fromEntries(from) as Record<string, string>;
  return meta;
}
