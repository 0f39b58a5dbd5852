import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { createLineGroups, GROUP_LEVELS } from "../../../../src/label/features/page/line-groups.js";
import { createPlaces } from "../../../../src/label/features/page/place.js";
import { expectLinear } from "../../../growth.js";

const LEVELS = GROUP_LEVELS.length;

const place = (paths: readonly string[]) =>
  createPlaces(
    paths.map((path) => ({ text: "x", block: "p", path, linkChars: 0, breakBefore: "block" })),
    "",
  );

/** Returns, at each level, the lines of each group, in the order of their first lines. */
function groupsOf(paths: readonly string[], start = 0, rows = paths.length): number[][][] {
  const { of, shares } = createLineGroups(place(paths))(start, rows);
  const found = GROUP_LEVELS.map((_, level) => {
    const groups = new Map<number, number[]>();
    for (let row = 0; row < rows; row++) {
      const group = of[row * LEVELS + level] ?? -1;
      groups.set(group, [...(groups.get(group) ?? []), start + row]);
    }
    for (const [group, lines] of groups) expect(shares[group]).toBeCloseTo(1 / lines.length, 6);
    return [...groups.values()];
  });
  expect(shares).toHaveLength(found.flat().length);
  return found;
}

describe("the groups of lines", () => {
  it("are those of the element, of the next ancestor with more lines, and of runs inside it", () => {
    const paths = [
      "body>nav>a",
      "body>nav>a",
      "body>main>ul>li>b",
      "body>main>ul>li",
      "body>main>p",
      "body>main>ul>li>b",
      "body>footer",
    ];
    // li holds more lines than b; main more than ul and li, which hold the same; body more than main.
    expect(groupsOf(paths)).toEqual([
      [[0, 1], [2, 5], [3], [4], [6]],
      [
        [0, 1, 6],
        [2, 5],
        [3, 4],
      ],
      [[0, 1, 6], [2], [3, 4], [5]],
      [
        [0, 1, 3, 4, 6],
        [2, 5],
      ],
    ]);
  });

  it("are one group if lines have no place", () => {
    expect(groupsOf(["", "", ""])).toEqual(GROUP_LEVELS.map(() => [[0, 1, 2]]));
    expect(groupsOf([])).toEqual(GROUP_LEVELS.map(() => []));
  });

  it("of a window are those of the document, clipped", () => {
    const step = fc.constantFrom("div", "div.a", "p", "ul", "li");
    const path = fc.array(step, { maxLength: 4 }).map((steps) => steps.join(">"));
    fc.assert(
      fc.property(
        fc.array(path, { minLength: 1, maxLength: 30 }),
        fc.nat(),
        fc.nat(),
        (paths, from, size) => {
          const start = from % paths.length;
          const rows = 1 + (size % (paths.length - start));
          const inside = (line: number): boolean => line >= start && line < start + rows;
          const cut = groupsOf(paths).map((groups) =>
            groups.map((lines) => lines.filter(inside)).filter(({ length }) => length > 0),
          );
          const byFirst = (one: number[], other: number[]): number => (one[0] ?? 0) - (other[0] ?? 0);
          expect(groupsOf(paths, start, rows)).toEqual(cut.map((groups) => groups.toSorted(byFirst)));
        },
      ),
    );
  });

  it("take time linear in the number of lines", async () => {
    const deep = "div>".repeat(60);
    const make = (size: number) => place(Array.from({ length: size }, (_, at) => `${deep}div#d${at % 50}>p`));
    await expectLinear(50_000, make, (places) => createLineGroups(places)(0, places.nodes.length));
  });
});
