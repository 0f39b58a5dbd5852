import { describe, expect, it } from "vitest";
import { findLetterIndexes } from "../../../src/label/text/letter-index.js";

const found = (...texts: string[]): number[] => [...findLetterIndexes(texts)];

describe("an index of letters", () => {
  it("consists of four or more lines of one letter each, in alphabetical order", () => {
    expect(found("Glossary", "A", "B", "D", "Z", "Bight")).toEqual([0, 1, 1, 1, 1, 0]);
    expect(found("А", "Б", "В", "Г", "Д")).toEqual([1, 1, 1, 1, 1]);
    expect(found("X", "Y", "Z", "Å", "Ä", "Ö")).toEqual([1, 1, 1, 1, 1, 1]);
  });

  it("is not found if the letters are few, unordered, of no alphabet, or have text between them", () => {
    expect(found("A", "B", "C")).toEqual([0, 0, 0]);
    expect(found("D", "A", "C", "B", "A")).toEqual([0, 0, 0, 0, 0]);
    expect(found("A", "Alder", "B", "Birch", "C", "Cedar", "D", "Date palm")).not.toContain(1);
    expect(found("一", "丁", "七", "万", "丈")).not.toContain(1);
    expect(found("Ä", "Ä", "Ä", "Ä")).not.toContain(1);
    expect(found("1", "2", "3", "4", "5")).not.toContain(1);
    expect(found()).toEqual([]);
  });
});
