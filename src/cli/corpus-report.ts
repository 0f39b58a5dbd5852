/** Defines `thresher report INPUT… -o REPORT`, which shows what a cleaning did to a corpus, or what changed between two. */
import { existsSync } from "node:fs";
import { join } from "node:path";
import type { Command } from "commander";
import { tellCount } from "../count.js";
import { openFilters, type FilterRun } from "../filter/document-filters.js";
import { DEFAULTS } from "../options/options.js";
import { EXIT, UsageError, type Outcome, type Reason, type Reject } from "../outcome.js";
import type { ReportedDocument } from "../report/read-corpus.js";
import { JOB, MANIFEST, openJob } from "../shard/job.js";
import { VERSION } from "../version.js";
import { isFolderName } from "../write/files/place.js";
import { openFileOrStdout, writeWhole } from "../write/files/sink.js";
import { createSay, showCount, type Io } from "./io.js";
import { parseSeed, parseWord } from "./options/parse-option.js";
import { tellNoEffect } from "./options/unheard-flags.js";
import { tellReject } from "./report/run-report.js";
import { checkPlaces } from "./run/check-places.js";
import { messageOf } from "../thrown.js";

const NOTES = `
INPUT is the output of "thresher clean" as JSON Lines or Parquet, or a job in shards. Records of --keep-boilerplate
show the most: what was dropped, the scores, and what other cuts would keep. If the name ends with .json, the report
is the figures as JSON, else an HTML page.

Samples are the same for the same seed and input. Finding near-duplicates takes most of the time; --no-duplicates
skips it.

Examples:
  thresher crawl/ --keep-boilerplate -o all.jsonl.gz
  thresher report all.jsonl.gz -o report.html            what was kept, by language and host, and where to cut
  thresher report shards/*.parquet -o figures.json       the figures alone
  thresher all.jsonl.gz --focus precision --lines -o strict.jsonl.gz
  thresher report all.jsonl.gz strict.jsonl.gz -o changes.html   two inputs: what changed, line by line
  thresher report one.jsonl two.jsonl --together -o report.html  two parts of one corpus
`;

interface ReportFlags {
  readonly output: string;
  readonly seed: number;
  readonly together?: true;
  readonly duplicates: boolean;
  readonly quiet?: boolean;
}

export function addReportCommand(program: Command, io: Io, finish: (code: number) => void): Command {
  return program
    .command("report")
    .summary("show what a cleaning did to a corpus on one page, or what changed between two")
    .description("Shows what a cleaning did to a corpus, as one self-contained HTML page.")
    .usage("INPUT… -o REPORT")
    .argument("<inputs...>", "files or directories of records, globs, or - for stdin")
    .requiredOption(
      "-o, --output <file>",
      "the page (- for stdout); only the figures if its name ends with .json",
      parseWord,
    )
    .option("--together", "two inputs are parts of one corpus, not two cleanings of the same pages")
    .option("--seed <n>", "the seed of random samples", parseSeed, 1)
    .option("--no-duplicates", "do not look for near-duplicates")
    .option("--quiet", "print only errors on stderr")
    .helpOption("-h, --help", "print this help")
    .addHelpText("after", NOTES)
    .action(async (inputs: string[], flags: ReportFlags) => {
      if (isFolderName(flags.output) || OTHER_NAME.test(flags.output))
        throw new UsageError(`the report is an .html or .json file, not ${flags.output}`);
      if (flags.output !== "-") await checkPlaces({ output: flags.output }, inputs, io.signal);
      const [before, after, ...others] = inputs;
      const isPair = before !== undefined && after !== undefined && others.length === 0;
      const say = flags.quiet === true ? () => undefined : createSay(io);
      const documents = await showCount("document", { ...io, quiet: flags.quiet }, (count) =>
        isPair && flags.together !== true
          ? reportChanges([before, after], flags, { io, say, count })
          : reportCorpus(inputs, flags, { io, say, count }),
      );
      finish(documents === 0 ? EXIT.nothing : EXIT.done);
    });
}

/** A name with the suffix of another format. */
const OTHER_NAME = /\.(?!(?:html?|json)$)[a-z]+$/i;

/** Reasons that concern an input as a whole, not one of its records. */
const PLACES: ReadonlySet<Reason> = new Set(["not-found", "unreadable"]);

interface Tools {
  readonly io: Io;
  readonly say: (sentence: string) => void;
  /** Must be called for each document. */
  readonly count: () => void;
}

