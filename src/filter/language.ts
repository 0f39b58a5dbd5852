/**
 * Identifies the language of a text by its letter sequences; the only file that imports the library `eld`.
 *
 * `eld` 2.1 (Apache-2.0) with its smallest tables: 60 languages. It identifies .99 of the first hundred documents of
 * each of the eleven CORE corpora (1,092 documents, 2026-11-21) correctly; Indonesian counts as Malay, of which it is a
 * standard form. Loading takes .15 s and 85 MB, so it happens only if an option needs the language.
 */
import type { Document, LabelledLine } from "../document.js";
import { normaliseLang } from "../language/language-tag.js";
import { UsageError } from "../outcome.js";
import { KEEP, type Filter } from "./filter.js";
import type { Identify, Kept } from "./kept-text.js";
import type { LanguageOption } from "./options.js";
import { isUnidentifiable } from "./scripts.js";

interface LanguageIdentifier {
  readonly languages: readonly string[];
  readonly identify: Identify;
}

/** The likeliest language of a stretch of a text, and the stretch's length. */
interface First {
  readonly code: string;
  readonly length: number;
}

/**
 * Samples of a long text: the library reads only the first 350 bytes of its input, so the samples are spread over the
 * text.
 */
const STRETCHES = 5;
const STRETCH_LENGTH = 350;
/** With fewer letters, the result would be a guess. */
const FEWEST_LETTERS = 10;

/** The least mean score of a text that is in English for certain: Irish has .4, English .8. */
const SURE_SCORE = 0.6;

/** Standard forms, varieties and old codes of languages, mapped to the code that the library uses. */
const PART_OF: Readonly<Record<string, string>> = {
  bs: "hr",
  ckb: "ku",
  cmn: "zh",
  fil: "tl",
  id: "ms",
  in: "ms",
  iw: "he",
  nb: "no",
  nn: "no",
  prs: "fa",
  yue: "zh",
};

/** Maps a language tag to the library's code: "pt-BR" and "PT" become "pt", "nb" becomes "no". */
export function toKnownCode(tag: string): string {
  const [code = ""] = tag.toLowerCase().split(/[-_]/, 1);
  return PART_OF[code] ?? code;
}

/** Loads the library. */
export async function openLanguageIdentifier(): Promise<LanguageIdentifier> {
  const { eld } = await import("eld/extrasmall");
  const languages = Object.values(eld.info().Languages).sort();
  return {
    languages,
    identify(lines, { letters, script }, lang) {
      if (letters < FEWEST_LETTERS || isUnidentifiable(script)) return undefined;
      const sums = new Map<string, number>();
      const firsts: First[] = [];
      for (const stretch of sample(lines.join("\n"))) {
        const scores = eld.detect(stretch).getScores();
        for (const [code, score] of Object.entries(scores))
          sums.set(code, (sums.get(code) ?? 0) + score * stretch.length);
        const first = highest(Object.entries(scores));
        if (first !== undefined) firsts.push({ code: first, length: stretch.length });
      }
      const code = highest(sums);
      if (code === undefined) return undefined;
      const all = firsts.reduce((sum, { length }) => sum + length, 0);
      const isEnglish = code === "en" && (sums.get(code) ?? 0) / all >= SURE_SCORE;
      const stated = lang === undefined ? code : toKnownCode(lang);
      if (!isEnglish && (stated === "sr" ? code === "hr" : !languages.includes(stated) && fits(stated, code)))
        return { code: stated, share: share(firsts, ({ code: first }) => first !== "en") };
      return { code, share: share(firsts, ({ code: first }) => first === code) };
    },
  };
}

/**
 * Checks whether a text may be in a stated language that the library does not know: it takes such a text for one in a
 * language of the same script. Some pages state the country instead ("se" for Sweden), so the country's language does
 * not fit.
 */
function fits(stated: string, code: string): boolean {
  const scriptOf = (tag: string): string | undefined => new Intl.Locale(tag).maximize().script;
  const isCountry = stated.length === 2 && new Intl.Locale(`und-${stated}`).maximize().language === code;
  return scriptOf(stated) === scriptOf(code) && !isCountry;
}

/** Returns the share of the text that is in stretches for which `test` is true. */
function share(firsts: readonly First[], test: (first: First) => boolean): number {
  const add = (sum: number, { length }: First): number => sum + length;
  return firsts.filter(test).reduce(add, 0) / firsts.reduce(add, 0);
}

