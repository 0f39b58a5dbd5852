import { Command } from "commander";
import { describe, expect, it } from "vitest";
import { addCrawlFlags, toCrawlOptions, type CrawlFlags } from "../../../src/cli/crawl/crawl-flags.js";
import { DEFAULTS } from "../../../src/options/options.js";

/** Parses these words with commander. */
function parse(...words: readonly string[]): CrawlFlags {
  const command = addCrawlFlags(new Command().argument("[seeds...]").exitOverride());
  command.configureOutput({ writeErr: () => undefined });
  return command.parse(words, { from: "user" }).opts();
}

const optionsOf = (...words: readonly string[]): ReturnType<typeof toCrawlOptions> =>
  toCrawlOptions(parse(...words), "/d");

describe("the options of crawl", () => {
  it("are polite and safe by default", () => {
    expect(optionsOf()).toEqual({
      dir: "/d",
      version: expect.any(String) as string,
      transport: {
        version: expect.any(String) as string,
        maxBytes: DEFAULTS.maxBytes,
        timeoutMs: 60_000,
        idleMs: 20_000,
        addresses: "public",
        http2: true,
      },
      politeness: { delayMs: 1000, maxDelayMs: 60_000, hosts: 64, retries: 2, retryMs: 5000 },
      scope: { depth: 0, reach: "host", include: [], exclude: [] },
      budgets: {},
      robots: "obey",
      tdmrep: false,
      sitemaps: false,
      warc: true,
      warcBytes: 1_000_000_000,
      recrawl: false,
    });
  });

  it("set all options of a crawl", () => {
    const words = [
      ...["--depth", "3", "--same-domain", "--include", "/a/", "--include", "/b/", "--exclude", "*.pdf"],
      ...["--max-pages", "10", "--max-total-bytes", "1G", "--max-pages-per-host", "5"],
      ...["--delay", "0", "--max-delay", "5m", "--hosts", "9", "--retries", "0", "--retry-delay", "500ms"],
      ...["--fetch-timeout", "5s", "--idle-timeout", "9s", "--max-bytes", "2M"],
      ...["--user-agent", "Me/1", "--contact", "me@example.org", "--ignore-robots", "--allow-private"],
      ...["--proxy", "http://proxy:1", "--no-warc", "--warc-size", "5M", "--recrawl", "--sitemaps"],
      "--tdmrep",
    ];
    expect(optionsOf(...words)).toMatchObject({
      transport: {
        ...{ maxBytes: 2e6, timeoutMs: 5000, idleMs: 5000, addresses: "any" },
        ...{ userAgent: "Me/1", contact: "me@example.org", proxy: "http://proxy:1" },
      },
      politeness: { delayMs: 0, maxDelayMs: 300_000, hosts: 9, retries: 0, retryMs: 500 },
      scope: { depth: 3, reach: "domain", include: ["/a/", "/b/"], exclude: ["*.pdf"] },
      budgets: { pages: 10, bytes: 1e9, pagesPerHost: 5 },
      ...{ robots: "ignore", tdmrep: true, sitemaps: true, warc: false, warcBytes: 5e6, recrawl: true },
    });
    expect(optionsOf("--any-host").scope?.reach).toBe("any");
  });

  it("take one word each, so that seeds may be anywhere", () => {
    const flags = parse(
      "--seeds",
      "a.txt",
      "http://a/",
      "--sitemap",
      "http://a/s.xml",
      "--seeds",
      "b.txt",
      "http://b/",
    );
    expect(flags).toMatchObject({ seeds: ["a.txt", "b.txt"], sitemap: ["http://a/s.xml"] });
  });

  it("raise the maximum delay to a longer --delay", () => {
    expect(optionsOf("--delay", "2m").politeness?.maxDelayMs).toBe(120_000);
  });

  it.each([
    ["--delay", "-1"],
    ["--delay", "soon"],
    ["--hosts", "0"],
    ["--depth", "1.5"],
    ["--max-pages", "0"],
    ["--seeds", ""],
    ["--same-host", "--any-host"],
    ["--insecure"],
    ["--from", "html"],
  ])("reject %s %s", (...words) => {
    expect(() => parse(...words)).toThrow();
  });
});
