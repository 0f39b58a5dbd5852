import { describe, expect, it } from "vitest";
import { excessOfWalls, WALL_WORDS } from "../../../../src/label/features/page/wall-words.js";

const shown = (...texts: string[]): { text: string; linkChars: number }[] =>
  texts.map((text) => ({ text, linkChars: 0 }));

describe("the words of walls", () => {
  it("are lower-case and unique, and contain no characters special to a pattern", () => {
    expect(new Set(WALL_WORDS).size).toBe(WALL_WORDS.length);
    for (const word of WALL_WORDS) {
      expect(word).toBe(word.toLowerCase().trim());
      expect(word).not.toMatch(/[\\^$.*+?()[\]{}|,]/);
      expect(word.length).toBeGreaterThan(1);
    }
  });

  it.each(WALL_WORDS)("are each found: %s", (word) => {
    expect(excessOfWalls(shown(`${word.slice(0, 1).toUpperCase()}${word.slice(1)}`))).toBeCloseTo(0.85);
  });
});

describe("the excess of walls", () => {
  it("is the share of walls in the text above the usual share", () => {
    expect(excessOfWalls(shown("Password", "Tea time"))).toBeCloseTo(0.35);
    expect(excessOfWalls(shown("Password", "x".repeat(92)))).toBe(0);
    expect(excessOfWalls([])).toBe(0);
  });

  it("ignores links, copies of a line, paragraphs, and ends of other words", () => {
    const line = "Of otters, told.";
    expect(excessOfWalls([{ text: "Log in here, now", linkChars: 8 }, ...shown(line)])).toBe(0);
    expect(excessOfWalls(shown("Sign in to save", "Sign in to save", "x".repeat(85)))).toBe(0);
    expect(excessOfWalls(shown(`A password is a secret. ${"It is told to few. ".repeat(10)}`))).toBe(0);
    expect(excessOfWalls(shown("My blog in short"))).toBe(0);
  });
});
