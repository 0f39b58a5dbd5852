/**
 * Runs the whole command `crawl` against our own servers in another process, and measures how polite it is, how fast it
 * is within the limits of politeness, and what it costs without them.
 * `node dist/bench/lab/crawl/crawl-farm.js [--pages N] [--hosts N] [--delay MS] [--seed N] [--dir DIR] [FILE.jsonl.gz
 * …]`.
 */
import { fork, type ChildProcess } from "node:child_process";
import { once } from "node:events";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { dirname, join, resolve } from "node:path";
import { fileURLToPath } from "node:url";
import { parseArgs } from "node:util";
import { DEFAULT_FIXTURES_DIR } from "../../corpora/registry.js";
import { runCrawl, type CrawlAsked, type CrawlSpent } from "./crawl-farm/crawl-command.js";
import type { FarmInMemory } from "./crawl-farm/farm-in-memory.js";
import type { FarmReply, FarmRequest, WebAsked } from "./crawl-farm/farm-protocol.js";
import { spend } from "./crawl-speed/spend.js";
import { countPages, findBreaches, type Visit } from "./farm/log.js";
import { formatCount, formatMegabytes, formatMs } from "../../report/format.js";
import { layOut } from "../../report/markdown-table.js";
import { isMain } from "../is-main.js";

const HERE = dirname(fileURLToPath(import.meta.url));

export interface FarmBenchOptions {
  /** JSON Lines files with `html`; the fixtures are used when the list is empty. */
  readonly files: readonly string[];
  readonly pages: number;
  readonly hosts: number;
  /** Milliseconds between two requests to a host in the polite run. */
  readonly delayMs: number;
  readonly seed: number;
  /** The folder of the crawls while they are measured. */
  readonly dir: string;
}

export interface FarmMeasured {
  readonly rows: readonly (readonly string[])[];
  readonly checks: readonly (readonly string[])[];
}

/** Starts the farm in its own process, so that its CPU time does not count as the crawl's. */
async function startFarm(asked: WebAsked): Promise<{
  readonly names: string;
  readonly urls: readonly string[];
  takeVisits(): Promise<Visit[]>;
  stop(): void;
}> {
  const child: ChildProcess = fork(join(HERE, "crawl-farm", "serve-farm.js"), { serialization: "advanced" });
  const ended = once(child, "exit").then(() => {
    throw new Error("the farm has ended"); // its own message is on stderr
  });
  ended.catch(() => undefined);
  const ask = async (request: FarmRequest): Promise<FarmReply> => {
    child.send(request);
    const [reply] = (await Promise.race([once(child, "message"), ended])) as [FarmReply]; // serve-farm.ts sends it
    return reply;
  };
  const opened = await ask({ kind: "open", web: asked });
  if (opened.kind !== "opened") throw new Error("the farm did not open");
  return {
    ...opened,
    async takeVisits() {
      const reply = await ask({ kind: "take" });
      return reply.kind === "visits" ? [...reply.visits] : [];
    },
    stop: () => void child.kill(),
  };
}

async function measureFarm(options: FarmBenchOptions): Promise<FarmMeasured> {
  const { files, pages, hosts, delayMs, seed, dir } = options;
  const pagesPerHost = Math.ceil(pages / hosts);
  const farm = await startFarm({
    files,
    fixtures: DEFAULT_FIXTURES_DIR,
    sites: hosts,
    pages: pagesPerHost,
    seed,
  });
  try {
    const crawl = async (
      name: string,
      how: Pick<CrawlAsked, "seeds" | "depth" | "delayMs"> & Partial<Pick<CrawlAsked, "workers">>,
    ): Promise<FarmRun> => {
      const spent = await runCrawl({ dir: join(dir, name), names: farm.names, hosts, workers: 1, ...how });
      return { spent, visits: await farm.takeVisits() };
    };
    const fronts = farm.urls.slice(0, hosts);
    const polite = await crawl("polite", { seeds: fronts, depth: DEPTH, delayMs });
    const linked = await crawl("linked", { seeds: fronts, depth: DEPTH, delayMs: 0 });
    // Cleaning alone runs before and after the crawls of the list, so that other load on the machine is about the same.
    const before = await cleanAlone(options);
    const listed = await crawl("listed", { seeds: farm.urls, depth: 0, delayMs: 0 });
    const shared = await crawl("shared", { seeds: farm.urls, depth: 0, delayMs: 0, workers: 2 });
    const alone = addUp(before, await cleanAlone(options));
    return summariseFarm(options, { polite, linked, listed, shared, alone });
  } finally {
    farm.stop();
  }
}

/** The number of pages that are cleaned alone, which is enough to know the time per page. */
const ALONE = 1000;
async function cleanAlone({ files, pages, seed }: FarmBenchOptions): Promise<FarmInMemory> {
  const args = [String(Math.min(ALONE, pages)), String(seed), DEFAULT_FIXTURES_DIR, ...files];
  const { stdout } = await spend(join(HERE, "crawl-farm", "farm-in-memory.js"), args);
  return JSON.parse(stdout) as FarmInMemory; // farm-in-memory.ts prints it
}

function addUp(one: FarmInMemory, other: FarmInMemory): FarmInMemory {
  return {
    pages: one.pages + other.pages,
    cpuMs: one.cpuMs + other.cpuMs,
    wallMs: one.wallMs + other.wallMs,
    pageBytes: one.pageBytes + other.pageBytes,
  };
}

