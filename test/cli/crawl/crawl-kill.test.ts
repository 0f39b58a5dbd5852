import { existsSync, mkdtempSync, readdirSync, readFileSync, rmSync, statSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as wait } from "node:timers/promises";
import { gunzipSync } from "node:zlib";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { readSources } from "../../../bench/lab/crawl/crawl-speed/varied-pages.js";
import { openFarm, type Farm } from "../../../bench/lab/crawl/farm/farm.js";
import { findBreaches } from "../../../bench/lab/crawl/farm/log.js";
import { makeWeb, nameSite } from "../../../bench/lab/crawl/farm/web.js";
import { openCrawl } from "../../../src/crawl/crawl.js";
import { crawl, crawlAlone, leaveFarm, readCrawl, sortedIds } from "./crawl-farm.js";
import { createDice } from "./crawl-warc.js";
import { parseLines, thresher } from "../run.js";

/** A longer run: THRESHER_KILLS=50 THRESHER_SITES=40 npx vitest run test/cli/crawl/crawl-kill.test.ts */
const KILLS = Number(process.env["THRESHER_KILLS"] ?? 3);
const SITES = Number(process.env["THRESHER_SITES"] ?? 6);
const PAGES = 20;
const LONG_MS = 600_000;

const work = mkdtempSync(join(tmpdir(), "thresher-crawl-kill-"));
let farm: Farm;
beforeAll(async () => {
  const sources = await readSources([], "fixtures");
  farm = await openFarm({ sites: makeWeb({ sources, sites: SITES, pages: PAGES, seed: 3, isJoined: true }) });
}, LONG_MS);
afterAll(async () => {
  leaveFarm(farm);
  await farm.close();
  rmSync(work, { recursive: true });
});

/** Kills it this number of milliseconds after it has done something, or lets it end if it has nothing to do. */
async function killAfter(
  args: readonly string[],
  hasDone: () => boolean,
  ms: number,
): Promise<NodeJS.Signals | null> {
  const { signal, stderr, code } = await crawlAlone(farm, args, {
    onStart: (child) => {
      void (async () => {
        while (!hasDone() && child.exitCode === null) await wait(2);
        await wait(ms);
        child.kill("SIGKILL");
      })();
    },
  });
  if (signal === null) expect(code, stderr).toBe(0);
  return signal;
}

/** Returns a check for this number of requests or, for 0, for a new point from which the next run continues. */
function chooseDeed(dir: string, requests: number): () => boolean {
  const before = farm.visits().length;
  const saved = join(dir, "state", "documents");
  const savedAt = (): number => statSync(saved, { throwIfNoEntry: false })?.mtimeMs ?? 0;
  const start = savedAt();
  return requests > 0 ? () => farm.visits().length >= before + requests : () => savedAt() > start;
}

/** Lists URLs for which a killed crawl has the answer or, if it keeps none, the document. */
async function listFinished(dir: string, isArchived: boolean): Promise<string[]> {
  if (!existsSync(join(dir, "state", "crawl.sqlite"))) return [];
  const state = await openCrawl({
    dir,
    version: "0",
    transport: { maxBytes: 1, timeoutMs: 1, addresses: "any" },
  });
  const urls: string[] = [];
  for await (const { url, result, isConfirmed } of state.outcomes())
    if (isArchived ? result !== "waiting" : isConfirmed) urls.push(url);
  await state.close();
  return urls;
}

/** Returns the URLs of the answers in the archives, and reads each file to its end. */
function readArchives(archives: readonly string[]): string[] {
  return archives.flatMap((path) => {
    const text = gunzipSync(readFileSync(path)).toString("latin1");
    return [...text.matchAll(/^WARC-Type: response\r\n(?:[^\r]+\r\n)*?WARC-Target-URI: ([^\r]+)\r\n/gm)].map(
      ([, url = ""]) => url,
    );
  });
}

describe("a crawl that is killed repeatedly", { timeout: LONG_MS }, () => {
  it.each([
    ["with an archive", []],
    ["into files", ["--to", "markdown"]],
    ["without duplicates", ["--dedup", "exact"]],
    ["without an archive", ["--no-warc"]],
  ])("has each page once, %s", async (name, more) => {
    const dice = createDice(name.length);
    const seeds = [farm.url(nameSite(0)), farm.url(nameSite(1))];
    const argsFor = (dir: string): string[] => [
      ...[...seeds, "-o", dir, "--depth", "9", "--any-host", "--save-every", "10ms", "--quiet"],
      ...["--warc-size", "300k", ...more],
    ];
    const whole = join(work, `whole ${name}`);
    expect((await crawl(farm, argsFor(whole))).code).toBe(0);
    farm.forget();
    const dir = join(work, `broken ${name}`);
    let kills = 0;
    const finished: { readonly visits: number; readonly urls: readonly string[] }[] = [];
    for (let turn = 0; turn < KILLS; turn += 1) {
      const hasDone = chooseDeed(dir, turn % 2 === 0 ? 1 + Math.floor(dice() * 10) : 0);
      if ((await killAfter(argsFor(dir), hasDone, Math.floor(dice() * 100))) !== null) kills += 1;
      finished.push({
        visits: farm.visits().length,
        urls: await listFinished(dir, !more.includes("--no-warc")),
      });
    }
    expect(kills).toBeGreaterThan(KILLS / 2);
    const end = await crawl(farm, argsFor(dir));
    expect(end.code, end.stderr).toBe(0);

    const [expected, found] = [readCrawl(whole), readCrawl(dir)];
    expect([...found.outcomes.keys()].sort()).toEqual([...expected.outcomes.keys()].sort());
    expect(found.outcomes.size).toBe(SITES * PAGES);
    if (name.endsWith("archive")) {
      expect(sortedIds(found.documents)).toEqual(sortedIds(expected.documents));
      const texts = (from: typeof found): unknown[] => from.documents.map(({ text }) => text).sort();
      expect(texts(found)).toEqual(texts(expected));
    }
    if (name === "into files")
      expect(readdirSync(join(dir, "text")).sort()).toEqual(readdirSync(join(whole, "text")).sort());
    const ids = (from: typeof found): string[] => from.rejects.map(({ id }) => String(id)).sort();
    // Which of two copies is the first depends on the network.
    if (name !== "without duplicates") expect(ids(found)).toEqual(ids(expected));
    expect(found.documents.length + found.rejects.length).toBe(
      name === "into files" ? found.rejects.length : SITES * PAGES,
    );

    // Only URLs that were requested but not on disk when it was killed are requested again.
    const archived = readArchives(found.archives);
    expect(new Set(archived).size).toBe(archived.length);
    for (const { visits, urls } of finished) {
      const later = farm
        .visits()
        .slice(visits)
        .map(({ host, path }) => `http://${host}${path}`);
      expect(later.filter((url) => urls.includes(url))).toEqual([]);
    }
    expect(finished.some(({ urls }) => urls.length > 0)).toBe(true);
    const asked = farm.visits().filter(({ path }) => path !== "/robots.txt");
    expect(findBreaches(asked, () => 15).filter(({ gapMs }) => gapMs < 0)).toEqual([]);

    if (more.includes("--no-warc")) return;
    const again = await thresher([
      "clean",
      ...found.archives,
      "--to",
      "jsonl",
      "--labeller",
      "rules",
      "-j",
      "1",
    ]);
    expect(again.code, again.stderr).toBe(0);
    const read = parseLines(again.stdout).map(({ url }) => String(url));
    expect(new Set(read).size).toBe(read.length);
    if (name === "with an archive") expect(read.sort()).toEqual(sortedIds(found.documents));
  });
});
