import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { cutAfter } from "../src/cut-after.js";

describe("cutAfter", () => {
  it("returns the beginning of a text, of the given length or one less, and no half of a character", () => {
    fc.assert(
      fc.property(fc.string({ unit: "binary" }), fc.nat({ max: 20 }), (text, most) => {
        const cut = cutAfter(text, most);
        expect(text.startsWith(cut)).toBe(true);
        expect(cut).not.toMatch(/\p{Surrogate}/u);
        expect(cut.length).toBeGreaterThanOrEqual(Math.min(text.length, most - 1));
        expect(cut.length).toBeLessThanOrEqual(most);
      }),
    );
  });
});
