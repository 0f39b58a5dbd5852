import { describe, expect, it } from "vitest";
import { Counts, createTally, Groups, OTHERS } from "../../src/report/tally.js";

describe("Groups", () => {
  it("lists the largest, and the rest as one", () => {
    const groups = new Groups();
    for (const [name, documents] of [
      ["a", 1],
      ["b", 3],
      ["c", 2],
      ["d", 2],
    ] as const)
      groups.add(name, { ...createTally(), documents, keptWords: 10 });
    expect(groups.list(3).map(([name, { documents, keptWords }]) => [name, documents, keptWords])).toEqual([
      ["b", 3, 10],
      ["c", 2, 10],
      ["2 others", 3, 20],
    ]);
    expect(groups.list(4)).toHaveLength(4);
  });

  it("has room for so many names, and counts the rest together", () => {
    const groups = new Groups();
    for (let at = 0; at < 20_010; at += 1) groups.add(`host${at}`, { ...createTally(), documents: 1 });
    const all = groups.list(Infinity);
    expect(all).toHaveLength(20_001);
    expect(all[0]).toMatchObject([OTHERS, { documents: 10 }]);
  });
});

describe("Counts", () => {
  it("forgets rare names among too many", () => {
    const counts = new Counts();
    counts.add("often", 5);
    for (let at = 0; at < 250_000; at += 1) counts.add(`once${at}`);
    expect(counts.list(1)).toEqual([["often", 5]]);
    expect(counts.list().length).toBeLessThanOrEqual(100_001);
  });
});
