import { describe, expect, it } from "vitest";
import { join } from "node:path";
import { printTimes, timeBuilds } from "../../../../bench/lab/speed/two-builds.js";
import { ROOT } from "../../../../bench/systems/root.js";

const PAGE = `<body>${"<p>One line of <b>text</b>, which is long enough to be kept.</p>".repeat(50)}</body>`;

describe("the comparison of two builds", () => {
  it("times both in each round", async () => {
    const times = await timeBuilds([ROOT, ROOT], [PAGE, PAGE], { rounds: 2 });
    expect(times).toHaveLength(2);
    for (const { page, "page without a labeller": unlabelled } of times) {
      expect(page).toHaveLength(2);
      expect(Math.min(...page, ...unlabelled)).toBeGreaterThan(0);
    }
  });

  it("says which checkout is not built", async () => {
    const folder = join(ROOT, "docs");
    await expect(timeBuilds([folder, ROOT], [PAGE], { rounds: 1 })).rejects.toThrow(`${folder} is not built`);
  });

  it("prints the ratio of each round's times", () => {
    const unlabelled = { "page without a labeller": [1, 1, 1] };
    const printed = printTimes([
      { page: [2, 4, 8], ...unlabelled },
      { page: [1, 4, 16], ...unlabelled },
    ]);
    expect(printed).toMatch(/\| page +\| +4\.0 +\| +4\.0 +\| +1\.000 \(0\.500–2\.000\) \|/);
  });
});
