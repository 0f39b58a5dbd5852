import { readdirSync } from "node:fs";
import { join } from "node:path";
import { gzipSync } from "node:zlib";
import { describe, expect, it, onTestFinished } from "vitest";
import { openInputs } from "../../src/index.js";
import { openCrawl } from "../../src/crawl/crawl.js";
import type { Crawl, CrawlEvent, CrawlOptions, Seed } from "../../src/crawl/types.js";
import { makeDir, openFarm, page, quick, runAll, type Answer, type Farm, type Site } from "./farm.js";
import { collectAll } from "../collect-all.js";

interface Done {
  readonly farm: Farm;
  readonly crawl: Crawl;
  readonly events: readonly CrawlEvent[];
  /** The outcome of each URL, without the common beginning of URLs on the farm. */
  readonly ends: readonly string[];
}

interface Case {
  readonly seeds: readonly (string | Seed)[];
  readonly site: Site;
  readonly options?: Partial<CrawlOptions>;
}

/** Hosts are named `<name>.test`; a seed "a/x" is the path /x on host a. */
async function crawlAll({ seeds, site, options = {} }: Case): Promise<Done> {
  const farm = await openFarm(site);
  onTestFinished(() => farm.close());
  const crawl = await openCrawl(quick(makeDir(), options));
  onTestFinished(() => crawl.close());
  const toUrl = (seed: string): string => {
    const [name = "", ...path] = seed.split("/");
    return farm.url(`${name}.test`, `/${path.join("/")}`);
  };
  await crawl.add(
    seeds.map((seed) =>
      typeof seed === "string" ? { url: toUrl(seed) } : { ...seed, url: toUrl(seed.url) },
    ),
  );
  const events = await runAll(crawl);
  return { farm, crawl, events, ends: await listEnds(crawl, farm) };
}

async function listEnds(crawl: Crawl, farm: Farm): Promise<string[]> {
  const short = (text: string): string => text.replaceAll(/http:\/\/(\w+)\.test:\d+/g, "$1");
  const outcomes = await collectAll(crawl.outcomes());
  expect(farm.port).toBeGreaterThan(0);
  return outcomes.map(({ url, result, reason, redirectedTo }) =>
    short([url, result, reason ?? redirectedTo].filter((part) => part !== undefined).join(" ")),
  );
}

/** Answers by "host path", or by path alone for all hosts. */
function table(answers: Readonly<Record<string, Answer | readonly Answer[]>>): Site {
  const asked = new Map<string, number>();
  return (path, { host }) => {
    const name = host.replace(".test", "");
    const key = [`${name} ${path}`, path].find((known) => Object.hasOwn(answers, known));
    const found: Answer | readonly Answer[] = (key === undefined ? undefined : answers[key]) ?? [];
    const times = asked.get(`${name} ${path}`) ?? 0;
    asked.set(`${name} ${path}`, times + 1);
    const all = "length" in found ? found : [found];
    // The last answer of a list is repeated.
    return all[Math.min(times, all.length - 1)];
  };
}

const to = (location: string, status = 302): Answer => ({ status, headers: { location } });

