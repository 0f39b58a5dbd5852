import { mkdtempSync, readdirSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, beforeEach, describe, expect, it } from "vitest";
import { go, later, page, robots, send, site, status } from "../../bench/lab/crawl/farm/answers.js";
import { openFarm, type Farm } from "../../bench/lab/crawl/farm/farm.js";
import { findBreaches } from "../../bench/lab/crawl/farm/log.js";
import {
  createCrawler,
  openCrawl,
  UsageError,
  type CrawlHooks,
  type CrawledPage,
  type Crawler,
  type CrawlerOptions,
} from "../../src/index.js";
import { collectAll } from "../collect-all.js";

const work = mkdtempSync(join(tmpdir(), "thresher-crawler-"));
let farm: Farm;
beforeAll(async () => {
  farm = await openFarm({
    sites: {
      one: site({
        "/": page("The first", ["/second", "/third", "/secret"]),
        "/second": page("The second", ["/deeper"]),
        "/third": send(""),
        "/robots.txt": robots("User-agent: *", "Disallow: /secret"),
      }),
      two: site({ "/": go("/moved"), "/moved": page("What moved"), "/robots.txt": status(404) }),
      slow: site({ "/": page("Slow", ["/a", "/b", "/c"]), "*": later(300, page("Slower")) }),
    },
  });
});
afterAll(async () => {
  await farm.close();
  rmSync(work, { recursive: true });
});
beforeEach(() => {
  farm.forget();
});

let folders = 0;
function makeDir(): string {
  folders += 1;
  return join(work, String(folders));
}

function open(dir: string, more: Partial<CrawlerOptions> = {}): Promise<Crawler> {
  return createCrawler({
    dir,
    clean: { labeller: "rules", workers: 1 },
    transport: { addresses: "any", lookup: farm.lookup },
    ...more,
    politeness: { delayMs: 20, retryMs: 20, ...more.politeness },
  });
}

const tell = ({ outcome, about }: CrawledPage): string =>
  `${new URL(about.url).pathname} ${outcome.ok ? "document" : outcome.reason}`;

