/** Checks that a crawl fetches refused URLs again if a later run changes the option that refused them. */
import { describe, expect, it, onTestFinished } from "vitest";
import { openCrawl } from "../../src/crawl/crawl.js";
import type { CrawlOptions } from "../../src/crawl/types.js";
import { makeDir, openFarm, page, quick, runAll, TRANSPORT, type Farm, type Site } from "./farm.js";
import { collectAll } from "../collect-all.js";

const site: Site = (path, { host }) => {
  if (path === "/robots.txt")
    return { body: `User-agent: *\nDisallow: /closed\n${host === "slow.test" ? "Crawl-delay: 2" : ""}` };
  if (path === "/late") return { afterMs: 400 };
  if (path === "/large") return { body: page("Large".repeat(2000)) };
  if (path === "/away") return { status: 302, headers: { location: `http://other.test:1/` } };
  return {};
};

const never = new AbortController().signal;

interface Told {
  readonly plan: readonly string[];
  readonly events: readonly string[];
}

/** Returns what a run with these options plans, and the outcomes of the URLs that it fetches. */
async function crawl(farm: Farm, options: CrawlOptions, paths: readonly string[]): Promise<Told> {
  const crawl = await openCrawl(options);
  const nameOf = (url: string): string =>
    url.startsWith(farm.url("one.test", "/")) ? new URL(url).pathname : url;
  try {
    await crawl.add(paths.map((path) => ({ url: path.startsWith("/") ? farm.url("one.test", path) : path })));
    const plan = (await collectAll(crawl.plan(never))).map(
      ({ url, reason = "fetch" }) => `${nameOf(url)} ${reason}`,
    );
    const events = (await runAll(crawl)).map(
      ({ about: { url, result, reason = result } }) => `${nameOf(url)} ${reason}`,
    );
    return { plan, events };
  } finally {
    await crawl.close();
  }
}

const CASES: readonly (readonly [
  option: string,
  path: string,
  reason: string,
  before: Partial<CrawlOptions>,
  after: Partial<CrawlOptions>,
])[] = [
  [
    "private addresses",
    "/a",
    "blocked-address",
    { transport: { ...TRANSPORT, addresses: "public" } },
    { transport: TRANSPORT },
  ],
  [
    "private addresses without robots.txt",
    "/a",
    "blocked-address",
    { robots: "ignore", transport: { ...TRANSPORT, addresses: "public" } },
    { robots: "ignore", transport: TRANSPORT },
  ],
  ["robots.txt", "/closed", "robots", {}, { robots: "ignore" }],
  ["the user agent", "/closed", "robots", {}, { transport: { ...TRANSPORT, userAgent: "Other/1" } }],
  ["bytes", "/large", "too-large", { transport: { ...TRANSPORT, maxBytes: 2000 } }, {}],
  [
    "time",
    "/late",
    "timeout",
    { politeness: { retries: 0 }, transport: { ...TRANSPORT, timeoutMs: 150 } },
    { transport: TRANSPORT },
  ],
  ["patterns", "/b", "out-of-scope", { scope: { exclude: ["/b"] } }, {}],
];

describe("a refused URL", () => {
  it.each(CASES)("is fetched again if an option changes: %s", async (name, path, reason, before, after) => {
    const farm = await openFarm(
      name === "the user agent"
        ? (at) => (at === "/robots.txt" ? { body: "User-agent: Thresher\nDisallow: /closed" } : {})
        : site,
    );
    onTestFinished(() => farm.close());
    const dir = makeDir();
    expect((await crawl(farm, quick(dir, before), [path])).events).toEqual([`${path} ${reason}`]);
    const nothing = { plan: [], events: [] };
    // A failure that may be temporary is fetched again in any case.
    const again = { plan: [`${path} fetch`], events: [`${path} ${reason}`] };
    expect(await crawl(farm, quick(dir, before), [path])).toEqual(reason === "timeout" ? again : nothing);
    expect(await crawl(farm, quick(dir, after), [path])).toEqual({
      plan: [`${path} fetch`],
      events: [`${path} page`],
    });
    expect(await crawl(farm, quick(dir, before), [path])).toEqual(nothing);
  });

  it("is fetched again if a longer delay is allowed", async () => {
    const farm = await openFarm(site);
    onTestFinished(() => farm.close());
    const dir = makeDir();
    const url = farm.url("slow.test", "/a");
    const bear = (maxDelayMs: number): CrawlOptions => quick(dir, { politeness: { maxDelayMs } });
    expect((await crawl(farm, bear(1000), [url])).events).toEqual([`${url} robots`]);
    expect((await crawl(farm, bear(3000), [url])).events).toEqual([`${url} page`]);
  });

  it("is fetched again if a redirect may lead to other hosts", async () => {
    const farm = await openFarm(site);
    onTestFinished(() => farm.close());
    const dir = makeDir();
    const exclude = ["http://other.test:1/**"];
    expect((await crawl(farm, quick(dir, { scope: { exclude } }), ["/away"])).events).toEqual([
      "/away out-of-scope",
    ]);
    const { plan, events } = await crawl(farm, quick(dir, { politeness: { retries: 0 } }), []);
    expect(plan).toEqual(["/away fetch"]);
    expect(events).toEqual(["http://other.test:1/ fetch-failed"]);
  });

  it("stays refused if only another option changes", async () => {
    const farm = await openFarm(site);
    onTestFinished(() => farm.close());
    const dir = makeDir();
    const scope = { exclude: ["/b"] };
    await crawl(farm, quick(dir, { scope }), ["/closed", "/b"]);
    const more = { scope: { exclude: ["/b", "/c"] }, transport: { ...TRANSPORT, maxBytes: 5_000_000 } };
    expect(await crawl(farm, quick(dir, more), [])).toEqual({ plan: [], events: [] });
  });
});

