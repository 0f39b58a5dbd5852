import { spawn } from "node:child_process";
import {
  appendFileSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as wait } from "node:timers/promises";
import { beforeAll, describe, expect, it } from "vitest";
import { createDice, makeCrawl } from "../crawl/crawl-warc.js";
import { BIN, parseLines, thresher, thresherAlone, type Result } from "../run.js";

/** A longer run: THRESHER_KILLS=10 THRESHER_PAGES=400 THRESHER_LABELLER=page npx vitest run test/cli/run/resume.test.ts */
const KILLS = Number(process.env["THRESHER_KILLS"] ?? 2);
const PAGES = Number(process.env["THRESHER_PAGES"] ?? 60);
const LABELLER = process.env["THRESHER_LABELLER"] ?? "rules";
const LONG_MS = 1_800_000;

const work = mkdtempSync(join(tmpdir(), "thresher-resume-"));
const crawl = join(work, "crawl.warc.gz");
const SAVED_OFTEN = ["--save-every", "10ms", "--quiet"];

beforeAll(() => {
  writeFileSync(crawl, makeCrawl(PAGES));
});

function makeFolder(name: string): string {
  const folder = join(work, name);
  mkdirSync(folder);
  return folder;
}

/** Returns the number of outcomes in the state next to an output; 0 if there is none. */
function readProgress(state: string): number {
  try {
    const { figures } = JSON.parse(readFileSync(state, "utf8").split("\n")[1] ?? "") as {
      figures: { documents: number; rejects: number };
    };
    return figures.documents + figures.rejects;
  } catch {
    return 0; // it is missing, or is being replaced
  }
}

/** Runs the command and sends a signal shortly after this number of outcomes is saved. */
async function stopAt(
  args: readonly string[],
  {
    state,
    outcomes,
    signal,
    laterMs,
  }: { state: string; outcomes: number; signal: NodeJS.Signals; laterMs: number },
): Promise<Result> {
  const child = spawn(process.execPath, [BIN, ...args]);
  let stderr = "";
  child.stderr.on("data", (chunk: Buffer) => (stderr += chunk.toString()));
  const ended = new Promise<number | null>((resolve) => child.on("close", resolve));
  let isOver = false as boolean; // changed while the loop below waits
  void ended.then(() => (isOver = true));
  while (!isOver && readProgress(state) < outcomes) await wait(2);
  await wait(laterMs);
  child.kill(signal);
  return { code: await ended, stdout: "", stderr };
}

/** Reads all files of a folder, including hidden ones. */
function readFolder(folder: string): Record<string, string> {
  const names = readdirSync(folder, { recursive: true, encoding: "utf8" }).sort();
  return Object.fromEntries(names.map((name) => [name, readFileSync(join(folder, name)).toString("base64")]));
}

/** Reads the figures that do not depend on the machine or on interruptions. */
function readFigures(path: string): Record<string, unknown> {
  const { run, ...rest } = JSON.parse(readFileSync(path, "utf8")) as Record<string, unknown>;
  expect(run).toHaveProperty("seconds");
  return rest;
}

describe("a run that is killed repeatedly", () => {
  const runs = [
    { name: "out.jsonl.gz", jobs: "2", more: ["--dedup", "near", "--dedup-lines", "3"] },
    { name: "out.wet.gz", jobs: "1", more: [] },
    { name: "out.xml", jobs: "1", more: ["--dedup", "exact"] },
    { name: "out.parquet", jobs: "1", more: ["--lines"] },
    { name: "out.table", jobs: "2", more: ["--to", "parquet"] },
  ];
  it.each(runs.map((run, number) => ({ ...run, number })))(
    "produces the same bytes as an uninterrupted run: $name, -j $jobs",
    async ({ name, jobs, more, number }) => {
      const dice = createDice(number + 1);
      const whole = makeFolder(`whole-${number}`);
      const broken = makeFolder(`broken-${number}`);
      const argsFor = (folder: string, saved = SAVED_OFTEN): string[] => [
        ...[crawl, "-o", join(folder, name), "--rejects", join(folder, "rejects.jsonl")],
        ...["-j", jobs, ...more, "--labeller", LABELLER, "--quiet", ...saved],
      ];
      const stats = (folder: string): string => `${folder}-stats.json`;
      expect((await thresher([...argsFor(whole, []), "--stats", stats(whole)])).code).toBe(0);
      const expected = readFolder(whole);
      expect(Object.keys(expected)).toEqual(name < "rejects" ? [name, "rejects.jsonl"] : []);

      const points = Array.from({ length: KILLS }, () => 1 + Math.floor(dice() * (PAGES - 10))).sort(
        (a, b) => a - b,
      );
      const state = join(broken, `.${name}.resume`);
      for (const outcomes of points) {
        const { code, stderr } = await stopAt(argsFor(broken), {
          state,
          outcomes,
          signal: "SIGKILL",
          laterMs: dice() * 60,
        });
        expect([code, stderr]).toEqual([null, ""]);
        expect(existsSync(join(broken, name))).toBe(false);
      }
      const before = readProgress(state);
      expect(before).toBeGreaterThanOrEqual(points.at(-1) ?? 0);
      const log = join(work, `log-${number}.jsonl`);
      expect((await thresher([...argsFor(broken), "--stats", stats(broken), "--log", log])).code).toBe(0);
      expect(readFolder(broken)).toEqual(expected);
      expect(readFigures(stats(broken))).toEqual(readFigures(stats(whole)));
      // No document is cleaned again.
      const told = parseLines(readFileSync(log, "utf8")).filter(
        ({ event }) => event === "document" || event === "reject",
      );
      const { documents, rejects } = readFigures(stats(whole)) as { documents: number; rejects: number };
      expect(told).toHaveLength(documents + rejects - before);
    },
    LONG_MS,
  );
});

