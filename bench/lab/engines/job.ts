/** Plans jobs, reads their outputs and finds their processes, for the tests and proofs of engines. */
import { execFileSync } from "node:child_process";
import { createHash } from "node:crypto";
import { chmodSync, existsSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import { join, resolve } from "node:path";
import { gunzipSync } from "node:zlib";
import { listProcesses, readProcess } from "../processes.js";

/**
 * Writes the program `thresher` into a folder, for engines to find on their nodes: it runs this clone. Returns its
 * path.
 */
export function writeCommand(folder: string): string {
  const path = join(folder, "thresher");
  writeFileSync(path, `#!/bin/sh\nexec "${process.execPath}" "${resolve("bin/thresher.js")}" "$@"\n`);
  chmodSync(path, 0o755);
  return path;
}

/** Runs `thresher shard …` and returns its stdout. Throws when the exit code is not 0. */
export function runShardCommand(thresher: string, ...words: readonly string[]): string {
  return execFileSync(thresher, ["shard", ...words], {
    encoding: "utf8",
    stdio: ["ignore", "pipe", "pipe"],
    maxBuffer: 1e8,
  });
}

export interface Outputs {
  /** The names of the shards that have a receipt, in manifest order. */
  readonly done: readonly string[];
  /** SHA-256 of the unpacked texts, one after another in manifest order. */
  readonly textSha256: string;
  readonly rejectsSha256: string;
  /** The ids of documents and rejects, in order. */
  readonly ids: readonly string[];
  readonly receipts: ReadonlyMap<string, Receipt>;
}

export interface Receipt {
  readonly shard: string;
  readonly in: number;
  readonly out: number;
  readonly rejected: number;
  readonly reasons: Readonly<Record<string, number>>;
  readonly bytesIn: number;
  readonly sha256: string;
  readonly attempt: string;
  readonly startedAt: string;
  readonly seconds: number;
  readonly cpuSeconds: number;
  readonly peakMemoryMb: number;
  readonly ms: Readonly<Record<string, number>>;
}

/** Returns the names of the shards, in manifest order. */
export function readManifest(job: string): string[] {
  const lines = readFileSync(join(job, "manifest.jsonl"), "utf8").trimEnd().split("\n");
  return lines.map((line) => (JSON.parse(line) as { readonly shard: string }).shard);
}

/** Reads the outputs of all shards that have a receipt. */
export function readOutputs(job: string): Outputs {
  const texts = createHash("sha256");
  const rejects = createHash("sha256");
  const receipts = new Map<string, Receipt>();
  const ids: string[] = [];
  for (const shard of readManifest(job)) {
    const path = join(job, "receipts", `${shard}.json`);
    if (!existsSync(path)) continue;
    receipts.set(shard, JSON.parse(readFileSync(path, "utf8")) as Receipt); // the command wrote it
    for (const [kind, digest] of [
      ["text", texts],
      ["rejects", rejects],
    ] as const) {
      const plain = gunzipSync(readFileSync(join(job, kind, `${shard}.jsonl.gz`)));
      digest.update(plain);
      for (const line of plain.toString("utf8").split("\n"))
        if (line !== "") ids.push((JSON.parse(line) as { readonly id: string }).id);
    }
  }
  return {
    done: [...receipts.keys()],
    textSha256: texts.digest("hex"),
    rejectsSha256: rejects.digest("hex"),
    ids,
    receipts,
  };
}

/** Lists files that attempts have not moved into place. An attempt that ends normally leaves no files here. */
export function listUnfinished(job: string): string[] {
  return existsSync(join(job, "_tmp")) ? readdirSync(join(job, "_tmp")) : [];
}

/** Finds the processes whose command line (in Linux's /proc) contains all of these words, except this process. */
export function findProcesses(...words: readonly string[]): number[] {
  return listProcesses().filter((pid) => {
    const line = readProcess(pid, "cmdline").replaceAll("\0", " ");
    return pid !== process.pid && words.every((word) => line.includes(word));
  });
}

/** Kills processes with SIGKILL and ignores those that have ended already. Returns how many it killed. */
export function killAll(pids: readonly number[]): number {
  let killed = 0;
  for (const pid of pids) {
    try {
      process.kill(pid, "SIGKILL");
      killed += 1;
    } catch {
      // The process has ended.
    }
  }
  return killed;
}

/**
 * Calls `isSo` every `everyMs` milliseconds until it is true. Throws an Error when it is still false after `timeoutMs`.
 */
export async function waitUntil(
  what: string,
  timeoutMs: number,
  isSo: () => boolean,
  everyMs = 50,
): Promise<void> {
  for (const end = performance.now() + timeoutMs; !isSo();) {
    if (performance.now() > end) throw new Error(`${what}: not within ${timeoutMs} ms`);
    await new Promise((resolve) => setTimeout(resolve, everyMs));
  }
}
