import { describe, expect, it } from "vitest";
import { printCosts, PUBLISHED_MS, timePages } from "../../../../bench/lab/speed/texrex-speed.js";

describe("the costs of the texrex labeller", () => {
  it("add up to the total, and skip pages without lines", async () => {
    const page = `<body>${"<div><p>One line of <b>text</b>.</p></div>".repeat(200)}</body>`;
    const { pages, lines, parsing, parts, all } = await timePages([page, "<p></p>"], { rounds: 1 });
    expect([pages, lines]).toEqual([1, 200]);
    expect(parsing).toBeGreaterThan(0);
    expect(Object.values(parts).reduce((sum, part) => sum + part, 0)).toBeCloseTo(all, 6);
  });

  it("are printed beside the published figure", () => {
    const parts = { markup: 0.5, features: 0.25, network: 0.125, "labels and the rest": 0.125 };
    const printed = printCosts({ pages: 2, lines: 10, parsing: 2, parts, all: 1 });
    expect(printed).toContain("2 pages of 10 lines");
    expect(printed).toMatch(/\| all +\| +1\.000 \|/);
    expect(printed).toContain(PUBLISHED_MS.toFixed(3));
  });
});
