import { describe, expect, it } from "vitest";
import { createAgreement } from "../../../src/inspect/annotate/agreement.js";

function kappaOf(table: readonly (readonly [one: boolean, other: boolean, weight: number])[]): number | null {
  const agreement = createAgreement();
  for (const row of table) agreement.add(...row);
  return agreement.kappa();
}

describe("Cohen's κ", () => {
  it("is that of Cohen's own kind of table", () => {
    // 50 proposals: both yes 20, both no 15, one alone 5 and 10; observed .7, by chance .5.
    expect(
      kappaOf([
        [true, true, 20],
        [true, false, 5],
        [false, true, 10],
        [false, false, 15],
      ]),
    ).toBeCloseTo(0.4, 10);
  });

  it("is 1 for the same, below 0 for the opposite, and 0 for what chance gives", () => {
    expect(
      kappaOf([
        [true, true, 3],
        [false, false, 2],
      ]),
    ).toBe(1);
    expect(kappaOf([[true, true, 3]])).toBe(1);
    expect(
      kappaOf([
        [true, false, 1],
        [false, true, 1],
      ]),
    ).toBe(-1);
    expect(
      kappaOf([
        [true, true, 1],
        [true, false, 1],
        [false, true, 1],
        [false, false, 1],
      ]),
    ).toBe(0);
    expect(kappaOf([])).toBeNull();
  });
});
