/** Defines `thresher shard merge JOB -o FILE`, which merges the outputs of all shards. */
import { readdir } from "node:fs/promises";
import { join } from "node:path";
import { Option, type Command } from "commander";
import { tellCount } from "../../count.js";
import { EXIT, UsageError } from "../../outcome.js";
import { kindOfName } from "../../acquire/kind.js";
import { CARD, writeDataset } from "../../shard/dataset/dataset.js";
import { readDuplicatesNote } from "../../shard/duplicates/dedup.js";
import { openJob } from "../../shard/job.js";
import {
  createLineWriter,
  dropNumber,
  findDone,
  mergeLines,
  mergeToParquet,
  MERGED_FORMATS,
  type DoneShard,
  type MergedFormat,
  type Merging,
} from "../../shard/merge.js";
import { SHARD_NAME } from "../../shard/plan/manifest.js";
import { toRanges } from "../../shard/status.js";
import { openByName } from "../../write/files/gzip.js";
import { writeWhole } from "../../write/files/sink.js";
import { createSay, showCount, type Io } from "../io.js";
import { checkPlaces } from "../run/check-places.js";
import { findDestination, findFormat } from "../run/destination.js";
import { checkMerged } from "./check-merged.js";
import { finishWriting } from "./finish.js";

interface MergeFlags {
  readonly output: string;
  readonly to?: MergedFormat | typeof DATASET;
  readonly rejects?: string;
  readonly partial?: boolean;
  readonly keepDuplicates?: boolean;
  readonly quiet?: boolean;
}

/** A folder of Parquet tables with a dataset card. */
const DATASET = "dataset";

const HELP = `
Examples:
  thresher shard merge job -o corpus.jsonl.gz --rejects rejects.jsonl.gz
  thresher shard merge job -o corpus.parquet
  thresher shard merge job -o - | head -1
  thresher shard merge job -o my-corpus --to dataset     Parquet and a card, as the hub of Hugging Face reads them

The output has the order of the manifest. Its bytes do not depend on the size or the order of the shards, or on the
engine. A directory gets one file per shard. Files that an earlier merge in the same format wrote for other shards
stay in it, and are named on stderr. Duplicates that thresher shard dedup or its Spark job found are left out, and are
among the rejects.

Exit codes: 0 done; 75 a shard is not done yet (--partial leaves it out); 65 a file differs from its receipt;
74 the output cannot be written.
`;

export function addMergeCommand(parent: Command, io: Io, finish: (code: number) => void): void {
  parent
    .command("merge")
    .summary("merges the results, in order")
    .description("Merges the outputs of all shards, in the order of the inputs.")
    .usage("[options] JOB -o FILE")
    .argument("<dir>", "the folder of the job")
    .requiredOption(
      "-o, --output <path>",
      "a file (compressed if its name ends with .gz), a directory, or - for stdout",
    )
    .addOption(
      new Option("--to <format>", "the format, if the name does not imply it").choices([
        ...MERGED_FORMATS,
        DATASET,
      ]),
    )
    .option("--rejects <file>", "also merge the rejects")
    .option("--keep-duplicates", "keep documents and lines that were found to be duplicates")
    .option("--partial", "leave out shards that are not done")
    .option("--quiet", "print only errors on stderr")
    .helpOption("-h, --help", "print this help")
    .addHelpText("after", HELP)
    .action((place: string, flags: MergeFlags) => finishWriting(io, finish, () => merge(place, flags, io)));
}

async function merge(place: string, flags: MergeFlags, io: Io): Promise<number> {
  const { to } = flags;
  const said = await showCount("line", { ...io, quiet: flags.quiet }, (onLine) =>
    to === DATASET
      ? mergeDataset(place, flags, { io, onLine })
      : mergeFiles(place, { ...flags, to }, { io, onLine }),
  );
  if (flags.quiet !== true) said.forEach(createSay(io));
  return EXIT.done;
}

interface Tools {
  readonly io: Io;
  readonly onLine: () => void;
}

/** Returns the sentences that say what was merged. */
async function mergeFiles(
  place: string,
  flags: Omit<MergeFlags, "to"> & Pick<Named, "to">,
  { io, onLine }: Tools,
): Promise<string[]> {
  const { output, rejects, to } = flags;
  const isFolder = output !== "-" && (await findDestination(output)).kind === "directory";
  const format = chooseFormat({ output, to }, isFolder);
  const { merging, missing } = await openMerging(place, flags, { io, onLine });
  const { shards: done, duplicates } = merging;
  let count = 0;
  if (!isFolder) count = await mergeText(merging, { output, format, io });
  else
    for (const shard of done) {
      const name = join(output, `${shard.shard}${EXTENSIONS[format]}`);
      count += await mergeText({ ...merging, shards: [shard] }, { output: name, format, io });
    }
  const others = isFolder ? await findOthers(output, { done, format }) : [];
  if (rejects !== undefined)
    await writeWhole(await openByName(rejects, io.stdout), (sink) =>
      mergeLines(merging, "rejects", (line) => sink.write(`${dropNumber(line)}\n`)),
    );
  const left = missing.length === 0 ? "" : `; rows not done: ${toRanges(missing).join(",")}`;
  const records = done.reduce((sum, { text }) => sum + text.records, 0);
  const without = duplicates === undefined ? "" : ` without ${tellCount(records - count, "duplicate")}`;
  return [
    `merged ${tellCount(count, "document")} of ${tellCount(done.length, "shard")}${without}${left}`,
    ...(others.length > 0 ? [tellOthers(output, others)] : []),
  ];
}

