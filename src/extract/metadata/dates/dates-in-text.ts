/** Finds the dates in a text, in numbers or with names of months in the language of the page. */
import { calendarOf, toDate, toDay, type Calendar } from "./calendars.js";
import { SECOND_WORD, firstOfNumbers, monthOf } from "./date-customs.js";

interface FoundDate {
  /** The date as `2019-05-17`. */
  readonly date: string;
  /** Offsets [start, end) into the text, in UTF-16 code units. */
  readonly start: number;
  readonly end: number;
}

/**
 * The number of characters that are read of a text, and of dates that are taken from it. A longer text is no date line.
 */
const MAX_TEXT = 300;
const MAX_DATES = 10;

/** Years of the Gregorian, Buddhist, Persian and Islamic calendars. */
const YEAR_DIGITS = "(?:1[349]|2[05])\\d\\d";
const YEAR = `(?<year>${YEAR_DIGITS})(?!\\.?\\d)`;
/** A day of the month; the number of an issue is not one: "No. 3, May 1998". */
const DAY =
  "(?=\\d)(?<![\\d.,:/-])(?<!(?:^|[\\s\\d.,;:!?()[\\]/|·•–—-])(?:[Nn][or]|[Ii]ssue|[Vv]ol)\\.?\\s?)(?<day>\\d{1,2})(?:st|nd|rd|th|er|ST|ND|RD|TH|º|ª|[-‑]?(?:го|е))?";
/**
 * A letter or mark, without Unicode property escapes: compiling an expression that has them takes a tenth of a second.
 */
const LETTER = "[^\\s\\d.,،;:!?()[\\]/|·•–—-]";
/** A month's name: a word, for some months with a second word, or an abbreviation with periods: "มี.ค." */
const NAME = `(?<name>${LETTER}{2,15}(?:\\s${SECOND_WORD})?|${LETTER}{1,3}\\.${LETTER}{1,2})\\.?`;
/** A second name of the same month: "نيسان / أبريل". */
const ALIAS = `(?:\\s?/\\s?(?<alias>${LETTER}{2,15}(?:\\s${SECOND_WORD})?))?`;
/** The text between the parts of a date: "5 de mayo de 2019", "5. Mai 2019", "5 мая, 2019", "5 มีนาคม พ.ศ. 2564". */
const GAP =
  "\\s{0,3}[.,،/-]?\\s{0,3}(?:(?:[Dd][ei]l?|of)\\s{1,3}|ta['’]\\s{1,3}|[Dd]['’]\\s{0,3}|[พค]\\.ศ\\.\\s?|ឆ្នាំ\\s?)?";

/** The numbers that name the months of Vietnamese: "Tháng Ba". */
const NUMBERS = "Một,Hai,Ba,Tư,Năm,Sáu,Bảy,Tám,Chín,Mười,Mười Một,Mười Hai".split(",");
const NUMBER = [...NUMBERS].sort((a, b) => b.length - a.length).join("|");

/** Months in Roman numerals, as they are written from Poland to Hungary. */
const ROMANS = "I II III IV V VI VII VIII IX X XI XII".split(" ");
const ROMAN = [...ROMANS].sort((a, b) => b.length - a.length).join("|");

