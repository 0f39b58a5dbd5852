import { describe, expect, it } from "vitest";
import {
  ALERTS,
  BLOCK_TAGS,
  HOLDER_TAGS,
  isHeadingTag,
  PAGE_TYPES,
  REGISTERS,
  SPAN_KINDS,
  SUBREGISTERS,
  TEXT_CONDITIONS,
} from "../../src/document.js";

describe("a list of names", () => {
  it.each([
    ["blocks", BLOCK_TAGS],
    ["holders", HOLDER_TAGS],
    ["spans", SPAN_KINDS],
    ["alerts", ALERTS],
    ["types of pages", PAGE_TYPES],
    ["conditions", TEXT_CONDITIONS],
    ["subregisters", Object.keys(SUBREGISTERS)],
  ])("of %s has unique names in lower case", (_what, names) => {
    expect(new Set(names).size).toBe(names.length);
    expect(names.filter((name) => !/^[a-z]+[1-6]?$/.test(name))).toEqual([]);
  });

  it("of registers has two capitals each, and matches the subregisters", () => {
    expect(REGISTERS.filter((name) => !/^[A-Z]{2}$/.test(name))).toEqual([]);
    expect(Object.values(SUBREGISTERS).filter((name) => !REGISTERS.includes(name))).toEqual([]);
  });
});

it("finds the headings h1 to h6 among blocks and among holders", () => {
  const headings = ["h1", "h2", "h3", "h4", "h5", "h6"];
  expect(BLOCK_TAGS.filter(isHeadingTag)).toEqual(headings);
  expect(HOLDER_TAGS.filter(isHeadingTag)).toEqual(headings);
});
