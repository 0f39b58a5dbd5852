/**
 * Runs one corpus under several engines, kills their processes at random moments, and checks that all wrote the same
 * bytes.
 * `node dist/bench/lab/engines/proof.js FOLDER PAGES SOURCE ENGINE[:KILLS]…` with the engines j2, xargs, slurm and
 * spark. FOLDER must be new, because nothing in it is deleted. Prints a line of JSON for each run; Spark comes from
 * engines/.venv.
 */
import { spawn, type ChildProcess } from "node:child_process";
import { once } from "node:events";
import { existsSync, mkdirSync } from "node:fs";
import { delimiter, join, resolve } from "node:path";
import { readBases, writeCorpus } from "./corpus.js";
import {
  findProcesses,
  killAll,
  readManifest,
  readOutputs,
  runShardCommand,
  writeCommand,
  type Receipt,
} from "./job.js";
import { SLURM_PATH, startSlurm } from "./slurm-cluster.js";
import { isMain } from "../is-main.js";

/**
 * Each file is a shard. A shard has at least this many pages, and there are about `SHARDS` of them. A page is smaller
 * than `PAGE_KB`.
 */
const LEAST_PAGES_A_SHARD = 100;
const SHARDS = 40;
const PAGE_KB = 110;
const RUN_MS = 3_600_000;
/** Long enough that kills hit the middle of the work as often as the start of an engine. */
const MEAN_MS_BETWEEN_KILLS = 15_000;
const KILL_CHECK_MS = 100;
/** The most times that an engine is started on a job, which kills may leave unfinished. */
const MOST_RUNS = 40;
const BIN = resolve("engines/.venv/bin");

interface Setting {
  readonly folder: string;
  readonly thresher: string;
  readonly job: string;
}
interface Corpus {
  readonly files: readonly string[];
  readonly shardSize: string;
}
/** Runs the job once, until the engine ends or is killed. */
type Engine = (setting: Setting) => Promise<void>;

function start(command: string, words: readonly string[], env: NodeJS.ProcessEnv = {}): ChildProcess {
  return spawn(command, words, {
    env: { ...process.env, ...env },
    stdio: ["ignore", "ignore", "ignore"],
    timeout: RUN_MS,
  });
}

async function ended(child: ChildProcess): Promise<void> {
  if (child.exitCode === null && child.signalCode === null) await once(child, "exit");
}

const ENGINES: Readonly<Record<string, Engine>> = {
  async j2({ thresher, job }) {
    const last = readManifest(job).length - 1;
    await ended(start(thresher, ["shard", "run", job, "--index", `0-${last}`, "-j", "2", "--quiet"]));
  },
  async xargs({ thresher, job }) {
    const last = readManifest(job).length - 1;
    const line = `seq 0 ${last} | xargs -P2 -I{} "$0" shard run "$1" --index {} -j 1 --quiet`;
    await ended(start("sh", ["-c", line, thresher, job]));
  },
  async slurm({ folder, thresher, job }) {
    const slurm = await startSlurm(join(folder, `slurm-${Date.now()}`));
    try {
      const words = [job, `--output=${folder}/%A_%a.log`];
      const child = spawn("engines/slurm/submit.sh", words, {
        env: { ...slurm.env, PATH: SLURM_PATH, THRESHER: thresher, THRESHER_ATTEMPTS: "20" },
        stdio: ["ignore", "pipe", "inherit"],
      });
      let array = "";
      child.stdout.setEncoding("utf8").on("data", (text: string) => (array += text));
      await once(child, "close");
      await slurm.finish(array.trim(), RUN_MS);
    } finally {
      await slurm.stop();
    }
  },
  async spark({ thresher, job }) {
    const words = ["--master", "local-cluster[2,1,1024]", "--conf", "spark.ui.enabled=false"];
    words.push("--conf", `spark.executor.extraJavaOptions=-Dthresher.job=${job}`);
    words.push("engines/spark/thresher_shards.py", "--job", job, "--thresher", thresher);
    await ended(
      start(join(BIN, "spark-submit"), words, {
        PATH: `${BIN}${delimiter}${process.env["PATH"] ?? ""}`,
        PYSPARK_PYTHON: join(BIN, "python"),
        SPARK_LOCAL_IP: "127.0.0.1",
      }),
    );
  },
};

/**
 * Kills one random process that works on the job (an attempt, an executor or a driver). Returns its kind, or "" when no
 * process was killed.
 */
