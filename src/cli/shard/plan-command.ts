/** Defines `thresher shard plan INPUT… -o JOB`, which divides inputs into shards. */
import { Option, type Command } from "commander";
import { resolve } from "node:path";
import { hasFields, INPUT_KINDS, kindOfName } from "../../acquire/kind.js";
import { tellCount } from "../../count.js";
import type { CleanOptions } from "../../options/options.js";
import { EXIT, UsageError } from "../../outcome.js";
import { makeJob, checkJobOptions } from "../../shard/plan/make-job.js";
import type { JobOptions } from "../../shard/job.js";
import type { RecordsOptions } from "../../shard/plan/plan-records.js";
import { packRows, planRows, SHARD_BYTES } from "../../shard/plan/plan.js";
import { sizeOfRow, type ShardRow } from "../../shard/plan/manifest.js";
import {
  addTextFlags,
  toForm,
  toInputOptions,
  toPipelineOptions,
  type CleanFlags,
} from "../options/clean-flags.js";
import { findUnheard, NO_FIELDS } from "../options/unheard-flags.js";
import { addOptionFlags, explainFilters, hideOptions } from "../options/option-flags.js";
import { createSay, type Io } from "../io.js";
import { findReadAgain, identify } from "../run/check-places.js";
import { parseBytes, parseWord } from "../options/parse-option.js";
import { finishWriting } from "./finish.js";
import { readPaths } from "./paths-list.js";

interface PlanFlags extends CleanFlags {
  readonly job: string;
  /** Unlike in `clean`, this is not a file: it is where the outputs go. */
  readonly output?: string;
  readonly paths?: string;
  readonly pathsUnder?: string;
  readonly index?: readonly string[];
  readonly base?: string;
  readonly shardSize: number;
  readonly signatures?: true;
  readonly dryRun?: boolean;
}

/**
 * Longer than the timeout of `clean`, because machines of a cluster are busy, and a page that is in time on one must be
 * in time on all.
 */
const TIMEOUT_MS = 30_000;

const HELP = `
Examples:
  thresher shard plan crawl/*.warc.gz -o job               shards of about one gigabyte
  thresher shard plan --paths warc.paths.gz --paths-under /data/ -o job     a list of paths, as Common Crawl has them
  thresher shard plan --index swedish.parquet --base s3://commoncrawl/ -o job    records of Common Crawl, by its index
  thresher shard plan s3://crawls/2026/*.warc.gz -o s3://results/job         inputs and job in an object store
  thresher shard plan pages/ -o job --shard-size 100M --focus precision --dry-run    only print the number of shards

JOB gets job.json (options, fingerprint of code and models) and manifest.jsonl (one row per shard). These files never
change: planning the same job again does nothing, and another job needs another folder. The number of shards is printed.
Small files share a shard. A file larger than two shards is cut if that cannot change any text: uncompressed JSON Lines,
and WARC that is uncompressed or compressed record by record.
`;

export function addPlanCommand(parent: Command, io: Io, finish: (code: number) => void): void {
  const command = parent
    .command("plan")
    .summary("divides inputs into shards")
    .description("Divides inputs into shards of about the same size, and writes the manifest of the job.")
    .usage("[options] INPUT… -o JOB")
    .argument("[inputs...]", "file, directory or glob, also s3://bucket/prefix")
    .requiredOption("-o, --job <dir>", "the folder of the job", parseWord)
    .option("--output <dir>", "where the outputs of the shards go (JOB)", parseWord)
    .option("--paths <file>", "read inputs from a list, one path per line, plain or compressed; - for stdin")
    .option("--paths-under <prefix>", "put this before each path of the list")
    .option(
      "--index <file...>",
      "read only the records that these Parquet tables name (warc_filename, warc_record_offset, warc_record_length)",
    )
    .option("--base <prefix>", "where the files of the index are: a folder, s3://bucket/ or https://host/")
    .addOption(
      new Option("--shard-size <size>", "the size of a shard's input")
        .argParser(parseBytes)
        .default(SHARD_BYTES, "1G"),
    )
    .option("--signatures", "let shards sign documents, for duplicates over the whole corpus (shard dedup)")
    .option("--dry-run", "only print how many shards there would be")
    .addOption(
      new Option(
        "--from <kind>",
        "the kind of the inputs; detected from the content, then the name, if not given",
      ).choices(INPUT_KINDS),
    )
    .option(
      "--column <name>",
      "the column or field that holds the pages, if it has an unusual name",
      parseWord,
    );
  addOptionFlags(addTextFlags(command), "run");
  // Each run sets its number of workers, and `shard dedup` finds duplicates.
  hideOptions(command, /^--(?:jobs|dedup)/);
  command.options.find(({ long }) => long === "--timeout")?.default(TIMEOUT_MS, "30s");
  command.setOptionValueWithSource("timeout", TIMEOUT_MS, "default");
  command
    .helpOption("-h, --help", "print this help")
    .addHelpText("after", () => `${HELP}${explainFilters()}`)
    .action((inputs: string[], flags: PlanFlags) => finishWriting(io, finish, () => plan(inputs, flags, io)));
}

