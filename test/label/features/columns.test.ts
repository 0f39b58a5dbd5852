import { describe, expect, it } from "vitest";
import { logCount } from "../../../src/label/features/columns.js";

describe("logCount", () => {
  it("is exactly log(1 + count), from the table or computed", () => {
    for (let count = 0; count < 1000; count++) expect(logCount(count)).toBe(Math.log1p(count));
    for (const count of [65_536, 1e6, 2 ** 31, 2 ** 40]) expect(logCount(count)).toBe(Math.log1p(count));
  });
});
