import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { createPlainSums, createRowSums, MOST_ROWS } from "../../../src/label/network/row-sums.js";

const ROWS = 1000;

function tableOf(width: number, fill: (at: number) => number): Int8Array {
  return Int8Array.from({ length: ROWS * width }, (_, at) => fill(at));
}

const mixed = (at: number): number => Math.imul(at, 2_654_435_761) >> 24;

describe("createRowSums", () => {
  it.each([8, 16, 24, 48, 88, 128])(
    "sums rows %i wide as adding one column after the other does",
    (width) => {
      const table = tableOf(width, mixed);
      const fast = createRowSums(table, width);
      const plain = createPlainSums(table, width);
      const numbers = fc.array(fc.integer({ min: 0, max: ROWS - 1 }), { maxLength: MOST_ROWS });
      fc.assert(
        fc.property(numbers, (rows) => {
          for (const way of [fast, plain]) {
            way.numbers.set(rows);
            way.add(rows.length);
          }
          const wanted = Array.from({ length: width }, (_, column) =>
            rows.reduce((sum, row) => sum + (table[row * width + column] ?? Number.NaN), 0),
          );
          expect([...fast.sums]).toEqual(wanted);
          expect([...plain.sums]).toEqual(wanted);
        }),
      );
    },
  );

  it.each([-128, 127])("holds the sum of the maximum number of rows of %i", (value) => {
    const way = createRowSums(
      tableOf(16, () => value),
      16,
    );
    way.numbers.fill(3);
    way.add(MOST_ROWS);
    expect([...way.sums]).toEqual(Array.from({ length: 16 }, () => MOST_ROWS * value));
  });

  it("keeps the sums of two tables separate", () => {
    const one = createRowSums(
      tableOf(8, () => 1),
      8,
    );
    const two = createRowSums(
      tableOf(8, () => 2),
      8,
    );
    one.add(3);
    two.add(3);
    expect([...one.sums]).toEqual(Array.from({ length: 8 }, () => 3));
    expect([...two.sums]).toEqual(Array.from({ length: 8 }, () => 6));
  });
});
