import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { codeUnit } from "../src/code-unit.js";

describe("codeUnit", () => {
  it("returns the code unit at an index in every kind of string, and NaN outside the string", () => {
    fc.assert(
      fc.property(fc.string({ unit: "binary" }), fc.string({ unit: "binary" }), (left, right) => {
        for (const text of [left, left + right, `${left}漢${right}`.slice(1), (left + right).toUpperCase()])
          for (let at = -1; at <= text.length; at++) expect(codeUnit(text, at)).toBe(text.charCodeAt(at));
      }),
    );
  });
});
