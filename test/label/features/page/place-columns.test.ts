import { describe, expect, it } from "vitest";
import { BLOCK_TAGS } from "../../../../src/document.js";
import { COLUMN_COUNT, COLUMNS } from "../../../../src/label/features/columns.js";
import { columnDigest } from "../../../../src/label/features/export.js";
import {
  BLOCK_COLUMNS,
  ELEMENT_COLUMNS,
  MARKED_COLUMNS,
  PAGE_COLUMNS,
  PATH_TAGS,
  PLACE_AT,
  PLACE_COLUMNS,
  PLACE_COUNT,
} from "../../../../src/label/features/page/place-columns.js";
import { NAMED_COLUMNS } from "../../../../src/label/features/page/names.js";
import { PAGE_BAGS } from "../../../../src/label/features/page/path-bags.js";

const valuesOf = (rows: readonly (readonly [string, readonly string[]])[]): string[] =>
  rows.flatMap(([, values]) => values);

describe("the tables", () => {
  it.each([
    ["PATH_TAGS", valuesOf(PATH_TAGS), /^[a-z]+[1-6]?$/],
    ["BLOCK_COLUMNS", valuesOf(BLOCK_COLUMNS), /^[a-z]+[1-6]?$/],
    // Roles are lower-case, and names of schema.org are spelled as there.
    ["NAMED_COLUMNS", valuesOf(NAMED_COLUMNS), /^[a-z]{2,20}$/],
    ["MARKED_COLUMNS", valuesOf(MARKED_COLUMNS), /^(role=[a-z]+|itemprop=[a-z]+([A-Z][a-z]+)*)$/],
  ])("%s contains each name once, in valid form", (_, values, form) => {
    expect(new Set(values).size).toBe(values.length);
    for (const value of values) expect(value).toMatch(form);
  });

  it("list the columns of one table side by side, so that one range holds them all", () => {
    for (const table of [PATH_TAGS, BLOCK_COLUMNS, MARKED_COLUMNS, NAMED_COLUMNS]) {
      const places = table.map(([name]) => PLACE_AT[name]);
      const [first = 0] = places;
      expect(places).toEqual(places.map((_, at) => first + at));
    }
  });

  it("give each block tag a column, except for lines of plain text", () => {
    expect(valuesOf(BLOCK_COLUMNS).sort()).toEqual(BLOCK_TAGS.filter((tag) => tag !== "text").sort());
  });
});

describe("the columns of a page", () => {
  it("are lower-case and unique, and differ from the columns of the text", () => {
    expect(new Set(PAGE_COLUMNS).size).toBe(PAGE_COLUMNS.length);
    for (const name of PLACE_COLUMNS) expect(name).toMatch(/^[a-z]+(-[a-z]+)*$/);
  });

  it("follow the columns of the text, those of the element first", () => {
    expect(PAGE_COLUMNS.slice(0, COLUMN_COUNT)).toEqual([...COLUMNS]);
    expect(PAGE_COLUMNS.slice(COLUMN_COUNT)).toEqual([...PLACE_COLUMNS]);
    expect(PLACE_COLUMNS.slice(0, ELEMENT_COLUMNS.length)).toEqual([...ELEMENT_COLUMNS]);
    for (const [place, name] of PLACE_COLUMNS.entries()) expect(PLACE_AT[name]).toBe(place);
    expect(Object.keys(PLACE_AT)).toHaveLength(PLACE_COUNT);
  });

  it("are in the order that the shipped models were trained with", () => {
    // Another digest means another order, which requires training every page model again.
    expect(columnDigest(PAGE_COLUMNS)).toBe("5f3ad4d23b29c070");
    expect([...PAGE_BAGS]).toEqual(["words", "shapes", "near", "far"]);
  });
});
