import { spawn } from "node:child_process";
import { cpSync, existsSync, mkdtempSync, readdirSync, readFileSync, rmSync, truncateSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { findProcesses } from "../../bench/lab/engines/job.js";
import type { Wishes } from "../../src/shard/duplicates/decision.js";
import { dedupJob } from "../../src/shard/duplicates/dedup.js";
import { openJob } from "../../src/shard/job.js";
import { cutShards, makeCorpus } from "../shard/duplicates/corpora.js";
import { layOut, readDecisions, repack } from "../shard/duplicates/jobs.js";
import { hasSpark, SPARK_ENV as ENV } from "./spark.js";

// Runs a real Spark, with threads as executors, and with executors in separate processes.

const TIMEOUT_MS = 280_000;
/** The tables have few rows, so these settings reduce the fixed cost of each stage. */
const SMALL = [
  "spark.ui.enabled=false",
  "spark.sql.shuffle.partitions=2",
  "spark.sql.codegen.wholeStage=false",
  "spark.sql.adaptive.enabled=false",
  "spark.log.level=ERROR",
];

const corpus = makeCorpus(160, 21);

it.runIf(process.env["CI"])("finds Spark in CI", () => {
  expect(hasSpark, "engines/.venv and Java 17, which .ci/run installs").toBe(true);
});

describe.skipIf(!hasSpark)("duplicates found by Spark", { timeout: TIMEOUT_MS }, () => {
  let folder = "";
  const at = (name: string): string => join(folder, name);
  const solved: Record<string, Record<string, string>> = {};
  let names: string[] = [];

  /** Lays out a job, keeps the answer of one machine, and leaves the job without it. */
  const prepare = async (name: string, shards: number, wishes: Wishes): Promise<void> => {
    names = layOut(at(name), cutShards(corpus, shards));
    const options = {
      wishes,
      isPartial: false,
      memoryBytes: 1e7,
      signal: new AbortController().signal,
      say: () => undefined,
    };
    await dedupJob(await openJob(at(name)), options);
    solved[name] = readAnswer(name);
    for (const part of ["duplicates", "duplicates.json"]) rmSync(join(at(name), part), { recursive: true });
  };
  const readAnswer = (name: string): Record<string, string> => ({
    ...readDecisions(at(name)),
    note: readFileSync(join(at(name), "duplicates.json"), "utf8"),
  });
  const signatures = (name: string, shard: number): string =>
    join(at(name), "signatures", readdirSync(join(at(name), "signatures")).sort()[shard] ?? "");

  beforeAll(async () => {
    folder = mkdtempSync(join(tmpdir(), "thresher-spark-dedup-"));
    await prepare("exact", 7, { documents: "exact" });
    await prepare("recut", 3, { documents: "near", lines: 3 });
    for (const name of ["unfinished", "cut", "poisoned"]) cpSync(at("exact"), at(name), { recursive: true });
  }, TIMEOUT_MS);
  afterAll(() => {
    rmSync(folder, { recursive: true });
  });

  it("are those that one machine finds, even if an executor is killed, or the error says why there are none", async () => {
    rmSync(join(at("unfinished"), "receipts", `${names[2] ?? ""}.json`));
    const cut = signatures("cut", 3);
    truncateSync(cut, Math.floor(readFileSync(cut).length / 2));
    repack(signatures("poisoned", 4), (lines) =>
      lines.with(2, '{"number":2,"id":"x","exact":"AA","lines":"","rows":[]}'),
    );
    await prepare("killed", 4, { documents: "near", lines: 3 });
    let killed = 0;
    let told: Record<string, number> = {};
    let said = "";
    const watch = setInterval(() => {
      if (killed > 0 || !existsSync(join(at("killed"), "_tmp", "spark"))) return;
      const [pid] = findProcesses("CoarseGrainedExecutorBackend", folder);
      if (pid === undefined) return;
      process.kill(pid, "SIGKILL");
      killed += 1;
    }, 50);
    try {
      const { stdout, stderr } = await submit(
        "local-cluster[2,1,1024]",
        [
          [at("killed"), "--near", "--lines", "3", "--driver-documents", "25"],
          [at("recut"), "--near", "--lines", "3"],
          ...["exact", "unfinished", "cut", "poisoned"].map((name) => [at(name), "--exact"]),
        ],
        `spark.executor.extraJavaOptions=-Dthresher.test=${folder}`,
      );
      said = stdout;
      expect(parseLast(stdout, stderr)["codes"], stderr).toEqual([0, 0, 0, 75, 65, 65]);
      told = JSON.parse(
        stdout.slice(stdout.indexOf("{"), stdout.indexOf("\n", stdout.indexOf("{"))),
      ) as typeof told;
    } finally {
      clearInterval(watch);
    }
    expect(killed).toBe(1);
    expect(told["rounds"]).toBeGreaterThan(0);
    expect(told["shuffleBytesPerDocument"]).toBeGreaterThan(100);
    expect(readAnswer("killed")).toEqual(solved["killed"]);
    expect(readAnswer("exact")).toEqual(solved["exact"]);
    // Other borders of shards change no decision.
    expect(readAnswer("recut")).toEqual(solved["recut"]);
    const decisions = decideWhole(readDecisions(at("killed")));
    expect(decisions.length).toBeGreaterThan(20);
    expect(decideWhole(readDecisions(at("recut")))).toEqual(decisions);
    // spark-submit prints Python's stderr on stdout.
    expect(said).toMatch(/1 of 7 shards are not done yet, among them 00002-/);
    expect(said).toMatch(/a file of signatures is missing or damaged/);
    expect(said).toMatch(/signatures\/00004-[\w.]+ has lines that are not signatures/);
    for (const name of ["unfinished", "cut", "poisoned"])
      expect(existsSync(join(at(name), "duplicates.json"))).toBe(false);
  });
});

/** Returns the decisions on a whole corpus, with document numbers that count through all shards. */
function decideWhole(decisions: Record<string, string>): unknown[] {
  let before = 0;
  return Object.values(decisions).flatMap((text) => {
    const lines = text.trimEnd().split("\n");
    const [head, ...rest] = lines.map((line) => JSON.parse(line) as Record<string, unknown>);
    const first = before;
    before += Number(head?.["documents"]);
    // "of" is a place, which differs with the borders of shards; "id" does not.
    return rest.map((decision) => ({ ...decision, number: first + Number(decision["number"]), of: "" }));
  });
}

interface Told {
  readonly stdout: string;
  readonly stderr: string;
}

function submit(master: string, jobs: readonly string[][], ...settings: string[]): Promise<Told> {
  const confs = [...SMALL, ...settings].flatMap((setting) => ["--conf", setting]);
  const args = ["--master", master, ...confs, "test/engines/dedup_jobs.py", JSON.stringify(jobs)];
  const child = spawn("spark-submit", args, {
    env: ENV,
    stdio: ["ignore", "pipe", "pipe"],
    timeout: TIMEOUT_MS,
  });
  const texts = { stdout: "", stderr: "" };
  for (const name of ["stdout", "stderr"] as const)
    child[name].setEncoding("utf8").on("data", (text: string) => (texts[name] += text));
  return new Promise((settle, reject) => {
    child.on("error", reject);
    child.on("close", () => {
      settle(texts);
    });
  });
}

function parseLast(stdout: string, stderr: string): Record<string, unknown> {
  const last = stdout.trim().split("\n").at(-1) ?? "";
  if (!last.startsWith("{")) throw new Error(stderr.slice(-4000));
  return JSON.parse(last) as Record<string, unknown>;
}
