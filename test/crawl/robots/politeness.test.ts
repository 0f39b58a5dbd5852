import { join } from "node:path";
import fc from "fast-check";
import { describe, expect, it, onTestFinished, vi } from "vitest";
import { openCrawl } from "../../../src/crawl/crawl.js";
import { createHeap } from "../../../src/crawl/state/frontier.js";
import { delayOf, pauseAfter, POLITENESS, readRetryAfter } from "../../../src/crawl/robots/politeness.js";
import { createRandom } from "../../../src/random.js";
import { openStore } from "../../../src/crawl/state/store.js";
import { makeDir, openFarm, page, quick, runAll, type Site, type Visit } from "../farm.js";
import { collectAll } from "../../collect-all.js";

const HOSTS = Number(process.env["THRESHER_CRAWL_HOSTS"] ?? 25);
const PAGES = Number(process.env["THRESHER_CRAWL_PAGES"] ?? 8);
const DELAY_MS = 60;

function byHost(visits: readonly Visit[]): Map<string, Visit[]> {
  const hosts = new Map<string, Visit[]>();
  for (const visit of visits) hosts.set(visit.host, [...(hosts.get(visit.host) ?? []), visit]);
  return hosts;
}

/** Lists requests that began before the end of the earlier one to that host, or less than the delay after it. */
function findRude(visits: readonly Visit[], delayOfHost: (host: string) => number): string[] {
  return [...byHost(visits)].flatMap(([host, of]) =>
    of.flatMap((visit, at) => {
      const before = of[at - 1];
      const gap = before === undefined ? Infinity : visit.startMs - before.endMs;
      return gap >= delayOfHost(host) ? [] : [`${host}${visit.path} after ${gap} ms`];
    }),
  );
}

describe("a crawl of many hosts", () => {
  it("never asks a host twice at once or too early, and asks all hosts in parallel", async () => {
    const slow = (host: string): boolean => host.startsWith("slow");
    const site: Site = (path, { host }) => {
      if (path === "/robots.txt")
        return slow(host) ? { body: "User-agent: *\nCrawl-delay: 0.15" } : undefined;
      const links = path === "/" ? Array.from({ length: PAGES - 1 }, (_, at) => `/page-${at}`) : ["/"];
      return { body: page(path, links), afterMs: path.length % 7 };
    };
    const farm = await openFarm(site);
    onTestFinished(() => farm.close());
    const crawl = await openCrawl(
      quick(makeDir(), { politeness: { delayMs: DELAY_MS }, scope: { depth: 1 } }),
    );
    onTestFinished(() => crawl.close());
    const hosts = Array.from({ length: HOSTS }, (_, at) => `${at % 5 === 0 ? "slow" : "host"}-${at}.test`);
    await crawl.add(hosts.map((host) => ({ url: farm.url(host, "/") })));
    const events = await runAll(crawl);
    expect(events).toHaveLength(HOSTS * PAGES);
    expect(events.every(({ outcome }) => outcome.ok)).toBe(true);
    expect(farm.pages()).toHaveLength(HOSTS * PAGES);
    expect(farm.visits).toHaveLength(HOSTS * (PAGES + 1));
    // Clocks count whole milliseconds, so they may be off by one.
    expect(findRude(farm.visits, (host) => (slow(host) ? 149 : DELAY_MS - 1))).toEqual([]);
    // If it asked one host after the other, there would be only as many turns as hosts.
    const asked = [...farm.visits].sort((a, b) => a.startMs - b.startMs).map(({ host }) => host);
    const turns = asked.filter((host, at) => host !== asked[at - 1]).length;
    expect(turns).toBeGreaterThan(HOSTS * 2);
  });

  it("keeps the Crawl-delay from the robots.txt request on, after a redirect and after a plan as well", async () => {
    const delayMs = 200;
    const farm = await openFarm((path, { host, headers }) => {
      const port = headers.host?.split(":")[1] ?? "";
      if (path !== "/robots.txt") return {};
      if (host === "away.test")
        return { status: 302, headers: { location: `http://other.test:${port}/robots.txt` } };
      return { body: "User-agent: *\nCrawl-delay: 0.2" };
    });
    onTestFinished(() => farm.close());
    for (const plans of [false, true]) {
      const crawl = await openCrawl(quick(makeDir()));
      onTestFinished(() => crawl.close());
      const hosts = ["home.test", "away.test"];
      await crawl.add(hosts.flatMap((host) => ["/1", "/2"].map((path) => ({ url: farm.url(host, path) }))));
      const before = farm.visits.length;
      if (plans) expect(await collectAll(crawl.plan(new AbortController().signal))).toHaveLength(4);
      expect(await runAll(crawl)).toHaveLength(4);
      expect(findRude(farm.visits.slice(before), () => delayMs - 1)).toEqual([]);
    }
  });

  it("waits as if all hosts had just been asked after a run was killed", async () => {
    const farm = await openFarm((path) =>
      path === "/robots.txt" ? { body: "User-agent: *\nCrawl-delay: 0.5" } : {},
    );
    onTestFinished(() => farm.close());
    const dir = makeDir();
    const first = await openCrawl(quick(dir));
    await first.add([{ url: farm.url("a.test", "/1") }]);
    await runAll(first);
    await first.close();
    // A kill leaves a run without an end, and no trace of requests in progress.
    const store = openStore(join(dir, "state"));
    store.mark({ isRunning: 1 });
    store.hosts.setNextAt(store.hosts.idOf("a.test"), 0);
    store.commit();
    store.close();
    const second = await openCrawl(quick(dir));
    onTestFinished(() => second.close());
    await second.add([{ url: farm.url("a.test", "/2") }]);
    const start = Date.now();
    await runAll(second);
    expect(farm.visits.at(-1)!.startMs - start).toBeGreaterThanOrEqual(499);
  });

  it("asks no more hosts at once than the limit", async () => {
    let active = 0;
    let most = 0;
    const farm = await openFarm((path) => {
      if (path === "/robots.txt") return undefined;
      active += 1;
      most = Math.max(most, active);
      setTimeout(() => (active -= 1), 15);
      return { afterMs: 20 };
    });
    onTestFinished(() => farm.close());
    const crawl = await openCrawl(
      quick(makeDir(), { politeness: { delayMs: 0, hosts: 3 }, robots: "ignore" }),
    );
    onTestFinished(() => crawl.close());
    await crawl.add(Array.from({ length: 20 }, (_, at) => ({ url: farm.url(`host-${at}.test`, "/") })));
    expect(await runAll(crawl)).toHaveLength(20);
    expect(most).toBeGreaterThan(1);
    expect(most).toBeLessThanOrEqual(3);
  });

  it("sends no new requests while the caller takes no events", async () => {
    const farm = await openFarm((path) => (path === "/robots.txt" ? undefined : {}));
    onTestFinished(() => farm.close());
    const crawl = await openCrawl(quick(makeDir(), { robots: "ignore" }));
    onTestFinished(() => crawl.close());
    const seeds = Array.from({ length: 600 }, (_, at) => ({
      url: farm.url(`host-${at % 60}.test`, `/${at}`),
    }));
    await crawl.add(seeds);
    const events = crawl.run(new AbortController().signal);
    await events.next();
    let before = -1;
    while (farm.visits.length !== before) {
      before = farm.visits.length;
      await new Promise((resolve) => setTimeout(resolve, 300));
    }
    expect(before).toBeLessThan(300);
    let count = 1;
    for await (const event of events) count += event.outcome.ok ? 1 : 0;
    expect(count).toBe(600);
    expect(farm.visits).toHaveLength(600);
  });
});