describe("a recrawl", () => {
  it.each([false, true])("asks a host again if its robots.txt could not be fetched: %s", async (recrawl) => {
    let isBroken = true;
    const farm = await openFarm((path) => (path === "/robots.txt" ? { isBroken } : {}));
    onTestFinished(() => farm.close());
    const options = quick(makeDir(), { politeness: { retries: 0 } });
    expect((await crawl(farm, options, ["/a"])).events).toEqual(["/a fetch-failed"]);
    isBroken = false;
    // Running the same command again does so, too.
    expect((await crawl(farm, { ...options, recrawl }, ["/a"])).events).toEqual(["/a page"]);
  });

  it("does not fetch excluded URLs", async () => {
    const farm = await openFarm(site);
    onTestFinished(() => farm.close());
    const dir = makeDir();
    const scope = { exclude: ["/b"] };
    await crawl(farm, quick(dir, { scope }), ["/a", "/b"]);
    const again = await crawl(farm, quick(dir, { scope, recrawl: true }), []);
    expect(again.events).toEqual(["/a not-modified"]);
    expect(farm.pages().map(({ path }) => path)).toEqual(["/a", "/a"]);
  });

  it("reads lists again even if none of their URLs was fetched", async () => {
    const farm = await openFarm((path, { host }) =>
      path === "/robots.txt"
        ? undefined
        : { body: `http://${host}:1/b\n`, headers: { "content-type": "text/plain" } },
    );
    onTestFinished(() => farm.close());
    const dir = makeDir();
    const listOnly = async (recrawl: boolean): Promise<void> => {
      const opened = await openCrawl(quick(dir, { recrawl, scope: { exclude: ["/b"] } }));
      await opened.add([{ url: farm.url("one.test", "/list"), kind: "list" }]);
      await runAll(opened);
      await opened.close();
    };
    await listOnly(false);
    await listOnly(true);
    expect(farm.pages().map(({ path }) => path)).toEqual(["/list", "/list"]);
  });

  it("follows links that a larger scope allows, even on unchanged pages", async () => {
    const farm = await openFarm((path, { headers }) => {
      if (path === "/robots.txt") return undefined;
      if (headers["if-none-match"] === '"1"') return { status: 304 };
      return { body: page(path, path === "/a" ? ["/b"] : []), headers: { etag: '"1"' } };
    });
    onTestFinished(() => farm.close());
    const dir = makeDir();
    await crawl(farm, quick(dir), ["/a"]);
    const wide = quick(dir, { recrawl: true, scope: { depth: 1 } });
    expect((await crawl(farm, wide, [])).events).toEqual(["/a not-modified", "/b page"]);
    expect((await crawl(farm, wide, [])).events).toEqual(["/a not-modified", "/b not-modified"]);
  });
});

describe("a crawl whose robots.txt could not be fetched", () => {
  it("asks for it again with the same options", async () => {
    let isUp = false;
    const farm = await openFarm((path) => (path === "/robots.txt" && !isUp ? { status: 500 } : {}));
    onTestFinished(() => farm.close());
    const options = quick(makeDir(), { politeness: { retries: 0 } });
    expect((await crawl(farm, options, ["/a"])).events).toEqual(["/a http-status"]);
    isUp = true;
    expect((await crawl(farm, options, ["/a"])).events).toEqual(["/a page"]);
  });
});

describe("a crawl that is complete except for network failures", () => {
  it("retries the failed URLs with the same options, and no others", async () => {
    let isUp = false;
    const farm = await openFarm((path) => {
      if (isUp || ["/robots.txt", "/good"].includes(path)) return path === "/gone" ? undefined : {};
      if (path === "/broken") return { isBroken: true };
      return path === "/busy" ? { status: 503 } : undefined;
    });
    onTestFinished(() => farm.close());
    const options = quick(makeDir(), { politeness: { retries: 0 } });
    const paths = ["/good", "/broken", "/busy", "/gone"];
    const down = ["/good page", "/broken fetch-failed", "/busy http-status", "/gone http-status"];
    expect((await crawl(farm, options, paths)).events).toEqual(down);
    expect((await crawl(farm, options, paths)).events).toEqual(["/broken fetch-failed", "/busy http-status"]);
    isUp = true;
    expect((await crawl(farm, options, paths)).events).toEqual(["/broken page", "/busy page"]);
    expect(await crawl(farm, options, paths)).toEqual({ plan: [], events: [] });
  });

  it("also retries the URLs that it gave up with their host", async () => {
    let isUp = false;
    const farm = await openFarm((path) => (path === "/robots.txt" || isUp ? {} : { status: 503 }));
    onTestFinished(() => farm.close());
    const options = quick(makeDir(), { politeness: { retries: 0, failures: 2 } });
    const paths = ["/a", "/b", "/c", "/d"];
    const down = paths.map((path) => `${path} http-status`);
    expect((await crawl(farm, options, paths)).events).toEqual(down);
    expect(farm.pages()).toHaveLength(2);
    isUp = true;
    expect((await crawl(farm, options, paths)).events).toEqual(paths.map((path) => `${path} page`));
  });
});
