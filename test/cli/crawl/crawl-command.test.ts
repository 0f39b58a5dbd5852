import {
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  writeFileSync,
} from "node:fs";
import { execFile, type ChildProcess } from "node:child_process";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as wait } from "node:timers/promises";
import { fileURLToPath, pathToFileURL } from "node:url";
import { promisify } from "node:util";
import { gzipSync } from "node:zlib";
import { afterAll, beforeAll, beforeEach, describe, expect, it } from "vitest";
import { readSources } from "../../../bench/lab/crawl/crawl-speed/varied-pages.js";
import {
  dated,
  later,
  page,
  pageHtml,
  robots,
  send,
  site,
  turns,
} from "../../../bench/lab/crawl/farm/answers.js";
import { openFarm, type Farm } from "../../../bench/lab/crawl/farm/farm.js";
import { countPages, findBreaches } from "../../../bench/lab/crawl/farm/log.js";
import * as traps from "../../../bench/lab/crawl/farm/traps.js";
import { makeWeb, nameSite } from "../../../bench/lab/crawl/farm/web.js";
import { crawl, crawlAlone, leaveFarm, readCrawl, sortedIds } from "./crawl-farm.js";
import { parseLines, thresher, thresherAlone } from "../run.js";

const ROOT = fileURLToPath(new URL("../../..", import.meta.url));
const SITES = 4;
const PAGES = 9;
const LONG_MS = 120_000;

const work = mkdtempSync(join(tmpdir(), "thresher-crawl-"));
let farm: Farm;
beforeAll(async () => {
  farm = await openFarm({
    sites: {
      ...makeWeb({ sources: await readSources([], "fixtures"), sites: SITES, pages: PAGES, seed: 5 }),
      mixed: site({
        "/": page("The front page", ["/open", "/closed", "/picture.png", "/gone"]),
        "/open": page("An open page"),
        "/closed": page("A closed page"),
        "/robots.txt": (hit) => {
          const map = `Sitemap: ${new URL("/map.txt", hit.url).href}`;
          robots("User-agent: Thresher", "Disallow: /closed", map)(hit);
        },
        "/map.txt": (hit) => {
          send(`${new URL("/listed", hit.url).href}\n`, { "content-type": "text/plain" })(hit);
        },
        "/listed": page("A listed page"),
      }),
      dated: site({
        "/": dated(pageHtml("An old page"), { etag: '"1"' }),
        "/new": turns(page("What was new"), page("What is newer")),
      }),
      // A site with endless pages; the test does not wait for all of them.
      slow: site({ "*": later(300, page("Slow", ["/a", "/b", "/c", "/d", "/e", "/f", "/g"])) }),
      ...traps,
    },
  });
}, LONG_MS);
afterAll(async () => {
  leaveFarm(farm);
  await farm.close();
  rmSync(work, { recursive: true });
});
beforeEach(() => {
  farm.forget();
});

let folders = 0;
function makeDir(): string {
  folders += 1;
  return join(work, `crawl-${folders}`);
}

const webSeeds = (): string[] => Array.from({ length: SITES }, (_, at) => farm.url(nameSite(at)));
const pathsOf = (name: string): string[] =>
  farm
    .visits()
    .filter(({ host }) => host.startsWith(`${name}.`))
    .map(({ path }) => path);

