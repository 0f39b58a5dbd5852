import { execFileSync, spawnSync } from "node:child_process";
import { appendFileSync, mkdirSync, mkdtempSync, readFileSync, readdirSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { readBases, writeCorpus } from "../../bench/lab/engines/corpus.js";
import {
  findProcesses,
  killAll,
  listUnfinished,
  readOutputs,
  runShardCommand,
  waitUntil,
  writeCommand,
  type Outputs,
} from "../../bench/lab/engines/job.js";
import { SLURM_PATH, startSlurm, type SlurmCluster } from "../../bench/lab/engines/slurm-cluster.js";

// Runs a real Slurm, from the packages slurmctld, slurmd and slurm-client of Debian: one controller and two nodes on this machine.

const hasSlurm = spawnSync("slurmctld", ["-V"], { env: { ...process.env, PATH: SLURM_PATH } }).status === 0;
const SUBMIT = resolve("engines/slurm/submit.sh");
const PAGES = 150;
const TIMEOUT_MS = 120_000;

it.runIf(process.env["CI"])("finds Slurm in CI", () => {
  expect(hasSlurm, "slurmctld, slurmd and slurm-client, which .ci/run installs").toBe(true);
});

describe.skipIf(!hasSlurm)("a Slurm array", { timeout: TIMEOUT_MS }, () => {
  let folder: string;
  let thresher: string;
  let files: readonly string[];
  let expected: Outputs;
  let slurm: SlurmCluster;

  const plan = (name: string): string => {
    const job = join(folder, name);
    runShardCommand(thresher, "plan", ...files, "-o", job, "--shard-size", "300K");
    return job;
  };
  const submit = (job: string, env: NodeJS.ProcessEnv = {}): string => {
    const logs = `${job}.logs`;
    mkdirSync(logs, { recursive: true });
    return execFileSync(SUBMIT, [job, `--output=${logs}/%a.log`], {
      env: { ...slurm.env, ...env, THRESHER: thresher },
      encoding: "utf8",
    }).trim();
  };
  const readLogs = (job: string): string =>
    readdirSync(`${job}.logs`)
      .map((name) => readFileSync(join(`${job}.logs`, name), "utf8"))
      .join("\n");

  beforeAll(async () => {
    folder = mkdtempSync(join(tmpdir(), "thresher-slurm-"));
    thresher = writeCommand(folder);
    files = writeCorpus(join(folder, "pages"), readBases("fixtures/pages"), { pages: PAGES, perFile: 50 });
    const job = plan("alone");
    runShardCommand(thresher, "run", job, "--index", "0-2", "-j", "1", "--quiet");
    expected = readOutputs(job);
    slurm = await startSlurm(folder);
  }, TIMEOUT_MS);
  afterAll(async () => {
    await slurm.stop();
    rmSync(folder, { recursive: true });
  });

  it("is compared with one process, which reads every page once", () => {
    expect(expected.done).toHaveLength(3);
    expect(expected.ids).toHaveLength(PAGES);
    expect(new Set(expected.ids).size).toBe(PAGES);
  });

  it("gives the same bytes after a shard was killed and a node failed with its job", async () => {
    const job = plan("killed");
    const array = submit(job);
    // One attempt is killed alone, and its task requests another one.
    await waitUntil(
      "an attempt",
      TIMEOUT_MS,
      () => findProcesses("shard run", job, "--index 0-0").length > 0,
    );
    expect(killAll(findProcesses("shard run", job, "--index 0-0"))).toBeGreaterThan(0);
    // Another one fails with its node, which Slurm must detect.
    await waitUntil("an attempt at the last row", TIMEOUT_MS, () => {
      const [pid] = findProcesses("shard run", job, "--index 2-2");
      return pid !== undefined && listUnfinished(job).some((name) => name.startsWith("00002-"));
    });
    const node = slurm.run("squeue", "--noheader", "-r", "-j", `${array}_2`, "-o", "%N").trim();
    expect(["n1", "n2"]).toContain(node);
    slurm.loseNode(node);
    await slurm.finish(array, TIMEOUT_MS);
    slurm.startNode(node);
    const { textSha256, rejectsSha256, ids, receipts } = readOutputs(job);
    expect({ textSha256, rejectsSha256, ids }).toEqual({
      textSha256: expected.textSha256,
      rejectsSha256: expected.rejectsSha256,
      ids: expected.ids,
    });
    const attempts = [...receipts.values()].map(({ attempt }) => attempt.replace(/^slurm-\d+_/, ""));
    expect(attempts).toEqual(["0-1", "1-0", "2-1"]);
    expect(readLogs(job)).toContain("exit code 137; back into the queue");
  });

  it("gives the same bytes from a task of several rows that Slurm warns before its end", async () => {
    const job = plan("rows");
    const array = submit(job, { ROWS: "3" });
    await waitUntil("a first shard, and an attempt at the second", TIMEOUT_MS, () => {
      const draft = listUnfinished(job).some((name) => name.startsWith("00001-"));
      return draft && readOutputs(job).done.length === 1;
    });
    // Slurm sends this a minute before the time limit.
    slurm.run("scancel", "--batch", "--signal=USR1", `${array}_0`);
    await slurm.finish(array, TIMEOUT_MS);
    const { textSha256, receipts } = readOutputs(job);
    expect(textSha256).toBe(expected.textSha256);
    const attempts = [...receipts.values()].map(({ attempt }) => attempt);
    expect(attempts).toEqual([`slurm-${array}_0-0`, `slurm-${array}_0-1`, `slurm-${array}_0-1`]);
    expect(readLogs(job)).toContain("rows 0-2: the time limit is near; back into the queue");
  });

  it("ends the task of a shard that always fails, runs the others, and continues when it is submitted again", async () => {
    const job = plan("changed");
    const [, changed = ""] = files;
    appendFileSync(changed, "\n");
    const array = submit(job);
    await slurm.finish(array, TIMEOUT_MS);
    expect(readOutputs(job).done).toEqual([expected.done[0], expected.done[2]]);
    expect(slurm.run("scontrol", "show", "job", `${array}_1`)).toMatch(
      /JobState=FAILED[^]*Restarts=0[^]*ExitCode=65:0/,
    );
    // Those with a receipt are not run again.
    const again = submit(job);
    await slurm.finish(again, TIMEOUT_MS);
    const attempts = [...readOutputs(job).receipts.values()].map(({ attempt }) => attempt);
    expect(attempts).toEqual([`slurm-${array}_0-0`, `slurm-${array}_2-0`]);
  });

  it("rejects an array that Slurm would not accept", () => {
    const { status, stderr } = spawnSync(SUBMIT, [], { env: slurm.env, encoding: "utf8" });
    expect(status).toBe(2);
    expect(stderr).toContain("usage:");
  });
});