function killOne(job: string): string {
  const kinds = {
    attempt: ["shard run", job],
    executor: ["CoarseGrainedExecutorBackend", job],
    driver: ["SparkSubmit", job],
  };
  const there = Object.entries(kinds)
    .map(([kind, words]) => ({ kind, pids: findProcesses(...words) }))
    .filter(({ pids }) => pids.length > 0);
  const { kind = "", pids = [] } = drawOne(there) ?? {};
  const pid = drawOne(pids);
  return pid !== undefined && killAll([pid]) === 1 ? kind : "";
}

function drawOne<Item>(from: readonly Item[]): Item | undefined {
  return from[Math.floor(Math.random() * from.length)];
}

function sumReasons(receipts: readonly Receipt[]): Record<string, number> {
  const sums: Record<string, number> = {};
  for (const { reasons } of receipts)
    for (const [reason, count] of Object.entries(reasons)) sums[reason] = (sums[reason] ?? 0) + count;
  return sums;
}

async function prove(
  name: string,
  kills: number,
  { folder, thresher, files, shardSize }: Omit<Setting, "job"> & Corpus,
): Promise<string> {
  const job = join(folder, `job-${name}-${kills}`);
  runShardCommand(thresher, "plan", ...files, "-o", job, "--shard-size", shardSize);
  const killed: string[] = [];
  const startedAt = performance.now();
  const killing = setInterval(() => {
    if (killed.length < kills && Math.random() < KILL_CHECK_MS / MEAN_MS_BETWEEN_KILLS) {
      const kind = killOne(job);
      if (kind !== "") killed.push(kind);
    }
  }, KILL_CHECK_MS);
  let runs = 0;
  const { length } = readManifest(job);
  while (readOutputs(job).done.length < length && runs < MOST_RUNS) {
    await ENGINES[name]?.({ folder, thresher, job });
    runs += 1;
  }
  clearInterval(killing);
  const wall = (performance.now() - startedAt) / 1000;
  const again = performance.now();
  await ENGINES[name]?.({ folder, thresher, job });
  const resume = (performance.now() - again) / 1000;
  runShardCommand(thresher, "verify", job);
  const { textSha256, rejectsSha256, ids, receipts } = readOutputs(job);
  const all = [...receipts.values()];
  const sum = (of: (receipt: (typeof all)[number]) => number): number =>
    all.reduce((total, one) => total + of(one), 0);
  const told = {
    engine: name,
    ...{ kills: killed.length, killed, runs, shards: length },
    ...{ documents: ids.length, distinct: new Set(ids).size, rejected: sum(({ rejected }) => rejected) },
    ...{ textSha256, rejectsSha256 },
    ...{ wallSeconds: wall, resumeSeconds: resume, cpuSeconds: sum(({ cpuSeconds }) => cpuSeconds) },
    ...{ shardSeconds: sum(({ seconds }) => seconds), bytesIn: sum(({ bytesIn }) => bytesIn) },
    peakMemoryMb: Math.max(...all.map(({ peakMemoryMb }) => peakMemoryMb)),
    msP50: Math.max(...all.map(({ ms }) => ms["p50"] ?? 0)),
    msP99: Math.max(...all.map(({ ms }) => ms["p99"] ?? 0)),
    msP999: Math.max(...all.map(({ ms }) => ms["p99.9"] ?? 0)),
    reasons: sumReasons(all),
  };
  process.stdout.write(`${JSON.stringify(told)}\n`);
  return `${textSha256} ${rejectsSha256} ${told.documents} ${told.distinct}`;
}

async function main([folder = "", pages = "", source = "", ...engines]: readonly string[]): Promise<void> {
  if (!/^\d+$/.test(pages) || engines.length === 0 || existsSync(folder))
    throw new Error("say a new FOLDER, PAGES, SOURCE and ENGINE[:KILLS]…");
  mkdirSync(folder, { recursive: true });
  const perFile = Math.max(LEAST_PAGES_A_SHARD, Math.ceil(Number(pages) / SHARDS));
  const files = writeCorpus(join(folder, "pages"), readBases(source), { pages: Number(pages), perFile });
  const setting = {
    folder: resolve(folder),
    thresher: writeCommand(resolve(folder)),
    ...{ files, shardSize: `${Math.ceil((perFile * PAGE_KB) / 1000)}M` },
  };
  const answers = new Set<string>();
  for (const engine of engines) {
    const [name = "", kills = "0"] = engine.split(":");
    if (ENGINES[name] === undefined) throw new Error(`no engine ${name}: ${Object.keys(ENGINES).join(", ")}`);
    answers.add(await prove(name, Number(kills), setting));
  }
  process.stdout.write(
    `${answers.size === 1 ? "the same bytes" : "DIFFERENT bytes"} in ${engines.length} runs\n`,
  );
  process.exitCode = answers.size === 1 ? 0 : 1;
}

if (isMain(import.meta.url)) await main(process.argv.slice(2));