describe("robots.txt", () => {
  it("is requested once for each host before anything else, and obeyed", async () => {
    const { farm, ends, events } = await crawlAll({
      seeds: ["a/x", "a/private/y", "b/x", "a/z"],
      site: table({
        "a /robots.txt": { body: "User-agent: *\nDisallow: /private" },
        "/x": {},
        "/z": {},
      }),
    });
    expect(ends).toEqual(["a/x page", "a/private/y rejected robots", "b/x page", "a/z page"]);
    expect(
      farm.visits
        .filter(({ path }) => path === "/robots.txt")
        .map(({ host }) => host)
        .sort(),
    ).toEqual(["a.test", "b.test"]);
    expect(farm.visits.findIndex(({ path }) => path === "/robots.txt")).toBe(0);
    expect(farm.visits.some(({ path }) => path.startsWith("/private"))).toBe(false);
    expect(events.find(({ about }) => about.reason === "robots")?.about.attempts).toBe(0);
  });

  it("and the server can reserve uses of a page, which the archive keeps", async () => {
    const farm = await openFarm(
      table({
        "/robots.txt": { body: "User-agent: *\nContent-Signal: search=yes, ai-train=no\nAllow: /" },
        "/a": { headers: { "tdm-reservation": "1", "content-usage": "train-ai=n" } },
      }),
    );
    onTestFinished(() => farm.close());
    const dir = makeDir();
    const crawl = await openCrawl(quick(dir));
    await crawl.add([{ url: farm.url("one.test", "/a") }]);
    const [event] = await runAll(crawl);
    await crawl.close();
    const reservations = ["tdm", "train-ai", "ai-train"];
    expect(event?.outcome).toMatchObject({ ok: true, value: { reservations } });
    const folder = join(dir, "warc");
    const files = readdirSync(folder).map((file) => join(folder, file));
    const [archived] = await collectAll(openInputs(files).pages(new AbortController().signal));
    expect(archived).toMatchObject({ value: { reservations } });
  });

  it("and its site can reserve pages in a tdmrep.json, which is fetched once for each site if it is wanted", async () => {
    const rules = [
      { location: "/", "tdm-reservation": 0 },
      { location: "/books/*", "tdm-reservation": 1 },
    ];
    const site = table({
      "/.well-known/tdmrep.json": { body: JSON.stringify(rules) },
      "/a": {},
      "/books/b": {},
    });
    const seeds = ["one/a", "one/books/b"];
    const { farm, events } = await crawlAll({ seeds, site, options: { tdmrep: true } });
    const reserved = events.map(({ outcome }) => (outcome.ok ? outcome.value.reservations : "none"));
    expect(reserved).toEqual([undefined, ["tdm"]]);
    expect(farm.visits.map(({ path }) => path)).toEqual([
      "/robots.txt",
      "/.well-known/tdmrep.json",
      "/a",
      "/books/b",
    ]);
    const without = await crawlAll({ seeds, site });
    expect(without.farm.visits.map(({ path }) => path)).toEqual(["/robots.txt", "/a", "/books/b"]);
  });

  it("and its site can move its tdmrep.json, forbid it, lack it, or break off", async () => {
    const all = { body: JSON.stringify([{ location: "/*", "tdm-reservation": 1 }]) };
    const file = "/.well-known/tdmrep.json";
    const { ends, events } = await crawlAll({
      seeds: ["moved/x", "closed/x", "none/x", "broken/x"],
      site: (path, { host }) => {
        if (path === "/x") return {};
        if (host === "moved.test" && path === file)
          return { status: 301, headers: { location: "/tdm.json" } };
        if (path === "/tdm.json") return all;
        if (host === "closed.test")
          return path === file ? all : { body: "User-agent: *\nDisallow: /.well-known/" };
        return host === "broken.test" && path === file ? { isBroken: true } : undefined;
      },
      options: { tdmrep: true, politeness: { retries: 0, delayMs: 0 } },
    });
    expect(ends).toHaveLength(4);
    const reserved = events.flatMap(({ about, outcome }) =>
      outcome.ok && outcome.value.reservations !== undefined ? [new URL(about.url).hostname] : [],
    );
    expect(reserved).toEqual(["moved.test"]);
  });

  it("is kept for the next run", async () => {
    const farm = await openFarm(
      table({ "/robots.txt": { body: "User-agent: *\nDisallow: /no" }, "/a": {}, "/b": {} }),
    );
    onTestFinished(() => farm.close());
    const dir = makeDir();
    for (const path of ["/a", "/b", "/no"]) {
      const crawl = await openCrawl(quick(dir));
      await crawl.add([{ url: farm.url("one.test", path) }]);
      expect(await runAll(crawl)).toHaveLength(1);
      await crawl.close();
    }
    expect(farm.visits.map(({ path }) => path)).toEqual(["/robots.txt", "/a", "/b"]);
  });

  it("is read unchanged if the server claims a content coding that is not used", async () => {
    const body = "User-agent: *\nDisallow: /no";
    const { ends } = await crawlAll({
      seeds: ["a/x", "a/no", "b/x", "b/no"],
      site: table({
        "a /robots.txt": { body, headers: { "content-encoding": "utf-8" } },
        "b /robots.txt": { body, headers: { "content-encoding": "gzip" } },
        "/x": {},
      }),
    });
    expect(ends).toEqual(["a/x page", "a/no rejected robots", "b/x page", "b/no rejected robots"]);
  });

  it("is read from its beginning if it is very long, plain or packed, of a stated length or not", async () => {
    const body = Buffer.from(`User-agent: *\nDisallow: /no\n${"# more\n".repeat(1_300_000)}`);
    const { ends } = await crawlAll({
      seeds: ["a/x", "a/no", "b/x", "b/no", "c/x", "c/no"],
      site: table({
        "a /robots.txt": { body },
        "b /robots.txt": { body, headers: { "content-length": String(body.length) } },
        "c /robots.txt": { body: gzipSync(body), headers: { "content-encoding": "gzip" } },
        "/x": {},
      }),
    });
    expect(ends).toEqual(["a", "b", "c"].flatMap((host) => [`${host}/x page`, `${host}/no rejected robots`]));
  });

  it("forbids everything if the server fails repeatedly, and nothing if the file is missing", async () => {
    const { farm, ends } = await crawlAll({
      seeds: ["down/x", "gone/x", "busy/x", "shy/x"],
      site: table({
        "down /robots.txt": { status: 503 },
        "gone /robots.txt": { status: 410 },
        "busy /robots.txt": [{ status: 429 }, { body: "User-agent: *\nAllow: /" }],
        "shy /robots.txt": { status: 403 },
        "/x": {},
      }),
    });
    expect(ends).toEqual(["down/x rejected http-status", "gone/x page", "busy/x page", "shy/x page"]);
    expect(farm.visits.filter(({ host }) => host === "down.test")).toHaveLength(3);
    expect(farm.visits.filter(({ host }) => host === "busy.test")).toHaveLength(3);
  });

  it("gives the reason if the host cannot be reached", async () => {
    const { ends } = await crawlAll({
      seeds: ["a/x", "a/y"],
      site: () => ({ isBroken: true }),
    });
    expect(ends).toEqual(["a/x rejected fetch-failed", "a/y rejected fetch-failed"]);
  });

  it("is followed through redirects to other hosts, even if two hosts redirect to each other", async () => {
    const { ends } = await crawlAll({
      seeds: ["a/x", "b/x", "c/no", "d/no", "e/x"],
      site: (path, { host, headers }) => {
        const port = headers.host?.split(":")[1] ?? "";
        const url = (name: string): string => `http://${name}.test:${port}/robots.txt`;
        if (path !== "/robots.txt") return path === "/r" ? { body: "User-agent: *\nDisallow: /no" } : {};
        if (host === "a.test") return to(url("b"));
        if (host === "b.test") return to(url("a"));
        if (host === "c.test") return to("/r");
        if (host === "d.test") return to(`http://c.test:${port}/r`, 301);
        return to("ftp://nowhere.test/");
      },
    });
    expect([...ends].sort()).toEqual([
      "a/x page",
      "b/x page",
      "c/no rejected robots",
      "d/no rejected robots",
      "e/x page",
    ]);
  });

  it("rejects the URLs of a host whose Crawl-delay is too long", async () => {
    const { events } = await crawlAll({
      seeds: ["a/x"],
      site: table({ "/robots.txt": { body: "User-agent: *\nCrawl-delay: 3600" }, "/x": {} }),
    });
    expect(events[0]?.about).toMatchObject({
      reason: "robots",
      detail: "Crawl-delay of 3600 s, more than the limit of 60 s",
    });
  });

  it("names sitemaps, which are read for the hosts of seeds if the option asks for it", async () => {
    const site: Site = (path, { host }) => {
      const here = `http://${host}:${port}`;
      if (path === "/robots.txt") return { body: `Sitemap: ${here}/map.xml\nSitemap: ${here}/index.xml.gz` };
      const xml = { headers: { "content-type": "application/xml" } };
      const entry = (name: string): string => `<loc>${here}/${name}</loc>`;
      if (path === "/map.xml")
        return {
          ...xml,
          body: `<urlset><url>${entry("a")}</url><url><loc>http://b.test/</loc></url></urlset>`,
        };
      if (path === "/index.xml.gz")
        return {
          ...xml,
          body: gzipSync(`<sitemapindex><sitemap>${entry("deep.txt")}</sitemap></sitemapindex>`),
        };
      if (path === "/deep.txt")
        return { headers: { "content-type": "text/plain" }, body: `${here}/c\n${here}/a\n` };
      return {};
    };
    let port = 0;
    const farm = await openFarm(site);
    onTestFinished(() => farm.close());
    ({ port } = farm);
    const crawl = await openCrawl(quick(makeDir(), { sitemaps: true }));
    onTestFinished(() => crawl.close());
    await crawl.add([{ url: farm.url("one.test", "/x") }]);
    await runAll(crawl);
    expect((await listEnds(crawl, farm)).sort()).toEqual([
      "one/a page",
      "one/c page",
      "one/deep.txt list",
      "one/index.xml.gz list",
      "one/map.xml list",
      "one/x page",
    ]);
    expect(crawl.figures().leftOut["out-of-scope"]).toBe(1);
  });
});