describe("thresher crawl", { timeout: LONG_MS }, () => {
  it("turns sites into clean text, politely, and repeats it from the archive alone", async () => {
    const dir = makeDir();
    const { code, stderr, stdout } = await crawl(farm, [
      ...webSeeds(),
      ...["-o", dir, "--depth", "3", "--delay", "100ms", "--contact", "me@example.org"],
    ]);
    expect(code, stderr).toBe(0);
    expect(stdout).toBe("");
    const { documents, outcomes, rejects, archives } = readCrawl(dir);
    expect(outcomes.size).toBe(SITES * PAGES);
    expect(documents.length + rejects.length).toBe(SITES * PAGES);
    expect(documents.length).toBeGreaterThan((SITES * PAGES) / 2);
    for (const [url, { result, reason }] of outcomes) {
      expect(result).toBe("page");
      expect(documents.some(({ id }) => id === url)).toBe(reason === undefined);
    }
    const visits = farm.visits();
    expect(findBreaches(visits, () => 100)).toEqual([]);
    expect(new Set(countPages(visits).values())).toEqual(new Set([1]));
    expect(visits.filter(({ path }) => path === "/robots.txt")).toHaveLength(SITES);
    expect(new Set(visits.map(({ userAgent }) => userAgent))).toEqual(
      new Set([expect.stringMatching(/^Thresher\/\d\S* \(\+me@example\.org\)$/)]),
    );
    const stats = JSON.parse(readFileSync(join(dir, "stats.json"), "utf8")) as Record<string, unknown>;
    expect(stats).toMatchObject({ documents: documents.length, crawl: { urls: { page: SITES * PAGES } } });

    farm.forget();
    const again = join(work, "again.jsonl");
    const cleaned = await thresher(["clean", ...archives, "-o", again, "--labeller", "rules", "-j", "1"]);
    expect(cleaned.code).toBe(0);
    expect(farm.visits()).toEqual([]);
    const second = parseLines(readFileSync(again, "utf8"));
    // The id of an archived page is that of its record.
    const strip = (all: readonly Record<string, unknown>[]): unknown[] =>
      [...all]
        .sort((a, b) => (String(a["url"]) < String(b["url"]) ? -1 : 1))
        .map(({ id, ...rest }) => ({ ...rest, hasId: id !== undefined }));
    expect(strip(second)).toEqual(strip(documents));
  });

  it("reports each reason, and requests robots.txt first", async () => {
    const dir = makeDir();
    const { code, stderr } = await crawl(farm, [farm.url("mixed"), "-o", dir, "--depth", "1"]);
    expect(code, stderr).toBe(0);
    const { outcomes, rejects, documents } = readCrawl(dir);
    const reasons = [...outcomes].map(([url, { reason }]) => [new URL(url).pathname, reason ?? "a document"]);
    expect(Object.fromEntries(reasons)).toEqual({
      "/": "a document",
      "/open": "a document",
      "/closed": "robots",
      "/picture.png": "http-status",
      "/gone": "http-status",
    });
    expect(documents).toHaveLength(2);
    expect(rejects.map(({ reason }) => reason).sort()).toEqual(["http-status", "http-status", "robots"]);
    expect(pathsOf("mixed")).not.toContain("/closed");
    expect(pathsOf("mixed")[0]).toBe("/robots.txt");
    expect(stderr).toContain("robots: the robots.txt of the host forbids it");
  });

  it("fetches what robots.txt forbids only on request", async () => {
    const dir = makeDir();
    await crawl(farm, [farm.url("mixed", "/closed"), "-o", dir, "--ignore-robots"]);
    expect(readCrawl(dir).documents).toHaveLength(1);
    expect(pathsOf("mixed")).toEqual(["/closed"]);
  });

  it("reads seeds from files, tables, stdin, sitemaps and feeds", async () => {
    const list = join(work, "list.txt");
    writeFileSync(
      list,
      `${farm.url(nameSite(0), "/p/1")}\n\nnot a url\n${farm.url(nameSite(0), "/p/1#again")}\n`,
    );
    const table = join(work, "table.csv");
    writeFileSync(table, `name,link\n"a, b",${farm.url(nameSite(0), "/p/2")}\n`);
    const runs: readonly (readonly [readonly string[], string, readonly number[]])[] = [
      [["--seeds", list], "", [1]],
      [["--seeds", table, "--column", "link"], "", [2]],
      [["-"], `${farm.url(nameSite(0), "/p/3")}\n`, [3]],
      [["--sitemap", farm.url(nameSite(0), "/sitemap.xml")], "", [0, 1, 2, 3, 4, 5, 6, 7, 8]],
      [["--feed", farm.url(nameSite(0), "/feed.xml"), "--max-pages", "2"], "", []],
    ];
    for (const [args, stdin, pages] of runs) {
      const dir = makeDir();
      const { code, stderr } = await crawl(farm, [...args, "-o", dir], { stdin });
      expect(code, stderr).toBe(0);
      const found = [...readCrawl(dir).outcomes.values()].filter(({ result }) => result === "page");
      if (pages.length === 0) expect(found).toHaveLength(2);
      else
        expect(found.map(({ url }) => url).sort()).toEqual(
          pages.map((at) => farm.url(nameSite(0), at === 0 ? "/" : `/p/${at}`)),
        );
      if (!args.includes(list)) continue;
      expect(stderr).toContain("not a url");
      const bad = parseLines(readFileSync(join(dir, "bad-seeds.jsonl"), "utf8"));
      expect(bad).toEqual([expect.objectContaining({ id: `${list}:3`, reason: "bad-url" })]);
    }
  });

  it("leaves no partial list of bad seeds if it is interrupted", async () => {
    const dir = makeDir();
    const { code } = await thresherAlone(["crawl", "-", "-o", dir], {
      onStart: (child) => {
        child.stdin?.write("no url\n");
        child.stderr?.on("data", (said: Buffer) => {
          if (said.includes("no url")) setTimeout(() => child.kill("SIGINT"), 200);
        });
      },
    });
    expect(code).toBe(130);
    expect(readdirSync(dir).filter((name) => name.includes("bad-seeds"))).toEqual([]);
  });

  it.each([
    ["bytes of a picture", Buffer.from([0x89, 0x50, 0x4e, 0x47, 0, 1, 2, 3])],
    ["a page", Buffer.from("<!doctype html><p>No list")],
    ["cut gzip", gzipSync("http://a/\n".repeat(9)).subarray(0, 15)],
    ["endless line", Buffer.alloc(3_000_000, "a")],
    ["no URLs", Buffer.from("javascript:alert(1)\nfile:///etc/passwd\nhttp://\n\u0007\n")],
  ])("says what is wrong with seeds that are %s", async (_, bytes) => {
    const path = join(work, "poison.txt");
    writeFileSync(path, bytes);
    const { code, stderr } = await crawl(farm, ["--seeds", path, "-o", makeDir()]);
    expect(code, stderr).toBe(2);
    expect(stderr).toContain(path);
    expect(stderr).toContain("is not a seed");
    expect(stderr).not.toContain("This is a bug");
  });

  it("reads the sitemaps that robots.txt names on request", async () => {
    const dir = makeDir();
    await crawl(farm, [farm.url("mixed"), "-o", dir, "--sitemaps"]);
    expect([...readCrawl(dir).outcomes.keys()]).toContain(farm.url("mixed", "/listed"));
  });

  it("reads the sitemaps of known seeds with --recrawl, and says so", async () => {
    const args = [farm.url("mixed"), "-o", makeDir()];
    await crawl(farm, args);
    expect((await crawl(farm, [...args, "--sitemaps"])).stderr).toContain(
      "--recrawl requests them again, and also links that --depth and other options now allow, and sitemaps if --sitemaps is new",
    );
    await crawl(farm, [...args, "--sitemaps", "--recrawl"]);
    expect([...readCrawl(args[2] ?? "").outcomes.keys()]).toContain(farm.url("mixed", "/listed"));
  });

  it("shows what a recrawl would request", async () => {
    const args = [farm.url("mixed", "/open"), "-o", makeDir()];
    await crawl(farm, args);
    expect((await crawl(farm, [...args, "--dry-run"])).stdout).toBe("");
    const { stdout } = await crawl(farm, [...args, "--recrawl", "--dry-run"]);
    expect(stdout).toContain(`fetch\t${farm.url("mixed", "/open")}\t`);
  });

  it("says that --recrawl waits until the earlier run is complete", async () => {
    const args = [farm.url("mixed", "/open"), farm.url("dated"), "-o", makeDir()];
    const told = "the earlier run is not complete, so it continues";
    expect((await crawl(farm, [...args, "--recrawl", "--max-pages", "1"])).stderr).not.toContain(told);
    expect((await crawl(farm, [...args, "--recrawl"])).stderr).toContain(told);
    expect((await crawl(farm, [...args, "--recrawl"])).stderr).toContain("not-modified");
  });

  it("reads these sitemaps although it ignores what robots.txt forbids", async () => {
    const dir = makeDir();
    const args = [farm.url("mixed"), farm.url("mixed", "/closed"), "--sitemaps", "--ignore-robots"];
    const { stdout } = await crawl(farm, [...args, "--dry-run"]);
    expect(stdout).toContain(`fetch\t${farm.url("mixed", "/listed")}`);
    await crawl(farm, [...args, "-o", dir]);
    expect(readCrawl(dir).documents.map(({ id }) => id)).toEqual(
      expect.arrayContaining([farm.url("mixed", "/listed"), farm.url("mixed", "/closed")]),
    );
  });

  it("shows what it would do, and requests only robots.txt", async () => {
    const dir = makeDir();
    const { code, stdout, stderr } = await crawl(farm, [
      ...[farm.url("mixed"), farm.url("mixed", "/closed"), "-o", dir, "--dry-run"],
    ]);
    expect(code, stderr).toBe(0);
    expect(stdout.split("\n").map((line) => line.split("\t").slice(0, 2))).toEqual([
      ["fetch", farm.url("mixed")],
      ["robots", farm.url("mixed", "/closed")],
      [""],
    ]);
    expect(farm.visits().map(({ path }) => path)).toEqual(["/robots.txt"]);
    expect(existsSync(dir)).toBe(false);
    expect(stderr).toContain("1 URL would be fetched, 1 would not; requested only robots.txt");
  });

  it("requests nothing for a plan without robots.txt", async () => {
    const { code, stdout, stderr } = await crawl(farm, [
      ...[farm.url("mixed", "/closed"), "-o", makeDir(), "--dry-run", "--ignore-robots"],
    ]);
    expect(code, stderr).toBe(0);
    expect(stdout).toContain(`fetch\t${farm.url("mixed", "/closed")}`);
    expect(farm.visits()).toEqual([]);
    expect(stderr).toContain("; requested nothing");
  });

  it("shows what the sitemaps of robots.txt list, and requests nothing else", async () => {
    const { code, stdout, stderr } = await crawl(farm, [
      ...[farm.url("mixed"), "-o", makeDir(), "--sitemaps", "--dry-run"],
    ]);
    expect(code, stderr).toBe(0);
    expect(stdout.split("\n").map((line) => line.split("\t").slice(0, 2))).toEqual([
      ["fetch", farm.url("mixed")],
      ["fetch", farm.url("mixed", "/map.txt")],
      ["fetch", farm.url("mixed", "/listed")],
      [""],
    ]);
    expect(pathsOf("mixed")).toEqual(["/robots.txt", "/map.txt"]);
    expect(stderr).toContain("requested only robots.txt and sitemaps");
  });

  it("retries rejected URLs once an option allows them, and names the option", async () => {
    const args = [farm.url("mixed", "/closed"), "-o", makeDir()];
    const outcomesOf = (): unknown[] =>
      [...readCrawl(args[2] ?? "").outcomes.values()].map(({ reason }) => reason);
    await crawl(farm, args);
    expect(outcomesOf()).toEqual(["robots"]);
    const same = await crawl(farm, args);
    expect(same.stderr).toContain("--ignore-robots or a longer --max-delay tries again");
    const other = await crawl(farm, [...args, "--ignore-robots"]);
    expect(other.code, other.stderr).toBe(0);
    expect(outcomesOf()).toEqual([undefined]);
  });

  it("fetches pages that were too large once more bytes are allowed", async () => {
    const dir = makeDir();
    const args = [farm.url("mixed", "/open"), "-o", dir];
    await crawl(farm, [...args, "--max-bytes", "100"]);
    expect(readCrawl(dir).rejects.map(({ reason }) => reason)).toEqual(["too-large"]);
    const same = await crawl(farm, [...args, "--max-bytes", "100"]);
    expect(same.stderr).toContain("a larger --max-bytes tries again");
    const larger = await crawl(farm, args);
    expect(larger.code, larger.stderr).toBe(0);
    expect(readCrawl(dir).documents).toHaveLength(1);
  });

  it("stays within its budgets, and continues with larger ones", async () => {
    const dir = makeDir();
    const args = [...webSeeds(), "-o", dir, "--depth", "3"];
    const first = await crawl(farm, [...args, "--max-pages", "5"]);
    expect(first.code, first.stderr).toBe(0);
    expect(first.stderr).toContain("the budget is used up");
    expect([...readCrawl(dir).outcomes.values()].filter(({ result }) => result === "page")).toHaveLength(5);
    const second = await crawl(farm, [...args, "--max-pages-per-host", "3"]);
    expect(second.code, second.stderr).toBe(0);
    const counts = new Map<string, number>();
    for (const { host, path } of farm.visits())
      if (path !== "/robots.txt") counts.set(host, (counts.get(host) ?? 0) + 1);
    expect([...counts.values()]).toEqual(Array(SITES).fill(3));
  });

  it("stays within its scope", async () => {
    const dir = makeDir();
    await crawl(farm, [
      farm.url(nameSite(0)),
      "-o",
      dir,
      "--depth",
      "5",
      "--exclude",
      "/p/1*",
      "--include",
      "/p/*",
    ]);
    const paths = [...readCrawl(dir).outcomes]
      .filter(([, { result }]) => result === "page")
      .map(([url]) => new URL(url).pathname);
    expect(paths.sort()).toEqual(["/", ...[2, 3, 4, 5, 6, 7, 8].map((at) => `/p/${at}`)]);
  });

  it.each(Object.keys(traps))("gets out of the trap %s", async (name) => {
    const dir = makeDir();
    const { code, stderr } = await crawl(farm, [
      ...[farm.url(name), "-o", dir, "--depth", "1000", "--delay", "0"],
    ]);
    expect(code, stderr).toBe(0);
    expect(farm.visits().length).toBeLessThan(300);
  });

  it.each([
    ["markdown", "text", ".md"],
    ["text", "text", ".txt"],
    ["parquet", "text", ".parquet"],
    ["tei", "", ".xml.gz"],
    ["wet", "", ".wet.gz"],
  ])("writes %s, and adds to it the next time", async (format, folder, extension) => {
    const dir = makeDir();
    const args = ["-o", dir, "--to", format];
    const list = (): string[] =>
      readdirSync(join(dir, folder)).filter((name) => name.endsWith(extension) && name !== "rejects.jsonl");
    expect((await crawl(farm, [farm.url("mixed"), ...args])).code).toBe(0);
    expect(list()).toHaveLength(1);
    const { code, stderr } = await crawl(farm, [farm.url("mixed", "/open"), ...args]);
    expect(code, stderr).toBe(0);
    expect(list()).toHaveLength(extension.endsWith(".gz") ? 1 : 2);
    if (format === "parquet" || format === "wet") {
      const out = await thresher([
        "clean",
        ...list().map((name) => join(dir, folder, name)),
        "--to",
        "jsonl",
      ]);
      expect(sortedIds(parseLines(out.stdout))).toHaveLength(2);
    }
  });

  it.each(["outcomes.csv", "outcomes.parquet"])("writes the table of URLs as %s", async (name) => {
    const dir = makeDir();
    const path = join(dir, name);
    expect((await crawl(farm, [farm.url("mixed"), "-o", dir, "--outcomes", path])).code).toBe(0);
    const bytes = readFileSync(path);
    if (name.endsWith(".csv"))
      expect(bytes.toString()).toMatch(/^url,result,reason,[^\n]*\r\nhttp:\/\/mixed/);
    else expect(bytes.subarray(0, 4).toString()).toBe("PAR1");
    expect(existsSync(join(dir, "outcomes.jsonl"))).toBe(false);
  });

  it("fetches again only what has changed", async () => {
    const dir = makeDir();
    const args = [farm.url("dated"), farm.url("dated", "/new"), "-o", dir];
    expect((await crawl(farm, args)).code).toBe(0);
    expect((await crawl(farm, args)).code).toBe(0);
    expect(pathsOf("dated").filter((path) => path !== "/robots.txt")).toEqual(["/", "/new"]);
    const again = await crawl(farm, [...args, "--recrawl"]);
    expect(again.code, again.stderr).toBe(0);
    const asked = farm.visits().filter(({ path }) => path !== "/robots.txt");
    expect(asked.slice(2).map(({ path, status, isConditional }) => [path, status, isConditional])).toEqual([
      ["/", 304, true],
      ["/new", 200, false],
    ]);
    const { documents } = readCrawl(dir);
    expect(documents.map(({ text }) => /What (was|is) newe?r?|An old page/.exec(String(text))?.[0])).toEqual([
      ...["An old page", "What was new", "What is newer"],
    ]);
    const { archives } = readCrawl(dir);
    const types = await thresher(["clean", ...archives, "--to", "jsonl", "--labeller", "rules"]);
    expect(types.stderr).toMatch(/revisit 1/);
  });

  it("works without an archive", async () => {
    const dir = makeDir();
    expect((await crawl(farm, [farm.url("mixed"), "-o", dir, "--no-warc"])).code).toBe(0);
    const { documents, archives } = readCrawl(dir);
    expect(documents).toHaveLength(1);
    expect(archives).toEqual([]);
  });

  it("drains and saves on Ctrl-C, and continues later", async () => {
    const dir = makeDir();
    const args = [farm.url("slow"), "-o", dir, "--depth", "1"];
    const { code, stderr } = await crawlAlone(farm, args, {
      onStart: (child) => {
        void (async () => {
          while (farm.visits().length < 4) await wait(20);
          child.kill("SIGINT");
        })();
      },
    });
    expect(code, stderr).toBe(130);
    expect(stderr).toContain("the same command continues");
    const before = readCrawl(dir);
    expect(before.documents.length).toBeGreaterThan(0);
    expect(before.outcomes.size).toBe(8);
    const next = await crawl(farm, args);
    expect(next.code, next.stderr).toBe(0);
    const { documents } = readCrawl(dir);
    expect(new Set(sortedIds(documents)).size).toBe(8);
    expect(documents).toHaveLength(8);
    // The URL in flight was requested twice.
    const counts = [...countPages(farm.visits()).values()];
    expect(counts.reduce((sum, count) => sum + count, 0)).toBeLessThanOrEqual(9);
  });

  it("exits at once on a second Ctrl-C", async () => {
    const dir = makeDir();
    const { code } = await crawlAlone(farm, [farm.url("slow"), "-o", dir, "--depth", "1"], {
      onStart: (child) => {
        void (async () => {
          while (farm.visits().length < 3) await wait(20);
          child.kill("SIGINT");
          child.kill("SIGINT");
        })();
      },
    });
    expect(code).toBe(130);
  });

  it("locks its folder against other processes", async () => {
    const dir = makeDir();
    const args = [farm.url("slow"), "-o", dir, "--depth", "1"];
    let holder: ChildProcess | undefined;
    const first = crawlAlone(farm, args, {
      onStart: (child) => {
        holder = child;
      },
    });
    while (farm.visits().length === 0) await wait(20);
    // However slowly the second one starts, the first is still running.
    holder?.kill("SIGSTOP");
    const second = await crawl(farm, [...args, "--fresh"]);
    holder?.kill("SIGCONT");
    expect(second.code).toBe(74);
    expect(second.stderr).toContain("is being written by process");
    expect((await first).code).toBe(0);
    expect(readCrawl(dir).documents).toHaveLength(8);
  });

  it("writes nothing to stdout", async () => {
    const { code, stderr } = await crawl(farm, [farm.url("mixed"), "-o", "-"]);
    expect([code, stderr]).toEqual([
      2,
      expect.stringContaining("a crawl writes into a folder, not to stdout"),
    ]);
    expect(existsSync("-")).toBe(false);
  });

  it("rejects other options for the text, and starts over on request", async () => {
    const dir = makeDir();
    const args = [farm.url("mixed"), "-o", dir];
    expect((await crawl(farm, args)).code).toBe(0);
    const other = await crawl(farm, [...args, "--focus", "recall"]);
    expect(other.code).toBe(2);
    expect(other.stderr).toContain("thresher clean");
    for (const option of ["--images", "--front-matter", "--spans", "--no-metadata"])
      expect([option, (await crawl(farm, [...args, option])).code]).toEqual([option, 2]);
    const unseeded = await crawl(farm, ["-o", dir, "--fresh"]);
    expect([unseeded.code, readCrawl(dir).documents.length]).toEqual([2, 1]);
    farm.forget();
    expect((await crawl(farm, [...args, "--focus", "recall", "--fresh"])).code).toBe(0);
    expect(pathsOf("mixed")).toEqual(["/robots.txt", "/"]);
    expect(readCrawl(dir).documents).toHaveLength(1);
  });

  it.each(["--any-host", "--same-domain"])(
    "says that %s has no effect if no links are followed",
    async (flag) => {
      const args = [farm.url("mixed"), flag, "--dry-run"];
      const { stderr } = await crawl(farm, args);
      expect(stderr).toContain(
        `${flag} has no effect here: it only affects --depth of at least 1, and --sitemaps\n`,
      );
      for (const more of [["--depth", "1"], ["--sitemaps"]])
        expect((await crawl(farm, [...args, ...more])).stderr).not.toContain("no effect");
    },
  );

  it("says that --condition has no effect if no page is plain text", async () => {
    const args = [farm.url("dated"), "-o", makeDir(), "--condition", "crawl"];
    const told = "--condition has no effect here: it only affects documents that the labeller text labels";
    expect((await crawl(farm, args)).stderr).toContain(told);
    expect((await crawl(farm, [...args, "--fresh", "--labeller", "text"])).stderr).not.toContain(told);
  });

  it("says that --contact has no effect with --user-agent", async () => {
    const args = [farm.url("mixed"), "--contact", "me@example.org", "--dry-run"];
    expect((await crawl(farm, [...args, "--user-agent", "Me/1"])).stderr).toContain(
      "--contact has no effect here: it only affects the User-Agent header that --user-agent replaces\n",
    );
    expect((await crawl(farm, args)).stderr).not.toContain("no effect");
  });

  it("says what to do if it cannot start", async () => {
    const file = join(work, "a file");
    writeFileSync(file, "");
    const foreign = makeDir();
    mkdirSync(foreign);
    writeFileSync(join(foreign, "text.jsonl.gz"), "precious");
    const seed = farm.url("mixed");
    const cases: readonly (readonly [readonly string[], number, string])[] = [
      [[seed], 2, "-o DIR"],
      [["-o", makeDir()], 2, "no seeds"],
      [[seed, "-o", file], 74, "cannot make the folder"],
      [[seed, "-o", foreign], 74, "belongs to no crawl"],
      [[seed, "-o", makeDir(), "--same-host", "--any-host"], 2, "cannot be used with"],
      [[seed, "-o", makeDir(), "--depth", "far"], 2, "whole number"],
      [[seed, "-o", makeDir(), "--proxy", "nowhere"], 2, "--proxy"],
      [[seed, "-o", makeDir(), "--user-agent", "Me/1\r\nX: 1"], 2, "--user-agent"],
      [[seed, "-o", makeDir(), "--user-agent", " "], 2, "--user-agent"],
      [[seed, "-o", makeDir(), "--contact", "me@example.org\n"], 2, "--contact"],
      [[seed, "-o", makeDir(), "--contact", "文"], 2, "--contact"],
      [[seed, "-o", makeDir(), "--include", "re:("], 2, "pattern"],
      [[seed, "-o", makeDir(), "--insecure"], 2, "unknown option"],
      [[seed, "-o", makeDir(), "--to", "parquet", "--no-warc"], 2, "needs the archive"],
      [["--seeds", join(work, "nowhere.txt"), "-o", makeDir()], 2, "nowhere.txt"],
    ];
    for (const [args, code, message] of cases) {
      const result = await crawl(farm, args);
      expect([args, result.code]).toEqual([args, code]);
      expect(result.stderr).toContain(message);
    }
    expect(readFileSync(join(foreign, "text.jsonl.gz"), "utf8")).toBe("precious");
    expect(farm.visits()).toEqual([]);
  });

  it("keeps what was written before the disk was full", async () => {
    const dir = makeDir();
    const args = [...webSeeds(), "-o", dir, "--depth", "3", "--save-every", "10ms"];
    const full = await crawlAlone(farm, args, { maxFileBlocks: 300 });
    expect(full.code, full.stderr).toBe(74);
    expect(full.stderr).not.toContain("This is a bug");
    const next = await crawl(farm, args);
    expect(next.code, next.stderr).toBe(0);
    const { documents, rejects } = readCrawl(dir);
    expect(new Set([...documents, ...rejects].map(({ url }) => url)).size).toBe(SITES * PAGES);
    expect(documents.length + rejects.length).toBe(SITES * PAGES);
  });

  it("shows its progress, and sums up at the end", async () => {
    const { code, stderr } = await crawl(farm, [
      farm.url("slow"),
      "-o",
      makeDir(),
      "--depth",
      "1",
      "--progress",
    ]);
    expect(code).toBe(0);
    expect(stderr).toMatch(/1 of 1 host, \d pages, \d+\.\d\/s, \d queued, 0 errors, \d+ s/);
    expect(stderr).toMatch(/8 pages in \d+ s, 9 requests, 0 tried again, 0\.0 MB\n/);
    expect(stderr).toMatch(/8 documents, 0 rejects\n/);
  });

  it("rejects private addresses, however they are reached", async () => {
    const dir = makeDir();
    const { code } = await thresher([
      "crawl",
      farm.url("mixed").replace("mixed.farm.test", "127.0.0.1"),
      "-o",
      dir,
    ]);
    expect(code).toBe(1);
    expect(readCrawl(dir).rejects.map(({ reason }) => reason)).toEqual(["blocked-address"]);
    expect(farm.visits()).toEqual([]);
  });

  it("runs the examples of its documentation page", async () => {
    const dir = makeDir();
    mkdirSync(dir);
    const page = readFileSync(join(ROOT, "docs", "crawling.md"), "utf8");
    const [, shell = ""] = /```sh\n(.*?)```/s.exec(page) ?? [];
    const here = (text: string): string =>
      text
        .replaceAll("https://example.org/sitemap.xml", farm.url(nameSite(0), "/sitemap.xml"))
        .replaceAll("https://example.org/", farm.url("mixed"));
    writeFileSync(join(dir, "urls.txt"), `${farm.url(nameSite(1))}\n`);
    const lines = shell
      .trimEnd()
      .split("\n")
      .map((line) =>
        line
          .replace(/ {2,}#.*/, "")
          .split(" ")
          .slice(2),
      );
    expect(lines).toHaveLength(5);
    for (const words of lines) {
      const args = words.map((word) =>
        word.includes("*") ? join(dir, "site/warc/thresher-00001.warc.gz") : here(word),
      );
      const run =
        args[0] === "crawl"
          ? crawl(farm, args.slice(1), { cwd: dir })
          : thresher([...args.slice(0, -1), join(dir, "again.jsonl.gz")]);
      const { code, stderr } = await run;
      expect([words, code], stderr).toEqual([words, 0]);
    }
    expect(readCrawl(join(dir, "site")).documents.length).toBeGreaterThan(1);
    expect(readCrawl(join(dir, "news")).documents.length).toBeGreaterThan(5);
    expect(readCrawl(join(dir, "pages")).documents.length).toBeGreaterThan(0);

    const [, sample = ""] = /```js\n(.*?)```/s.exec(page) ?? [];
    const code = here(sample)
      .replace('"thresher"', JSON.stringify(pathToFileURL(join(ROOT, "dist/index.js")).href))
      .replace("contact:", 'addresses: "any", contact:')
      .replace("crawler.run(signal)", "crawler.run(new AbortController().signal)")
      .replace('dir: "site"', 'dir: "sample"');
    writeFileSync(join(dir, "sample.mjs"), code);
    const run = promisify(execFile)(process.execPath, ["--import", farm.names, "sample.mjs"], { cwd: dir });
    const { stdout, stderr } = await run;
    expect(stdout).toContain(`${farm.url("mixed", "/open")} `);
    expect(stderr).toContain(`${farm.url("mixed", "/closed")} robots forbidden by robots.txt`);
  });

  it("lists options, examples, reasons and exit codes in its help", async () => {
    const { code, stdout } = await thresher(["crawl", "--help"]);
    expect(code).toBe(0);
    for (const word of ["--depth", "--allow-private", "Examples:", "blocked-address", "Exit codes"])
      expect(stdout).toContain(word);
  });
});
