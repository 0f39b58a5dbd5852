/** Turns days of the calendars by which pages count into ISO 8601. */

/** `2019-05-17`, of a year of four digits; undefined for a day that does not exist. */
export function toDate(year: number, month: number, day: number): string | undefined {
  const time = Date.UTC(year, month - 1, day);
  if (!(month >= 1 && month <= 12 && day >= 1 && new Date(time).getUTCMonth() === month - 1))
    return undefined;
  return new Date(time).toISOString().slice(0, 10);
}

/** As `Intl` calls them. */
export type Calendar = "gregory" | "buddhist" | "persian" | "islamic-umalqura";

/** Years of Iran and Afghanistan, and of the Hijra, that are of our 20th and 21st century. */
const OTHER_YEARS = { first: 1300, last: 1499 } as const;
/** Later years are those of the Buddha, who died 543 years before our first. */
const FIRST_BUDDHIST = 2400;
const BUDDHIST_AHEAD = 543;

/** By languages whose pages count so beside our way; their years of our calendar have other numbers. */
const OWN_CALENDARS: ReadonlyMap<string, Calendar> = new Map([
  ["ar", "islamic-umalqura"],
  ["fa", "persian"],
  ["prs", "persian"],
  ["ps", "persian"],
]);

/** The calendar of a year on a page in that language; undefined where there is none. */
export function calendarOf(year: number, lang: string | undefined): Calendar | undefined {
  if (year < OTHER_YEARS.first || (year > OTHER_YEARS.last && year < FIRST_BUDDHIST)) return "gregory";
  const [language = ""] = lang?.toLowerCase().split("-", 1) ?? [];
  if (year >= FIRST_BUDDHIST) return language === "th" ? "buddhist" : undefined;
  return OWN_CALENDARS.get(language) ?? "gregory";
}

/** Our year, or undefined where a year of that calendar is parts of two of ours. */
export function toYear(year: number, calendar: Calendar): number | undefined {
  if (calendar === "gregory") return year;
  return calendar === "buddhist" ? year - BUDDHIST_AHEAD : undefined;
}

/** `2021-03-05` of 15 Esfand 1399; undefined for a day that does not exist. */
export function toDay(
  calendar: Calendar,
  [year, month, day]: readonly [year: number, month: number, day: number],
): string | undefined {
  const ours = toYear(year, calendar);
  if (ours !== undefined) return toDate(ours, month, day);
  if (!(month >= 1 && month <= 12 && day >= 1 && day <= 31)) return undefined;
  // From a day of known date by years and months of mean length, and then by days.
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
/** Days that the lengths of months and years differ from the mean. */
const MAX_AWAY = 8;
const MEAN_YEAR = {
  gregory: 365.2425,
  buddhist: 365.2425,
  persian: 365.2422,
  "islamic-umalqura": 354.367,
} as const;

const formats = new Map<Calendar, Intl.DateTimeFormat>();

/** Year, month and day of a time in a calendar, in UTC. */
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
