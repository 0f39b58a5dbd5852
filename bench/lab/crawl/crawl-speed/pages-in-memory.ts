/**
 * Cleans the pages of a crawl in memory, one at a time, to measure what the crawl would cost without files.
 * `node dist/bench/lab/crawl/crawl-speed/pages-in-memory.js COUNT SEED FIXTURES [FILE.jsonl.gz …]` prints milliseconds
 * as JSON.
 */
import { setFlagsFromString } from "node:v8";
import { createThresher } from "thresher";
import { readSources, varyPages } from "./varied-pages.js";

/** CPU and wall-clock milliseconds for all pages together, without the warm-up. */
export interface InMemory {
  readonly pages: number;
  readonly cpuMs: number;
  readonly wallMs: number;
}

/**
 * Pages cleaned before timing starts, while JavaScript is compiled; a crawl is so long that this does not matter there.
 */
const WARM_UP = 150;

// The command sets this flag too: without it, one run in a few is a quarter slower.
setFlagsFromString("--no-allocation-site-pretenuring");
const [count = "0", seed = "0", fixturesDir = "", ...files] = process.argv.slice(2);
const sources = await readSources(files, fixturesDir);
const thresher = await createThresher({ workers: 1 });
let [pages, cpu, wallMs] = [-WARM_UP, 0, 0];
for (const page of varyPages(sources, Number(count) + WARM_UP, Number(seed))) {
  const before = process.cpuUsage();
  const started = performance.now();
  await thresher.clean({ id: page.url, url: page.url, html: page.html });
  const { user, system } = process.cpuUsage(before);
  pages += 1;
  if (pages <= 0) continue;
  cpu += user + system;
  wallMs += performance.now() - started;
}
await thresher.close();
process.stdout.write(JSON.stringify({ pages, cpuMs: cpu / 1000, wallMs } satisfies InMemory));