describe("the pauses before retries", () => {
  it("double each time, plus or minus a half, and are reproducible for a seed", () => {
    const pauses = (seed: number): number[] => {
      const random = createRandom(seed);
      return [1, 2, 3, 4].map((tries) => pauseAfter(tries, 1000, random));
    };
    expect(pauses(7)).toEqual(pauses(7));
    expect(pauses(7)).not.toEqual(pauses(8));
    for (const [at, pause] of pauses(7).entries()) {
      expect(pause).toBeGreaterThanOrEqual(500 * 2 ** at);
      expect(pause).toBeLessThanOrEqual(1500 * 2 ** at);
    }
  });

  it("follow Retry-After, in seconds and as a date", () => {
    const now = Date.parse("2026-03-01T10:00:00Z");
    expect(readRetryAfter(" 120 ", now)).toBe(120_000);
    expect(readRetryAfter("0", now)).toBe(0);
    expect(readRetryAfter("Sun, 01 Mar 2026 10:00:30 GMT", now)).toBe(30_000);
    expect(readRetryAfter("Sunday, 01-Mar-26 10:00:30 GMT", now)).toBe(30_000);
    vi.stubEnv("TZ", "America/New_York");
    onTestFinished(() => void vi.unstubAllEnvs());
    expect(readRetryAfter("Sun Mar  1 10:00:30 2026", now)).toBe(30_000);
    expect(readRetryAfter("Sun, 01 Mar 2020 10:00:30 GMT", now)).toBe(0);
    for (const nonsense of [
      undefined,
      "",
      "-5",
      "1.5",
      "soon",
      "99999999999999",
      "2026-03-01",
      "Sun, nonsense",
    ])
      expect(readRetryAfter(nonsense, now), String(nonsense)).toBeUndefined();
  });

  it("are the longer of the Crawl-delay and the delay of the hook or the option", () => {
    expect(delayOf(undefined, undefined, POLITENESS)).toBe(1000);
    expect(delayOf(5000, undefined, POLITENESS)).toBe(5000);
    expect(delayOf(200, undefined, POLITENESS)).toBe(1000);
    expect(delayOf(200, 50, POLITENESS)).toBe(200);
    expect(delayOf(undefined, 50, POLITENESS)).toBe(50);
  });
});

describe("a heap", () => {
  it("pops the smallest item first, whatever was pushed in between", () => {
    fc.assert(
      fc.property(fc.array(fc.option(fc.integer(), { nil: undefined })), (steps) => {
        const heap = createHeap<number>((value) => value);
        let model: number[] = [];
        for (const step of steps) {
          if (step === undefined) {
            model = model.sort((one, other) => one - other);
            expect(heap.pop()).toBe(model.shift());
          } else {
            heap.push(step);
            model.push(step);
          }
          expect(heap.size).toBe(model.length);
          expect(heap.peek()).toBe(model.length === 0 ? undefined : Math.min(...model));
        }
      }),
    );
  });
});
