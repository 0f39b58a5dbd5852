/** Finds the days that a text names: numbers and names of months, in the language of the page. */
import { toDate } from "./date.js";

interface FoundDate {
  /** `2019-05-17`. */
  readonly date: string;
  /** Offsets [start, end) into the text. */
  readonly start: number;
  readonly end: number;
}

/** Characters that are read of a text, and dates that are taken from it: more is no line about a date. */
const MAX_TEXT = 300;
const MAX_DATES = 10;

const YEAR = "(?<year>(?:19|20|25)\\d\\d)(?!\\.?\\d)";
const DAY = "(?<![\\d.,:/-])(?<day>\\d{1,2})(?:st|nd|rd|th|er|ST|ND|RD|TH|º|ª|[-‑]?(?:го|е))?";
/** A word. Without the classes of Unicode: an expression that has them takes a tenth of a second to get ready. */
const NAME = "(?<name>[^\\s\\d.,;:!?()[\\]/|·•–—-]{2,15})\\.?";
/** What is written between the parts: "5 de mayo de 2019", "5. Mai 2019", "5 мая, 2019". */
const GAP = "\\s{0,3}[.,/-]?\\s{0,3}(?:(?:[Dd][ei]l?|of)\\s{1,3}|[Dd]['’]\\s{0,3})?";

const FORMS: readonly RegExp[] = [
  // 2019-05-17, 2019/5/17, 2019. 5. 17., 2019年5月17日, 2019년 5월 17일
  "(?<![\\d/-])(?<year>(?:19|20|25)\\d\\d)(?:\\s?[年년]\\s?|[-/]|\\.\\s?)(?<month>\\d{1,2})(?:\\s?[月월]\\s?|[-/]|\\.\\s?)(?<day>\\d{1,2})(?![\\d/])",
  // 17.05.2019, 17. 5. 2019
  `(?<![\\d.])(?<day>\\d{1,2})\\.\\s?(?<month>\\d{1,2})\\.\\s?${YEAR}`,
  // 17/05/2019, 5-17-2019
  `(?<![\\d/-])(?<one>\\d{1,2})(?<mark>[/-])(?<two>\\d{1,2})\\k<mark>${YEAR}`,
  // 17 May 2019, 17 de mayo de 2019
  `${DAY}${GAP}${NAME}${GAP}${YEAR}`,
  // 17 tháng 5, 2019
  `${DAY}\\s{1,3}[Tt]háng\\s{1,3}(?<month>\\d{1,2}),?\\s{1,3}(?:năm\\s{1,3})?${YEAR}`,
  // May 17, 2019
  `(?<![^\\s\\d.,;:!?()[\\]/|·•–—-])${NAME}\\s{1,3}(?<day>\\d{1,2})(?:st|nd|rd|th|ST|ND|RD|TH)?,?\\s{1,3}${YEAR}`,
  // 2019. május 17.
  `(?<![\\d.,:/-])${YEAR}\\.?\\s{1,3}${NAME}\\s{1,3}(?<day>\\d{1,2})(?!\\.?\\d|:)`,
].map((form) => new RegExp(form, "g"));

/** In the order of the text. Those that are ambiguous (03/04/2020, unless `lang` tells) or do not exist are left out. */
export function findDates(source: string, lang: string | undefined): readonly FoundDate[] {
  // Every date has a year, and hardly any other text has.
  const text = toLatinDigits(source.slice(0, MAX_TEXT));
  if (!/(?:19|20|25)\d\d/.test(text)) return findShortDate(text);
  const found: FoundDate[] = [];
  for (const form of FORMS) {
    for (const match of text.matchAll(form)) {
      const date = readMatch(match.groups ?? {}, lang);
      const start = match.index;
      const end = start + match[0].length;
      if (date === undefined || found.some((other) => start < other.end && other.start < end)) continue;
      found.push({ date, start, end });
      if (found.length >= MAX_DATES) return found;
    }
  }
  return found.sort((a, b) => a.start - b.start);
}

/** 17.05.19 by itself, as pages in German write it; beside other words it may be a version or a sum of money. */
const SHORT = /^\s*(?<day>\d\d)\.(?<month>\d\d)\.(?<short>\d\d)\s*$/;

function findShortDate(text: string): readonly FoundDate[] {
  const match = SHORT.exec(text);
  const { day, month, short } = match?.groups ?? {};
  const date = toDate(2000 + Number(short), Number(month), Number(day));
  return date === undefined ? [] : [{ date, start: text.search(/\d/), end: text.trimEnd().length }];
}

/** The zeros of Arabic, Persian, Devanagari, Bengali and Thai digits, and the digits of all as a class of characters. */
const ZEROS = [0x660, 0x6f0, 0x966, 0x9e6, 0xe50] as const;
const OTHER_DIGITS = ZEROS.map(
  (zero) => `${String.fromCharCode(zero)}-${String.fromCharCode(zero + 9)}`,
).join("");
const OTHER_DIGIT = new RegExp(`[${OTHER_DIGITS}]`, "g");

/** As a year has, or a date without its century. */
export const DATE_DIGITS = new RegExp(`[\\d${OTHER_DIGITS}]{4}|\\d\\d\\.\\d\\d\\.\\d\\d`);

/** As many characters as before, so that offsets stay. */
function toLatinDigits(text: string): string {
  return text.replace(OTHER_DIGIT, (digit) => {
    const code = digit.charCodeAt(0);
    return String(code - (ZEROS.findLast((zero) => zero <= code) ?? code));
  });
}

type Groups = Readonly<Record<string, string | undefined>>;

function readMatch(groups: Groups, lang: string | undefined): string | undefined {
  const { day, month, name, one, two } = groups;
  const year = readYear(Number(groups["year"]), lang);
  if (year === undefined) return undefined;
  if (one !== undefined && two !== undefined) return readNumbers(year, Number(one), Number(two), lang);
  const monthNumber = name === undefined ? Number(month) : monthOf(name, lang);
  return monthNumber === undefined ? undefined : toDate(year, monthNumber, Number(day));
}

/** Thai pages count years from the Buddha's death. */
function readYear(year: number, lang: string | undefined): number | undefined {
  if (year < 2400) return year;
  return lang === "th" || lang?.startsWith("th-") === true ? year - 543 : undefined;
}

function readNumbers(year: number, one: number, two: number, lang: string | undefined): string | undefined {
  if (one === two) return toDate(year, one, two);
  if (one > 12) return toDate(year, two, one);
  if (two > 12) return toDate(year, one, two);
  const first = firstOfNumbers(lang);
  if (first === undefined) return undefined;
  return first === "day" ? toDate(year, two, one) : toDate(year, one, two);
}

/* Names of months: what `Intl` writes in dates in the language of a page, long and short. */

/** Tried where a page does not say its language; of the others, a page's own and English. */
const COMMON = ["en", "de", "fr", "es", "it", "pt", "nl", "ru", "pl", "sv"] as const;

/** The name alone ("май") and in a date ("5 мая"), long and short. */
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