describe("an interrupted run", () => {
  const HALF = Math.floor(PAGES / 2);
  const argsFor = (folder: string, ...more: string[]): string[] => [
    ...[crawl, "-o", join(folder, "out.jsonl"), "--rejects", join(folder, "rejects.jsonl")],
    ...["-j", "1", "--labeller", LABELLER, "--save-every", "10ms", ...more],
  ];
  const stop = (
    folder: string,
    args: readonly string[],
    signal: NodeJS.Signals = "SIGKILL",
  ): Promise<Result> =>
    stopAt(args, { state: join(folder, ".out.jsonl.resume"), outcomes: HALF, signal, laterMs: 0 });
  let expected: Record<string, string> = {};

  beforeAll(async () => {
    const folder = makeFolder("undisturbed");
    expect((await thresher(argsFor(folder))).code).toBe(0);
    expected = readFolder(folder);
  }, LONG_MS);

  it("saves its progress at Ctrl-C, says so, and continues later", async () => {
    const folder = makeFolder("ctrl-c");
    // Only the first outcomes are saved before the signal.
    const { code, stderr } = await stop(folder, argsFor(folder), "SIGINT");
    expect(code).toBe(130);
    expect(stderr).toMatch(/the same command continues from there\n(.*\n)*thresher: interrupted\n$/);
    expect(readdirSync(folder).sort()).toEqual([
      ".out.jsonl.partial",
      ".out.jsonl.resume",
      ".rejects.jsonl.partial",
    ]);
    const again = await thresher(argsFor(folder));
    expect(again.code).toBe(0);
    expect(again.stderr).toMatch(/continuing after \d+ documents and \d+ rejects?/);
    expect(readFolder(folder)).toEqual(expected);
  });

  it(
    "starts over with other options, with --fresh, and without its draft",
    async () => {
      const folder = makeFolder("others");
      const reads = async (args: readonly string[]): Promise<string> => {
        await stop(folder, argsFor(folder));
        const { code, stderr } = await thresher(args);
        expect(code).toBe(0);
        return stderr;
      };
      expect(await reads(argsFor(folder, "--lines"))).toContain(
        "other options, inputs or models: starting over",
      );
      expect(readFolder(folder)).not.toEqual(expected);
      // It changes records that contain scores.
      expect(await reads(argsFor(folder, "--rescore"))).toContain("starting over");
      expect(await reads(argsFor(folder, "--fresh"))).not.toMatch(/continuing|starting over/);
      expect(readFolder(folder)).toEqual(expected);
      await stop(folder, argsFor(folder));
      rmSync(join(folder, ".rejects.jsonl.partial"));
      expect((await thresher(argsFor(folder))).stderr).toContain("lost a part of its output: starting over");
      expect(readFolder(folder)).toEqual(expected);
    },
    LONG_MS,
  );

  it(
    "starts over if input that it has read changed, but not if only the rest did",
    async () => {
      const folder = makeFolder("changed");
      const inputs = ["a", "b", "c"].map((name) => join(folder, `${name}.jsonl`));
      const record = (text: string): string =>
        `${JSON.stringify({ text: `${text} is a text of some words.` })}\n`;
      for (const input of inputs) writeFileSync(input, record(input).repeat(150));
      const out = join(folder, "out.jsonl");
      const args = [...inputs, "-o", out, "--labeller", "none", "-j", "1", "--save-every", "1ms"];
      const stopInSecond = (): Promise<Result> =>
        stopAt(args, {
          state: join(folder, ".out.jsonl.resume"),
          outcomes: 170,
          signal: "SIGKILL",
          laterMs: 0,
        });
      await stopInSecond();
      appendFileSync(inputs[2] ?? "", record("more"));
      expect((await thresher(args)).stderr).toContain("continuing after");
      expect(parseLines(readFileSync(out, "utf8"))).toHaveLength(451);
      await stopInSecond();
      appendFileSync(inputs[0] ?? "", record("more"));
      expect((await thresher(args)).stderr).toContain("read inputs that have changed since: starting over");
      expect(parseLines(readFileSync(out, "utf8"))).toHaveLength(452);
    },
    LONG_MS,
  );

  it(
    "writes one file per document, and none twice",
    async () => {
      const whole = makeFolder("directory-whole");
      const broken = makeFolder("directory-broken");
      const input = join(work, "same-ids.jsonl");
      const records = Array.from({ length: 300 }, (_, number) => ({
        id: `same/${number % 7}`,
        text: `Text ${number}.`,
      }));
      writeFileSync(input, records.map((record) => `${JSON.stringify(record)}\n`).join(""));
      const argsTo = (folder: string): string[] => [
        input,
        "-o",
        `${folder}/`,
        "--labeller",
        "none",
        ...SAVED_OFTEN,
      ];
      await thresher(argsTo(whole));
      let state = "";
      const child = thresherAlone(argsTo(broken), {
        onStart: (started) => {
          const poll = setInterval(() => {
            state = readdirSync(broken).find((name) => name.endsWith(".resume")) ?? "";
            if (readProgress(join(broken, state)) < 100) return;
            clearInterval(poll);
            started.kill("SIGKILL");
          }, 2);
        },
      });
      expect((await child).code).toBe(null);
      const done = readProgress(join(broken, state));
      const log = join(work, "directory-log.jsonl");
      expect((await thresher([...argsTo(broken), "--log", log])).code).toBe(0);
      expect(readFolder(broken)).toEqual(readFolder(whole));
      expect(Object.keys(readFolder(broken))).toHaveLength(300);
      expect(parseLines(readFileSync(log, "utf8")).filter(({ event }) => event === "document")).toHaveLength(
        300 - done,
      );
    },
    LONG_MS,
  );

  it.skipIf(process.platform === "win32")(
    "keeps what was written before the disk was full",
    async () => {
      const folder = makeFolder("full");
      // A limit on the size of a file simulates a full disk without root.
      const command = `trap '' XFSZ; ulimit -f 40; exec "$0" "$@"`;
      const args = ["-c", command, process.execPath, BIN, ...argsFor(folder)];
      const child = spawn("bash", args);
      let stderr = "";
      child.stderr.on("data", (chunk: Buffer) => (stderr += chunk.toString()));
      const code = await new Promise<number | null>((resolve) => child.on("close", resolve));
      expect(code).toBe(74);
      expect(stderr).toMatch(/cannot write .*EFBIG/);
      expect(stderr).toContain("the same command continues from there");
      expect(existsSync(join(folder, "out.jsonl"))).toBe(false);
      expect((await thresher(argsFor(folder))).stderr).toContain("continuing after");
      expect(readFolder(folder)).toEqual(expected);
    },
    LONG_MS,
  );

  it(
    "refuses to share its output with another process",
    async () => {
      const folder = makeFolder("shared");
      const first = spawn(process.execPath, [
        BIN,
        "-",
        "-o",
        join(folder, "out.jsonl"),
        "--rejects",
        join(folder, "r.jsonl"),
      ]);
      while (!existsSync(join(folder, ".r.jsonl.lock"))) await wait(5);
      for (const args of [
        ["-o", join(folder, "out.jsonl")],
        ["-o", join(folder, "other.jsonl"), "--rejects", join(folder, "r.jsonl")],
      ]) {
        const second = await thresher([crawl, ...args]);
        expect(second.code).toBe(74);
        expect(second.stderr).toContain(`is being written by process ${first.pid} on`);
      }
      const ended = new Promise((resolve) => first.on("close", resolve));
      first.stdin.end(`{"text":"One text."}\n`);
      await ended;
      expect(readdirSync(folder).sort()).toEqual(["out.jsonl", "r.jsonl"]);
    },
    LONG_MS,
  );
});
