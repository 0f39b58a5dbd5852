import { join } from "node:path";
import { describe, expect, it, onTestFinished } from "vitest";
import { openCrawl } from "../../src/crawl/crawl.js";
import { openStore } from "../../src/crawl/state/store.js";
import type { Crawl, CrawlOptions } from "../../src/crawl/types.js";
import { makeDir, openFarm, page, quick, runAll, type Farm, type Site } from "./farm.js";
import { collectAll } from "../collect-all.js";

async function open(options: CrawlOptions): Promise<Crawl> {
  const crawl = await openCrawl(options);
  onTestFinished(() => crawl.close());
  return crawl;
}

async function serve(site: Site): Promise<Farm> {
  const farm = await openFarm(site);
  onTestFinished(() => farm.close());
  return farm;
}

describe("a crawl", () => {
  it("fetches the seeds and reports the outcome of each", async () => {
    const farm = await serve((path) =>
      path === "/gone" ? { status: 404 } : path === "/robots.txt" ? undefined : {},
    );
    const crawl = await open(quick(makeDir()));
    const urls = ["/a", "/b", "/gone"].map((path) => farm.url("one.test", path));
    expect(await crawl.add([...urls, urls[0]!, "nonsense"].map((url) => ({ url })))).toEqual({
      added: 3,
      known: 1,
      refused: 1,
    });
    const events = await runAll(crawl);
    expect(events.map(({ number, about }) => [number, about.url, about.result, about.reason])).toEqual([
      [1, urls[0], "page", undefined],
      [2, urls[1], "page", undefined],
      [3, urls[2], "rejected", "http-status"],
    ]);
    expect(events[0]?.outcome).toMatchObject({
      ok: true,
      value: { id: urls[0], url: urls[0], content: { kind: "bytes" } },
    });
    expect(crawl.figures()).toMatchObject({
      results: { page: 2, rejected: 1, waiting: 0 },
      reasons: { "http-status": 1 },
      exchanges: 4,
      unconfirmed: 0,
    });
    expect(
      (await collectAll(crawl.outcomes())).map(({ status, isConfirmed }) => [status, isConfirmed]),
    ).toEqual([
      [200, true],
      [200, true],
      [404, true],
    ]);
    expect(await runAll(crawl)).toEqual([]);
  });

  it("follows links up to the allowed depth, each once", async () => {
    const farm = await serve((path) =>
      path === "/robots.txt"
        ? undefined
        : { body: page(path, [`.${path}/x`, "/", "/a#top", "http://elsewhere.test/", "mailto:a@b.c"]) },
    );
    const crawl = await open(quick(makeDir(), { scope: { depth: 2 } }));
    await crawl.add([{ url: farm.url("one.test", "/a") }]);
    const events = await runAll(crawl);
    expect(events.map(({ about }) => [about.url, about.depth])).toEqual([
      [farm.url("one.test", "/a"), 0],
      [farm.url("one.test", "/a/x"), 1],
      [farm.url("one.test", "/"), 1],
      [farm.url("one.test", "/a/a/x/x"), 2],
      [farm.url("one.test", "//x"), 2],
    ]);
    expect(crawl.figures().leftOut["out-of-scope"]).toBeGreaterThan(0);
  });

  it("follows the links of a page to which a shorter way is found while it is fetched", async () => {
    const farm = await serve((path, { host }) => {
      if (path === "/robots.txt") return undefined;
      return { body: page(path), afterMs: host === "far.test" && path === "/" ? 1500 : 0 };
    });
    const far = farm.url("far.test", "/");
    const links: Record<string, string> = {
      [farm.url("one.test", "/")]: farm.url("one.test", "/next"),
      [farm.url("one.test", "/next")]: far,
      [farm.url("near.test", "/")]: far,
      [far]: farm.url("far.test", "/deep"),
    };
    const findLinks = async ({ url }: { readonly url: string }): Promise<string[]> => {
      while (url === farm.url("near.test", "/") && !farm.pages().some(({ host }) => host === "far.test"))
        await new Promise((resolve) => setTimeout(resolve, 10));
      return [links[url] ?? []].flat();
    };
    const scope = { depth: 2, reach: "any" } as const;
    const crawl = await open(quick(makeDir(), { scope, hooks: { findLinks } }));
    await crawl.add([farm.url("one.test", "/"), farm.url("near.test", "/")]);
    const found = (await runAll(crawl)).map(({ about }) => [about.url, about.depth]);
    expect(found.slice(-2)).toEqual([
      [far, 1],
      [farm.url("far.test", "/deep"), 2],
    ]);
  });

  it("fetches seeds that are added during a run without waiting for other hosts", async () => {
    const farm = await serve(() => ({}));
    const crawl = await open(quick(makeDir(), { robots: "ignore", politeness: { delayMs: 1500 } }));
    await crawl.add(["/1", "/2"].map((path) => farm.url("slow.test", path)));
    const found: string[] = [];
    for await (const { about } of crawl.run(new AbortController().signal)) {
      found.push(new URL(about.url).hostname);
      if (found.length === 1) {
        // Until the run waits for the delay of the only host.
        await new Promise((resolve) => setTimeout(resolve, 200));
        await crawl.add([farm.url("other.test", "/")]);
      }
    }
    expect(found).toEqual(["slow.test", "other.test", "slow.test"]);
  });

  it("never fetches an excluded seed that is added while its host is asked", async () => {
    const links = Array.from({ length: 60 }, (_, number) => `/${number}`);
    const farm = await serve((path) => (path === "/robots.txt" ? undefined : { body: page(path, links) }));
    const crawl = await open(
      quick(makeDir(), { scope: { depth: 1, exclude: ["/no/"] }, politeness: { delayMs: 2 } }),
    );
    const url = (path: string): string => farm.url("one.test", path);
    await crawl.add([url("/")]);
    const added: Promise<unknown>[] = [];
    for await (const { number, about } of crawl.run(new AbortController().signal))
      // While a commit is written to disk. Seeds come before links.
      if (about.depth === 1) added.push(crawl.confirm(0), crawl.add([url(`/no/${number}`)]));
    await Promise.all(added);
    expect(farm.visits.filter(({ path }) => path.startsWith("/no/"))).toEqual([]);
    expect(crawl.figures()).toMatchObject({ results: { page: 61, rejected: 60, waiting: 0 } });
  });

  it("reads the sitemaps of a host whose robots.txt it knew before its first seed", async () => {
    const farm = await serve((path, { host }) => {
      if (path === "/robots.txt")
        return { body: `Sitemap: ${farm.url(host, "/map")}\nUser-agent: *\nDisallow: /no` };
      const headers = { "content-type": "text/plain" };
      return path === "/map" ? { headers, body: farm.url(host, "/listed") } : {};
    });
    const dir = makeDir();
    const first = await open(quick(dir));
    await first.add([farm.url("one.test", "/1")]);
    await runAll(first);
    await first.close();
    const second = await open(quick(dir, { sitemaps: true }));
    await second.add(["/no", "/2"].map((path) => farm.url("one.test", path)));
    expect((await runAll(second)).map(({ about }) => new URL(about.url).pathname)).toEqual([
      "/no",
      "/2",
      "/listed",
    ]);
    expect(farm.visits.filter(({ path }) => path === "/robots.txt")).toHaveLength(1);
  });

  it("fetches a robots.txt again that seems to come from the future", async () => {
    const farm = await serve((path) =>
      path === "/robots.txt" ? { body: "User-agent: *\nDisallow: /no" } : {},
    );
    const dir = makeDir();
    const first = await open(quick(dir));
    await first.add([farm.url("one.test", "/1")]);
    await runAll(first);
    await first.close();
    const store = openStore(join(dir, "state"));
    const { origin } = new URL(farm.url("one.test", "/"));
    store.hosts.setRobots(origin, {
      status: 200,
      body: "User-agent: *\nDisallow: /",
      fetchedAt: Date.now() + 1e12,
    });
    store.commit();
    store.close();
    const second = await open(quick(dir));
    await second.add([farm.url("one.test", "/2")]);
    expect((await runAll(second)).map(({ about }) => about.result)).toEqual(["page"]);
  });

  it("counts the links of each run that are not followed", async () => {
    const farm = await serve((path) => ({ body: page(path, ["http://elsewhere.test/"]) }));
    const crawl = await open(quick(makeDir(), { robots: "ignore", scope: { depth: 1 } }));
    for (const path of ["/1", "/2"]) {
      await crawl.add([farm.url("one.test", path)]);
      await runAll(crawl);
      expect(crawl.figures()).toMatchObject({ pages: 1, leftOut: { "out-of-scope": 1 } });
    }
  });

  it("says that the budget ended it only if URLs still wait", async () => {
    const farm = await serve((path) => (path === "/robots.txt" ? undefined : {}));
    const crawl = await open(quick(makeDir(), { budgets: { pages: 2 } }));
    await crawl.add(["/1", "/2"].map((path) => farm.url("one.test", path)));
    await runAll(crawl);
    expect(crawl.figures()).toMatchObject({ queued: 0 });
    expect(crawl.figures().endedBy).toBeUndefined();
  });
});

