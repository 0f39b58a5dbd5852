/** Defines `thresher shard dedup JOB`, which finds duplicates over all shards of a job on this machine. */
import { InvalidArgumentError, Option, type Command } from "commander";
import { EXIT, UsageError } from "../../outcome.js";
import { dedupJob } from "../../shard/duplicates/dedup.js";
import { makeScratch } from "../../shard/store/folder-store.js";
import { openJob } from "../../shard/job.js";
import { createSay, type Io } from "../io.js";
import { parseBytes } from "../options/parse-option.js";
import { finishShard } from "./finish.js";

interface DedupFlags {
  readonly exact?: true;
  readonly near?: true;
  readonly lines?: number;
  readonly partial?: true;
  readonly dedupMemory: number;
  readonly quiet?: true;
}

const MEMORY_BYTES = 1e9;
const MOST_DOCUMENTS = 1_000_000;

const HELP = `
Examples:
  thresher shard plan pages/ -o job --signatures      each shard signs its documents
  thresher shard dedup job --near --lines 100         after all shards are done
  thresher shard merge job -o corpus.jsonl.gz         leaves out the duplicates

The first copy in the order of the manifest is kept, as with --dedup and --dedup-lines of clean on one machine. The
decisions are in duplicates/SHARD.jsonl.gz, one for each document that is dropped or loses lines. duplicates.json is
written last, when all of them are there, and is also printed. engines/spark/thresher_dedup.py makes the same
decisions on a cluster.

Exit codes: 0 done; 2 wrong usage; 65 signatures are missing or damaged; 75 shards are not done yet (--partial leaves
them out), or the disk is full.
`;

export function addDedupCommand(parent: Command, io: Io, finish: (code: number) => void): void {
  parent
    .command("dedup")
    .summary("finds duplicates over all shards")
    .description("Finds copies of documents and lines over all shards of a job, by their signatures.")
    .usage("[--exact] [--near] [--lines N] JOB")
    .argument("<dir>", "the folder of the job")
    .option("--exact", "drop later copies of the same text")
    .option("--near", "drop later copies of the same or nearly the same text")
    .option("--lines <n>", "drop lines that n earlier kept documents contain", parseCount)
    .addOption(
      new Option("--dedup-memory <size>", "memory for tables; the rest goes to disk")
        .argParser(parseBytes)
        .default(MEMORY_BYTES, "1G"),
    )
    .option("--partial", "leave out shards that are not done")
    .option("--quiet", "print only errors on stderr")
    .helpOption("-h, --help", "print this help")
    .addHelpText("after", HELP)
    .action((place: string, flags: DedupFlags) => finishShard(io, finish, () => dedup(place, flags, io)));
}

function parseCount(value: string): number {
  const count = Number(value);
  if (!/^\d+$/.test(value) || count < 1 || count > MOST_DOCUMENTS)
    throw new InvalidArgumentError(`It must be a number of documents from 1 to ${MOST_DOCUMENTS}.`);
  return count;
}

async function dedup(place: string, flags: DedupFlags, io: Io): Promise<number> {
  const { exact, near, lines, partial, dedupMemory, quiet } = flags;
  if (exact !== true && near !== true && lines === undefined)
    throw new UsageError("what should be found? Give --exact, --near, --lines N, or several of them");
  const opened = await openJob(place);
  if (lines !== undefined && opened.job.options.form.formattedAs !== undefined)
    throw new UsageError(
      "the records of this job hold a second format (--formatted), which cannot lose lines; leave out --lines",
    );
  await makeScratch(opened.store);
  const note = await dedupJob(opened, {
    wishes: {
      documents: near === true ? "near" : exact === true ? "exact" : "none",
      ...(lines !== undefined && { lines }),
    },
    isPartial: partial === true,
    memoryBytes: dedupMemory,
    signal: io.signal,
    say: quiet === true ? () => undefined : createSay(io),
  });
  io.stdout.write(`${JSON.stringify(note)}\n`);
  return EXIT.done;
}