const FORMS: readonly RegExp[] = [
  // 2019-05-17, 2019/5/17, 2019. 5. 17., 2019年5月17日, 2019년 5월 17일, 2019 оны 5-р сарын 17
  `(?<![\\d/-])(?<year>${YEAR_DIGITS})(?:\\s?[年년]\\s?|[-/／]|\\.\\s?|\\sоны\\s)(?<month>\\d{1,2})(?:\\s?[月월]\\s?|[-/／]|\\.\\s?|(?:-?р)?\\sсарын\\s)(?<day>\\d{1,2})(?![\\d/])`,
  // 17.05.2019, 17. 5. 2019
  `(?<![\\d.])(?<day>\\d{1,2})\\.\\s?(?<month>\\d{1,2})\\.\\s?${YEAR}`,
  // 17/05/2019, 5-17-2019
  `(?<![\\d/-])(?<one>\\d{1,2})(?<mark>[/-])(?<two>\\d{1,2})\\k<mark>${YEAR}`,
  // 17 May 2019, 17 de mayo de 2019
  `${DAY}${GAP}${NAME}${ALIAS}${GAP}${YEAR}`,
  // 17 tháng 5, 2019, 17 thg 5, 2019
  `${DAY}\\s{1,3}[Tt]h(?:án)?g\\s{1,3}(?<month>\\d{1,2}),?\\s{1,3}(?:năm\\s{1,3})?${YEAR}`,
  // 17 Tháng Năm, 2019, Tháng Năm 17, 2019
  `${DAY}\\s{1,3}[Tt]háng\\s{1,3}(?<number>${NUMBER}),?\\s{1,3}${YEAR}`,
  `[Tt]háng\\s{1,3}(?<number>${NUMBER})\\s{1,3}(?<day>\\d{1,2}),?\\s{1,3}${YEAR}`,
  // May 17, 2019, ግንቦት 9 ቀን 2011
  `(?<![^\\s\\d.,;:!?()[\\]/|·•–—-])${NAME}\\s{1,3}(?<day>\\d{1,2})(?:st|nd|rd|th|ST|ND|RD|TH|\\s?ቀን)?,?\\s{1,3}${YEAR}`,
  // 17 V 2019, 17.V.2019
  `(?<![\\d.,:/-])(?<day>\\d{1,2})\\s?[. ]\\s?(?<roman>${ROMAN})\\s?[. ]\\s?${YEAR}`,
  // 2019. V. 17.
  `(?<![\\d.,:/-])${YEAR}\\s?[. ]\\s?(?<roman>${ROMAN})\\s?[. ]\\s?(?<day>\\d{1,2})(?!\\.?\\d|:)`,
  // 2019. május 17., 2019 m. gegužės 17 d., 2019(e)ko maiatzaren 17a, 2019 թ. մայիսի 17, ၂၀၁၉ ခုနှစ်၊ မေလ ၁၇
  `(?<![\\d.,:/-])${YEAR}(?:\\.|\\s?m\\.|\\(?e?\\)?ko|\\s?թ(?:\\.|վականի)|(?:\\s?ခုနှစ်)?၊)?\\s{1,3}${NAME}\\s{1,3}(?<day>\\d{1,2})(?!\\.?\\d|:)`,
  // 2019. gada 17. maijs, 2019 ж. 17 мамыр, 2019-yil 17-may, 2019 წლის 17 მაისი
  `(?<![\\d.,:/-])${YEAR}(?:\\.?\\s?gada|[\\s-]ж(?:\\.,?|ыл[а-ғ]{0,4})|-yil,?|\\sწლის)\\s{1,3}(?<day>\\d{1,2})\\.?[\\s-]{1,3}${NAME}`,
  // 令和3年3月5日, in the era of a Japanese emperor or of the Republic of China
  "(?<reign>令和|平成|昭和|民[國国])\\s?(?<count>\\d{1,3}|元)\\s?年\\s?(?<month>\\d{1,2})\\s?月\\s?(?<day>\\d{1,2})\\s?日",
].map((form) => new RegExp(form, "g"));

/** The year before the first year of each era. */
const REIGNS: Readonly<Record<string, number>> = {
  令和: 2018,
  平成: 1988,
  昭和: 1925,
  民國: 1911,
  民国: 1911,
};

/** A quick test: every date has a year, and hardly any other text has. */
const HAS_YEAR = new RegExp(`${YEAR_DIGITS}|[和成國国]\\s?[\\d元]{1,3}\\s?年`);