async function reportCorpus(
  inputs: readonly string[],
  flags: ReportFlags,
  { io, say, count }: Tools,
): Promise<number> {
  const [{ gatherFigures }, { showCorpus }, { toCorpusJson }] = await Promise.all([
    import("../report/corpus-figures.js"),
    import("../report/corpus-page.js"),
    import("../report/corpus-json.js"),
  ]);
  const copies = flags.duplicates ? await openCopies() : undefined;
  try {
    const gathering = gatherFigures(flags.seed, copies);
    let untold: Reject | undefined;
    for await (const outcome of await readRun(inputs, io)) {
      count();
      if (!outcome.ok && PLACES.has(outcome.reason)) say(tellReject(outcome));
      else if (!outcome.ok) untold ??= outcome;
      gathering.add(outcome);
    }
    const { figures } = gathering;
    const heading = { inputs, version: VERSION, seed: flags.seed };
    const { documents } = figures.total;
    if (documents > 0)
      await write(
        flags.output,
        io,
        () => showCorpus(figures, heading),
        () => toCorpusJson(figures, heading),
      );
    else if (untold !== undefined) createSay(io)(tellReject(untold));
    say(`${tellCount(documents, "document")}, ${tellCount(figures.rejects, "reject")}`);
    if (documents === 0) createSay(io)("there is nothing to report, so no report is written");
    return documents;
  } finally {
    copies?.close();
  }
}

/** Starts the filter that finds copies of earlier documents. */
async function openCopies(): Promise<FilterRun> {
  return (await openFilters({ ...DEFAULTS, dedup: "near" })).start();
}

async function reportChanges(
  inputs: readonly [before: string, after: string],
  flags: ReportFlags,
  { io, say, count }: Tools,
): Promise<number> {
  if (!flags.duplicates)
    say(tellNoEffect("--no-duplicates", "the report on one corpus (--together joins two inputs)"));
  const [before, after] = inputs;
  const [{ compareRuns }, { showComparison }] = await Promise.all([
    import("../report/compare-runs.js"),
    import("../report/compare-page.js"),
  ]);
  const comparison = await compareRuns(
    refuseMissing(await readRun([before], io), count),
    refuseMissing(await readRun([after], io), count),
    flags.seed,
  );
  const heading = { inputs, version: VERSION, seed: flags.seed };
  const { byLanguage, most, some, ...figures } = comparison;
  await write(
    flags.output,
    io,
    () => showComparison(comparison, heading),
    () => ({
      ...heading,
      ...figures,
      byLanguage: Object.fromEntries(byLanguage.list(Infinity)),
      most: most.items,
      some: some.items,
    }),
  );
  const { first, second, changed, onlyFirst, onlySecond } = comparison;
  const only = [
    [onlyFirst.count, "first"],
    [onlySecond.count, "second"],
  ] as const;
  const told = only.filter(([count]) => count > 0).map(([count, which]) => `, ${count} only in the ${which}`);
  say(
    `${first.documents} and ${tellCount(second.documents, "document")}, ${changed.documents} changed${told.join("")}`,
  );
  return first.documents + second.documents;
}

/**
 * Throws UsageError if a run is not found or has only rejects, because every document of the other would look new or
 * lost.
 */
async function* refuseMissing(
  run: AsyncIterable<Outcome<ReportedDocument>>,
  count: () => void,
): AsyncGenerator<Outcome<ReportedDocument>> {
  const refuse = ({ id, reason }: Reject): never => {
    throw new UsageError(`${id} cannot be compared: ${reason}`);
  };
  let first: Reject | undefined;
  let hasDocuments = false;
  for await (const outcome of run) {
    count();
    if (outcome.ok) hasDocuments = true;
    else if (outcome.reason === "not-found") refuse(outcome);
    else first ??= outcome;
    yield outcome;
  }
  if (first !== undefined && !hasDocuments) refuse(first);
}

async function readRun(inputs: readonly string[], io: Io): Promise<AsyncIterable<Outcome<ReportedDocument>>> {
  const { readCorpus } = await import("../report/read-corpus.js");
  const { maxBytes, timeoutMs } = DEFAULTS;
  const places = await Promise.all(inputs.map(findRecords));
  return readCorpus(places, { version: VERSION, stdin: io.stdin, maxBytes, timeoutMs }, io.signal);
}

/** Returns the folder of the texts if the input is a job in shards, because its other files hold no documents. */
async function findRecords(input: string): Promise<string> {
  if (input === "" || ![JOB, MANIFEST].every((name) => existsSync(join(input, name)))) return input;
  try {
    const { store } = await openJob(input);
    return `${store.name}/text`;
  } catch (cause) {
    throw new UsageError(messageOf(cause), { cause });
  }
}

async function write(path: string, io: Io, toPage: () => string, toJson: () => object): Promise<void> {
  const content = /\.json$/i.test(path) ? `${JSON.stringify(toJson(), undefined, 2)}\n` : toPage();
  await writeWhole(await openFileOrStdout(path, io.stdout), (sink) => sink.write(content));
}
