/** Crawls in a process that can be killed: node child.js DIST DIR WARC, with seeds on stdin; prints the final figures. */
import {
  appendFileSync,
  closeSync,
  existsSync,
  fsyncSync,
  openSync,
  readFileSync,
  truncateSync,
} from "node:fs";
import { join } from "node:path";
import { pathToFileURL } from "node:url";

const [dist, dir, warc] = process.argv.slice(2);
const { openCrawl } = await import(pathToFileURL(join(dist, "crawl", "crawl.js")).href);
const documents = join(dir, "documents.txt");
const place = join(dir, "place.json");

/** Saves as a caller does: its documents first, then its position; the confirmation to the crawl follows. */
function save(lines, number) {
  appendFileSync(documents, lines.join(""));
  const file = openSync(documents, "r");
  fsyncSync(file);
  closeSync(file);
  appendFileSync(place, `${JSON.stringify({ number, bytes: readFileSync(documents).length })}\n`);
}

const saved = existsSync(place) ? readFileSync(place, "utf8").trim().split("\n") : [];
// A kill may have cut the last line.
const last = saved
  .map((line) => (line.endsWith("}") ? JSON.parse(line) : undefined))
  .findLast((mark) => mark);
if (existsSync(documents)) truncateSync(documents, last?.bytes ?? 0);

const crawl = await openCrawl({
  dir,
  version: "1.2.3",
  warc: warc === "warc",
  warcBytes: 40_000,
  transport: { maxBytes: 1e6, timeoutMs: 5000, addresses: "any", lookup: async () => ["127.0.0.1"] },
  politeness: { delayMs: 2, retryMs: 10, hosts: 8 },
  scope: { depth: 4 },
});
process.stdout.write("open\n");
await crawl.confirm(last?.number ?? 0);
await crawl.add(
  readFileSync(0, "utf8")
    .trim()
    .split("\n")
    .map((url) => ({ url })),
);
let lines = [];
for await (const { number, outcome, about } of crawl.run(new AbortController().signal)) {
  lines.push(`${number} ${about.url} ${outcome.ok ? outcome.value.content.bytes.length : outcome.reason}\n`);
  if (lines.length < 7) continue;
  save(lines, number);
  lines = [];
  // Every second confirmation is skipped, as if a kill had come before it.
  if (number % 2 === 0) await crawl.confirm(number);
}
const end = crawl.figures();
const number = Number(lines.at(-1)?.split(" ")[0] ?? last?.number ?? 0);
if (lines.length > 0) save(lines, number);
await crawl.confirm(number);
await crawl.close();
process.stdout.write(JSON.stringify(end));
