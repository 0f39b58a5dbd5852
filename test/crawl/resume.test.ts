import { spawn } from "node:child_process";
import { existsSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { describe, expect, it, onTestFinished } from "vitest";
import { openInputs } from "../../src/index.js";
import { openDatabase } from "../../src/crawl/state/database.js";
import { openCrawl } from "../../src/crawl/crawl.js";
import { createRandom } from "../../src/random.js";
import type { CrawlEvent } from "../../src/crawl/types.js";
import { OutputError, UsageError } from "../../src/outcome.js";
import { makeDir, openFarm, page, quick, runAll, type Site } from "./farm.js";
import { collectAll } from "../collect-all.js";

const CHILD = fileURLToPath(new URL("child.js", import.meta.url));
const DIST = fileURLToPath(new URL("../../dist", import.meta.url));
const KILLS = Number(process.env["THRESHER_CRAWL_KILLS"] ?? 4);

interface End {
  readonly isKilled: boolean;
  readonly stdout: string;
  readonly stderr: string;
}

/** Kills the process the given number of milliseconds after it has opened the crawl, if it still runs. */
function crawlInChild(
  dir: string,
  options: { seeds: readonly string[]; warc: boolean; killAfterMs?: number },
): Promise<End> {
  const { seeds, warc, killAfterMs } = options;
  const child = spawn(process.execPath, [CHILD, DIST, dir, warc ? "warc" : "none"]);
  let stdout = "";
  let stderr = "";
  child.stdout.on("data", (chunk: Buffer) => (stdout += chunk.toString().replace("open\n", "")));
  child.stderr.on("data", (chunk: Buffer) => (stderr += chunk.toString()));
  child.stdin.end(seeds.join("\n"));
  let timer: NodeJS.Timeout | undefined;
  child.stdout.once("data", () => {
    if (killAfterMs !== undefined) timer = setTimeout(() => child.kill("SIGKILL"), killAfterMs);
  });
  return new Promise((resolve, reject) => {
    child.on("error", reject);
    child.on("close", (_, signal) => {
      clearTimeout(timer);
      resolve({ isKilled: signal === "SIGKILL", stdout, stderr });
    });
  });
}

/** Serves a tree with 2 children for each page; one in ten pages is missing, one in fifteen redirects. */
const site: Site = (path, { host }) => {
  if (path === "/robots.txt") return { body: "User-agent: *\nDisallow: /private" };
  const number = Number(/\d+$/.exec(path)?.[0] ?? 1);
  if (number % 10 === 9) return { status: 404 };
  if (number % 15 === 7) return { status: 302, headers: { location: `/moved-${number}` } };
  const links = path.startsWith("/moved")
    ? []
    : [`/${number * 3}`, `/${number * 3 + 1}`, `/private/${number}`];
  return { body: page(`${host}${path}`, links), afterMs: 2 + (number % 4) * 3 };
};

describe.each([
  ["with an archive", true],
  ["without an archive", false],
] as const)("a crawl that is killed again and again, %s", (_, warc) => {
  it("gives each page once, like an undisturbed crawl", async () => {
    const farm = await openFarm(site);
    onTestFinished(() => farm.close());
    const seeds = ["a", "b", "c", "d"].map((name) => farm.url(`${name}.test`, "/1"));
    const documentsOf = (dir: string): string[] =>
      readFileSync(join(dir, "documents.txt"), "utf8")
        .trim()
        .split("\n")
        .map((line) => line.slice(line.indexOf(" ") + 1));
    const calm = makeDir();
    await crawlInChild(calm, { seeds, warc });
    const undisturbed = farm.visits.length;
    const dir = makeDir();
    const random = createRandom(20);
    let kills = 0;
    let end = await crawlInChild(dir, { seeds, warc, killAfterMs: 100 });
    const finished: [urls: readonly string[], visits: number][] = [];
    while (end.isKilled) {
      kills += 1;
      finished.push([durableUrls(dir), farm.visits.length]);
      const killAfterMs = random() * 200;
      end = await crawlInChild(dir, { seeds, warc, ...(kills < KILLS && { killAfterMs }) });
    }
    expect(end.stderr).toBe("");
    expect(kills).toBeGreaterThan(1);
    const documents = documentsOf(dir);
    expect([...documents].sort()).toEqual(documentsOf(calm).sort());
    expect(new Set(documents).size).toBe(documents.length);
    expect(JSON.parse(end.stdout)).toMatchObject({ queued: 0 });
    for (const [urls, visits] of finished) {
      const later = new Set(farm.visits.slice(visits).map(({ host, path }) => farm.url(host, path)));
      expect(urls.filter((url) => later.has(url))).toEqual([]);
    }
    // A request in progress at a kill is repeated, and without an archive also everything unconfirmed.
    const again = farm.visits.length - 2 * undisturbed;
    if (warc) {
      // At most one exchange for each host, and those of the last fifty milliseconds.
      expect(again).toBeLessThanOrEqual(kills * 40);
      expect(await archivedPages(dir)).toEqual(await archivedPages(calm));
    }
  }, 120_000);
});

/** Returns the URLs whose documents the caller has saved for certain. */
function durableUrls(dir: string): string[] {
  const place = join(dir, "place.json");
  if (!existsSync(place)) return [];
  const marks = readFileSync(place, "utf8").trim().split("\n");
  const last = marks.findLast((line) => line.endsWith("}"));
  // The child process wrote it in this form.
  const { bytes } = JSON.parse(last ?? '{"bytes":0}') as { readonly bytes: number };
  const lines = readFileSync(join(dir, "documents.txt")).subarray(0, bytes).toString().trim().split("\n");
  return lines.map((line) => line.split(" ")[1] ?? "");
}

/** Returns the URLs of all pages in an archive, and checks that nothing in it is damaged. */
async function archivedPages(dir: string, files = 2): Promise<string[]> {
  const names = readdirSync(join(dir, "warc")).map((name) => join(dir, "warc", name));
  expect(names.length).toBeGreaterThanOrEqual(files);
  const outcomes = await collectAll(openInputs(names).pages(new AbortController().signal));
  const wrong = outcomes.filter((outcome) => !outcome.ok && outcome.reason !== "http-status");
  expect(wrong).toEqual([]);
  return outcomes
    .filter(({ ok }) => ok)
    .map((outcome) => (outcome.ok ? outcome.value.url : ""))
    .sort();
}

describe("the folder of a crawl", () => {
  it("can be open in one process and one crawl at a time", async () => {
    const farm = await openFarm((path) => (path === "/robots.txt" ? undefined : { afterMs: 50 }));
    onTestFinished(() => farm.close());
    const dir = makeDir();
    const crawl = await openCrawl(quick(dir));
    onTestFinished(() => crawl.close());
    await crawl.add([{ url: farm.url("a.test", "/") }]);
    await expect(openCrawl(quick(dir))).rejects.toThrow(OutputError);
    const other = await crawlInChild(dir, { seeds: [], warc: true });
    expect(other.stderr).toContain(`the crawl in ${dir} is being written by process ${process.pid}`);
    expect(await runAll(crawl)).toHaveLength(1);
    await crawl.close();
    await crawl.close();
    const next = await openCrawl(quick(dir));
    expect(next.figures().results.page).toBe(1);
    await next.close();
  });

  it("is refused with the reason if its state is damaged or has another version", async () => {
    const dir = makeDir();
    const crawl = await openCrawl(quick(dir));
    await crawl.add([{ url: "http://a.test/" }]);
    await crawl.close();
    const path = join(dir, "state", "crawl.sqlite");
    const whole = readFileSync(path);
    for (const damaged of [
      Buffer.from("no database at all ".repeat(100)),
      whole.subarray(0, 5000),
      Buffer.concat([whole.subarray(0, 100), Buffer.alloc(whole.length - 100, 7)]),
    ]) {
      writeFileSync(path, damaged);
      await expect(openCrawl(quick(dir))).rejects.toThrow(
        `the state of the crawl in ${join(dir, "state")} is damaged`,
      );
    }
    writeFileSync(path, whole);
    const database = openDatabase(path, "it");
    database.run("UPDATE meta SET value = 99 WHERE name = 'version'");
    database.commit();
    database.close();
    await expect(openCrawl(quick(dir))).rejects.toThrow(UsageError);
    await expect(openCrawl(quick(dir))).rejects.toThrow(/has version 99, but this program needs 1/);
  });

  it("is resumed without a deleted archive, and pages that were only there are fetched again", async () => {
    const farm = await openFarm((path) => (path === "/robots.txt" ? undefined : {}));
    onTestFinished(() => farm.close());
    const dir = makeDir();
    const first = await openCrawl(quick(dir));
    await first.add(["/1", "/2", "/3"].map((path) => ({ url: farm.url("a.test", path) })));
    await runAll(first, false);
    await first.confirm(1);
    await first.close();
    const [name = ""] = readdirSync(join(dir, "warc"));
    rmSync(join(dir, "warc", name));
    const second = await openCrawl(quick(dir));
    onTestFinished(() => second.close());
    const events = await runAll(second);
    expect(events.map(({ about }) => about.url)).toEqual([
      farm.url("a.test", "/2"),
      farm.url("a.test", "/3"),
    ]);
    expect(farm.pages()).toHaveLength(5);
    expect(readdirSync(join(dir, "warc"))).toEqual(["thresher-00002.warc.gz"]);
  });
});

/** Turns all bytes into strings, whatever type holds them. */
function toPlain(event: CrawlEvent): unknown {
  return JSON.parse(
    JSON.stringify(event, (_, value: unknown) =>
      value instanceof Uint8Array ? Buffer.from(value).toString("latin1") : value,
    ).replaceAll(/\{"type":"Buffer","data":\[([\d,]+)\]\}/g, (_, bytes: string) =>
      JSON.stringify(Buffer.from(bytes.split(",").map(Number)).toString("latin1")),
    ),
  );
}

describe("a run that fails", () => {
  it("throws the cause, and keeps what was saved before", async () => {
    const farm = await openFarm((path) =>
      path === "/robots.txt" ? undefined : { body: page(path, ["/x"]) },
    );
    onTestFinished(() => farm.close());
    const dir = makeDir();
    const findLinks = ({ url }: { readonly url: string }): string[] => {
      if (url.endsWith("/3")) throw new TypeError("a bug of the caller");
      return [];
    };
    const crawl = await openCrawl(quick(dir, { scope: { depth: 1 }, hooks: { findLinks } }));
    await crawl.add([1, 2, 3, 4].map((at) => ({ url: farm.url("a.test", `/${at}`) })));
    await expect(collectAll(crawl.run(new AbortController().signal))).rejects.toThrow("a bug of the caller");
    await expect(crawl.confirm(2)).rejects.toThrow(OutputError);
    await expect(crawl.run(new AbortController().signal).next()).rejects.toThrow("the crawl failed");
    await crawl.close();
    const next = await openCrawl(quick(dir));
    onTestFinished(() => next.close());
    expect((await runAll(next)).map(({ number }) => number)).toEqual([1, 2, 3, 4]);
    expect(await archivedPages(dir, 1)).toEqual([1, 2, 3, 4].map((at) => farm.url("a.test", `/${at}`)));
  });
});

describe("an abort signal", () => {
  it("ends the run without an error, after giving what was fetched", async () => {
    const farm = await openFarm((path) => (path === "/robots.txt" ? undefined : { afterMs: 30 }));
    onTestFinished(() => farm.close());
    const dir = makeDir();
    const crawl = await openCrawl(quick(dir));
    await crawl.add(Array.from({ length: 40 }, (_, at) => ({ url: farm.url(`h-${at % 4}.test`, `/${at}`) })));
    const stop = new AbortController();
    const events = [];
    for await (const event of crawl.run(stop.signal)) {
      events.push(event);
      if (events.length === 5) stop.abort();
    }
    expect(events.length).toBeLessThan(30);
    expect(events).toHaveLength(farm.pages().length);
    expect(crawl.figures()).toMatchObject({ endedBy: "signal", queued: 40 - events.length });
    await crawl.close();
    const next = await openCrawl(quick(dir));
    onTestFinished(() => next.close());
    const again = await runAll(next);
    // The first ones were not confirmed. Their bytes now come from the archive.
    expect(again.slice(0, events.length).map(toPlain)).toEqual(events.map(toPlain));
    expect(again).toHaveLength(40);
    expect(farm.pages()).toHaveLength(40);
  });

  it("is not needed if the caller stops reading or closes the crawl", async () => {
    const farm = await openFarm((path) => (path === "/robots.txt" ? undefined : { afterMs: 20 }));
    onTestFinished(() => farm.close());
    const dir = makeDir();
    const crawl = await openCrawl(quick(dir));
    await crawl.add(Array.from({ length: 10 }, (_, at) => ({ url: farm.url("a.test", `/${at}`) })));
    for await (const event of crawl.run(new AbortController().signal)) {
      expect(event.number).toBe(1);
      break;
    }
    const run = crawl.run(new AbortController().signal);
    await run.next();
    await crawl.close();
    await expect(crawl.run(new AbortController().signal).next()).rejects.toThrow(UsageError);
    const next = await openCrawl(quick(dir));
    onTestFinished(() => next.close());
    expect(await runAll(next)).toHaveLength(10);
    expect(farm.pages().length).toBeLessThanOrEqual(12);
  });

  it("is not needed where the caller closes while events are replayed", async () => {
    const farm = await openFarm((path) => (path === "/robots.txt" ? undefined : {}));
    onTestFinished(() => farm.close());
    const dir = makeDir();
    const first = await openCrawl(quick(dir));
    await first.add(Array.from({ length: 120 }, (_, at) => farm.url("a.test", `/${at}`)));
    expect(await runAll(first, false)).toHaveLength(120);
    await first.close();
    const crawl = await openCrawl(quick(dir));
    let events = 0;
    for await (const { number } of crawl.run(new AbortController().signal)) {
      events += 1;
      if (number === 3) await crawl.close();
    }
    expect(events).toBe(3);
  });
});
