import { describe, expect, it } from "vitest";
import { createRandom } from "../../src/random.js";
import { createBest, createReservoir } from "../../src/report/sample.js";

describe("createReservoir", () => {
  const draw = (seed: number): readonly number[] => {
    const reservoir = createReservoir<number>(5, createRandom(seed));
    for (let item = 0; item < 1000; item += 1) reservoir.offer(() => item);
    expect(reservoir.seen).toBe(1000);
    return reservoir.items;
  };

  it("draws the same sample for the same seed, and another for another seed", () => {
    expect(draw(1)).toEqual(draw(1));
    expect(draw(1)).not.toEqual(draw(2));
  });

  it("draws early and late items with about the same frequency", () => {
    const tenths = new Array<number>(10).fill(0);
    for (let seed = 0; seed < 2000; seed += 1)
      for (const item of draw(seed)) tenths[Math.floor(item / 100)]! += 1;
    // The expected count of each is 1,000, with a standard deviation of 30.
    for (const count of tenths) expect(Math.abs(count - 1000)).toBeLessThan(150);
  });

  it("keeps all items if there are few", () => {
    const reservoir = createReservoir<string>(5, createRandom(1));
    for (const item of ["a", "b"]) reservoir.offer(() => item);
    expect(reservoir.items).toEqual(["a", "b"]);
  });
});

describe("createBest", () => {
  it("keeps the highest, and the first of equal ones", () => {
    const best = createBest<string>(3);
    for (const [rank, item] of [
      [1, "a"],
      [5, "b"],
      [3, "c"],
      [3, "d"],
      [9, "e"],
      [1, "f"],
    ] as const)
      best.offer(rank, () => item);
    expect(best.items).toEqual(["e", "b", "c"]);
  });
});
