/**
 * Makes a crawl and runs the whole command on it, to measure what files, workers and order cost in addition to
 * cleaning.
 * `node dist/bench/lab/crawl/crawl-speed.js [FILE.jsonl.gz …] [--pages N] [--ten] [--lines N] [--texts FILE] [--seed N]
 * [--dir DIR]`.
 */
import { mkdir, mkdtemp, rm } from "node:fs/promises";
import { platform, tmpdir } from "node:os";
import { dirname, join, resolve } from "node:path";
import { fileURLToPath } from "node:url";
import { parseArgs } from "node:util";
import { DEFAULT_FIXTURES_DIR } from "../../corpora/registry.js";
import { writeArchive, type Archive } from "./crawl-speed/archive.js";
import { spend, type Spent, type SpendOptions } from "./crawl-speed/spend.js";
import type { InMemory } from "./crawl-speed/pages-in-memory.js";
import { readSources, varyPages } from "./crawl-speed/varied-pages.js";
import { timeLabeller, varyLines, writeTexts } from "./crawl-speed/varied-lines.js";
import { formatCount, formatMegabytes, formatMs } from "../../report/format.js";
import { layOut } from "../../report/markdown-table.js";
import { THRESHER } from "../../systems/root.js";
import { DOCUMENT_LINES, readDocuments } from "../speed/text-speed.js";
import { isMain } from "../is-main.js";

const IN_MEMORY = join(dirname(fileURLToPath(import.meta.url)), "crawl-speed", "pages-in-memory.js");
/** Documents on which the labeller alone is timed. */
const LABELLED = 500;

export interface CrawlOptions {
  /** JSON Lines files with `html`; the fixtures are used when the list is empty. */
  readonly files: readonly string[];
  readonly pages: number;
  /** Whether ten times as many pages are measured as well. */
  readonly hasTen: boolean;
  /** The number of lines of the text crawl; 0 skips it. */
  readonly lines: number;
  /** A JSON Lines file with `lines`, for the text crawl. */
  readonly texts?: string;
  readonly seed: number;
  /** The folder of the archives while they are measured. */
  readonly dir: string;
}

interface Row {
  readonly what: string;
  readonly items: number;
  readonly wallMs: number;
  readonly cpuMs: number;
  readonly peakBytes?: number;
}

interface Ratio {
  readonly what: string;
  readonly value: string;
  readonly target: string;
}

export interface Measured {
  readonly rows: readonly Row[];
  readonly ratios: readonly Ratio[];
}

async function clean(input: string, workers: number, options?: SpendOptions): Promise<Spent> {
  const written = ["-o", `${input}.out.jsonl.gz`, "--rejects", `${input}.rejects.jsonl`];
  return spend(THRESHER, [input, "-j", String(workers), ...written], options);
}

const divide = (value: number): string => value.toFixed(2);

/** Measures pages by wall-clock time, for an idle machine, and by CPU time, for a busy one. */
async function measurePages(options: CrawlOptions): Promise<Measured> {
  const { files, pages: count, seed, dir } = options;
  const sources = await readSources(files, DEFAULT_FIXTURES_DIR);
  const archive = async (pages: number): Promise<Archive> =>
    writeArchive(join(dir, `crawl-${pages}.warc.gz`), varyPages(sources, pages, seed), seed);
  const small = await archive(count);
  const memory = await spend(IN_MEMORY, [String(count), String(seed), DEFAULT_FIXTURES_DIR, ...files]);
  const alone = JSON.parse(memory.stdout) as InMemory; // pages-in-memory.ts prints it
  const one = await clean(small.file, 1);
  const held = platform() === "linux" ? await clean(small.file, 1, { isOneCore: true }) : undefined;
  const two = await clean(small.file, 2);
  const toRow = (what: string, spent: Spent, items = count): Row => ({ what, items, ...spent });
  const rows: Row[] = [
    {
      what: "in memory",
      items: count,
      wallMs: alone.wallMs,
      cpuMs: alone.cpuMs,
      peakBytes: memory.peakBytes,
    },
    toRow("-j 1", one),
    ...(held === undefined ? [] : [toRow("-j 1 on one core", held)]),
    toRow("-j 2", two),
  ];
  const ratios: Ratio[] = [
    { what: "crawl ÷ in memory, clock", value: divide(alone.wallMs / one.wallMs), target: "≥ .85" },
    { what: "crawl ÷ in memory, CPU", value: divide(alone.cpuMs / one.cpuMs), target: "≥ .85" },
    { what: "two workers ÷ one, clock", value: divide(one.wallMs / two.wallMs), target: "≥ 1.7" },
    ...(held === undefined
      ? []
      : [
          {
            what: "two workers ÷ one on one core, clock",
            value: divide(held.wallMs / two.wallMs),
            target: "≥ 1.7",
          },
        ]),
    {
      what: "two workers ÷ one, as CPU time allows",
      value: divide(one.mainMs / boundOf(two)),
      target: "≥ 1.7",
    },
  ];
  const peaks = [one, two];
  if (options.hasTen) {
    const large = await archive(count * 10);
    const ten = await clean(large.file, 2);
    rows.push(toRow("-j 2, ten times the pages", ten, large.pages));
    peaks.push(ten);
    ratios.push({
      what: "memory of ten times the pages ÷ once",
      value: divide(ten.peakBytes / two.peakBytes),
      target: "about 1",
    });
  }
  const most = Math.max(...peaks.map(({ peakBytes }) => peakBytes));
  ratios.push({ what: "most memory of the command", value: formatMegabytes(most), target: "≤ 600 MB" });
  return { rows, ratios };
}

