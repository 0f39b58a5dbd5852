/** Looks up how a language writes dates: the names of its months, and whether the day or the month comes first. */
import { readDay, type Calendar } from "./calendars.js";

/** Languages to try if a page does not state its own. If it does, its language and English are tried first. */
const COMMON = ["en", "de", "fr", "es", "it", "pt", "nl", "ru", "pl", "sv"] as const;

/** The name alone ("май") and in a date ("5 мая"), in long and short form. */
const STYLES: readonly Intl.DateTimeFormatOptions[] = [
  { month: "long" },
  { month: "short" },
  { month: "long", day: "numeric", year: "numeric" },
  { month: "short", day: "numeric", year: "numeric" },
];

/** Locales with other month names that are used for the same language. */
const REGIONS: Readonly<Record<string, readonly string[]>> = {
  ar: ["ar-LB", "ar-DZ", "ar-MA"],
  de: ["de-AT"],
  es: ["es-UY"],
  fa: ["fa-AF"],
  sr: ["sr-Latn"],
};

/** Letters that are written together with a month's name, before it ("in March", "month March") or after it. */
const PREFIXES: Readonly<Record<string, string>> = { he: "ב", km: "ខែ", th: "เดือน" };
const SUFFIXES: Readonly<Record<string, string>> = { eu: "ren", my: "လ" };

/** The second words of Arabic month names, in the Levant and in the Islamic calendar. */
export const SECOND_WORD = "(?:ال[أا]ول[ىي]?|الثاني|الآخرة?|القعدة|الحجة)";
const SECOND = new RegExp(` ${SECOND_WORD}$`);

/** Names that people write although no locale has them. */
const ALSO: readonly (readonly [string, number])[] = [
  ["sept", 9],
  ["mrz", 3],
  // French, Russian and Ukrainian boards.
  ["fév", 2],
  ["aoû", 8],
  ["фев", 2],
  ["сен", 9],
  ["ноя", 11],
  ["кві", 4],
  ["тра", 5],
  ["чер", 6],
  ["сер", 8],
  ["жов", 10],
  ["лис", 11],
  ["гру", 12],
  // Egypt.
  ["يونيه", 6],
  ["يوليه", 7],
];

type Months = ReadonlyMap<string, number>;

/** Month names by language and calendar, filled when a page needs them. */
const known = new Map<string, Months>();
/** The number of entries before a cache is cleared, since pages may invent any number of language tags. */
const MAX_KNOWN = 500;

/** Returns 1 to 12, or undefined for a word that is no month. `lang`: the page's language, if it states one. */
export function monthOf(
  word: string,
  lang: string | undefined,
  calendar: Calendar = "gregory",
): number | undefined {
  const name = toKey(toMonthName(word));
  const own = lang?.split("-", 1)[0];
  if (own !== undefined && calendar !== "gregory" && calendar !== "buddhist")
    return monthsOf(own, calendar).get(name);
  const langs = own === undefined ? COMMON : own === "en" ? ["en"] : [own, "en"];
  for (const each of langs) {
    const month = monthsOf(each).get(name);
    if (month !== undefined) return month;
  }
  const ofScript = langsOfScript(name);
  if (ofScript.length > 0) return monthIn(ofScript, name);
  return own === undefined || name.length < MIN_FOREIGN ? undefined : monthIn(FOREIGN, name);
}

/** Languages that are written in one script, by the range of its characters: pages may state none of them. */
const SCRIPTS: readonly { readonly from: number; readonly to: number; readonly langs: readonly string[] }[] =
  [
    { from: 0x370, to: 0x3ff, langs: ["el"] },
    { from: 0x400, to: 0x52f, langs: ["ru", "uk", "bg", "sr", "mk", "be", "kk"] },
    { from: 0x530, to: 0x58f, langs: ["hy"] },
    { from: 0x590, to: 0x5ff, langs: ["he"] },
    { from: 0x600, to: 0x6ff, langs: ["ar", "fa", "ur"] },
    { from: 0x900, to: 0x97f, langs: ["hi", "mr", "ne"] },
    { from: 0x980, to: 0x9ff, langs: ["bn"] },
    { from: 0xa00, to: 0xa7f, langs: ["pa"] },
    { from: 0xa80, to: 0xaff, langs: ["gu"] },
    { from: 0xb00, to: 0xb7f, langs: ["or"] },
    { from: 0xb80, to: 0xbff, langs: ["ta"] },
    { from: 0xc00, to: 0xc7f, langs: ["te"] },
    { from: 0xc80, to: 0xcff, langs: ["kn"] },
    { from: 0xd00, to: 0xd7f, langs: ["ml"] },
    { from: 0xd80, to: 0xdff, langs: ["si"] },
    { from: 0xe00, to: 0xe7f, langs: ["th"] },
    { from: 0xe80, to: 0xeff, langs: ["lo"] },
    { from: 0x1000, to: 0x109f, langs: ["my"] },
    { from: 0x10a0, to: 0x10ff, langs: ["ka"] },
    { from: 0x1200, to: 0x137f, langs: ["am"] },
    { from: 0x1780, to: 0x17ff, langs: ["km"] },
  ];