/** More than any page is deep: a site is a tree with shortcuts, so this does not limit the crawl. */
const DEPTH = 50;

export interface FarmRun {
  readonly spent: CrawlSpent;
  readonly visits: readonly Visit[];
}

export interface FarmFigures {
  readonly polite: FarmRun;
  /** Without a delay: once by following links, once from a list of URLs. */
  readonly linked: FarmRun;
  readonly listed: FarmRun;
  /** From the list, with worker processes that clean beside the process that fetches. */
  readonly shared: FarmRun;
  readonly alone: FarmInMemory;
}

/** Turns the four crawls and the pages cleaned alone into table rows and checks. */
export function summariseFarm(
  { hosts, delayMs }: Pick<FarmBenchOptions, "hosts" | "delayMs">,
  { polite, linked, listed, shared, alone }: FarmFigures,
): FarmMeasured {
  const perSecond = (items: number, ms: number): string => formatCount((items / ms) * 1000);
  const cpuEach = ({ spent, visits }: FarmRun): number => spent.cpuMs / countPages(visits).size;
  const row = (what: string, run: FarmRun): string[] => {
    const count = countPages(run.visits).size;
    return [
      ...[what, formatCount(count), perSecond(count, spanOf(run.visits)), perSecond(count, run.spent.cpuMs)],
      ...[formatMs(cpuEach(run)), formatMegabytes(run.spent.peakBytes)],
    ];
  };
  const rows = [
    row(`links, delay ${delayMs} ms`, polite),
    row("links, no delay", linked),
    row("a list, no delay", listed),
    row("a list, no delay, -j 2", shared),
    [
      ...["in memory, no network", formatCount(alone.pages), perSecond(alone.pages, alone.wallMs)],
      ...[perSecond(alone.pages, alone.cpuMs), formatMs(alone.cpuMs / alone.pages), ""],
    ],
  ];
  const breaches = ({ visits }: FarmRun, ms: number): string => String(findBreaches(visits, () => ms).length);
  const twice = ({ visits }: FarmRun): number =>
    [...countPages(visits).values()].filter((count) => count > 1).length;
  const share = (run: FarmRun): string => (alone.cpuMs / alone.pages / cpuEach(run)).toFixed(2);
  const growth = ({ spent }: FarmRun): string => (spent.lastBytes / spent.firstBytes).toFixed(2);
  const checks = [
    ["requests to a host that overlap or come too early", breaches(polite, delayMs), "0"],
    ["requests to a host that overlap, no delay", breaches(linked, 0), "0"],
    [
      "pages asked for more than once",
      String(twice(polite) + twice(linked) + twice(listed) + twice(shared)),
      "0",
    ],
    ["hosts", String(new Set(polite.visits.map(({ host }) => host)).size), String(hosts)],
    [
      "time that politeness asks for ÷ time taken",
      (boundOf(polite.visits, delayMs) / spanOf(polite.visits)).toFixed(2),
      "≥ .90",
    ],
    ["bytes a page, unpacked", formatCount(alone.pageBytes / alone.pages), ""],
    ["a list ÷ in memory, CPU", share(listed), "≥ .60"],
    ["a list, -j 2 ÷ in memory, CPU of all processes", share(shared), "≥ .60"],
    ["links ÷ in memory, CPU", share(linked), ""],
    ["memory at the end ÷ after a tenth, polite", growth(polite), "about 1"],
    ["memory at the end ÷ after a tenth, links", growth(linked), "about 1"],
  ];
  return { rows, checks };
}

/** Returns the milliseconds from the start of the first request to the end of the last. */
function spanOf(visits: readonly Visit[]): number {
  const begin = visits.reduce((least, visit) => Math.min(least, visit.begin), Infinity);
  return visits.reduce((most, visit) => Math.max(most, visit.end ?? 0), 0) - begin;
}

/** Returns the least milliseconds that the slowest host needs: its requests and the delays between them. */
function boundOf(visits: readonly Visit[], delayMs: number): number {
  const hosts = new Map<string, number>();
  for (const { host, begin, end = begin } of visits)
    hosts.set(host, (hosts.get(host) ?? -delayMs) + delayMs + end - begin);
  return Math.max(...hosts.values());
}

export function printFarm({ rows, checks }: FarmMeasured): string {
  const heads = ["", "pages", "a second, clock", "a second of CPU", "CPU ms each", "memory"];
  return `${layOut(heads, rows)}\n\n${layOut(["", "measured", "wanted"], checks)}\n`;
}

async function main(): Promise<void> {
  const { values, positionals } = parseArgs({
    allowPositionals: true,
    options: {
      pages: { type: "string" },
      hosts: { type: "string" },
      delay: { type: "string" },
      seed: { type: "string" },
      dir: { type: "string" },
    },
  });
  const dir = await mkdtemp(join(resolve(values.dir ?? tmpdir()), "thresher-crawl-farm-"));
  try {
    const measured = await measureFarm({
      files: positionals.map((file) => resolve(file)),
      pages: Number(values.pages ?? 10_000),
      hosts: Number(values.hosts ?? 200),
      delayMs: Number(values.delay ?? 2000),
      seed: Number(values.seed ?? 1),
      dir,
    });
    process.stdout.write(printFarm(measured));
  } finally {
    await rm(dir, { recursive: true });
  }
}

if (isMain(import.meta.url)) await main();
