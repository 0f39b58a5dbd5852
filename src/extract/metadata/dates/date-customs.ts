/** Tells how people of a language write dates: what the months are called, and whether the day or the month is first. */
import { readDay, type Calendar } from "./calendars.js";

/** Tried where a page does not say its language; of the others, a page's own and English. */
const COMMON = ["en", "de", "fr", "es", "it", "pt", "nl", "ru", "pl", "sv"] as const;

/** The name alone ("май") and in a date ("5 мая"), long and short. */
const STYLES: readonly Intl.DateTimeFormatOptions[] = [
  { month: "long" },
  { month: "short" },
  { month: "long", day: "numeric", year: "numeric" },
  { month: "short", day: "numeric", year: "numeric" },
];

/** Locales whose names of months people use elsewhere, too. */
const REGIONS: Readonly<Record<string, readonly string[]>> = {
  ar: ["ar-LB", "ar-DZ", "ar-MA"],
  de: ["de-AT"],
  es: ["es-UY"],
  fa: ["fa-AF"],
  sr: ["sr-Latn"],
};

/** What is written together with a name, before it ("in March") or behind it ("of March"). */
const PREFIXES: Readonly<Record<string, string>> = { he: "ב" };
const SUFFIXES: Readonly<Record<string, string>> = { eu: "ren" };

/** The second words of Arabic names: those of the Levant, and of the Islamic year. */
export const SECOND_WORD = "(?:ال[أا]ول[ىي]?|الثاني|الآخرة?|القعدة|الحجة)";
const SECOND = new RegExp(` ${SECOND_WORD}$`);

/** What no locale writes and people do. */
const ALSO: readonly (readonly [string, number])[] = [
  ["sept", 9],
  ["mrz", 3],
];

type Months = ReadonlyMap<string, number>;

/** By language; made when a page needs them. */
const known = new Map<string, Months>();
/** Languages that are remembered; pages may invent as many as they like. */
const MAX_KNOWN = 500;

/** 1 to 12; undefined for another word. `lang` is the page's, where it says one. */
export function monthOf(
  word: string,
  lang: string | undefined,
  calendar: Calendar = "gregory",
): number | undefined {
  const name = toMonthName(word);
  const own = lang?.split("-", 1)[0];
  if (own !== undefined && calendar !== "gregory" && calendar !== "buddhist")
    return monthsOf(own, calendar).get(name);
  const langs = own === undefined ? COMMON : own === "en" ? ["en"] : [own, "en"];
  for (const each of langs) {
    const month = monthsOf(each).get(name);
    if (month !== undefined) return month;
  }
  return own === undefined || name.length < MIN_FOREIGN ? undefined : monthElsewhere(name);
}

/** Many pages say that they are in the language of their template. */
const FOREIGN = [...COMMON, "ro", "tr", "cs", "hr", "da", "uk", "el", "id"] as const;
/** Shorter names may be words of another language: "set", "out", "mars". */
const MIN_FOREIGN = 5;

/** The month that all languages agree on which have one of that name: "listopad" is two. */
function monthElsewhere(name: string): number | undefined {
  const months = new Set(FOREIGN.map((lang) => monthsOf(lang).get(name)));
  months.delete(undefined);
  const [only, other] = months;
  return other === undefined ? only : undefined;
}

function toMonthName(word: string): string {
  return word.toLowerCase().replace(/\.$/, "").normalize("NFC").replace(/\s+/g, " ");
}

function monthsOf(lang: string, calendar: Calendar = "gregory"): Months {
  return recall(known, `${lang}-u-ca-${calendar}`, () => {
    const months = new Map(calendar === "gregory" ? ALSO : []);
    for (const locale of [lang, ...(REGIONS[lang] ?? [])]) addMonths(months, locale, calendar);
    return months;
  });
}

function recall<T>(memory: Map<string, T>, key: string, make: () => T): T {
  const value = memory.get(key);
  // What is kept may be undefined itself.
  if (value !== undefined || memory.has(key)) return value as T;
  if (memory.size >= MAX_KNOWN) memory.clear();
  const made = make();
  memory.set(key, made);
  return made;
}

function addMonths(months: Map<string, number>, locale: string, calendar: Calendar): void {
  const add = (name: string, month: number): void => {
    if (/^\p{L}[\p{L}\p{M}. ]+$/u.test(name) && !months.has(name)) months.set(name, month);
  };
  const prefix = PREFIXES[locale];
  const suffix = SUFFIXES[locale];
  for (const style of STYLES) {
    // Said in the tag, the calendar costs a hundredth of what it costs as an option.
    const format = new Intl.DateTimeFormat(`${locale}-u-ca-${calendar}-nu-latn`, {
      ...style,
      timeZone: "UTC",
    });
    if (!isLocale(format, locale)) return;
    for (let at = 0; at < 12; at += 1) {
      // These days are of twelve months in each of the calendars.
      const time = Date.UTC(2020, at, 5);
      const month = calendar === "gregory" ? at + 1 : readDay(calendar, time)[1];
      const parts = format.formatToParts(time);
      const name = toMonthName(parts.find(({ type }) => type === "month")?.value ?? "");
      // Of "de maig" the last word; a number is no name.
      const word = SECOND.test(name) ? name : (name.split(/\s+/).at(-1) ?? "");
      add(word, month);
      if (prefix !== undefined) add(prefix + word, month);
      if (suffix !== undefined) add(word + suffix, month);
    }
  }
}

const orders = new Map<string, "day" | "month" | undefined>();

/**
 * What comes first in 03/04/2020, by the customs of the language; undefined where they differ: English without a region
 * is both British and American.
 */
export function firstOfNumbers(lang: string | undefined): "day" | "month" | undefined {
  if (lang === undefined) return undefined;
  const [, language = "", region] = LOCALE.exec(lang) ?? [];
  if (language === "" || (language === "en" && region === undefined)) return undefined;
  const locale = region === undefined ? language : `${language}-${region}`;
  return recall(orders, locale, () => readOrder(locale));
}

/** Language and region of a tag decide; what else it says may be more than `Intl` takes (RFC 5646, section 2.1). */
const LOCALE = /^([a-z]{2,3})(?:-[a-z]{3}){0,3}(?:-[a-z]{4})?(?:-([a-z]{2}|\d{3}))?(?![^-])/i;

function readOrder(lang: string): "day" | "month" | undefined {
  const format = new Intl.DateTimeFormat(`${lang}-u-ca-gregory`, { timeZone: "UTC" });
  if (!isLocale(format, lang)) return undefined;
  const [first] = format
    .formatToParts(0)
    .filter(({ type }) => type === "day" || type === "month" || type === "year");
  return first?.type === "day" || first?.type === "month" ? first.type : undefined;
}

/** A language that is not known has the system's instead; asking for the known ones costs half a second. */
function isLocale(format: Intl.DateTimeFormat, lang: string): boolean {
  return format.resolvedOptions().locale.split("-", 1)[0] === lang.split("-", 1)[0];
}