/** Returns the least milliseconds on two idle cores: half of all CPU time, but at least the main thread's time. */
function boundOf({ cpuMs, mainMs }: Spent): number {
  return Math.max(cpuMs / 2, mainMs);
}

async function measureTexts(options: CrawlOptions): Promise<Measured> {
  const { lines, texts, seed, dir } = options;
  const sources = await readDocuments(texts);
  const own = await timeLabeller([...varyLines(sources, LABELLED * DOCUMENT_LINES, seed)]);
  const rows: Row[] = [{ what: "labeller alone", items: lines, wallMs: NaN, cpuMs: (own * lines) / 1000 }];
  const ratios: Ratio[] = [];
  for (const name of ["texts.jsonl.gz", "texts.wet.gz"]) {
    const file = join(dir, name);
    const written = await writeTexts(file, varyLines(sources, lines, seed));
    const ownMs = (own * written) / 1000;
    for (const workers of [1, 2]) {
      const spent = await clean(file, workers);
      rows.push({ what: `${name} -j ${workers}`, items: written, ...spent });
      ratios.push(
        {
          what: `${name} -j ${workers} ÷ labeller alone, clock`,
          value: divide(ownMs / spent.wallMs),
          target: "≥ .70",
        },
        {
          what: `${name} -j ${workers} ÷ labeller alone, CPU`,
          value: divide(ownMs / spent.cpuMs),
          target: "–",
        },
      );
    }
  }
  return { rows, ratios };
}

/** Formats two Markdown tables. */
export function printMeasured({ rows, ratios }: Measured): string {
  const perSecond = (items: number, ms: number): string => formatCount((items / ms) * 1000);
  const table = rows.map(({ what, items, wallMs, cpuMs, peakBytes }) => [
    what,
    formatCount(items),
    perSecond(items, wallMs),
    perSecond(items, cpuMs),
    formatMs(cpuMs / items),
    formatMegabytes(peakBytes),
  ]);
  const heads = ["", "items", "a second, clock", "a second of CPU", "CPU ms each", "memory"];
  const checks = ratios.map(({ what, value, target }) => [what, value, target]);
  return `${layOut(heads, table)}\n\n${layOut(["", "measured", "wanted"], checks)}\n`;
}

const DEFAULT_PAGES = 5_000;
const DEFAULT_LINES = 1_000_000;

async function main(): Promise<void> {
  const { values, positionals } = parseArgs({
    allowPositionals: true,
    options: {
      pages: { type: "string" },
      ten: { type: "boolean" },
      lines: { type: "string" },
      texts: { type: "string" },
      seed: { type: "string" },
      dir: { type: "string" },
    },
  });
  const base = resolve(values.dir ?? tmpdir());
  await mkdir(base, { recursive: true });
  const dir = await mkdtemp(join(base, "thresher-crawl-"));
  const options: CrawlOptions = {
    files: positionals.map((file) => resolve(file)),
    pages: Number(values.pages ?? DEFAULT_PAGES),
    hasTen: values.ten === true,
    lines: Number(values.lines ?? DEFAULT_LINES),
    seed: Number(values.seed ?? 1),
    dir,
    ...(values.texts === undefined ? {} : { texts: resolve(values.texts) }),
  };
  try {
    if (options.pages > 0) process.stdout.write(printMeasured(await measurePages(options)));
    if (options.lines > 0) process.stdout.write(`\n${printMeasured(await measureTexts(options))}`);
  } finally {
    await rm(dir, { recursive: true });
  }
}

if (isMain(import.meta.url)) await main();
