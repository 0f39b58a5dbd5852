/** The name of a month, in the language of a page, into its number: what `Intl` writes in dates, long and short. */

/** Tried where a page does not say its language; of the others, a page's own and English. */
const COMMON = ["en", "de", "fr", "es", "it", "pt", "nl", "ru", "pl", "sv"] as const;

/** A word stands alone ("май") and in a date ("5 мая"), long and short. */
const STYLES: readonly Intl.DateTimeFormatOptions[] = [
  { month: "long" },
  { month: "short" },
  { month: "long", day: "numeric", year: "numeric" },
  { month: "short", day: "numeric", year: "numeric" },
];

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
export function monthOf(word: string, lang: string | undefined): number | undefined {
  const name = word.toLowerCase().replace(/\.$/, "").normalize("NFC");
  const own = lang?.split("-", 1)[0];
  const langs = own === undefined ? COMMON : own === "en" ? ["en"] : [own, "en"];
  for (const each of langs) {
    const month = monthsOf(each).get(name);
    if (month !== undefined) return month;
  }
  return undefined;
}

function monthsOf(lang: string): Months {
  return recall(known, lang, () => listMonths(lang));
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

function listMonths(lang: string): Months {
  const months = new Map(ALSO);
  for (const style of STYLES) {
    // Said in the tag, the calendar costs a hundredth of what it costs as an option.
    const format = new Intl.DateTimeFormat(`${lang}-u-ca-gregory-nu-latn`, { ...style, timeZone: "UTC" });
    if (!isLocale(format, lang)) return months;
    for (let month = 1; month <= 12; month += 1) {
      const parts = format.formatToParts(Date.UTC(2020, month - 1, 5));
      const name = parts.find(({ type }) => type === "month")?.value ?? "";
      // Of "de maig" the last word; a number is no name.
      const word = name.toLowerCase().replace(/\.$/, "").normalize("NFC").split(/\s+/).at(-1) ?? "";
      if (/^\p{L}[\p{L}\p{M}]+$/u.test(word) && !months.has(word)) months.set(word, month);
    }
  }
  return months;
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
