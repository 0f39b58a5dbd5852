import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { createPieceSums, createPlainSums, type PieceTable } from "../../src/label/registers/piece-sums.js";

const PIECES = 200;
const PLACES = 50;

function makeModel(heads: number, headWidth: number): PieceTable {
  const table = Int8Array.from(
    { length: PIECES * heads * (headWidth + 1) },
    (_, at) => Math.imul(at, 2_654_435_761) >> 24,
  );
  return { table, heads, headWidth, scale: 0.25, weightScale: 0.01 };
}

/** Computes the same sums, as the model's description defines them. */
function sumAsTold(model: PieceTable, places: readonly (readonly [number, number])[]): number[][] {
  const { table, heads, headWidth, scale, weightScale } = model;
  return Array.from({ length: heads }, (_, head) => {
    const sums = Array.from({ length: headWidth + 1 }, () => 0);
    for (const [piece, times] of places) {
      const row = table.subarray(piece * heads * (headWidth + 1));
      const weight = times * Math.exp(weightScale * (row[heads * headWidth + head] ?? Number.NaN));
      const values = [...row.subarray(head * headWidth, (head + 1) * headWidth)].map(
        (value) => value * scale,
      );
      for (const [at, value] of [...values, 1].entries()) sums[at] = (sums[at] ?? 0) + weight * value;
    }
    return sums;
  });
}

const WAYS = { "by vectors": createPieceSums, plainly: createPlainSums };

describe.each(Object.entries(WAYS))("summing pieces %s", (_, create) => {
  it.each([
    [4, 24],
    [1, 8],
    [3, 40],
    [2, 5],
  ])("weights the pieces, in %i heads of %i values", (heads, headWidth) => {
    const model = makeModel(heads, headWidth);
    const way = create(model, PLACES);
    const place = fc.tuple(fc.integer({ min: 0, max: PIECES - 1 }), fc.integer({ min: 1, max: 9 }));
    fc.assert(
      fc.property(fc.array(place, { maxLength: PLACES }), (places) => {
        way.numbers.set(places.map(([piece]) => piece));
        way.counts.set(places.map(([, times]) => times));
        way.add(places.length);
        for (const [head, wanted] of sumAsTold(model, places).entries())
          for (const [at, value] of wanted.entries())
            expect(Math.abs((way.sums[head * way.stride + at] ?? Number.NaN) - value)).toBeLessThan(0.05);
      }),
    );
  });
});
