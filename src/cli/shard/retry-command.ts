/** Defines `thresher shard retry-rejects JOB`, which retries documents that the machine had no time for. */
import { randomBytes } from "node:crypto";
import { Option, type Command } from "commander";
import { tellCount } from "../../count.js";
import { EXIT } from "../../outcome.js";
import { closeCrew, openCrew, type Crew, type RunOptions } from "../../shard/attempt/crew.js";
import { makeScratch } from "../../shard/store/folder-store.js";
import { openJob, readRows } from "../../shard/job.js";
import { readReceipt } from "../../shard/receipt.js";
import { hasRetryable, RETRIED, retryRejects } from "../../shard/retry-rejects.js";
import { createSay, type Io } from "../io.js";
import { finishShard } from "./finish.js";
import { checkRange, parseRange, type RowRange } from "./row-range.js";

interface RetryFlags {
  readonly index?: RowRange;
  readonly model?: string;
  readonly root?: string;
}

const HELP = `
Tries documents again that were rejected for ${RETRIED.join(", ")}, one at a time.
If one of them becomes text, its shard gets new files and a new receipt that names them, and then the old files are
removed, so the job is complete at any moment. Run it after all shards are done, on a machine without other work, and
merge afterwards.

Exit codes: 0 done; 65 a shard differs from its receipt, or its input has changed; 75 try again.
`;

export function addRetryCommand(parent: Command, io: Io, finish: (code: number) => void): void {
  parent
    .command("retry-rejects")
    .summary("tries documents again that took too long, one at a time")
    .description("Tries documents again whose rejection may have been caused by a busy machine.")
    .usage("[options] JOB")
    .argument("<dir>", "the folder of the job")
    .addOption(
      new Option("--index <n>", "only this row of the manifest, from 0, or rows, as in 0-9").argParser(
        parseRange,
      ),
    )
    .option("--model <dir>", "the folder of the job's model on this machine")
    .option("--root <dir>", "the folder that relative input paths start from on this machine")
    .helpOption("-h, --help", "print this help")
    .addHelpText("after", HELP)
    .action((place: string, flags: RetryFlags) => finishShard(io, finish, () => retry(place, flags, io)));
}

async function retry(place: string, { index, model, root }: RetryFlags, io: Io): Promise<number> {
  const opened = await openJob(place);
  const range = index ?? { first: 0, last: opened.job.shards - 1 };
  checkRange(range, opened.job, place);
  await makeScratch(opened.store);
  const say = createSay(io);
  const options: RunOptions = {
    workers: 1,
    attempt: `retry-${randomBytes(4).toString("hex")}`,
    ...(model === undefined ? {} : { modelDir: model }),
    ...(root === undefined ? {} : { root }),
    signal: io.signal,
    say,
  };
  let crew: Crew | undefined;
  const sum = { tried: 0, mended: 0 };
  try {
    for await (const row of readRows(opened, (at) => at >= range.first && at <= range.last)) {
      io.signal.throwIfAborted();
      const receipt = await readReceipt(opened.store, { ...row, ...opened.job });
      if (receipt === undefined || !hasRetryable(receipt)) continue;
      crew ??= await openCrew(opened, options);
      const { tried, mended } = await retryRejects(opened, row, receipt, { ...options, crew });
      say(`shard ${row.shard}: ${mended} of ${tellCount(tried, "document")} became text`);
      sum.tried += tried;
      sum.mended += mended;
    }
  } finally {
    if (crew !== undefined) await closeCrew(crew);
  }
  io.stdout.write(`${JSON.stringify(sum)}\n`);
  return EXIT.done;
}
