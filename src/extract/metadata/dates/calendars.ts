/** Converts days of the calendars that web pages use to ISO 8601. */

/** Returns `2019-05-17` for a year of four digits; undefined for a day that does not exist. */
export function toDate(year: number, month: number, day: number): string | undefined {
  const time = Date.UTC(year, month - 1, day);
  if (!(month >= 1 && month <= 12 && day >= 1 && new Date(time).getUTCMonth() === month - 1))
    return undefined;
  return new Date(time).toISOString().slice(0, 10);
}

/** Names of calendars in `Intl`. */
export type Calendar = "gregory" | "buddhist" | "persian" | "islamic-umalqura" | "ethiopic";

/** Years of the Persian and Islamic calendars that fall into the 20th and 21st century. */
const OTHER_YEARS = { first: 1300, last: 1499 } as const;
/** Later years are counted from the death of the Buddha, 543 years before the first Gregorian year. */
const FIRST_BUDDHIST = 2400;
const BUDDHIST_AHEAD = 543;

/** Languages whose pages also use another calendar; its years cannot be confused with Gregorian years of web pages. */
const OWN_CALENDARS: ReadonlyMap<string, Calendar> = new Map([
  ["ar", "islamic-umalqura"],
  ["fa", "persian"],
  ["prs", "persian"],
  ["ps", "persian"],
]);

/** The calendar that a year belongs to on a page in that language; undefined if no calendar fits. */
export function calendarOf(year: number, lang: string | undefined): Calendar | undefined {
  if (year < OTHER_YEARS.first || (year > OTHER_YEARS.last && year < FIRST_BUDDHIST)) return "gregory";
  const [language = ""] = lang?.toLowerCase().split("-", 1) ?? [];
  if (year >= FIRST_BUDDHIST) return language === "th" ? "buddhist" : undefined;
  return OWN_CALENDARS.get(language) ?? "gregory";
}

/** The Gregorian year; undefined for a calendar whose years span parts of two Gregorian years. */
export function toYear(year: number, calendar: Calendar): number | undefined {
  if (calendar === "gregory") return year;
  return calendar === "buddhist" ? year - BUDDHIST_AHEAD : undefined;
}

/** Converts a day of a calendar: 15 Esfand 1399 gives `2021-03-05`. Undefined for a day that does not exist. */
export function toDay(
  calendar: Calendar,
  [year, month, day]: readonly [year: number, month: number, day: number],
): string | undefined {
  const ours = toYear(year, calendar);
  if (ours !== undefined) return toDate(ours, month, day);
  if (!(month >= 1 && month <= 12 && day >= 1 && day <= 31)) return undefined;
  // Estimates the day from a known one with years and months of mean length, and then searches the days around it.
  const [y, m, d] = readDay(calendar, KNOWN_DAY);
  const days = (year - y + (month - m) / 12) * MEAN_YEAR[calendar] + day - d;
  const wanted = [year, month, day].join();
  const guess = KNOWN_DAY + Math.round(days) * DAY_MS;
  for (let away = -MAX_AWAY; away <= MAX_AWAY; away += 1) {
    const time = guess + away * DAY_MS;
    if (readDay(calendar, time).join() === wanted) return new Date(time).toISOString().slice(0, 10);
  }
  return undefined;
}

export const DAY_MS = 24 * 60 * 60 * 1000;
const KNOWN_DAY = Date.UTC(2000, 0, 1);
/** The largest number of days between the estimate and the wanted day. */
const MAX_AWAY = 8;
const MEAN_YEAR = {
  gregory: 365.2425,
  buddhist: 365.2425,
  persian: 365.2422,
  "islamic-umalqura": 354.367,
  ethiopic: 365.25,
} as const;

const formats = new Map<Calendar, Intl.DateTimeFormat>();

/** Year, month and day of a time (milliseconds since 1970, UTC) in a calendar. */
export function readDay(calendar: Calendar, time: number): readonly [number, number, number] {
  const parts = formatOf(calendar).formatToParts(time);
  const read = (name: string): number => Number(parts.find(({ type }) => type === name)?.value);
  return [read("year"), read("month"), read("day")];
}

function formatOf(calendar: Calendar): Intl.DateTimeFormat {
  let format = formats.get(calendar);
  if (format === undefined) {
    format = new Intl.DateTimeFormat(`en-u-ca-${calendar}-nu-latn`, {
      year: "numeric",
      month: "numeric",
      day: "numeric",
      timeZone: "UTC",
    });
    formats.set(calendar, format);
  }
  return format;
}
