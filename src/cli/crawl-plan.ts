/** `--dry-run`: seeds into what a crawl would do with each, in a folder that is thrown away. */
import { cp, mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { openCrawl } from "../crawl/crawl.js";
import type { CrawlOptions } from "../crawl/types.js";
import { EXIT } from "../outcome.js";
import { openStream } from "../write/sink.js";
import { isCrawl } from "./crawl-saved.js";
import { openBadSeeds, type Seeds } from "./crawl-seeds.js";
import type { Io } from "./io.js";

export interface PlanOptions {
  /** `dir` is what an earlier run may have left something in; it stays as it is. */
  readonly crawl: CrawlOptions;
  readonly seeds: Seeds;
  readonly say: (sentence: string) => void;
  readonly io: Io;
}

/** A line for each URL: "fetch" or the reason, the URL, and the detail. Returns the exit code. */
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
      const counts = [`${fetched} URLs would be fetched`, `${refused} not`];
      if (figures.refused > 0) counts.push(`${figures.refused} seeds are no URLs to fetch`);
      if (figures.known > 0) counts.push(`${figures.known} seeds are known`);
      say(`${counts.join(", ")}; nothing but robots.txt was asked for`);
    } finally {
      await crawl.close();
    }
    await out.close();
    return EXIT.done;
  } finally {
    await rm(dir, { recursive: true, force: true });
  }
}
