import { describe, expect, it } from "vitest";
import { scanText } from "../../src/label/registers/scan-text.js";
import { LEAST_WORDS, tellsEnough } from "../../src/label/registers/telling.js";

/** Each word has `pieces` pieces. */
const tells = (text: string, pieces = 1): boolean => {
  const scan = scanText(text, () => false);
  return tellsEnough(scan, Math.round(scan.words * pieces));
};
const sentence = (count: number): string => `${Array.from({ length: count }, () => "otter").join(" ")}.`;

describe("a text whose register can be told", () => {
  it("has at least twenty words", () => {
    expect(LEAST_WORDS).toBe(20);
    expect(tells(sentence(20))).toBe(true);
    expect(tells(sentence(19))).toBe(false);
    expect(tells("")).toBe(false);
  });

  it("has sentences", () => {
    expect(tells(sentence(150))).toBe(true);
    expect(tells(sentence(151))).toBe(false);
    expect(tells(sentence(30).slice(0, -1))).toBe(false);
  });

  it("has words of few pieces, not mere letters", () => {
    expect(tells(sentence(30), 2)).toBe(true);
    expect(tells(sentence(30), 3)).toBe(false);
  });

  it("is mostly in one script, and not a table of numbers", () => {
    const han = "孩子们在桥上放风筝。".repeat(5);
    expect(tells(`${sentence(20)} ${han.slice(0, 10)}`)).toBe(true);
    expect(tells(`${sentence(30)} ${han}`)).toBe(false);
    expect(tells(`${sentence(30)} ${"12345 ".repeat(8)}`)).toBe(true);
    expect(tells(`${sentence(30)} ${"12345 ".repeat(10)}`)).toBe(false);
  });

  it("is no list of names and numbers", () => {
    const names = (count: number): string => "St. Otter 12, ".repeat(count);
    expect(tells(`Here they are. ${names(10)}`)).toBe(false);
    expect(tells(`${sentence(20)} ${names(10)}`)).toBe(true);
    expect(tells(sentence(30).toUpperCase())).toBe(true);
  });
});
