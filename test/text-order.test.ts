/** Which order texts are put in. */
import { describe, expect, it } from "vitest";
import { compareTexts, sortKeys } from "../src/text-order.js";

describe("compareTexts", () => {
  it("goes by code units, as no locale does", () => {
    expect(["b", "ä", "Z", "a", "", "a"].sort(compareTexts)).toEqual(["", "Z", "a", "a", "b", "ä"]);
  });
});

describe("sortKeys", () => {
  it("keeps what is under the keys", () => {
    expect(JSON.stringify(sortKeys({ timeout: 1, empty: 2 }))).toBe('{"empty":2,"timeout":1}');
  });
});