function langsOfScript(name: string): readonly string[] {
  const code = name.charCodeAt(0);
  return SCRIPTS.find(({ from, to }) => code >= from && code <= to)?.langs ?? [];
}

/** Languages that are also tried, because many pages state the language of their template. */
const FOREIGN = [...COMMON, "ro", "tr", "cs", "hr", "da", "uk", "el", "id"] as const;
/**
 * The least length of such a name in characters; shorter ones may be words of another language: "set", "out", "mars".
 */
const MIN_FOREIGN = 5;

/** The month that these languages agree on; undefined if they differ, as "listopad" is two months. */
function monthIn(langs: readonly string[], name: string): number | undefined {
  const months = new Set(langs.map((lang) => monthsOf(lang).get(name)));
  months.delete(undefined);
  const [only, other] = months;
  return other === undefined ? only : undefined;
}

function toMonthName(word: string): string {
  return word.toLowerCase().replace(/[.॰]$/, "").normalize("NFC").replace(/\s+/g, " ");
}

/** A name without the differences between the keyboards and spellings of Arabic, Persian and Urdu. */
function toKey(name: string): string {
  return name.replace(/[أإآ]/g, "ا").replace(/[يى]/g, "ی").replace(/ك/g, "ک");
}

function monthsOf(lang: string, calendar: Calendar = "gregory"): Months {
  return recall(known, `${lang}-u-ca-${calendar}`, () => {
    const months = new Map(calendar === "gregory" ? ALSO.map(([name, month]) => [toKey(name), month]) : []);
    for (const locale of [lang, ...(REGIONS[lang] ?? [])]) addMonths(months, locale, calendar);
    return months;
  });
}

function recall<T>(memory: Map<string, T>, key: string, make: () => T): T {
  const value = memory.get(key);
  // The cached value may be undefined.
  if (value !== undefined || memory.has(key)) return value as T;
  if (memory.size >= MAX_KNOWN) memory.clear();
  const made = make();
  memory.set(key, made);
  return made;
}

function addMonths(months: Map<string, number>, locale: string, calendar: Calendar): void {
  const add = (name: string, month: number): void => {
    const key = toKey(name);
    if (/^\p{L}[\p{L}\p{M}. ׳’\u200c\u200d]+$/u.test(name) && !months.has(key)) months.set(key, month);
  };
  const prefix = PREFIXES[locale];
  const suffix = SUFFIXES[locale];
  for (const style of STYLES) {
    // Passing the calendar in the tag costs a hundredth of what passing it as an option costs.
    const format = new Intl.DateTimeFormat(`${locale}-u-ca-${calendar}-nu-latn`, {
      ...style,
      timeZone: "UTC",
    });
    if (!isLocale(format, locale)) return;
    for (let at = 0; at < 12; at += 1) {
      // These days are in twelve different months of each calendar.
      const time = Date.UTC(2020, at, 5);
      const month = calendar === "gregory" ? at + 1 : readDay(calendar, time)[1];
      const parts = format.formatToParts(time);
      const name = toMonthName(parts.find(({ type }) => type === "month")?.value ?? "");
      // The last word is the name ("maig" of "de maig"); `add` skips numbers.
      const word = SECOND.test(name) ? name : (name.split(/\s+/).at(-1) ?? "");
      add(word, month);
      if (prefix !== undefined) add(prefix + word, month);
      if (suffix !== undefined) add(word + suffix, month);
    }
  }
}

const orders = new Map<string, "day" | "month" | undefined>();

/**
 * Which number comes first in 03/04/2020 in that language. Undefined if customs differ (English without a region is
 * both British and American), or if the language is unknown.
 */
export function firstOfNumbers(lang: string | undefined): "day" | "month" | undefined {
  if (lang === undefined) return undefined;
  const [, language = "", region] = LOCALE.exec(lang) ?? [];
  if (language === "" || (language === "en" && region === undefined)) return undefined;
  const locale = region === undefined ? language : `${language}-${region}`;
  return recall(orders, locale, () => readOrder(locale));
}

/** Language and region of a tag. `Intl` rejects some tags that are longer (RFC 5646, section 2.1). */
const LOCALE = /^([a-z]{2,3})(?:-[a-z]{3}){0,3}(?:-[a-z]{4})?(?:-([a-z]{2}|\d{3}))?(?![^-])/i;

function readOrder(lang: string): "day" | "month" | undefined {
  const format = new Intl.DateTimeFormat(`${lang}-u-ca-gregory`, { timeZone: "UTC" });
  if (!isLocale(format, lang)) return undefined;
  const [first] = format
    .formatToParts(0)
    .filter(({ type }) => type === "day" || type === "month" || type === "year");
  return first?.type === "day" || first?.type === "month" ? first.type : undefined;
}

/**
 * `Intl` uses the system's language for an unknown one. Comparing is cheap; listing the known ones takes half a second.
 */
function isLocale(format: Intl.DateTimeFormat, lang: string): boolean {
  return format.resolvedOptions().locale.split("-", 1)[0] === lang.split("-", 1)[0];
}
