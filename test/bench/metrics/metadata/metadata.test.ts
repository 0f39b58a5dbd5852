import { describe, expect, it } from "vitest";
import { compareFields } from "../../../../bench/metrics/metadata/compare.js";
import { FIELDS, foldField, formsOf, isSaid } from "../../../../bench/metrics/metadata/fields.js";

describe("the forms of a field", () => {
  it.each([
    ["The  ‘end’ —\n of “it”…", "the 'end' - of \"it\"..."],
    ["ﬁne\u200b\u00ad ＮＥＴ", "fine net"],
  ])("of text: %j", (text, folded) => {
    expect(formsOf("title", text, "")).toEqual([folded]);
    expect(foldField(folded)).toBe(folded);
  });

  it.each([
    ["By Ann Lee and Bo Ek", "ann lee; bo ek"],
    [["Bo Ek", "Ann Lee", "Bo Ek"], "ann lee; bo ek"],
    ["Bo Ek; Ann Lee", "ann lee; bo ek"],
    ["Ann Lee & Bo Ek", "ann lee; bo ek"],
    ["von Ann Lee und Bo Ek", "ann lee; bo ek"],
    ["Andy Sandor", "andy sandor"],
    ["Hans-Peter d’Ark", "hans-peter d'ark"],
    ["J. P. Ek Jr.", "j p ek jr"],
    ["J.P. Ek Jr.", "j p ek jr"],
    ["J.-P. Ek, Ph.D.", "j-p ek; ph d"],
  ])("of authors: %j", (names, folded) => {
    expect(formsOf("author", names, "")).toEqual([folded]);
  });

  it.each([
    ["2021-03-04", ["2021-03-04"]],
    ["2021-03-04T23:30:00-05:00", ["2021-03-04", "2021-03-05"]],
    ["2021-03-04T23:30:00Z", ["2021-03-04"]],
    ["March 4, 2021", ["2021-03-04"]],
    ["Thu, 04 Mar 2021 23:30:00 -0500", ["2021-03-04", "2021-03-05"]],
    ["2021-03-04T23:30:00-05", ["2021-03-04", "2021-03-05"]],
    ["20210304", ["2021-03-04"]],
    ["20210304T233000Z", ["2021-03-04"]],
    ["20219904", []],
    ["04.03.2021", ["2021-03-04"]],
    ["4.3.2021 um 23:30", ["2021-03-04"]],
    ["31.13.2021", []],
    ["2021-03-041", []],
    ["yesterday", []],
  ])("of dates: %j", (date, days) => {
    expect(formsOf("date", date, "")).toEqual(days);
  });

  it("of images are absolute, without a query", () => {
    expect(formsOf("image", "/a%20b.jpg?w=3", "https://www.x.org/p")).toEqual(["x.org/a b.jpg"]);
    expect(formsOf("image", "a.jpg", "no address")).toEqual(["page.invalid/a.jpg"]);
  });

  it("of languages omit the country", () => {
    expect(["en-GB", "EN_us", "en"].flatMap((lang) => formsOf("lang", lang, ""))).toEqual(["en", "en", "en"]);
  });

  it("are empty if nothing is stated", () => {
    for (const { name } of FIELDS)
      for (const value of [undefined, null, "", " \u200b", []]) {
        expect(formsOf(name, value, "")).toEqual([]);
        expect(isSaid(value)).toBe(false);
      }
  });
});

describe("the comparison of fields", () => {
  const gold = { url: "https://x.org/", fields: { title: "The End", date: "2021-03-04", author: "Ann Lee" } };

  it("counts correct, given and expected values", () => {
    expect(compareFields(gold, { title: "the end", date: "soon", site: "X" })).toEqual({
      title: { right: 1, found: 1, wanted: 1 },
      date: { right: 0, found: 1, wanted: 1 },
      author: { right: 0, found: 0, wanted: 1 },
    });
  });

  it("counts nothing if the gold is missing or cannot be read", () => {
    expect(
      compareFields({ url: "", fields: { date: "some day" } }, { date: "some day", title: "x" }),
    ).toEqual({});
  });
});
