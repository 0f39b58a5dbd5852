/**
 * Cleans the pages of a farm in memory, one at a time and as a server sends them, to measure a crawl without network
 * and files.
 * `node dist/bench/lab/crawl/crawl-farm/farm-in-memory.js COUNT SEED FIXTURES [FILE.jsonl.gz …]` prints milliseconds as
 * JSON.
 */
import { createThresher } from "thresher";
import type { InMemory } from "../crawl-speed/pages-in-memory.js";
import { readSources, varyPage } from "../crawl-speed/varied-pages.js";

export interface FarmInMemory extends InMemory {
  /** The bytes of all pages together. */
  readonly pageBytes: number;
}

/**
 * Pages cleaned before timing starts, while JavaScript is compiled; a crawl is so long that this does not matter there.
 */
const WARM_UP = 150;

const [count = "0", seed = "0", fixturesDir = "", ...files] = process.argv.slice(2);
const sources = await readSources(files, fixturesDir);
const thresher = await createThresher({ workers: 1 });
let [cpu, wallMs, size] = [0, 0, 0];
for (let number = -WARM_UP; number < Number(count); number += 1) {
  const { url, html } = varyPage(sources, number + WARM_UP, Number(seed));
  const bytes = Buffer.from(html);
  const before = process.cpuUsage();
  const started = performance.now();
  await thresher.clean({ url, bytes, contentType: "text/html; charset=utf-8" });
  if (number < 0) continue;
  const { user, system } = process.cpuUsage(before);
  cpu += user + system;
  wallMs += performance.now() - started;
  size += bytes.length;
}
await thresher.close();
const measured: FarmInMemory = { pages: Number(count), cpuMs: cpu / 1000, wallMs, pageBytes: size };
process.stdout.write(JSON.stringify(measured));
