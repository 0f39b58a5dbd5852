import { join } from "node:path";
import { describe, expect, it, onTestFinished } from "vitest";
import { createFrontier, type Frontier } from "../../../src/crawl/state/frontier.js";
import { openStore, type Store } from "../../../src/crawl/state/store.js";
import type { NewEntry } from "../../../src/crawl/state/url-table.js";
import { makeDir } from "../farm.js";

function open(): Store {
  const store = openStore(join(makeDir(), "state"));
  onTestFinished(() => {
    store.close();
  });
  return store;
}

function entry(url: string, depth = 0): NewEntry {
  return { url, kind: "page", seed: url, depth, hops: 0 };
}

function frontierOf(store: Store, pagesPerHost = 1000): Frontier {
  return createFrontier({ store, pagesPerHost, notBefore: 0, longestRestMs: 60_000 });
}

/** Takes all URLs, each in its host's turn, without advancing time. */
function takeAll(store: Store, frontier: Frontier): string[] {
  const urls: string[] = [];
  for (;;) {
    const host = frontier.take(1);
    if (host === undefined) return urls;
    const next = store.urls.next(host.id);
    if (next === undefined) {
      frontier.drop(host);
      continue;
    }
    urls.push(next.url);
    store.urls.finish(next.id, { result: "page" });
    frontier.putBack(host);
  }
}

describe("a frontier", () => {
  it("gives each URL once, those near the seeds first", () => {
    const store = open();
    const frontier = frontierOf(store);
    expect(frontier.add(entry("http://a.test/1", 1))).toBe(true);
    expect(frontier.add(entry("http://a.test/2", 0))).toBe(true);
    expect(frontier.add(entry("http://a.test:81/3", 1))).toBe(true);
    expect(frontier.add(entry("http://a.test/1", 0))).toBe(false);
    expect(takeAll(store, frontier)).toEqual(["http://a.test/1", "http://a.test/2", "http://a.test:81/3"]);
    expect(frontier.size()).toBe(0);
    expect(frontier.add(entry("http://a.test/1"))).toBe(false);
    expect(frontier.add(entry("http://a.test/4"))).toBe(true);
    expect(takeAll(store, frontier)).toEqual(["http://a.test/4"]);
  });

  it("knows the shortest way to a URL that waits, from whatever seed it leads", () => {
    const store = open();
    const frontier = frontierOf(store);
    const found = (url: string, seed: string, depth: number): boolean =>
      frontier.add({ ...entry(url, depth), seed, hops: depth });
    for (const seed of ["http://a.test/", "http://b.test/"]) frontier.add(entry(seed));
    expect(found("http://c.test/", "http://a.test/", 3)).toBe(true);
    expect(found("http://c.test/", "http://b.test/", 2)).toBe(false);
    expect(found("http://c.test/", "http://a.test/", 2)).toBe(false);
    const { id } = store.hosts.named("c.test");
    expect(store.urls.next(id)).toMatchObject({ seed: "http://b.test/", depth: 2, hops: 2 });
    expect(store.hosts.waitingAfter(0, { pagesPerHost: 9, limit: 9 })).toHaveLength(3);
    expect(store.urls.tallies()).toEqual([{ result: "waiting", count: 3 }]);
    store.urls.finish(store.urls.next(id)!.id, { result: "page" });
    frontier.add(entry("http://c.test/"));
    expect(store.urls.outcomeOf(3)).toMatchObject({ seed: "http://b.test/", depth: 2 });
    store.urls.requeueAll("if-changed", []);
    frontier.add(entry("http://c.test/"));
    expect(store.urls.next(id)).toMatchObject({ seed: "http://c.test/", depth: 0, hops: 0 });
  });

  it("gives a host when its time has come, and not twice at once", () => {
    const store = open();
    const frontier = frontierOf(store);
    for (const name of ["a", "b"]) frontier.add(entry(`http://${name}.test/`));
    const first = frontier.take(10);
    const second = frontier.take(10);
    expect([first?.name, second?.name].sort()).toEqual(["a.test", "b.test"]);
    expect(frontier.take(10)).toBeUndefined();
    expect(frontier.nextTime()).toBeUndefined();
    first!.nextAt = 50;
    second!.nextAt = 40;
    frontier.putBack(first!);
    frontier.putBack(second!);
    expect(frontier.nextTime()).toBe(40);
    expect(frontier.take(39)).toBeUndefined();
    expect(frontier.take(50)).toBe(second);
    expect(frontier.take(50)).toBe(first);
  });

  it("lets no host rest longer than any may, also if the clock was wrong", () => {
    const store = open();
    frontierOf(store).add(entry("http://a.test/"));
    const { id } = store.hosts.named("a.test");
    for (const [restMs, expectedMs] of [
      [40_000, 40_000],
      [1e12, 60_000],
    ] as const) {
      const now = Date.now();
      store.hosts.setNextAt(id, now + restMs);
      const frontier = frontierOf(store);
      expect(frontier.take(now)).toBeUndefined();
      const waitMs = (frontier.nextTime() ?? 0) - now;
      expect(waitMs).toBeGreaterThanOrEqual(expectedMs);
      expect(waitMs).toBeLessThan(expectedMs + 10_000);
    }
  });

  it("wakes a host that waits for another one when it is released or needed", () => {
    const store = open();
    const frontier = frontierOf(store);
    for (const name of ["a", "b"]) frontier.add(entry(`http://${name}.test/`));
    const hosts = [frontier.take(1)!, frontier.take(1)!];
    for (const host of hosts) {
      host.isWaiting = true;
      frontier.block(host);
    }
    expect(frontier.take(1)).toBeUndefined();
    const [one, other] = hosts;
    frontier.send({
      file: "robots.txt",
      origin: "http://x",
      url: `http://${one!.name}/r`,
      hops: 0,
      tries: 0,
      owner: other!,
    });
    expect(frontier.take(1)).toBe(one);
    frontier.release(other!);
    expect(frontier.take(1)).toBe(other);
  });

  it("handles any number of hosts, and holds a limited number in memory", () => {
    const store = open();
    const count = 10_700;
    const before = frontierOf(store);
    for (let at = 0; at < count; at += 1) before.add(entry(`http://h${at}.test/`));
    expect(before.size()).toBeLessThanOrEqual(10_000);
    store.commit();
    for (const frontier of [before, frontierOf(store)]) {
      const some = frontier === before ? 200 : count;
      const urls: string[] = [];
      while (urls.length < some) {
        const host = frontier.take(1);
        const next = host && store.urls.next(host.id);
        if (host === undefined) break;
        if (next === undefined) frontier.drop(host);
        else {
          urls.push(next.url);
          store.urls.finish(next.id, { result: "page" });
          frontier.putBack(host);
        }
      }
      expect(new Set(urls).size).toBe(frontier === before ? 200 : count - 200);
    }
    expect(store.hosts.countWaiting()).toEqual({ hosts: 0, urls: 0 });
  });

  it("skips hosts that have reached their page limit", () => {
    const store = open();
    const id = store.hosts.idOf("a.test");
    store.urls.add(entry("http://a.test/"), id);
    store.hosts.addPage(id);
    expect(frontierOf(store, 1).take(1)).toBeUndefined();
    expect(frontierOf(store, 2).take(1)?.name).toBe("a.test");
  });
});