interface Written {
  readonly done: readonly DoneShard[];
  readonly format: MergedFormat;
}

/** The files in a folder that a merge in this format has written there before, and that this one did not replace. */
async function findOthers(folder: string, { done, format }: Written): Promise<string[]> {
  // Without any shard, there may be no folder.
  const names = done.length === 0 ? [] : await readdir(folder);
  const own = new Set(done.map(({ shard }) => `${shard}${EXTENSIONS[format]}`));
  return names.filter((name) => {
    const [shard] = SHARD_NAME.exec(name) ?? [];
    return shard !== undefined && name === `${shard}${EXTENSIONS[format]}` && !own.has(name);
  });
}

/** Most files that a message names. */
const MOST_NAMED = 20;

function tellOthers(folder: string, names: readonly string[]): string {
  const more = names.length > MOST_NAMED ? ` and ${names.length - MOST_NAMED} more` : "";
  const named = `${names.toSorted().slice(0, MOST_NAMED).join(", ")}${more}`;
  return `${folder} also holds shards from an earlier merge: ${named}; remove them if they are not part of the corpus`;
}

async function openMerging(
  place: string,
  { output, rejects, partial, keepDuplicates }: Omit<MergeFlags, "to">,
  { io: { signal }, onLine }: Tools,
): Promise<{ readonly merging: Merging; readonly missing: readonly number[] }> {
  const toFile = (path: string | undefined): string | undefined => (path === "-" ? undefined : path);
  await checkPlaces({ output: toFile(output), rejects: toFile(rejects) }, [], signal);
  const opened = await openJob(place);
  await checkMerged(opened, { "--output": output, "--rejects": rejects });
  const { done, missing } = await findDone(opened, { isPartial: partial === true });
  const duplicates = keepDuplicates === true ? undefined : await readDuplicatesNote(opened);
  return { merging: { opened, shards: done, signal, duplicates, onLine }, missing };
}

async function mergeDataset(place: string, flags: MergeFlags, tools: Tools): Promise<string[]> {
  const { output, rejects } = flags;
  if (output === "-" || kindOfName(output) !== undefined)
    throw new UsageError("a dataset is a folder; give one with -o");
  if (rejects !== undefined)
    throw new UsageError("the card of a dataset only counts the rejects; merge them with another command");
  const { merging, missing } = await openMerging(place, flags, tools);
  const { documents, card } = await writeDataset({ merging, folder: output, missing: missing.length });
  const toDo =
    card === CARD
      ? `fill in the TODOs of its ${CARD}`
      : `its ${CARD} has been edited and stays as it is; the new card is ${card}`;
  return [`${output} holds ${tellCount(documents, "document")}; ${toDo}`];
}

/** Extensions of the files in an output directory. */
const EXTENSIONS: Readonly<Record<MergedFormat, string>> = {
  jsonl: ".jsonl.gz",
  text: ".txt.gz",
  parquet: ".parquet",
};

interface Named {
  readonly output: string;
  readonly to: MergedFormat | undefined;
}

/** Throws UsageError for a format that needs more than shards hold, and for Parquet to stdout or in gzip. */
function chooseFormat({ output, to }: Named, isFolder: boolean): MergedFormat {
  const named = isFolder || output === "-" ? to : findFormat(output, to, MERGED_FORMATS);
  const format = MERGED_FORMATS.find((one) => one === (named ?? "jsonl"));
  if (format === undefined)
    throw new UsageError(
      `shards can be merged as ${MERGED_FORMATS.join(", ")} or dataset, not as ${named ?? ""}`,
    );
  if (format === "parquet" && output === "-") throw new UsageError("parquet needs a file; give one with -o");
  if (format === "parquet" && /\.gz$/i.test(output))
    throw new UsageError("parquet compresses its data itself; leave out the .gz");
  return format;
}

interface Target {
  readonly output: string;
  readonly format: MergedFormat;
  readonly io: Io;
}

async function mergeText(merging: Merging, { output, format, io }: Target): Promise<number> {
  if (format === "parquet") return mergeToParquet(merging, output);
  return writeWhole(await openByName(output, io.stdout), (sink) =>
    mergeLines(merging, "text", createLineWriter(sink, format)),
  );
}
