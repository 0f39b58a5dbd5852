import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { createWordRows, sumPlainly } from "../../src/label/registers/word-rows.js";

const ROWS = 200;
const PLACES = 50;

/** Halves and quarters, whose sums are exact in any order. */
const mixed = (at: number): number => (Math.imul(at, 2_654_435_761) >> 20) / 4;

describe("createWordRows", () => {
  it.each([1, 4, 20, 52, 53, 101, 104, 160])("sums rows %i wide, each as often as it is told", (width) => {
    const way = createWordRows(width, ROWS, PLACES);
    expect(way.stride).toBeGreaterThanOrEqual(width);
    way.rows.forEach((_, at, rows) => (rows[at] = mixed(at)));
    const place = fc.tuple(fc.integer({ min: 0, max: ROWS - 1 }), fc.integer({ min: 1, max: 9 }));
    fc.assert(
      fc.property(fc.array(place, { maxLength: PLACES }), (places) => {
        for (const counts of [way.counts, way.firstCounts]) {
          way.numbers.set(places.map(([number]) => number));
          counts.set(places.map(([, times]) => times));
          const wanted = Array.from({ length: way.stride }, (_, column) =>
            places.reduce((sum, [number, times]) => sum + times * mixed(number * way.stride + column), 0),
          );
          expect([...way.sum(places.length, counts)]).toEqual(wanted);
          const plain = new Float32Array(way.stride);
          sumPlainly(way.rows, way.stride, way.numbers.subarray(0, places.length), counts, plain);
          expect([...plain]).toEqual(wanted);
        }
      }),
    );
  });

  it("counts all words and the first ones apart, and reads no more places than it is told", () => {
    const way = createWordRows(3, ROWS, PLACES);
    way.rows.fill(1);
    way.counts.fill(5);
    way.firstCounts.fill(2);
    expect([...way.sum(PLACES, way.counts)].slice(0, 3)).toEqual([250, 250, 250]);
    expect([...way.sum(3, way.firstCounts)].slice(0, 3)).toEqual([6, 6, 6]);
    expect([...way.sum(0, way.counts)].slice(0, 3)).toEqual([0, 0, 0]);
  });
});
