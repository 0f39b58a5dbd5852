import { spawn, spawnSync, type ChildProcess } from "node:child_process";
import { once } from "node:events";
import { existsSync, mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { readBases, writeCorpus } from "../../bench/lab/engines/corpus.js";
import {
  findProcesses,
  killAll,
  readOutputs,
  runShardCommand,
  waitUntil,
  writeCommand,
  type Outputs,
} from "../../bench/lab/engines/job.js";
import { BIN, hasSpark, SPARK_ENV as ENV } from "./spark.js";

// Runs a real Spark: a master and two executors in separate processes, which retries tasks as a cluster does.

const RUFF = resolve("python/.venv/bin/ruff");
const CLUSTER = "local-cluster[2,1,1024]";
const PAGES = 200;
const TIMEOUT_MS = 280_000;

it.runIf(process.env["CI"])("finds Spark in CI", () => {
  expect(hasSpark, "engines/.venv and Java 17, which .ci/run installs").toBe(true);
});

describe.skipIf(!hasSpark)("shards as tasks of Spark", { timeout: TIMEOUT_MS }, () => {
  let folder: string;
  let thresher: string;
  let files: readonly string[];
  let expected: Outputs;

  const plan = (name: string): string => {
    const job = join(folder, name);
    runShardCommand(thresher, "plan", ...files, "-o", job, "--shard-size", "300K");
    return job;
  };
  /** Submits a job with a mark that its executors carry, too. */
  const submit = (job: string): ChildProcess =>
    spawn(
      "spark-submit",
      [
        ...["--master", CLUSTER, "--conf", "spark.ui.enabled=false"],
        ...["--conf", `spark.executor.extraJavaOptions=-Dthresher.job=${job}`],
        ...["--archives", `${app}#app`],
        ...["engines/spark/thresher_shards.py", "--job", job],
      ],
      { env: ENV, stdio: ["ignore", "pipe", "pipe"], detached: true },
    );
  let app: string;

  beforeAll(() => {
    folder = mkdtempSync(join(tmpdir(), "thresher-spark-"));
    thresher = writeCommand(folder);
    const packed = spawnSync(process.execPath, ["engines/pack-app.js", join(folder, "app")], {
      encoding: "utf8",
    });
    expect(packed.status, packed.stderr).toBe(0);
    app = packed.stdout.trim();
    files = writeCorpus(join(folder, "pages"), readBases("fixtures/pages"), { pages: PAGES, perFile: 50 });
    const job = plan("alone");
    runShardCommand(thresher, "run", job, "--index", "0-3", "-j", "1", "--quiet");
    expected = readOutputs(job);
  }, TIMEOUT_MS);
  afterAll(() => {
    rmSync(folder, { recursive: true });
  });

  it("gives the same bytes after an executor and then the driver were killed, and does nothing twice", async () => {
    const job = plan("killed");
    const first = submit(job);
    first.stdout?.resume();
    first.stderr?.resume();
    await waitUntil("an attempt", TIMEOUT_MS, () => findProcesses("shard run", job).length > 0);
    const [executor = 0] = findProcesses("CoarseGrainedExecutorBackend", job);
    expect(killAll([executor])).toBe(1);
    await waitUntil("a receipt", TIMEOUT_MS, () => readOutputs(job).done.length > 0);
    expect(
      killAll([...findProcesses("SparkSubmit", job), ...findProcesses("thresher_shards.py", job)]),
    ).toBeGreaterThan(0);
    if (first.exitCode === null && first.signalCode === null) await once(first, "exit");
    await waitUntil(
      "the end of what the driver had started",
      TIMEOUT_MS,
      () => findProcesses(job).length === 0,
    );
    const before = readOutputs(job).receipts;

    const again = submit(job);
    let said = "";
    // Spark prints both stdout and stderr of the script on stdout.
    for (const stream of [again.stdout, again.stderr])
      stream?.setEncoding("utf8").on("data", (text: string) => (said += text));
    const [code] = (await once(again, "exit")) as [number | null];
    expect(code, said).toBe(0);
    expect(said).toContain("4 of 4 shards are done");
    const after = readOutputs(job);
    expect(after.ids).toEqual(expected.ids);
    expect(new Set(after.ids).size).toBe(PAGES);
    expect(after.textSha256).toBe(expected.textSha256);
    expect(after.rejectsSha256).toBe(expected.rejectsSha256);
    for (const [shard, receipt] of before) expect(after.receipts.get(shard)).toEqual(receipt);
    runShardCommand(thresher, "verify", job);
    expect(readReport(job)).toEqual(
      [...after.receipts.values()].map(({ shard, in: all, sha256 }) => ["done", shard, all, sha256]),
    );
  });
});

describe.skipIf(!hasSpark)("pages in a DataFrame", { timeout: TIMEOUT_MS }, () => {
  it("pass the tests of the package", () => {
    const { status, stderr } = spawnSync(join(BIN, "python"), ["-B", "-m", "unittest", "spark_dataframe"], {
      cwd: "test/engines",
      encoding: "utf8",
      env: ENV,
    });
    expect(status, stderr).toBe(0);
    expect(stderr).toMatch(/^Ran 5 tests/m);
  });

  it.skipIf(!existsSync(RUFF))("have the style of the Python package", () => {
    for (const words of [["check"], ["format", "--check"]]) {
      const all = [...words, "--config", "python/pyproject.toml", "engines", "test/engines"];
      const { status, stdout } = spawnSync(RUFF, all, { encoding: "utf8" });
      expect(status, stdout).toBe(0);
    }
  });
});

function readReport(job: string): unknown {
  const script = `import json, sys, pyarrow.parquet as parquet
rows = sorted(parquet.read_table(sys.argv[1]).to_pylist(), key=lambda row: row["row"])
print(json.dumps([[row["status"], row["shard"], row["documents_in"], row["sha256"]] for row in rows]))`;
  const { stdout, stderr } = spawnSync(join(BIN, "python"), ["-c", script, join(job, "report.parquet")], {
    encoding: "utf8",
  });
  return JSON.parse(stdout === "" ? JSON.stringify(stderr) : stdout);
}
