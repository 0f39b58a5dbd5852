/** Defines `thresher shard run JOB --index N`, which runs one shard or a few. */
import { randomBytes } from "node:crypto";
import { availableParallelism } from "node:os";
import { Option, type Command } from "commander";
import { tellCount } from "../../count.js";
import { EXIT, UsageError } from "../../outcome.js";
import { makeScratch } from "../../shard/store/folder-store.js";
import { openJob, readRows } from "../../shard/job.js";
import type { NumberedRow } from "../../shard/plan/manifest.js";
import { createRunner, type Runner } from "../../shard/run.js";
import { overwrite, toOneLine, type Io } from "../io.js";
import { parseCount, parseWorkers } from "../options/parse-option.js";
import { finishShard, tellFailure } from "./finish.js";
import { checkRange, parseAttempt, parseRange, type RowRange } from "./row-range.js";

interface RunFlags {
  readonly index?: RowRange;
  readonly attempt?: string;
  readonly jobs: number;
  readonly maxAttempts?: number;
  readonly model?: string;
  readonly root?: string;
  readonly quiet?: boolean;
}

/** Variables with the index of an array task: Slurm, Kubernetes, AWS Batch. */
const INDEX_VARIABLES = ["SLURM_ARRAY_TASK_ID", "JOB_COMPLETION_INDEX", "AWS_BATCH_JOB_ARRAY_INDEX"];

const HELP = `
Examples:
  thresher shard run job --index 0            the first shard
  thresher shard run job --index 100-199      a hundred shards, one after another
  seq 0 9 | xargs -P2 -I{} thresher shard run job --index {} -j 1

Outputs appear complete or not at all, and the receipt comes last: text/SHARD.jsonl.gz, rejects/SHARD.jsonl.gz and
receipts/SHARD.json, which is also printed. A shard with a receipt is done and does not run again. Two attempts at the
same shard at the same time do no harm. If an earlier attempt died, the documents that may have caused it are tried
one by one.

Exit codes: 0 done, now or before; 65 this shard can never work; 75 try again; 130 interrupted. For several shards: 75
if one of them is worth another try, else 65 if one of them can never work.
`;

export function addRunCommand(parent: Command, io: Io, finish: (code: number) => void): void {
  parent
    .command("run")
    .summary("runs one or more shards")
    .description("Cleans the documents of a shard, puts the results in place, and prints the receipt.")
    .usage("[options] JOB --index N")
    .argument("<dir>", "the folder of the job")
    .addOption(
      new Option(
        "--index <n>",
        `the row of the manifest, from 0, or rows, as in 0-9 (${INDEX_VARIABLES.join(", ")})`,
      ).argParser(parseRange),
    )
    .option("--attempt <name>", "the name of this attempt at the shard (random)", parseAttempt)
    .addOption(
      new Option("-j, --jobs <n>", "workers")
        .argParser(parseWorkers)
        .default(availableParallelism(), "one per core"),
    )
    .option(
      "--max-attempts <n>",
      "give up the shard (65) after n failed attempts; by default the engine decides",
      parseCount,
    )
    .option("--model <dir>", "the folder of the job's model on this machine")
    .option("--root <dir>", "the folder that relative input paths start from on this machine")
    .option("--quiet", "print only errors on stderr")
    .helpOption("-h, --help", "print this help")
    .addHelpText("after", HELP)
    .action((place: string, flags: RunFlags) => finishShard(io, finish, () => run(place, flags, io)));
}

function findRange({ index }: RunFlags): RowRange {
  if (index !== undefined) return index;
  for (const name of INDEX_VARIABLES) {
    const value = process.env[name];
    if (value === undefined || value === "") continue;
    if (!/^\d{1,9}$/.test(value)) throw new UsageError(`${name} must be the number of a row, not ${value}`);
    return parseRange(value);
  }
  throw new UsageError(`which shard? Give --index N, or set one of ${INDEX_VARIABLES.join(", ")}`);
}

async function run(place: string, flags: RunFlags, io: Io): Promise<number> {
  const range = findRange(flags);
  const opened = await openJob(place);
  checkRange(range, opened.job, place);
  await makeScratch(opened.store);
  const progress = createProgress(flags, io);
  const runner = createRunner(opened, {
    workers: flags.jobs,
    attempt: flags.attempt ?? randomBytes(4).toString("hex"),
    ...(flags.maxAttempts === undefined ? {} : { maxAttempts: flags.maxAttempts }),
    ...(flags.model === undefined ? {} : { modelDir: flags.model }),
    ...(flags.root === undefined ? {} : { root: flags.root }),
    signal: io.signal,
    ...progress,
  });
  const codes = new Set<number>();
  try {
    for await (const row of readRows(opened, (at) => at >= range.first && at <= range.last)) {
      io.signal.throwIfAborted();
      codes.add(await runOne(runner, row, { progress, io }));
    }
  } finally {
    await runner.close();
  }
  return [EXIT.tryAgain, EXIT.badShard].find((code) => codes.has(code)) ?? EXIT.done;
}

interface Told {
  readonly progress: Progress;
  readonly io: Io;
}

async function runOne(runner: Runner, row: NumberedRow, { progress, io }: Told): Promise<number> {
  try {
    progress.begin(row);
    const { receipt, isOfAnother } = await runner.run(row);
    const { shard, out, rejected, seconds } = receipt;
    progress.say(
      isOfAnother
        ? `shard ${shard} was already done: ${tellCount(out, "document")}, ${tellCount(rejected, "reject")}`
        : `shard ${shard}: ${tellCount(out, "document")}, ${tellCount(rejected, "reject")} in ${seconds.toFixed(1)} s`,
    );
    io.stdout.write(`${JSON.stringify(receipt)}\n`);
    return EXIT.done;
  } catch (error) {
    return tellFailure(error, io);
  }
}

interface Progress {
  readonly begin: (row: NumberedRow) => void;
  readonly say: (sentence: string) => void;
  readonly onDocument: (done: number, bytesRead: number) => void;
}

const REDRAW_MS = 500;

/** Reports sentences and, on a terminal, a progress line that is redrawn. */
function createProgress({ quiet }: RunFlags, { stderr }: Io): Progress {
  let shard = "";
  let drawnAt = 0;
  const isLive = quiet !== true && stderr.isTTY === true;
  return {
    begin(row) {
      ({ shard } = row);
    },
    say(sentence) {
      if (quiet === true) return;
      const line = `thresher: ${toOneLine(sentence)}\n`;
      if (isLive) overwrite(stderr, line);
      else stderr.write(line);
    },
    onDocument(done, bytesRead) {
      if (!isLive || Date.now() - drawnAt < REDRAW_MS) return;
      drawnAt = Date.now();
      overwrite(stderr, `shard ${shard}: ${tellCount(done, "document")}, ${(bytesRead / 1e6).toFixed(1)} MB`);
    },
  };
}
