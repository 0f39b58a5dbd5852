/** Text into the days that it names: numbers and names of months, in the language of the page. */
import { toDate } from "./date.js";
import { firstOfNumbers, monthOf } from "./month-names.js";

export interface FoundDate {
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
/** What stands between the parts: "5 de mayo de 2019", "5. Mai 2019", "5 мая, 2019". */
const GAP = "\\s{0,3}[.,/-]?\\s{0,3}(?:(?:[Dd][ei]l?|[Dd]['’]|of)\\s{0,3})?";

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
  if (!/(?:19|20|25)\d\d/.test(text)) return [];
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

/** The zeros of Arabic, Persian, Devanagari, Bengali and Thai digits, and the digits of all as a class of characters. */
const ZEROS = [0x660, 0x6f0, 0x966, 0x9e6, 0xe50] as const;
const OTHER_DIGITS = ZEROS.map(
  (zero) => `${String.fromCharCode(zero)}-${String.fromCharCode(zero + 9)}`,
).join("");
const OTHER_DIGIT = new RegExp(`[${OTHER_DIGITS}]`, "g");

/** As a year has. */
export const FOUR_DIGITS = new RegExp(`[\\d${OTHER_DIGITS}]{4}`);

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
