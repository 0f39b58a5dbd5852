/** Reads the seeds that arguments and options name, and reports the invalid ones. */
import { tellCount } from "../../count.js";
import { existsSync } from "node:fs";
import { cp, mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { readSeedFile, readSeeds, type SeedOptions, type SeedUrl } from "../../acquire/lists/seeds.js";
import { openCrawl } from "../../crawl/crawl.js";
import type { Seed, CrawlOptions } from "../../crawl/types.js";
import { type Outcome, type Reject, EXIT, UsageError } from "../../outcome.js";
import { openFile, openStream } from "../../write/files/sink.js";
import type { Sink } from "../../write/writer.js";
import type { Io } from "../io.js";
import type { CrawlFlags } from "./crawl-flags.js";
import { isCrawl } from "./crawl-saved.js";

export interface Seeds {
  /** Whether no seeds are named. */
  readonly isEmpty: boolean;
  /** Yields the seeds and passes invalid ones to `refuse`. Throws the signal's reason when it aborts. */
  read(refuse: (reject: Reject) => Promise<void>): AsyncGenerator<Seed>;
}

/** Reads stdin if it is a pipe and no seeds are named, unless an earlier run left enough to do (`isGoingOn`). */
export function findSeeds(
  named: readonly string[],
  { seeds: files = [], sitemap = [], feed = [], column }: CrawlFlags,
  { io, isGoingOn }: { readonly io: Io; readonly isGoingOn: boolean },
): Seeds {
  const lists = [...sitemap, ...feed];
  // If a mistyped list were ignored, the crawl would miss its seeds and still look complete.
  const lost = files.find((file) => file !== "-" && !existsSync(file));
  if (lost !== undefined) throw new UsageError(`there is no file ${lost} for --seeds`);
  const isSilent = named.length + files.length + lists.length === 0;
  const takesPipe = isSilent && io.stdin.isTTY !== true && !isGoingOn;
  const inputs = takesPipe ? ["-"] : named;
  const options: SeedOptions = { stdin: io.stdin, ...(column === undefined ? {} : { column }) };
  const readAll = async function* (): AsyncGenerator<Outcome<SeedUrl>> {
    yield* readSeeds(inputs, options, io.signal);
    for (const file of files) yield* readSeedFile(file, options, io.signal);
  };
  return {
    isEmpty: isSilent && !takesPipe,
    async *read(refuse) {
      for await (const seed of readAll()) {
        if (seed.ok) yield { url: seed.value.url };
        else await refuse(seed);
      }
      io.signal.throwIfAborted();
      for await (const list of readSeeds(lists, options, io.signal)) {
        if (list.ok) yield { url: list.value.url, kind: "list" };
        else await refuse(list);
      }
      io.signal.throwIfAborted();
    },
  };
}

/** Number of invalid seeds that are reported one by one; the file lists all of them. */
const MAX_TOLD = 5;

interface BadSeeds {
  add(reject: Reject): Promise<void>;
  close(): Promise<void>;
  /** Removes the unfinished file. */
  discard(): Promise<void>;
}

/** Collects invalid seeds. The file at `path`, if there is one, is created with the first of them. */
export function openBadSeeds(path: string | undefined, say: (sentence: string) => void): BadSeeds {
  let count = 0;
  let sink: Sink | undefined;
  return {
    async add(reject) {
      count += 1;
      const { id, reason, detail } = reject;
      if (count <= MAX_TOLD) say(`${id} is not a seed: ${reason}: ${detail ?? ""}`);
      if (path === undefined) return;
      sink ??= await openFile(path);
      await sink.write(`${JSON.stringify({ id, reason, detail })}\n`);
    },
    async close() {
      if (count > MAX_TOLD)
        say(`${count} seeds cannot be used${path === undefined ? "" : `; ${path} lists each`}`);
      await sink?.close();
    },
    async discard() {
      await sink?.discard();
    },
  };
}

interface PlanOptions {
  /** `dir` may hold the state of an earlier run, which is not changed. */
  readonly crawl: CrawlOptions;
  readonly seeds: Seeds;
  readonly say: (sentence: string) => void;
  readonly io: Io;
}

function tellRequested({ sitemaps, robots }: CrawlOptions): string {
  if (sitemaps === true) return "requested only robots.txt and sitemaps";
  return robots === "ignore" ? "requested nothing" : "requested only robots.txt";
}

/**
 * Prints what a crawl would do with each seed (`--dry-run`), using a temporary folder: a line for each URL with "fetch"
 * or the reason, the URL, and the detail. Returns the exit code.
 */
export async function printPlan({ crawl: options, seeds, say, io }: PlanOptions): Promise<number> {
  const dir = await mkdtemp(join(tmpdir(), "thresher-plan-"));
  const out = openStream(io.stdout, "stdout");
  try {
    if (await isCrawl(options.dir))
      await cp(join(options.dir, "state"), join(dir, "state"), {
        recursive: true,
        filter: (path) => !/lock$/.test(path),
      });
    const crawl = await openCrawl({ ...options, dir, warc: false });
    let [fetched, refused] = [0, 0];
    try {
      const bad = openBadSeeds(undefined, say);
      const figures = await crawl.add(seeds.read((reject) => bad.add(reject)));
      await bad.close();
      for await (const { url, reason, detail, delayMs } of crawl.plan(io.signal)) {
        if (reason === undefined) fetched += 1;
        else refused += 1;
        const why = reason === undefined ? `every ${delayMs / 1000} s` : (detail ?? "");
        await out.write(`${reason ?? "fetch"}\t${url}\t${why}\n`);
      }
      const counts = [`${tellCount(fetched, "URL")} would be fetched`, `${refused} would not`];
      if (figures.refused > 0) counts.push(`${tellCount(figures.refused, "seed")} cannot be fetched`);
      if (figures.known > 0) counts.push(tellCount(figures.known, "known seed"));
      say(`${counts.join(", ")}; ${tellRequested(options)}`);
    } finally {
      await crawl.close();
    }
    await out.close();
    return EXIT.done;
  } finally {
    await rm(dir, { recursive: true, force: true });
  }
}
