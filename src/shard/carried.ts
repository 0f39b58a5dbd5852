/** A document and what its record carried into the document with both. */
import type { Carried, Document, LabelledLine, Metadata } from "../document.js";

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
  const found: Mutable<Metadata> = { ...document.meta };
  for (const [name, value] of Object.entries({ title, lang, ...pick(stated) }))
    if (isName(name) && typeof value === "string" && value !== "") found[name] ??= value;
  return { ...document, meta: found, carried: rest };
}

function isOurs({ fingerprint, source, title, lang, meta }: Carried): boolean {
  const isText = (value: unknown): boolean => value === undefined || typeof value === "string";
  const isRecord = typeof fingerprint === "string" && (source === "html" || source === "text");
  return isRecord && isText(title) && isText(lang) && (meta === undefined || typeof meta === "object");
}

function pick({ author, date, site }: Carried): Carried {
  return { author, date, site };
}

function isName(name: string): name is keyof Metadata {
  return ["title", "lang", "author", "date", "site"].includes(name);
}
