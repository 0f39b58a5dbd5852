import { describe, expect, it } from "vitest";
import { calendarOf, readDay, toDate, toDay } from "../../../../src/extract/metadata/dates/calendars.js";

const DAY_MS = 24 * 60 * 60 * 1000;

describe("toDay", () => {
  it.each(["persian", "islamic-umalqura"] as const)("converts days of the %s calendar", (calendar) => {
    for (let time = Date.UTC(1925, 0, 1); time < Date.UTC(2060, 0, 1); time += 5 * DAY_MS)
      expect(toDay(calendar, readDay(calendar, time))).toBe(new Date(time).toISOString().slice(0, 10));
  });

  it("returns nothing for a day that does not exist", () => {
    expect(toDay("persian", [1400, 12, 29])).toBe("2022-03-20");
    expect(toDay("persian", [1400, 12, 30])).toBeUndefined();
    expect(toDay("persian", [1399, 13, 1])).toBeUndefined();
    expect(toDay("islamic-umalqura", [1442, 7, 31])).toBeUndefined();
    expect(toDay("buddhist", [2564, 2, 30])).toBeUndefined();
    expect(toDate(2019, 2, 29)).toBeUndefined();
  });
});

describe("calendarOf", () => {
  it("chooses by the year and the language", () => {
    const cases = [
      [2021, "fa"],
      [1399, "fa-IR"],
      [1442, "ar"],
      [1442, "de"],
      [1442, undefined],
      [2564, "th-TH"],
      [2564, "en"],
    ] as const;
    expect(cases.map(([year, lang]) => calendarOf(year, lang))).toEqual([
      "gregory",
      "persian",
      "islamic-umalqura",
      "gregory",
      "gregory",
      "buddhist",
      undefined,
    ]);
  });
});