describe("lists", () => {
  it("lose the session ids in their URLs", async () => {
    const { ends } = await crawlAll({
      seeds: [{ url: "a/feed", kind: "list" }],
      site: table({
        "/feed": {
          body: "<rss><channel><item><link>/x;jsessionid=ABCDEF0123456789</link></item></channel></rss>",
        },
        "/x": {},
      }),
    });
    expect(ends).toEqual(["a/feed list", "a/x page"]);
  });

  it("are read if a seed is declared as a list or turns out to be one", async () => {
    const feed = `<rss version="2.0"><channel><item><link>http://elsewhere.test:PORT/p</link></item></channel></rss>`;
    const { ends } = await crawlAll({
      seeds: [{ url: "a/feed", kind: "list" }, "b/feed", { url: "c/page", kind: "list" }],
      site: (path, { headers }) =>
        path === "/feed"
          ? {
              headers: { "content-type": "application/rss+xml" },
              body: feed.replace("PORT", headers.host?.split(":")[1] ?? ""),
            }
          : path === "/robots.txt"
            ? undefined
            : {},
    });
    expect(ends).toEqual(["a/feed list", "b/feed list", "c/page rejected not-a-list", "elsewhere/p page"]);
  });

  it("give only the pages that patterns include, and all lists that they name", async () => {
    const { ends, crawl } = await crawlAll({
      seeds: [{ url: "a/index", kind: "list" }],
      options: { scope: { include: ["/blog/"] } },
      site: (path, { headers }) => {
        const locate = (at: string): string => `<loc>http://${headers.host ?? ""}${at}</loc>`;
        const pages = ["/blog/1", "/shop/1", "/blog/a/a/a/a/a/a/a/a/a/a/a/a"].map(
          (at) => `<url>${locate(at)}</url>`,
        );
        if (path === "/index")
          return { body: `<sitemapindex><sitemap>${locate("/map")}</sitemap></sitemapindex>` };
        if (path === "/map") return { body: `<urlset>${pages.join("")}</urlset>` };
        return path === "/robots.txt" ? undefined : {};
      },
    });
    expect(ends).toEqual(["a/index list", "a/map list", "a/blog/1 page"]);
    expect(crawl.figures().leftOut).toMatchObject({ "out-of-scope": 1, trap: 1 });
  });
});

