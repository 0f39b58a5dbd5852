/** The language that a text is in into a verdict, and into what the record says. */
import type { Document, LabelledLine } from "../document.js";
import { KEEP, type Filter } from "./filter.js";
import type { Kept } from "./kept.js";
import { toKnownCode } from "./language.js";

/** Keeps texts in one of these languages, by the codes of the library. */
export function createLanguageFilter(wanted: ReadonlySet<string>): Filter {
  const list = [...wanted].join(" ");
  return {
    name: "language",
    judge({ language }) {
      if (language !== undefined && wanted.has(language.code)) return KEEP;
      const found = language === undefined ? "cannot be told" : language.code;
      return { keep: false, reason: "wrong-language", detail: `language: ${found}, wanted ${list}` };
    },
  };
}

/** From here on the text is believed rather than the page. */
const CERTAIN_SHARE = 0.6;
const CERTAIN_LETTERS = 100;

/**
 * The document with the language that its text shows, where the page names none or another. What the page says stays
 * where the text agrees (so "en-GB" stays), and where the text is too short or too mixed to be believed. A note tells
 * what the page said.
 */
export function settleLanguage(
  document: Document<LabelledLine>,
  { language, characters }: Kept,
): Document<LabelledLine> {
  const { lang } = document.meta;
  if (language === undefined || (lang !== undefined && toKnownCode(lang) === language.code)) return document;
  if (lang === undefined) return { ...document, meta: { ...document.meta, lang: language.code } };
  if (language.share < CERTAIN_SHARE || characters.letters < CERTAIN_LETTERS) return document;
  const meta = { ...document.meta, lang: language.code };
  return { ...document, meta, notes: [...document.notes, `lang-stated: ${lang}`] };
}
