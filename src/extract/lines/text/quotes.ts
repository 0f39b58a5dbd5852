/**
 * Finds the quotation marks that browsers draw around `<q>`, by the language of the text around it (HTML, section
 * 15.3.6, and CLDR).
 */
import type { ElementNode } from "../../../document/tree.js";

/**
 * Four characters for each language: the opening and closing marks of a quote, then those of a quote inside another.
 */
const MARKS: ReadonlyMap<string, string> = new Map(
  (
    "ar ”“’‘ be «»„“ bg „“‚‘ bs „”‘’ ca «»“” cs „“‚‘ de „“‚‘ de-ch «»‹› el «»“” es «»“” et „“«» eu «»“” fa «»‹› fi ””’’ fr «»«» " +
    "fr-ch «»‹› he ””’’ hr „”‚‘ hu „”»« hy «»«» is „“‚‘ it «»“” ja 「」『』 ka „“«» lt „“‚‘ mk „“’‘ nb «»‘’ nl ‘’“” nn «»‘’ no «»‘’ pl „”«» " +
    "ro „”«» ru «»„“ sk „“‚‘ sl „“‚‘ sq «»“” sr „”‘’ sv ””’’ tk “”“” uk «»„“ zh-hant 「」『』 zh-hk 「」『』 zh-tw 「」『』"
  )
    .split(" ")
    .flatMap((word, at, words) => (at % 2 === 0 ? [[word, words[at + 1] ?? ""] as const] : [])),
);
const OTHERS = "“”‘’";

export interface Quotes {
  readonly opening: string;
  readonly closing: string;
}

/** Returns the marks of a `<q>`: inside an odd number of other quotes, those for inner quotes in its language. */
export function findQuotes({ parent }: ElementNode): Quotes {
  let depth = 0;
  let lang: string | undefined;
  for (let outer = parent; outer !== null; outer = outer.parent) {
    if (outer.tag === "q") depth += 1;
    if (outer.attributes.size > 0) lang ??= outer.attributes.get("lang") ?? outer.attributes.get("xml:lang");
  }
  const [opening = "", closing = "", innerOpening = "", innerClosing = ""] = marksOf(lang);
  return depth % 2 === 0 ? { opening, closing } : { opening: innerOpening, closing: innerClosing };
}

function marksOf(lang: string | undefined): string {
  const tag = (lang ?? "").slice(0, 35).trim().toLowerCase().replaceAll("_", "-");
  const [language = "", other = ""] = tag.split("-");
  return MARKS.get(`${language}-${other}`) ?? MARKS.get(language) ?? OTHERS;
}

/** Quotation marks that a page writes itself, inside a `<q>` or right before it. */
const OWN_INSIDE = /^["“”„«»‘‚‹›「『]/;
const OWN_BEFORE = /(?:["“”„»‘‚›]|[«‹「『]\s?)$/;

/** Checks for such a mark at the end of the text before a quote, or at the beginning of its text. */
export function hasOwnQuotes(before: string, inside: string): boolean {
  return OWN_INSIDE.test(inside) || OWN_BEFORE.test(before);
}