describe("a server that fails", () => {
  it("is asked again after a pause, and not before its Retry-After", async () => {
    const { farm, ends, crawl } = await crawlAll({
      seeds: ["a/x", "b/x", "c/x"],
      options: { robots: "ignore" },
      site: table({
        "a /x": [{ status: 503, headers: { "retry-after": "1" } }, {}],
        "b /x": [{ isBroken: true }, { status: 500 }, {}],
        "c /x": { status: 502 },
      }),
    });
    expect(ends).toEqual(["a/x page", "b/x page", "c/x rejected http-status"]);
    const [first, second] = farm.visits.filter(({ host }) => host === "a.test");
    expect(second!.startMs - first!.endMs).toBeGreaterThanOrEqual(999);
    expect(farm.visits.filter(({ host }) => host === "b.test")).toHaveLength(3);
    expect(farm.visits.filter(({ host }) => host === "c.test")).toHaveLength(3);
    expect(crawl.figures().retried).toBe(5);
  });

  it("is not waited for longer than the limit", async () => {
    const { ends } = await crawlAll({
      seeds: ["a/x"],
      options: { robots: "ignore", politeness: { delayMs: 0, retryMs: 1, maxRetryAfterMs: 50 } },
      site: table({ "/x": [{ status: 429, headers: { "retry-after": "86400" } }, {}] }),
    });
    expect(ends).toEqual(["a/x page"]);
  });

  it("is given up after several failures in a row, and its other URLs are rejected", async () => {
    const seeds = Array.from({ length: 20 }, (_, at) => `a/${at}`);
    const { farm, events, crawl } = await crawlAll({
      seeds: [...seeds, "b/ok"],
      options: { robots: "ignore", politeness: { delayMs: 0, retries: 0, retryMs: 1, failures: 4 } },
      site: table({
        "/ok": {},
        "/2": {},
        ...Object.fromEntries(seeds.map((seed) => [seed.replace("/", " /"), { status: 500 }])),
        "a /2": {},
      }),
    });
    // The third request succeeds, so counting starts again.
    expect(farm.visits.filter(({ host }) => host === "a.test")).toHaveLength(7);
    expect(events).toHaveLength(21);
    expect(crawl.figures()).toMatchObject({
      results: { page: 2, rejected: 19 },
      reasons: { "http-status": 19 },
    });
    // The other host may come last.
    const given = events.filter(({ about }) => about.url.includes("a.test"));
    expect(given.at(-1)?.about.detail).toBe(
      "given up after 4 consecutive failures of the host, the last one: HTTP 500",
    );
  });
});

