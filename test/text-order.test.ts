/** Checks the order in which texts are sorted. */
import { describe, expect, it } from "vitest";
import { compareTexts, sortKeys } from "../src/text-order.js";

describe("compareTexts", () => {
  it("sorts by code units, regardless of locale", () => {
    expect(["b", "ä", "Z", "a", "", "a"].sort(compareTexts)).toEqual(["", "Z", "a", "a", "b", "ä"]);
  });
});

describe("sortKeys", () => {
  it("keeps the value of each key", () => {
    expect(JSON.stringify(sortKeys({ timeout: 1, empty: 2 }))).toBe('{"empty":2,"timeout":1}');
  });
});