describe("createCrawler", () => {
  it("gives records and rejects once, even over several crawlers of one folder", async () => {
    const dir = makeDir();
    const crawler = await open(dir, { scope: { depth: 1 } });
    expect(await crawler.add([farm.url("one"), { url: farm.url("two") }])).toMatchObject({ added: 2 });
    const all = await collectAll(crawler.run());
    expect(all.map(tell).sort()).toEqual([
      "/ document",
      "/moved document",
      "/second document",
      "/secret robots",
      "/third empty",
    ]);
    expect(all.map(({ number }) => number)).toEqual([1, 2, 3, 4, 5]);
    const [first] = all;
    if (first?.outcome.ok !== true) throw new Error("the first page is a document");
    expect(first.outcome.value).toMatchObject({ id: first.about.url, fingerprint: crawler.fingerprint });
    expect(first.outcome.value.lines?.length).toBeGreaterThan(3);
    expect(crawler.figures()).toMatchObject({ results: { page: 3, redirected: 1, rejected: 2 }, queued: 0 });
    await crawler.close();
    await crawler.close();

    const again = await open(dir, { scope: { depth: 1 } });
    expect(await again.add([farm.url("one")])).toMatchObject({ added: 0, known: 1 });
    expect(await collectAll(again.run())).toEqual([]);
    const urls: string[] = [];
    for await (const { url, isConfirmed } of again.outcomes()) if (isConfirmed) urls.push(url);
    // The sixth is the URL that redirects.
    expect(urls).toHaveLength(6);
    await again.close();
    expect(findBreaches(farm.visits(), () => 20)).toEqual([]);
  });

  it("returns unconfirmed pages again without asking the servers", async () => {
    const dir = makeDir();
    const first = await open(dir, { confirm: "manual", scope: { depth: 1 } });
    await first.add([farm.url("one")]);
    const all = await collectAll(first.run());
    expect(all).toHaveLength(4);
    await first.confirm(2);
    await first.close();
    farm.forget();
    const second = await open(dir, { confirm: "manual" });
    const rest = await collectAll(second.run());
    expect(rest.map(({ number }) => number)).toEqual([3, 4]);
    expect(rest.map(tell)).toEqual(all.slice(2).map(tell));
    expect(farm.visits()).toEqual([]);
    await second.confirm(4);
    await second.close();
  });

  it("calls its hooks", async () => {
    const asked: string[] = [];
    const crawler = await open(makeDir(), {
      scope: { depth: 1 },
      hooks: {
        mayFetch: (url) => {
          asked.push(new URL(url).pathname);
          return Promise.resolve(!url.endsWith("/second"));
        },
        delayFor: (host) => (host.startsWith("one") ? 150 : undefined),
        findLinks: ({ url }) =>
          url.endsWith("/") ? [new URL("/second", url).href, new URL("/deeper", url).href] : [],
      },
    });
    await crawler.add([farm.url("one")]);
    const all = await collectAll(crawler.run());
    expect(all.map(tell).sort()).toEqual(["/ document", "/deeper http-status", "/second out-of-scope"]);
    expect(asked.sort()).toEqual(["/", "/deeper", "/second"]);
    expect(farm.visits()).toHaveLength(3);
    expect(findBreaches(farm.visits(), () => 150)).toEqual([]);
    await crawler.close();
  });

  it("accepts an instance of a class as hooks", async () => {
    class Hooks {
      readonly asked: string[] = [];
      mayFetch(url: string): boolean {
        this.asked.push(url);
        return false;
      }
    }
    const hooks = new Hooks();
    const crawler = await open(makeDir(), { hooks });
    await crawler.add([farm.url("one")]);
    expect((await collectAll(crawler.run())).map(tell)).toEqual(["/ out-of-scope"]);
    expect(hooks.asked).toEqual([farm.url("one")]);
    await crawler.close();
  });

  it.each([
    ["delayFor", "x", /^delayFor returned "x" for one/],
    ["delayFor", Number.NaN, /^delayFor returned NaN for one.*a number from 0 to 1800000/],
    ["delayFor", -1, /^delayFor returned -1/],
    ["delayFor", Infinity, /^delayFor returned Infinity/],
    ["findLinks", "/second", /^findLinks returned "\/second" for http.*an array of strings/],
    ["findLinks", [new URL("http://one.example/")], /^findLinks returned \[/],
  ])("explains what is wrong with the return value of a hook: %s %j", async (name, given, says) => {
    const hooks = { [name]: () => given } as unknown as CrawlHooks;
    const crawler = await open(makeDir(), { scope: { depth: 1 }, hooks });
    await crawler.add([farm.url("one")]);
    const failing = collectAll(crawler.run());
    await expect(failing).rejects.toThrow(UsageError);
    await expect(failing).rejects.toThrow(says);
    await crawler.close();
  });

  it("ends without an error and fetches nothing more when its signal aborts", async () => {
    const dir = makeDir();
    const crawler = await open(dir, { scope: { depth: 1 } });
    await crawler.add([farm.url("slow")]);
    const stop = new AbortController();
    const seen: string[] = [];
    for await (const each of crawler.run(stop.signal)) {
      seen.push(tell(each));
      stop.abort();
    }
    expect(seen[0]).toBe("/ document");
    expect(seen.length).toBeLessThan(4);
    expect(crawler.figures().queued).toBe(4 - seen.length);
    await crawler.close();
    const next = await open(dir, { scope: { depth: 1 } });
    expect((await collectAll(next.run())).length + seen.length).toBe(4);
    await next.close();
  });

  it("ends a run when it is closed, and does not return its finished pages again", async () => {
    const dir = makeDir();
    const first = await open(dir, { scope: { depth: 1 } });
    await first.add([farm.url("one")]);
    const numbers: number[] = [];
    for await (const { number } of first.run()) {
      numbers.push(number);
      if (number === 3) await first.close();
    }
    expect(numbers).toEqual([1, 2, 3]);
    const second = await open(dir, { scope: { depth: 1 } });
    expect((await collectAll(second.run())).map(({ number }) => number)).toEqual([3, 4]);
    await second.close();
  });

  it("throws why a run failed", async () => {
    const crawler = await open(makeDir(), {
      hooks: {
        mayFetch: (url) => {
          if (url.endsWith("/b")) throw new TypeError("a bug of the caller");
          return true;
        },
      },
    });
    await crawler.add(["/a", "/b"].map((path) => farm.url("slow", path)));
    await expect(collectAll(crawler.run())).rejects.toThrow("a bug of the caller");
    await crawler.close();
  });

  it("lists what it would fetch", async () => {
    const crawler = await open(makeDir());
    await crawler.add([farm.url("one"), farm.url("one", "/secret")]);
    const plans: string[] = [];
    for await (const { url, reason = "fetch" } of crawler.plan())
      plans.push(`${new URL(url).pathname} ${reason}`);
    expect(plans).toEqual(["/ fetch", "/secret robots"]);
    expect(farm.visits().map(({ path }) => path)).toEqual(["/robots.txt"]);
    await crawler.close();
  });

  it("refuses wrong options and calls, and leaves nothing open", async () => {
    const dir = makeDir();
    await expect(open(dir, { politeness: { hosts: 0 } })).rejects.toThrow(UsageError);
    await expect(open(dir, { transport: { userAgent: "Me\n" } })).rejects.toThrow("userAgent must be");
    await expect(open(dir, { transport: { contact: "\u0000" } })).rejects.toThrow("contact must be");
    await expect(open(dir, { clean: { focus: "sharp" as "recall" } })).rejects.toThrow(UsageError);
    const crawler = await open(dir);
    await expect(open(dir)).rejects.toThrow("already open");
    // Programs without types may pass these.
    for (const wrong of [
      [{ kind: "page" }],
      [null],
      farm.url("one"),
      null,
      undefined,
      7,
      { url: farm.url("one") },
    ])
      await expect(crawler.add(wrong as unknown as string[])).rejects.toThrow(UsageError);
    expect(crawler.figures().queued).toBe(0);
    await crawler.close();
    await expect(crawler.add([farm.url("one")])).rejects.toThrow(new UsageError("the crawl is closed"));
    await expect(crawler.confirm(1)).rejects.toThrow(new UsageError("the crawl is closed"));
    await expect(collectAll(crawler.run())).rejects.toThrow(UsageError);
    expect(() => crawler.figures()).toThrow(UsageError);
    expect(() => crawler.plan()).toThrow(UsageError);
    expect(() => crawler.outcomes()).toThrow(UsageError);
    const next = await open(dir);
    await next.close();
    expect(readdirSync(join(dir, "state"))).not.toContain("lock");
  });
});

describe("openCrawl", () => {
  it("gives pages as they were fetched, for other pipelines", async () => {
    const crawl = await openCrawl({
      ...{ dir: makeDir(), version: "1", warc: false, politeness: { delayMs: 0 } },
      transport: { maxBytes: 1e6, timeoutMs: 5000, addresses: "any", lookup: farm.lookup },
    });
    await crawl.add([{ url: farm.url("one") }]);
    const urls: string[] = [];
    for await (const { outcome, number } of crawl.run(new AbortController().signal)) {
      if (outcome.ok) urls.push(outcome.value.url);
      await crawl.confirm(number);
    }
    expect(urls).toEqual([farm.url("one")]);
    await crawl.close();
  });
});

describe("wrong crawl options", () => {
  it.each([
    undefined,
    {},
    { dir: "" },
    { dir: 7 },
    { scope: { reach: "everywhere" } },
    { scope: { depth: "2" } },
    { scope: { dept: 2 } },
    { scope: { include: "*/posts/*" } },
    { scope: { exclude: [7] } },
    { robots: "ask" },
    { robots: null },
    { sitemaps: "yes" },
    { warc: 1 },
    { warc: null },
    { recrawl: "no" },
    { hooks: null },
    { hooks: [] },
    { hooks: { mayfetch: () => false } },
    { hooks: { mayFetch: true } },
    { hooks: { delayFor: 100 } },
    { transport: null },
    { clean: null },
    { confirm: "never" },
    { transport: { addresses: "all" } },
    { transport: { timeoutMs: "60" } },
    { transport: { agent: "x" } },
    { politeness: { delay: 1 } },
    { budgets: { pages: -1 } },
    { clean: { focus: "most" } },
    { depth: 2 },
  ])("%j are refused, and the folder stays usable", async (options) => {
    const dir = makeDir();
    const given = options === undefined || "dir" in options || Object.keys(options).length === 0;
    const wrong = (given ? options : { dir, ...options }) as unknown as CrawlerOptions;
    await expect(createCrawler(wrong)).rejects.toBeInstanceOf(UsageError);
    await (await open(dir)).close();
  });

  it("do not include undefined, which stands for the default", async () => {
    const dir = makeDir();
    const undefinedOnes = {
      scope: { depth: undefined },
      politeness: { hosts: undefined },
      budgets: undefined,
    };
    const crawler = await open(dir, undefinedOnes as unknown as Partial<CrawlerOptions>);
    await crawler.add([farm.url("one")]);
    const pages = await collectAll(crawler.run());
    expect(pages.map(({ about }) => about.url)).toEqual([farm.url("one")]);
    await crawler.close();
    // The folder is the only option that openCrawl requires.
    const crawl = await openCrawl({ dir });
    expect(crawl.figures().results).toMatchObject({ page: 1, waiting: 0 });
    await crawl.close();
  });
});
