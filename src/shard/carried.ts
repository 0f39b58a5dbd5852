/** A document and what its record carried into the document with both. */
import type { Carried, Document, LabelledLine, Metadata } from "../document.js";

const NAMES = ["title", "lang", "author", "date", "site"] as const;

type Mutable<T> = { -readonly [K in keyof T]: T[K] };

/**
 * What a record of ours says of the page that its text came from is said of the text again: no page is there to say it,
 * and a second pass would lose title and language. Other records mean by the same names what they like.
 */
export function addCarried(
  document: Document<LabelledLine>,
  carried: Carried | undefined,
): Document<LabelledLine> {
  if (carried === undefined) return document;
  if (document.source === "html" || !isOurs(carried)) return { ...document, carried };
  const { title, lang, meta, ...rest } = carried;
  // Any object may be read by key; what is found is looked at.
  const stated = (typeof meta === "object" && meta !== null ? meta : {}) as Carried;
  const said: Carried = { ...stated, title, lang };
  const found: Mutable<Metadata> = { ...document.meta };
  for (const name of NAMES) {
    const value = said[name];
    if (typeof value === "string" && value !== "") found[name] ??= value;
  }
  return { ...document, meta: found, carried: rest };
}

function isOurs({ fingerprint, source, title, lang, meta }: Carried): boolean {
  const isText = (value: unknown): boolean => value === undefined || typeof value === "string";
  const isRecord = typeof fingerprint === "string" && (source === "html" || source === "text");
  return isRecord && isText(title) && isText(lang) && (meta === undefined || typeof meta === "object");
}
