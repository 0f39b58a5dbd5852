import { describe, expect, it } from "vitest";
import { createAgreement } from "../../../src/inspect/annotate/agreement.js";

function kappaOf(table: readonly (readonly [one: boolean, other: boolean, weight: number])[]): number | null {
  const agreement = createAgreement();
  for (const row of table) agreement.add(...row);
  return agreement.kappa();
}

describe("Cohen's κ", () => {
  it("gives the value worked out by hand for a table of two annotators", () => {
    // Of 50 proposals, both accept 20 and reject 15, and each alone accepts 5 or 10; observed .7, by chance .5.
    expect(
      kappaOf([
        [true, true, 20],
        [true, false, 5],
        [false, true, 10],
        [false, false, 15],
      ]),
    ).toBeCloseTo(0.4, 10);
  });

  it("is 1 for equal marks, below 0 for opposite ones, and 0 for chance agreement", () => {
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