async function plan(inputs: readonly string[], flags: PlanFlags, io: Io): Promise<number> {
  const isNamed = inputs.length > 0 || flags.paths !== undefined;
  if (!isNamed && flags.index === undefined)
    throw new UsageError(
      "no input; give files, directories or globs, a list of paths with --paths, or an --index",
    );
  if (isNamed && flags.index !== undefined)
    throw new UsageError("--index determines which files are read; leave out the inputs and --paths");
  if (flags.base !== undefined && flags.index === undefined)
    throw new UsageError("--base needs --index; for a list of paths, use --paths-under");
  if (flags.pathsUnder !== undefined && flags.paths === undefined)
    throw new UsageError("--paths-under needs --paths");
  for (const place of [flags.job, flags.output])
    if (place !== undefined && identify(place) !== undefined)
      throw new UsageError(`${place} is a file, but a job is written into folders; give another place`);
  const options = toJobOptions(flags);
  checkJobOptions(options);
  const say = createSay(io);
  for (const sentence of findUnheard({ ...flags, to: "jsonl" }, "--formatted")) say(sentence);
  const { index, base = "", shardSize: shardBytes } = flags;
  const rows =
    index === undefined
      ? await planRows(listInputs(inputs, flags, io), {
          ...toInputOptions(flags),
          shardBytes,
          signal: io.signal,
          say,
        })
      : await planIndexed(index, { base, say, shardBytes, signal: io.signal });
  io.signal.throwIfAborted();
  if (ignoresColumn(flags, rows)) say(NO_FIELDS);
  const bytes = rows.reduce((sum, row) => sum + sizeOfRow(row), 0);
  if (flags.dryRun !== true) {
    const made = await makeJob({
      place: flags.job,
      root: process.cwd(),
      rows,
      options,
      ...(flags.output === undefined ? {} : { output: toPlace(flags.output) }),
    });
    if (!flags.job.includes("://"))
      for (const sentence of findReadAgain({ output: flags.job }, inputs)) say(sentence);
    say(
      made === "exists"
        ? `this job was already planned: ${tellCount(rows.length, "shard")}`
        : `planned ${tellCount(rows.length, "shard")} of ${tellCount(bytes, "byte")}; thresher shard run ${flags.job} --index 0 runs the first one`,
    );
  }
  io.stdout.write(`${rows.length}\n`);
  return EXIT.done;
}

/** Whether a column is named, but `--from` or the names of all files say that they have none. */
function ignoresColumn({ column, from }: PlanFlags, rows: readonly ShardRow[]): boolean {
  if (column === undefined) return false;
  if (from !== undefined) return !hasFields(from);
  // Files with the names of pages may hold records.
  return rows.every(({ inputs }) => inputs.every(({ uri }) => /^w(?:arc|et)$/.test(kindOfName(uri) ?? "")));
}

async function* listInputs(inputs: readonly string[], flags: PlanFlags, io: Io): AsyncGenerator<string> {
  yield* inputs;
  if (flags.paths !== undefined) yield* readPaths(flags.paths, flags.pathsUnder ?? "", io);
}

/** Makes a folder's path absolute, so that it is found from anywhere. */
function toPlace(place: string): string {
  return place.includes("://") ? place : resolve(place);
}

function toJobOptions(flags: PlanFlags): JobOptions {
  const records = { ...flags, to: "jsonl" } as const;
  const form = toForm(records);
  if (form === undefined) throw new Error("JSON Lines have a form");
  // Each run sets its number of workers. `undefined` would not survive a file.
  const clean = { ...withModel(toPipelineOptions(records)), workers: undefined };
  const { from, column, signatures } = flags;
  return {
    clean: withoutGaps(clean),
    form: withoutGaps(form),
    input: withoutGaps({ ...(from && { from }), ...(column === undefined ? {} : { column }) }),
    ...(signatures && { signatures }),
  };
}

/** Makes the model's path absolute, too. */
function withModel<T extends CleanOptions>(options: T): T {
  const { modelDir } = options;
  const isFolder = modelDir !== undefined && !modelDir.includes(":");
  return isFolder ? { ...options, modelDir: resolve(modelDir) } : options;
}

function withoutGaps<T extends object>(value: T): T {
  // Only undefined fields are left out.
  return Object.fromEntries(Object.entries(value).filter(([, field]) => field !== undefined)) as T;
}

/** Plans the rows of an index. The reader of tables is loaded only here, so that no other command waits for it. */
async function planIndexed(
  index: readonly string[],
  { shardBytes, ...options }: RecordsOptions & { readonly shardBytes: number },
): Promise<ShardRow[]> {
  const { planRecords } = await import("../../shard/plan/plan-records.js");
  return packRows(planRecords(index, options), { shardBytes });
}
