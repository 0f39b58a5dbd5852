/** Converts a date as pages write it to ISO 8601, with the precision and the offset that the page states. */
import { calendarOf, DAY_MS, toDay, toYear } from "./calendars.js";

const MONTHS = ["jan", "feb", "mar", "apr", "may", "jun", "jul", "aug", "sep", "oct", "nov", "dec"] as const;

interface Parts {
  readonly year?: string | undefined;
  readonly month?: string | undefined;
  readonly day?: string | undefined;
  readonly hour?: string | undefined;
  readonly minute?: string | undefined;
  readonly second?: string | undefined;
  readonly zone?: string | undefined;
  /** The name of a time zone, which may be ambiguous. */
  readonly named?: string | undefined;
}

const TIME =
  "(?<hour>\\d{1,2}):(?<minute>\\d{2})(?::(?<second>\\d{2})(?:[.,]\\d{1,9})?)?\\s*(?<zone>z|utc|gmt|[+-]\\d{2}:?\\d{2}|[+-]\\d{2})?(?:\\s*(?<named>[a-z]{3,4})|\\s+[+-]\\d{4})?";
const BASIC_TIME = "(?<hour>\\d{2})(?<minute>\\d{2})(?<second>\\d{2})?(?<zone>z|[+-]\\d{2}:?\\d{2})?";
/** The Finnish "marraskuu" begins like March and is November. */
const NAMED_MONTH = `(?!marras)(?<month>${MONTHS.join("|")})[a-z]{0,6}\\.?`;

/** The forms in which day and month cannot be confused. */
const FORMS: readonly RegExp[] = [
  `(?<year>\\d{4})(?:-(?<month>\\d{2})(?:-(?<day>\\d{2})(?:[t\\s]\\s*${TIME})?)?)?`,
  `(?<year>\\d{4})/(?<month>\\d{1,2})(?:/(?<day>\\d{1,2})(?:\\s+${TIME})?)?`,
  // "20100312T142056Z" is the basic form of ISO 8601, "20100312;14205600" a form of LibreOffice and OpenOffice.
  `(?<year>\\d{4})(?<month>\\d{2})(?<day>\\d{2})(?:;\\d{5,8}|t?${BASIC_TIME})?`,
  `(?<day>\\d{1,2})\\.\\s?(?<month>\\d{1,2})\\.\\s?(?<year>\\d{4})(?:,?\\s+${TIME})?`,
  `(?:[a-z]{3,9},?\\s+)?(?<day>\\d{1,2})\\s+${NAMED_MONTH},?\\s+(?<year>\\d{4})(?:,?\\s+${TIME})?`,
  `(?:[a-z]{3,9},?\\s+)?${NAMED_MONTH}\\s+(?<day>\\d{1,2}),?\\s+(?<year>\\d{4})(?:,?\\s+${TIME})?`,
  // "Tue Mar 11 21:14:02 CET 2003" is the form of `date` in Unix.
  `[a-z]{3}\\s+${NAMED_MONTH}\\s+(?<day>\\d{1,2})\\s+${TIME}\\s+(?<year>\\d{4})`,
].map((form) => new RegExp(`^${form}$`, "i"));

/** The largest length of a date in characters; the forms above are fast on texts of this length. */
const MAX_LENGTH = 60;

export interface DateBounds {
  /**
   * For a date that the page states. It may be centuries old, because old papers and newspapers are on the web, too.
   */
  readonly canBeStated: (date: string) => boolean;
  /**
   * For a date that is only shown on the page. It cannot be earlier than 1990, since there were no web pages before.
   */
  readonly canBeShown: (date: string) => boolean;
}

/** Accepts dates up to tomorrow, which has begun somewhere on Earth, except for the day on which Unix time begins. */
export function boundDates(now: Date): DateBounds {
  const tomorrow = new Date(now.getTime() + DAY_MS).toISOString().slice(0, 10);
  const canBeStated = (date: string): boolean =>
    date.slice(0, 10) <= tomorrow && !date.startsWith("1970-01-01");
  return { canBeStated, canBeShown: (date) => canBeStated(date) && date >= "1990" };
}

/**
 * Undefined if the value is no date, is ambiguous (03/04/2020) or does not exist (31 February). Years are read by the
 * calendar that pages in that language use.
 */
export function normaliseDate(value: string, lang?: string): string | undefined {
  const text = value.trim();
  if (text.length > MAX_LENGTH) return undefined;
  for (const form of FORMS) {
    const parts = form.exec(text)?.groups;
    if (parts !== undefined) return formatParts(parts, lang);
  }
  return undefined;
}

function formatParts(parts: Parts, lang: string | undefined): string | undefined {
  const { month, day } = parts;
  const stated = Number(parts.year);
  const calendar = calendarOf(stated, lang);
  if (stated < 1000 || calendar === undefined) return undefined;
  const year = toYear(stated, calendar);
  if (month === undefined) return year?.toString();
  const monthNumber = MONTHS.findIndex((name) => month.toLowerCase().startsWith(name)) + 1 || Number(month);
  if (!(monthNumber >= 1 && monthNumber <= 12)) return undefined;
  if (day === undefined) return year === undefined ? undefined : `${year}-${pad(monthNumber)}`;
  const date = toDay(calendar, [stated, monthNumber, Number(day)]);
  if (date === undefined) return undefined;
  const isUnsure = parts.named !== undefined && parts.zone === undefined;
  return parts.hour === undefined || isUnsure ? date : addTime(date, parts);
}

/** Adds the time to a date; returns the date alone if the time does not exist. */
function addTime(date: string, { hour, minute, second, zone }: Parts): string {
  if (Number(hour) > 23 || Number(minute) > 59 || Number(second ?? 0) > 60) return date;
  const seconds = second === undefined ? "" : `:${second}`;
  return `${date}T${pad(Number(hour))}:${minute ?? "00"}${seconds}${formatZone(zone)}`;
}

function formatZone(zone: string | undefined): string {
  if (zone === undefined) return "";
  if (/^[a-z]/i.test(zone)) return "Z";
  const digits = zone.slice(1).replace(":", "").padEnd(4, "0");
  return `${zone.charAt(0)}${digits.slice(0, 2)}:${digits.slice(2)}`;
}

function pad(number: number): string {
  return String(number).padStart(2, "0");
}
