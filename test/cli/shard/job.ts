/** Helps the tests of jobs: makes inputs, runs the command, and reads the files of a job. */
import { spawn, type ChildProcess } from "node:child_process";
import { createHash } from "node:crypto";
import { existsSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { gunzipSync } from "node:zlib";
import { expect } from "vitest";
import type { Receipt } from "../../../src/shard/receipt.js";
import { BIN, thresher, thresherAlone, type Result } from "../run.js";

/** The rules need no model, and are quick to start. */
export const OPTIONS = ["--labeller", "rules", "--timeout", "60s"];

export async function plan(job: string, inputs: readonly string[], ...options: string[]): Promise<number> {
  const planned = await thresher(["shard", "plan", ...inputs, "-o", job, ...OPTIONS, ...options]);
  expect(planned.code, planned.stderr).toBe(0);
  return Number(planned.stdout);
}

const runArgs = (job: string, index: number | string, options: readonly string[]): string[] => [
  ...["shard", "run", job, "--index", String(index), "-j", "1"],
  ...options,
];
export const run = (job: string, index: number | string, ...options: string[]): Promise<Result> =>
  thresher(runArgs(job, index, options));
/** Runs a shard in a separate process, so that several can run at once. */
export const runAlone = (job: string, index: number | string, ...options: string[]): Promise<Result> =>
  thresherAlone(runArgs(job, index, options));

/** Runs all shards in one process. */
export async function runAll(job: string, ...options: string[]): Promise<Receipt[]> {
  const { shards } = JSON.parse(readFileSync(join(job, "job.json"), "utf8")) as { shards: number };
  const ran = await run(job, `0-${shards - 1}`, ...options);
  expect(ran.code, ran.stderr).toBe(0);
  return ran.stdout
    .trim()
    .split("\n")
    .map((line) => JSON.parse(line) as Receipt);
}

export function sha256(text: string | Uint8Array): string {
  return createHash("sha256").update(text).digest("hex");
}

/** Returns the merged text and rejects. */
export async function merge(job: string): Promise<{ readonly text: string; readonly rejects: string }> {
  const [text, rejects] = [`${job}.merged.jsonl.gz`, `${job}.merged-rejects.jsonl`];
  const merged = await thresher(["shard", "merge", job, "-o", text, "--rejects", rejects]);
  expect(merged.code, merged.stderr).toBe(0);
  return { text: gunzipSync(readFileSync(text)).toString(), rejects: readFileSync(rejects, "utf8") };
}

export async function verify(job: string): Promise<Result> {
  return thresher(["shard", "verify", job]);
}

export async function expectWhole(job: string): Promise<void> {
  const { code, stdout, stderr } = await verify(job);
  expect({ code, stdout, stderr }).toMatchObject({
    code: 0,
    stdout: expect.stringMatching(/everything is right\n$/) as string,
  });
}

export function list(job: string, folder: string): string[] {
  const path = join(job, folder);
  return existsSync(path) ? readdirSync(path).sort() : [];
}

/** Starts a run in its own process group, so that all of it can be killed at once. */
export function startRun(job: string, index: number, ...options: string[]): Started {
  const child = spawn(
    process.execPath,
    [BIN, "shard", "run", job, "--index", String(index), "-j", "1", ...options],
    {
      detached: true,
      stdio: ["ignore", "pipe", "pipe"],
    },
  );
  const texts = { stdout: "", stderr: "" };
  for (const name of ["stdout", "stderr"] as const)
    child[name].setEncoding("utf8").on("data", (text: string) => (texts[name] += text));
  const ended = new Promise<Result>((resolve) => {
    child.on("close", (code) => {
      resolve({ code, ...texts });
    });
  });
  return {
    child,
    ended,
    kill: () => {
      if (child.pid !== undefined && child.exitCode === null && child.signalCode === null)
        process.kill(-child.pid, "SIGKILL");
    },
  };
}

export interface Started {
  readonly child: ChildProcess;
  readonly ended: Promise<Result>;
  /** Kills it with all processes that it started. */
  readonly kill: () => void;
}

export interface Seen {
  readonly done: number;
  readonly begun: number;
  readonly isAlone: boolean;
  readonly pid: number;
}

/** Reads the cursor of a process; undefined if there is none yet. */
function readCursor(job: string, pid: number | undefined): Seen | undefined {
  for (const name of list(job, "_tmp").filter((one) => one.endsWith(".cursor"))) {
    try {
      const seen = JSON.parse(readFileSync(join(job, "_tmp", name), "utf8")) as Seen;
      if (seen.pid === pid) return seen;
    } catch {
      continue; // it is removed, or not written yet
    }
  }
  return undefined;
}

/** Waits, for a limited time, until the cursor of a run meets a condition, or the run ends. */
export async function watchCursor(
  job: string,
  { child, ended }: Started,
  isWanted: (seen: Seen) => boolean,
): Promise<boolean> {
  const state = { hasEnded: false };
  void ended.then(() => (state.hasEnded = true));
  for (const until = Date.now() + 60_000; Date.now() < until && !state.hasEnded;) {
    const seen = readCursor(job, child.pid);
    if (seen !== undefined && isWanted(seen)) return true;
    await new Promise((resolve) => setTimeout(resolve, 2));
  }
  return false;
}

/** Lists the processes that clean pages for another one. */
export function findChildren(pid: number | undefined): number[] {
  try {
    return readFileSync(`/proc/${pid}/task/${pid}/children`, "utf8")
      .trim()
      .split(" ")
      .filter(Boolean)
      .map(Number);
  } catch {
    return []; // it has ended
  }
}

/** Writes records. One, `slow`, keeps any extractor busy for some seconds; all others take milliseconds. */
export function writeRecords(file: string, count: number, slow?: number): string {
  const line = (at: number): string => {
    const words =
      at === slow
        ? "word <b>bold</b> ".repeat(400_000)
        : `and here are ${at * 7} words to read, one by one. `.repeat(3);
    return `${JSON.stringify({ id: `r-${at}`, html: at % 13 === 5 ? "" : `<article><p>Record ${at}. ${words}</article>` })}\n`;
  };
  writeFileSync(file, Array.from({ length: count }, (_, at) => line(at)).join(""));
  return file;
}