/** Returns the key of the highest value; of equal values, the first key in alphabetical order. */
function highest(entries: Iterable<readonly [string, number]>): string | undefined {
  let best: readonly [string, number] | undefined;
  for (const entry of entries) {
    if (best === undefined || entry[1] > best[1] || (entry[1] === best[1] && entry[0] < best[0]))
      best = entry;
  }
  return best?.[0];
}

/** Returns a short text as a whole, or samples at even distances from a long one. */
function sample(text: string): string[] {
  const last = text.length - STRETCH_LENGTH;
  if (last <= 0) return [text];
  const stretches = Math.min(STRETCHES, Math.ceil(text.length / STRETCH_LENGTH));
  return Array.from({ length: stretches }, (_, number) => {
    const start = Math.floor((number * last) / (stretches - 1));
    return text.slice(start, start + STRETCH_LENGTH);
  });
}

/**
 * Returns the wanted languages as codes of the library, or as their own codes if the library does not know them and
 * only records state them. Throws UsageError for an unknown code, and for a single script of a language, because
 * scripts of a language are not told apart.
 */
export function checkLanguages(wanted: readonly string[], known: readonly string[]): ReadonlySet<string> {
  const codes = wanted.map((tag) => {
    const normal = normaliseLang(tag) ?? tag;
    const code = toKnownCode(normal);
    if (/^[a-z]{2,3}-[A-Z][a-z]{3}(?=-|$)/.test(normal))
      throw new UsageError(
        `"${tag}" names a script, but the scripts of a language are not told apart; use ${code}`,
      );
    if (known.includes(code) || isWritten(code)) return code;
    throw new UsageError(
      `there is no language "${tag}"; these can be detected: ${known.join(", ")}; records may state others`,
    );
  });
  return new Set(codes);
}

/** Whether it is the code of a language whose script is known. */
function isWritten(code: string): boolean {
  return normaliseLang(code) !== undefined && new Intl.Locale(code).maximize().script !== undefined;
}

/** Returns the language that the page or the record states. */
function findNamed({ meta: { lang } }: Document<LabelledLine>): string | undefined {
  return lang === undefined ? undefined : toKnownCode(lang);
}

/**
 * Returns the language that the record of a text states, since it was identified from that text. A language that an
 * HTML page states is not returned, because it is often left over from a template.
 */
function findStated(document: Document<LabelledLine>): string | undefined {
  return document.source === "text" ? findNamed(document) : undefined;
}

/** Keeps texts in the wanted languages, by their codes in the library. */
export function createLanguageFilter(wanted: ReadonlySet<string>, by: LanguageOption): Filter {
  const list = [...wanted].join(" ");
  return {
    name: "language",
    judge(kept) {
      const stated = by === "stated" ? findStated(kept.document) : undefined;
      const code = stated ?? kept.language?.code ?? findNamed(kept.document);
      if (code !== undefined && wanted.has(code)) return KEEP;
      const found = code ?? "not detected";
      return { keep: false, reason: "wrong-language", detail: `language: ${found}, wanted ${list}` };
    },
  };
}

/** The least share and number of letters for which the identified language overrides the stated one. */
const CERTAIN_SHARE = 0.6;
const CERTAIN_LETTERS = 100;

/**
 * Sets the language that was identified from the text if the page states none or another one. The stated language stays
 * if the text agrees (so "en-GB" stays), or if the text is too short or too mixed for a certain result. The language of
 * a text's record stays with the option "stated". If a stated language is replaced, a note keeps it.
 */
export function settleLanguage(
  document: Document<LabelledLine>,
  { language, characters }: Kept,
  by: LanguageOption,
): Document<LabelledLine> {
  const { lang } = document.meta;
  if (by === "stated" && findStated(document) !== undefined) return document;
  if (language === undefined || findNamed(document) === language.code) return document;
  if (lang === undefined) return { ...document, meta: { ...document.meta, lang: language.code } };
  if (language.share < CERTAIN_SHARE || characters.letters < CERTAIN_LETTERS) return document;
  const meta = { ...document.meta, lang: language.code };
  return { ...document, meta, notes: [...document.notes, `lang-stated: ${lang}`] };
}