/** Returns dates in text order. Skips dates that do not exist, or are ambiguous for the language (03/04/2020). */
export function findDates(source: string, lang: string | undefined): readonly FoundDate[] {
  const text = toLatinDigits(source.slice(0, MAX_TEXT));
  if (!HAS_YEAR.test(text)) return findShortDate(text, lang);
  const found: FoundDate[] = [];
  for (const form of FORMS) {
    form.lastIndex = 0;
    // `matchAll` would compile a copy of the form.
    for (let match = form.exec(text); match !== null; match = form.exec(text)) {
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

/** A day, a month in Thai and the last two digits of a Buddhist year from 2540 on: "17 พ.ค. 62". */
const SHORT_THAI =
  /(?<!\d)(?<day>\d{1,2})\s?(?<name>[ก-๎]{1,3}\.[คพย]\.?|[ก-๎]{3,12}(?:คม|ยน|พันธ์))\s?(?<short>[4-7]\d)(?!\d)/;

/** A text that is only 17.05.19 or 17/5/19, with or without a time. Beside other words it may be a version or a price. */
const SHORT =
  /^\s*(?:(?<day>\d\d)\.(?<month>\d\d)\.|(?<one>\d\d?)\/(?<two>\d\d?)\/)(?<short>\d\d)(?:,?\s+\d\d?[:.]\d\d(?:\s(?:Uhr|[AaPp][Mm]))?)?\s*$/;

function findShortDate(text: string, lang: string | undefined): readonly FoundDate[] {
  const thai = lang?.startsWith("th") === true ? SHORT_THAI.exec(text) : null;
  if (thai !== null) {
    const { day, name, short: year } = thai.groups ?? {};
    const found = readMatch({ day, name, year: `25${year ?? ""}` }, lang);
    return found === undefined ? [] : [{ date: found, start: thai.index, end: thai.index + thai[0].length }];
  }
  const { day, month, one, two, short } = SHORT.exec(text)?.groups ?? {};
  if (short === undefined) return [];
  const year = 2000 + Number(short);
  // In other languages the year may come first.
  const isOrdered = lang?.startsWith("en") === true || firstOfNumbers(lang) !== undefined;
  const date =
    day !== undefined
      ? toDate(year, Number(month), Number(day))
      : isOrdered
        ? readNumbers({ calendar: "gregory", year }, [Number(one), Number(two)], lang)
        : undefined;
  return date === undefined ? [] : [{ date, start: text.search(/\d/), end: text.trimEnd().length }];
}

/**
 * The zeros of Arabic, Persian and Indic digits (from Devanagari to Malayalam), of Thai, Lao, Tibetan, Burmese, Khmer,
 * Mongolian and full-width digits, and a character class of all their digits.
 */
const ZEROS = [
  ...[0x660, 0x6f0, 0x966, 0x9e6, 0xa66, 0xae6, 0xb66, 0xbe6, 0xc66, 0xce6, 0xd66],
  ...[0xe50, 0xed0, 0xf20, 0x1040, 0x17e0, 0x1810, 0xff10],
] as const;
const OTHER_DIGITS = ZEROS.map(
  (zero) => `${String.fromCharCode(zero)}-${String.fromCharCode(zero + 9)}`,
).join("");
const OTHER_DIGIT = new RegExp(`[${OTHER_DIGITS}]`, "g");

/**
 * Four digits, as a year has, or a date without its century, or a year of an era. All forms begin with one class of
 * characters, which makes the search three times as fast as one for several forms. For the same reason, the class has
 * one range for all digits from Gurmukhi to Mongolian.
 */
const DATE_DIGITS = new RegExp(
  `[\\d٠-٩۰-۹०-९০-৯\\u0a66-\\u1819０-９和成國国](?:(?<=[\\d${OTHER_DIGITS}])[\\d${OTHER_DIGITS}]{3}` +
    `|(?<=\\d)(?:[./]\\d\\d?[./]\\d\\d|\\s?[ก-๎]{1,12}\\.?[คพยน์ม]\\.?\\s?[4-7]\\d(?!\\d))` +
    `|(?<=[和成國国])\\s?[\\d元${OTHER_DIGITS}]{1,3}\\s?年)`,
);

/** Whether a text has the digits of a date. Called for every text of a page, so one test decides. */
export function hasDateDigits(text: string): boolean {
  return DATE_DIGITS.test(text);
}

/** Replaces digits of other scripts. The length stays the same, so that offsets remain valid. */
function toLatinDigits(text: string): string {
  return text.replace(OTHER_DIGIT, (digit) => {
    const code = digit.charCodeAt(0);
    return String(code - (ZEROS.findLast((zero) => zero <= code) ?? code));
  });
}

type Groups = Readonly<Record<string, string | undefined>>;

function readMatch(groups: Groups, lang: string | undefined): string | undefined {
  const { day, month, name, number, alias, one, two, roman, reign, count } = groups;
  if (reign !== undefined)
    return toDate((REIGNS[reign] ?? 0) + (count === "元" ? 1 : Number(count)), Number(month), Number(day));
  const year = Number(groups["year"]);
  const calendar = calendarOf(year, lang);
  if (calendar === undefined || (calendar === "gregory" && year < FIRST_YEAR)) return undefined;
  if (one !== undefined && two !== undefined)
    return readNumbers({ calendar, year }, [Number(one), Number(two)], lang);
  // In English, Roman numerals are parts of names: "Rocky 2 II 1990".
  if (roman !== undefined)
    return lang?.startsWith("en") === true
      ? undefined
      : toDay(calendar, [year, ROMANS.indexOf(roman) + 1, Number(day)]);
  if (number !== undefined) return toDay(calendar, [year, NUMBERS.indexOf(number) + 1, Number(day)]);
  if (name !== undefined && isEthiopic(name, lang))
    return toDay("ethiopic", [year, monthOf(name, "am", "ethiopic") ?? 0, Number(day)]);
  const monthNumber = name === undefined ? Number(month) : monthOf(name, lang, calendar);
  if (monthNumber === undefined || (alias !== undefined && monthOf(alias, lang, calendar) !== monthNumber))
    return undefined;
  return toDay(calendar, [year, monthNumber, Number(day)]);
}

/** Whether it is one of the months of Ethiopia, which no other calendar has in Amharic. */
function isEthiopic(name: string, lang: string | undefined): boolean {
  return (
    /^[\u1200-\u137f]/.test(name) &&
    (lang === undefined || lang.startsWith("am")) &&
    monthOf(name, "am", "ethiopic") !== undefined
  );
}

const FIRST_YEAR = 1900;

interface Year {
  readonly calendar: Calendar;
  readonly year: number;
}

function readNumbers(
  { calendar, year }: Year,
  [one, two]: readonly [number, number],
  lang: string | undefined,
): string | undefined {
  const first = one > 12 || one === two ? "day" : two > 12 ? "month" : firstOfNumbers(lang);
  if (first === undefined) return undefined;
  const [day, month] = first === "day" ? [one, two] : [two, one];
  return toDay(calendar, [year, month, day]);
}
