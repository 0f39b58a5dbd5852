import { describe, expect, it } from "vitest";
import { Clusters } from "../../src/report/clusters.js";
import { Counts, createTally, Groups, OTHERS } from "../../src/report/tally.js";

describe("Groups", () => {
  it("lists the largest, and all others as one", () => {
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

  it("has a limited number of names, and counts the rest together", () => {
    const groups = new Groups();
    for (let at = 0; at < 20_010; at += 1) groups.add(`host${at}`, { ...createTally(), documents: 1 });
    const all = groups.list(Infinity);
    expect(all).toHaveLength(20_001);
    expect(all[0]).toMatchObject([OTHERS, { documents: 10 }]);
  });
});

describe("Counts", () => {
  it("drops rare names if there are too many", () => {
    const counts = new Counts();
    for (let at = 0; at < 5; at += 1) counts.add("often");
    for (let at = 0; at < 250_000; at += 1) counts.add(`once${at}`);
    expect(counts.list(1)).toEqual([["often", 5]]);
    expect(counts.list().length).toBeLessThanOrEqual(100_001);
  });

  it("never drops all names, and lets late ones grow", () => {
    const counts = new Counts();
    for (let at = 0; at <= 100_000; at += 1) counts.add(`once${at}`);
    expect(counts.list().length).toBeGreaterThan(40_000);
    for (let at = 0; at < 60_000; at += 1) for (const name of [`twice${at}`, `twice${at}`]) counts.add(name);
    for (let at = 0; at < 300; at += 1) counts.add("late");
    expect(counts.list(1)).toEqual([["late", 300]]);
  });
});

describe("Clusters", () => {
  it("finds a large cluster after many small ones", () => {
    const clusters = new Clusters();
    for (let at = 0; at < 50_000; at += 1)
      for (const copy of ["a", "b"]) clusters.add(`small${at}`, `${copy}${at}`);
    for (let at = 0; at < 300; at += 1) clusters.add("large", `copy${at}`);
    // The first copy is dropped with the other names that occurred once.
    expect(clusters.list(1)).toMatchObject([{ first: "large", copies: 299 }]);
  });
});