describe("redirects", () => {
  it("are followed, and each host is asked in its turn", async () => {
    const { ends, events, farm } = await crawlAll({
      seeds: ["a/1", "b/own", "c/away"],
      options: { scope: { depth: 1 } },
      site: (path, { host, headers }) => {
        const port = headers.host?.split(":")[1] ?? "";
        if (path === "/robots.txt")
          return host === "d.test" ? { body: "User-agent: *\nDisallow: /no" } : undefined;
        if (path === "/1") return to("/2", 301);
        if (path === "/2") return to("/3?q#part", 308);
        if (path === "/own") return to(`http://d.test:${port}/home`, 307);
        if (path === "/away") return to(`http://d.test:${port}/no`);
        if (path === "/home") return { body: page("home", ["/next"]) };
        return {};
      },
    });
    expect([...ends].sort()).toEqual([
      "a/1 redirected a/2",
      "a/2 redirected a/3?q",
      "a/3?q page",
      "b/own redirected d/home",
      "c/away redirected d/no",
      "d/home page",
      "d/next page",
      "d/no rejected robots",
    ]);
    expect(events.map(({ number }) => number)).toEqual([1, 2, 3, 4]);
    expect(farm.visits.filter(({ path }) => path === "/no")).toEqual([]);
  });

  it("end at loops, long chains and unusable targets", async () => {
    const { ends, events } = await crawlAll({
      seeds: ["a/self", "a/one", "a/far/0", "a/file", "a/none"],
      options: { scope: { exclude: ["**/secret*"] } },
      site: (path) => {
        const step = /^\/far\/(\d+)$/.exec(path)?.[1];
        if (step !== undefined) return to(`/far/${Number(step) + 1}`);
        const targets: Record<string, string> = {
          "/self": "/self",
          "/one": "/two",
          "/two": "/one",
          "/file": "file:///etc/passwd",
        };
        const target = targets[path];
        if (target !== undefined) return to(target);
        return path === "/none" ? { status: 302 } : undefined;
      },
    });
    expect(ends.filter((end) => !end.includes("redirected")).sort()).toEqual([
      "a/far/10 rejected http-status",
      "a/file rejected http-status",
      "a/none rejected http-status",
      "a/self rejected http-status",
      "a/two rejected http-status",
    ]);
    const details = new Map(
      events.map(({ about }) => [about.url.replace(/^.*\d{2}\//, ""), about.detail ?? ""]),
    );
    expect(details.get("self")).toMatch(/^redirect loop at /);
    expect(details.get("two")).toMatch(/^redirect loop at /);
    expect(details.get("far/10")).toBe("more than 10 redirects");
    expect(details.get("file")).toBe("redirect to a URL that cannot be fetched: file:///etc/passwd");
  });

  it("lose the session id that servers add for visitors without cookies, unless a server insists on it", async () => {
    const session = ";jsessionid=ABCDEF0123456789ABCDEF";
    const { ends } = await crawlAll({
      seeds: ["a/links", "b/seed"],
      site: (path) => {
        const plain = path.replace(session, "");
        if (path === "/links") return { body: page("Links", ["/one", "/insists"]) };
        if (path === "/one") return to(`/home${session}`);
        if (path === "/seed" || path === "/insists") return to(plain + session);
        return plain.startsWith("/home") || path !== plain ? {} : undefined;
      },
      options: { scope: { depth: 1 } },
    });
    // The two hosts run in parallel, so the order may vary.
    expect([...ends].sort()).toEqual([
      "a/home page",
      "a/insists rejected trap",
      "a/links page",
      "a/one redirected a/home",
      `b/seed redirected b/seed${session}`,
      `b/seed${session} page`,
    ]);
  });

  it("explain that a loop comes from a cookie that the crawl does not keep", async () => {
    const login: Answer = { status: 302, headers: { location: "/in", "set-cookie": "a=1" } };
    const { events } = await crawlAll({ seeds: ["a/in"], site: table({ "/in": login }) });
    expect(events.map(({ about }) => about.detail)).toEqual([
      expect.stringMatching(
        /^redirect loop at \S+\/in; the server sets a cookie, but crawls keep no cookies$/,
      ),
    ]);
  });

  it("include an immediate refresh of a page, which is kept as a page as well", async () => {
    const refresh = (content: string, inside = page("Moved")): Answer => ({
      body: inside.replace("<title>", `<meta http-equiv="Refresh" content="${content}"><title>`),
    });
    const { ends } = await crawlAll({
      seeds: ["a/meta", "a/header", "a/later", "a/scriptless", "a/self", "b/own", "a/text"],
      site: table({
        "/meta": refresh("0; url=to/meta"),
        "/header": { headers: { refresh: "5;url='/to/header'" } },
        "/later": refresh("30; url=/to/later"),
        "/scriptless": {
          body: page("Shop").replace(
            "<title>",
            '<noscript><meta http-equiv="refresh" content="0;url=/to/scriptless"></noscript><title>',
          ),
        },
        "/self": refresh("0; url=/self"),
        "b /own": refresh("0; url=//c.test:1/to/own"),
        "/text": {
          ...refresh("0; url=/to/text", "One writes <title> so."),
          headers: { "content-type": "text/plain" },
        },
        "/to/meta": refresh("0; url=/meta"),
        "/to/header": {},
      }),
      options: { scope: { exclude: ["c.test:1"] } },
    });
    expect(ends).toEqual([
      "a/meta page",
      "a/header page",
      "a/later page",
      "a/scriptless page",
      "a/self page",
      "b/own page",
      "a/text page",
      "a/to/meta page",
      "a/to/header page",
    ]);
  });
});

describe("budgets", () => {
  const site: Site = (path) => ({ body: page(path, [`${path}x`, `${path}y`]) });
  it.each([
    ["pages", { pages: 7 }, 7],
    ["pages of a host", { pagesPerHost: 3 }, 6],
    ["bytes", { bytes: 3000 }, undefined],
  ] as const)("of %s hold, and the remaining URLs wait", async (_, budgets, expected) => {
    const { crawl, events, farm } = await crawlAll({
      seeds: ["a/", "b/"],
      site,
      options: { budgets, robots: "ignore", scope: { depth: 9 } },
    });
    if (expected === undefined) expect(events.length).toBeLessThan(12);
    else expect(events).toHaveLength(expected);
    expect(farm.visits).toHaveLength(events.length);
    const { queued, endedBy } = crawl.figures();
    expect(endedBy).toBe("budget");
    expect(queued).toBeGreaterThan(0);
    const left = (await collectAll(crawl.outcomes())).filter(({ result }) => result === "waiting");
    expect(left).toHaveLength(queued);
    expect(left.every(({ reason }) => reason === "budget")).toBe(true);
    expect(await runAll(crawl)).toEqual([]);
  });
});

describe("hooks", () => {
  it("choose URLs, delays and links", async () => {
    const asked: string[] = [];
    const { ends, events } = await crawlAll({
      seeds: ["a/x", "a/not"],
      site: table({ "/x": { body: page("x", ["/y"]) }, "/z": {} }),
      options: {
        scope: { depth: 1 },
        hooks: {
          mayFetch: (url) => Promise.resolve(!url.endsWith("/not")),
          delayFor: (host) => (asked.push(host), 1),
          findLinks: () => ["/z", "http://b.test/"],
        },
      },
    });
    expect(ends).toEqual(["a/x page", "a/not rejected out-of-scope", "a/z page"]);
    expect(new Set(asked)).toEqual(new Set(["a.test"]));
    expect(events.find(({ about }) => about.result === "rejected")?.about.detail).toBe("refused by mayFetch");
  });
});

describe("a plan", () => {
  it("lists what would be fetched, and requests only robots.txt", async () => {
    const farm = await openFarm(
      table({ "a /robots.txt": { body: "User-agent: *\nDisallow: /no\nCrawl-delay: 2" } }),
    );
    onTestFinished(() => farm.close());
    const crawl = await openCrawl(quick(makeDir()));
    onTestFinished(() => crawl.close());
    await crawl.add(
      ["a", "b"].flatMap((name) => ["/yes", "/no"].map((path) => ({ url: farm.url(`${name}.test`, path) }))),
    );
    const plan = await collectAll(crawl.plan(new AbortController().signal));
    expect(plan.map(({ url, reason, delayMs }) => [url.replace(/:\d+/, ""), reason, delayMs])).toEqual([
      ["http://a.test/yes", undefined, 2000],
      ["http://a.test/no", "robots", 2000],
      ["http://b.test/yes", undefined, 0],
      ["http://b.test/no", undefined, 0],
    ]);
    expect(farm.pages()).toEqual([]);
    expect(await collectAll(crawl.plan(new AbortController().signal, 1))).toHaveLength(1);
    expect(farm.visits).toHaveLength(2);
    expect(crawl.figures().queued).toBe(4);
  });

  it("lists what the sitemaps of robots.txt name if the option sitemaps is on", async () => {
    const text = { "content-type": "text/plain" };
    const farm = await openFarm((path, { host }) => {
      const at = (name: string): string => farm.url(host, name);
      if (path === "/robots.txt")
        return {
          body: `User-agent: *\nDisallow: /no\nSitemap: ${at("/index.xml")}\nSitemap: ${at("/gone.txt")}`,
        };
      if (path === "/index.xml")
        return { body: `<sitemapindex><sitemap><loc>${at("/moved.txt")}</loc></sitemap></sitemapindex>` };
      if (path === "/moved.txt") return { status: 301, headers: { location: "/map.txt" } };
      if (path === "/map.txt") return { body: ["/a", "/no", "/b.pdf"].map(at).join("\n"), headers: text };
      return path === "/gone.txt" ? { status: 404 } : {};
    });
    onTestFinished(() => farm.close());
    const crawl = await openCrawl(quick(makeDir(), { sitemaps: true, scope: { exclude: ["*.pdf"] } }));
    onTestFinished(() => crawl.close());
    await crawl.add([{ url: farm.url("a.test", "/") }]);
    const plan = await collectAll(crawl.plan(new AbortController().signal));
    expect(plan.map(({ url, reason = "fetch" }) => `${new URL(url).pathname} ${reason}`)).toEqual([
      "/ fetch",
      "/index.xml fetch",
      "/gone.txt http-status",
      "/moved.txt fetch",
      "/map.txt fetch",
      "/a fetch",
      "/no robots",
    ]);
    expect(farm.visits.map(({ path }) => path)).toEqual([
      "/robots.txt",
      "/index.xml",
      "/gone.txt",
      "/moved.txt",
      "/map.txt",
    ]);
    expect(
      (await runAll(crawl)).map(({ about: { url, result } }) => `${new URL(url).pathname} ${result}`),
    ).toEqual(expect.arrayContaining(["/ page", "/a page", "/no rejected", "/gone.txt rejected"]));
  });

  it.each<[string, Seed["kind"], Partial<CrawlOptions>]>([
    ["the only seed is forbidden", "page", {}],
    ["the only seed is a list", "list", {}],
    [
      "mayFetch refuses the seed",
      "page",
      { robots: "ignore", hooks: { mayFetch: (url) => !/no/.test(url) } },
    ],
  ])(
    "lists what the sitemaps of robots.txt name if %s, as a crawl does",
    async (_, kind = "page", options) => {
      const headers = { "content-type": "text/plain" };
      const farm = await openFarm((path, { host }) => {
        const at = (name: string): string => farm.url(host, name);
        if (host !== "a.test") return {};
        if (path === "/robots.txt")
          return { body: `User-agent: *\nDisallow: /no$\nSitemap: ${at("/map.txt")}`, headers };
        if (path === "/no.txt") return { body: farm.url("b.test", "/listed"), headers };
        return path === "/map.txt" ? { body: at("/mapped"), headers } : {};
      });
      onTestFinished(() => farm.close());
      const crawl = await openCrawl(quick(makeDir(), { sitemaps: true, ...options }));
      onTestFinished(() => crawl.close());
      await crawl.add([{ url: farm.url("a.test", kind === "list" ? "/no.txt" : "/no"), kind }]);
      const plan = await collectAll(crawl.plan(new AbortController().signal));
      expect(plan.map(({ url }) => new URL(url).pathname)).toContain("/mapped");
      const events = await runAll(crawl);
      expect(events.map(({ about: { url } }) => new URL(url).pathname)).toContain("/mapped");
    },
  );

  it("does not request the robots.txt of a host that only links lead to, if it needs no rules", async () => {
    const farm = await openFarm((path, { host }) =>
      host === "a.test" && path === "/" ? { body: page("a", [farm.url("b.test", "/x")]) } : {},
    );
    onTestFinished(() => farm.close());
    const options = { sitemaps: true, robots: "ignore", budgets: { pages: 1 } } as const;
    const crawl = await openCrawl(quick(makeDir(), { ...options, scope: { depth: 1, reach: "any" } }));
    onTestFinished(() => crawl.close());
    await crawl.add([{ url: farm.url("a.test", "/") }]);
    await runAll(crawl);
    const plan = await collectAll(crawl.plan(new AbortController().signal));
    expect(plan.map(({ url }) => new URL(url).host.split(":")[0])).toEqual(["b.test"]);
    expect(farm.visits.map(({ host, path }) => `${host}${path}`)).toEqual(["a.test/robots.txt", "a.test/"]);
  });
});
