import { describe, expect, it } from "vitest";
import {
  PLACE_AT,
  PLACE_COUNT,
  type PlaceColumn,
} from "../../../../src/label/features/page/place-columns.js";
import { createMilestones } from "../../../../src/label/features/page/landmarks.js";

function columns(
  points: readonly number[],
  best: readonly number[],
  title: number,
): (name: PlaceColumn) => number[] {
  const milestones = createMilestones(Float32Array.from(points), (line) => best.includes(line), title);
  return (name) =>
    points.map((_, line) => {
      const row = new Float32Array(PLACE_COUNT + 3);
      milestones.fill(line, row, 3);
      return Number((row[3 + PLACE_AT[name]] ?? Number.NaN).toFixed(4));
    });
}

const away = (lines: number): number =>
  Number(((Math.sign(lines) * Math.log1p(Math.abs(lines))) / 5.5).toFixed(4));

describe("createMilestones", () => {
  const of = columns([0, 2, 0, 4, 0, 2, 0], [2, 3, 4, 5], 1);

  it("counts lines after the title, and below zero before it", () => {
    expect(of("after-title")).toEqual([-1, 0, 1, 2, 3, 4, 5].map(away));
  });

  it("counts from the first and the last prose of the best candidate, and ignores its other lines", () => {
    expect(of("after-first")).toEqual([-3, -2, -1, 0, 1, 2, 3].map(away));
    expect(of("after-last")).toEqual([-5, -4, -3, -2, -1, 0, 1].map(away));
  });

  it("gives the shares of the points before and after a line, without its own", () => {
    expect(of("points-before")).toEqual([0, 0, 0.25, 0.25, 0.75, 0.75, 1]);
    expect(of("points-after")).toEqual([1, 0.75, 0.75, 0.25, 0.25, 0, 0]);
  });

  it("gives zero without a title, prose or lines", () => {
    const without = columns([0, 0], [0, 1], -1);
    for (const name of ["after-title", "after-first", "after-last", "points-before", "points-after"] as const)
      expect(without(name)).toEqual([0, 0]);
    expect(columns([], [], -1)("after-title")).toEqual([]);
  });

  it("treats all distant lines as equally distant", () => {
    const far = columns(Array<number>(1_000).fill(1), [], 0)("after-title");
    expect(far[255]).toBe(far[999]);
    expect(far[254]).toBeLessThan(far[255] ?? 0);
  });
});
