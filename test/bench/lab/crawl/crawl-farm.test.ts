import { spawnSync } from "node:child_process";
import { mkdtempSync, readdirSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, describe, expect, it } from "vitest";
import { runCrawl } from "../../../../bench/lab/crawl/crawl-farm/crawl-command.js";
import { printFarm, summariseFarm } from "../../../../bench/lab/crawl/crawl-farm.js";
import { page, site } from "../../../../bench/lab/crawl/farm/answers.js";
import { openFarm } from "../../../../bench/lab/crawl/farm/farm.js";
import { ROOT } from "../../../../bench/systems/root.js";
import type { Visit } from "../../../../bench/lab/crawl/farm/log.js";

const work = mkdtempSync(join(tmpdir(), "thresher-bench-farm-"));
afterAll(() => {
  rmSync(work, { recursive: true });
});

describe("a measured crawl", () => {
  it("reports its time and memory, and throws on failure", { timeout: 60_000 }, async () => {
    const farm = await openFarm({ sites: { one: site({ "/": page("One") }) } });
    const asked = { seeds: [farm.url("one")], depth: 0, names: farm.names, delayMs: 0, hosts: 1, workers: 1 };
    const spent = await runCrawl({ ...asked, dir: join(work, "a") });
    expect(spent.cpuMs).toBeGreaterThan(0);
    expect(spent.peakBytes).toBeGreaterThan(3e7);
    expect(farm.visits().map(({ path }) => path)).toEqual(["/robots.txt", "/"]);
    await expect(runCrawl({ ...asked, seeds: [], dir: join(work, "b") })).rejects.toThrow("ended with 2");
    await farm.close();
  });
});

describe("a farm that cannot open", () => {
  it("ends the measurement, which leaves nothing behind", { timeout: 60_000 }, () => {
    const program = join(ROOT, "dist/bench/lab/crawl/crawl-farm.js");
    const dir = mkdtempSync(join(work, "farm-"));
    const args = [program, join(dir, "missing.jsonl"), "--dir", dir];
    const { status, stderr } = spawnSync(process.execPath, args, { encoding: "utf8" });
    expect([status, readdirSync(dir)]).toEqual([1, []]);
    expect(stderr).toContain("missing.jsonl");
    expect(stderr).toContain("the farm has ended");
  });
});

describe("the table of a farm", () => {
  const visit = (host: string, path: string, begin: number): Visit => ({
    ...{ host, path, protocol: "http/1.1", address: "127.0.0.1", userAgent: "", isConditional: false },
    ...{ begin, end: begin + 100, status: 200 },
  });
  const spent = { cpuMs: 40, peakBytes: 3e8, firstBytes: 2e8, lastBytes: 2.2e8 };

  it("counts breaches, repeats and shares", () => {
    const polite = [visit("a", "/", 0), visit("a", "/1", 1100), visit("b", "/", 0), visit("b", "/1", 600)];
    const fast = [visit("a", "/", 0), visit("a", "/", 100), visit("a", "/1", 150)];
    const { checks } = summariseFarm(
      { hosts: 2, delayMs: 1000 },
      {
        polite: { spent, visits: polite },
        linked: { spent, visits: fast },
        listed: { spent, visits: polite },
        shared: { spent: { ...spent, cpuMs: 48 }, visits: polite },
        alone: { pages: 10, cpuMs: 60, wallMs: 60, pageBytes: 5000 },
      },
    );
    expect(checks.map(([, value]) => value)).toEqual([
      ...["1", "1", "1", "2"],
      // Two requests of 100 ms and one pause, in 1,200 ms.
      ...["1.00", "500", "0.60", "0.50", "0.30", "1.10", "1.10"],
    ]);
    expect(printFarm({ rows: [["links", "4", "3", "100", "10", "300 MB"]], checks })).toMatch(
      /\| a list ÷ in memory, CPU +\| +0\.60 +\| +≥ \.60 \|/,
    );
  });
});