describe("the estimate of the time left", () => {
  const tellLeft = async (
    depth: number,
    seeds: readonly { path: string; kind?: "list" }[],
  ): Promise<(number | undefined)[]> => {
    const text = { "content-type": "text/plain" };
    const farm = await openFarm((path, { host }) => {
      if (path === "/list") return { body: farm.url(host, "/listed"), headers: text };
      return path === "/robots.txt" ? undefined : { body: page(path, ["/x", "/y"]) };
    });
    onTestFinished(() => farm.close());
    const crawl = await openCrawl(quick(makeDir(), { scope: { depth }, politeness: { delayMs: 100 } }));
    onTestFinished(() => crawl.close());
    await crawl.add(seeds.map(({ path, ...kind }) => ({ url: farm.url("one.test", path), ...kind })));
    expect(crawl.figures().msLeft).toBeUndefined();
    const left: (number | undefined)[] = [];
    for await (const { number } of crawl.run(new AbortController().signal)) {
      left.push(crawl.figures().msLeft);
      await crawl.confirm(number);
    }
    return left;
  };
  const pages = ["/1", "/2", "/3", "/4", "/5", "/6"].map((path) => ({ path }));

  it("exists if neither links nor lists can add URLs, and is at least the sum of delays", async () => {
    const left = await tellLeft(0, pages);
    expect(left.find((ms) => ms !== undefined)).toBeGreaterThanOrEqual(100);
    expect(left.at(-1)).toBe(0);
  });

  it("is undefined while there are waiting pages whose links will be followed", async () => {
    const left = await tellLeft(1, pages);
    expect(left.slice(0, 4)).toEqual(Array(4).fill(undefined));
    expect(left.at(-1)).toBe(0);
  });

  it("is undefined while a list waits", async () => {
    const left = await tellLeft(0, [...pages.slice(0, 4), { path: "/list", kind: "list" }]);
    expect(left.slice(0, 3)).toEqual(Array(3).fill(undefined));
    expect(left.at(-1)).toBe(0);
  });
});
