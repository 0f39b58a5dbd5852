/**
 * Loads the server as k6 does, and measures its throughput beside the command's (in turns), how it handles four times
 * more requests than it can answer, and its memory over many small requests.
 * `node dist/bench/lab/serve/load.js [throughput] [overload] [memory] [--pages FILE.jsonl[.gz]] [--jobs N…]`; each row
 * of the file is a record with `html`. Without the file, the project's own pages are sent.
 */
import { mkdtempSync, readdirSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { parseArgs } from "node:util";
import { sendClosed, sendOpen, sendStream } from "./clients.js";
import { runCommand, startServer, type Cost, type Server } from "./runs.js";
import { readWholeJsonl } from "../../corpora/jsonl.js";
import { medianOf } from "../../metrics/median.js";

const PAGES = "fixtures/pages";
/** The least number of documents in a turn, and the number of turns for each way of sending. */
const DOCUMENTS = 240;
const TURNS = 3;
/** How many seconds the overload lasts, and how many times more requests come than the server can answer. */
const OVERLOAD_SECONDS = 10;
const OVERLOAD = 4;
const MANY = 100_000;
const SAMPLE_EVERY = 10_000;
const MOST_SECONDS = 540;
/** Small records, so that `MANY` of them take only minutes: pages and texts, with a few sets of options. */
const SMALL = [
  { html: "<nav><a href=/>Home</a></nav><h1>Tea</h1><p>Tea is a drink of hot water and leaves." },
  { text: "Home | About\nTea is a drink that people make by pouring hot water over leaves." },
  { html: "<p>A line that stays.</p>", options: { focus: "recall" } },
  { html: "<p>A line that stays.</p>", options: { to: "markdown" } },
];

function say(text: string): void {
  process.stdout.write(`${text}\n`);
}

async function readPages(file?: string): Promise<string[]> {
  if (file !== undefined) {
    const records: string[] = [];
    for await (const row of readWholeJsonl(file)) records.push(`${row}\n`);
    return records;
  }
  return readdirSync(PAGES).map((slug) => {
    const html = readFileSync(join(PAGES, slug, "source.html"), "utf8");
    return `${JSON.stringify({ id: slug, html })}\n`;
  });
}

async function measure(server: Server, work: () => Promise<unknown>): Promise<Cost> {
  const [start, cpu] = [performance.now(), server.cpuSeconds()];
  await work();
  return { seconds: (performance.now() - start) / 1000, cpuSeconds: server.cpuSeconds() - cpu };
}

/** Subtracts the time for a few pages from the time for many, so that the start of the command does not count. */
async function speedOfCommand(pages: readonly string[], jobs: number, file: string): Promise<Cost> {
  const few = await runCommand(pages, jobs, file);
  const many = await runCommand(repeat(pages, copiesOf(pages) + 1), jobs, file);
  return { seconds: many.seconds - few.seconds, cpuSeconds: many.cpuSeconds - few.cpuSeconds };
}

function copiesOf(pages: readonly string[]): number {
  return Math.ceil(DOCUMENTS / pages.length);
}

function repeat(pages: readonly string[], times: number): string[] {
  return Array.from({ length: times }, () => pages).flat();
}

async function throughput(pages: readonly string[], jobs: number): Promise<void> {
  const folder = mkdtempSync(join(tmpdir(), "thresher-load-"));
  process.once("exit", () => {
    rmSync(folder, { recursive: true });
  });
  const server = await startServer(["-j", String(jobs)]);
  const records = repeat(pages, copiesOf(pages));
  const ways: Readonly<Record<string, () => Promise<Cost>>> = {
    command: () => speedOfCommand(pages, jobs, join(folder, "pages.jsonl")),
    "/clean": () =>
      measure(server, async () => {
        const counts = await sendClosed(server.url, records, { connections: jobs * 4 });
        if ((counts["200"] ?? 0) + (counts["422"] ?? 0) !== records.length)
          throw new Error(JSON.stringify(counts));
      }),
    "/clean/stream": () =>
      measure(server, async () => {
        const lines = await sendStream(server.url, records);
        if (lines !== records.length) throw new Error(`${lines} lines came back`);
      }),
  };
  const costs = new Map(Object.keys(ways).map((name) => [name, [] as Cost[]]));
  await sendClosed(server.url, repeat(pages, 2), { connections: jobs * 4 }); // warms up processes and code
  for (let turn = 0; turn < TURNS; turn += 1)
    for (const [name, way] of Object.entries(ways)) costs.get(name)?.push(await way());
  await server.stop();
  const base = costs.get("command") ?? [];
  for (const [name, own] of costs) {
    const rate = own.map(({ seconds }) => records.length / seconds);
    const ratios = own.map(({ seconds }, at) => (base[at]?.seconds ?? NaN) / seconds);
    const cpu = own.map(({ cpuSeconds }) => (cpuSeconds * 1000) / records.length);
    say(
      `-j ${jobs} ${name.padEnd(14)} ${medianOf(rate).toFixed(0)} documents/s, ${(medianOf(ratios) * 100).toFixed(0)} % of the command, ` +
        `${medianOf(cpu).toFixed(2)} ms CPU a document; turns ${ratios.map((ratio) => (ratio * 100).toFixed(0)).join(" ")}`,
    );
  }
}

async function overload(pages: readonly string[]): Promise<void> {
  const server = await startServer(["-j", "1", "--queue", "16"]);
  const records = repeat(pages, copiesOf(pages));
  await sendClosed(server.url, repeat(pages, 2), { connections: 4 });
  const { seconds } = await measure(server, () => sendClosed(server.url, records, { connections: 4 }));
  const rate = (records.length / seconds) * OVERLOAD;
  const count = Math.round(rate * OVERLOAD_SECONDS);
  const sent = Array.from({ length: count }, (_, at) => pages[at % pages.length] ?? "");
  const counts = await sendOpen(server.url, sent, rate);
  const answered = (counts["200"] ?? 0) + (counts["422"] ?? 0) + (counts["503"] ?? 0);
  say(
    `overload: ${count} requests at ${rate.toFixed(0)} a second (four times what it can do): ${JSON.stringify(counts)}`,
  );
  say(`overload: ${count - answered} lost, exit code ${String(await server.stop())}`);
  if (answered !== count) process.exitCode = 1;
}

async function memory(): Promise<void> {
  const server = await startServer(["-j", "1"]);
  const records = SMALL.map((record) => JSON.stringify(record));
  const end = performance.now() + MOST_SECONDS * 1000;
  const isOver = (): boolean => performance.now() > end;
  let sent = 0;
  const bodies = function* (): Generator<string> {
    for (let at = 0; at < SAMPLE_EVERY; at += 1) {
      sent += 1;
      yield records[at % records.length] ?? "";
    }
  };
  say("memory: MB of all processes after so many requests, and the answers since the last line");
  while (sent < MANY && !isOver()) {
    const counts = await sendClosed(server.url, bodies(), { connections: 8, isOver });
    say(`  ${sent}: ${server.memoryMb().toFixed(0)} ${JSON.stringify(counts)}`);
  }
  await server.stop();
}

const { positionals: asked, values } = parseArgs({
  allowPositionals: true,
  options: { pages: { type: "string" }, jobs: { type: "string", multiple: true, default: ["1", "2"] } },
});
const isAsked = (name: string): boolean => asked.length === 0 || asked.includes(name);
const pages = await readPages(values.pages);
if (isAsked("throughput")) for (const jobs of values.jobs) await throughput(pages, Number(jobs));
if (isAsked("overload")) await overload(pages);
if (isAsked("memory")) await memory();
