/** Checks what a crawl says while it runs and at its end. */
import { describe, expect, it } from "vitest";
import { tellCrawlEnd, tellCrawlProgress } from "../../../src/cli/crawl/crawl-report.js";
import type { CrawlFigures } from "../../../src/crawl/types.js";

const figures: CrawlFigures = {
  results: { page: 8, list: 0, redirected: 0, rejected: 1, waiting: 0 },
  reasons: { robots: 1 },
  pages: 8,
  exchanges: 9,
  bytes: 2e6,
  retried: 0,
  hostsActive: 0,
  hostsWaiting: 0,
  queued: 0,
  unconfirmed: 0,
  leftOut: { "out-of-scope": 0, trap: 0, nofollow: 0, "too-many": 0 },
};

describe("the end of a crawl", () => {
  it("reports what the run did, and which links it left", () => {
    expect(tellCrawlEnd(figures, 3)).toMatch(/^8 pages in .*, 9 requests, 0 tried again, 2\.0 MB$/);
    const left = { ...figures, leftOut: { ...figures.leftOut, trap: 1200 } };
    expect(tellCrawlEnd(left, 3)).toMatch(/links not followed: trap 1,200$/);
  });

  it("says how to fetch again if nothing was left to fetch", () => {
    const idle = { ...figures, pages: 0, exchanges: 0, bytes: 0 };
    expect(tellCrawlEnd(idle, 0)).toMatch(/--recrawl requests them again.*--fresh starts over/);
    expect(tellCrawlEnd(figures, 3)).not.toContain("--fresh");
  });

  it("names the options that would allow the rejected URLs", () => {
    const idle = {
      ...figures,
      pages: 0,
      exchanges: 0,
      bytes: 0,
      reasons: { "blocked-address": 2, robots: 1, dns: 4 },
    };
    const told = tellCrawlEnd(idle, 0);
    expect(told).toContain("--allow-private tries again what was refused as blocked-address (2)");
    expect(told).toContain(
      "--ignore-robots or a longer --max-delay tries again what was refused as robots (1)",
    );
    expect(told).not.toContain("dns");
    expect(told).not.toContain("timeout");
  });
});

describe("the progress of a crawl", () => {
  it("shows the remaining time if it is known", () => {
    expect(tellCrawlProgress({ ...figures, queued: 5, msLeft: 150_000 }, 4)).toMatch(
      /5 queued, .*, 4 s, 3 min left$/,
    );
    expect(tellCrawlProgress({ ...figures, queued: 5 }, 4)).not.toContain("left");
  });
});
