/** Runs `thresher [clean] INPUT…`, the main job: cleans all pages of the inputs and writes the output. */
import { resolve } from "node:path";
import type { Command } from "commander";
import { openInputs, type InputSource } from "../acquire/inputs.js";
import { measureInputs, type Position } from "../acquire/position.js";
import { accept, EXIT, REASONS, UsageError } from "../outcome.js";
import { createPipeline, type Pipeline, type TaggedPage } from "../pipeline.js";
import { countOutcome, type Figures } from "./report/run-figures.js";
import { VERSION } from "../version.js";
import {
  addCleanFlags,
  toForm,
  toInputOptions,
  toOutputOptions,
  toPipelineOptions,
  toReportOptions,
  type CleanFlags,
} from "./options/clean-flags.js";
import { checkPlaces, checkSideFiles, findReadAgain } from "./run/check-places.js";
import { explainFilters } from "./options/option-flags.js";
import { findUnheard, NO_FIELDS, watchFlags, type FlagWatch } from "./options/unheard-flags.js";
import { readProxiesFor, type Io } from "./io.js";
import { checkFirstWord, checkOtherWords } from "./nearest-command.js";
import type { Drafts } from "./run/drafts.js";
import { findFormat } from "./run/destination.js";
import { openPlaces, type Places } from "./run/places.js";
import { createReport, type Report } from "./report/run-report.js";
import { digestJob, type EndOfRun } from "./run/resume.js";
import { writeStats } from "./report/run-stats.js";

const EXAMPLES = `
Examples:
  thresher page.html                               one page to text
  thresher https://example.org/post --to markdown  fetch a page, keep headings, lists, tables and code
  cat page.html | thresher                         from stdin
  thresher crawl/ -o clean.jsonl --rejects r.jsonl a directory, and a file with the rejects and their reasons
  thresher dump.jsonl.gz --keep-boilerplate        every line of every record with label, score and grade
  cat page.html | thresher --url https://example.org/post --to md --links   links become absolute
  thresher old-crawl.txt --focus precision         text that another tool extracted
  thresher corpus.parquet --column body -o clean.parquet  a table whose column body holds the pages
  thresher CC-MAIN-1.warc.gz -o out.jsonl.gz --stats s.json  an archive; the same command resumes after a break
  thresher - --from jsonl --to jsonl --rejects -   a filter for another program: writes each record or reject at once
  thresher blog/ --comments drop -o blog.jsonl     posts without their readers' comments

How it decides: the labeller page labels pages, and the labeller text labels plain text, unless --labeller names one for
all. With --to jsonl, "score" is the mean score of the content lines, and "page" has the page's type, the probability of
the type, and P(main content). A page without main content is a reject (no-content), or all boilerplate with
--keep-boilerplate. Lines of readers' comments have the kind "comment"; --comments drop does not apply to forums and
other pages that consist of comments.
`;

/** Returns the help text below the options. */
export function explainClean(): string {
  return `${EXAMPLES}${explainFilters()}${explainReasons()}${RESUME}${EXIT_CODES}`;
}

export function explainReasons(): string {
  const rows = Object.entries(REASONS).map(([reason, sentence]) => `  ${reason.padEnd(17)} ${sentence}\n`);
  return `\nReasons for a reject:\n${rows.join("")}`;
}

const RESUME = `
Breaks: a run into a file or a directory saves its state every few seconds in hidden files beside the output (within the
directory). If it was killed or interrupted, or the disk was full, the same command resumes it, and the output is the
same, byte for byte, as without the break. -j, --log, --stats, --quiet and --progress may differ. A run with other
options, with changed inputs or with --fresh starts over, and so does a run from stdin. A file gets its name only when
it is complete.
`;

export const EXIT_CODES = `
Exit codes: 0 done (rejects are not failures), 1 no input could be turned into text, 2 wrong usage,
74 output could not be written, 75 the network failed: try again, 130 interrupted, progress is saved.
`;

export function addCleanCommand(program: Command, io: Io, finish: (code: number) => void): Command {
  const command = program
    .command("clean", { isDefault: true })
    .summary("pages or text in, clean text out (may be left out)")
    .description("Turns web pages, and badly extracted text, into clean text.")
    .usage("[options] INPUT…")
    .argument("[inputs...]", "URL, file, directory, glob, or - for stdin");
  return addCleanFlags(command)
    .helpOption("-h, --help", "print this help")
    .addHelpText("after", explainClean)
    .action(async (inputs: string[], flags: CleanFlags, { parent }: Command) => {
      // After the word `clean`, every word is an input, so none of them can be a mistyped command.
      if (parent !== null && parent.args[0] !== "clean") {
        const [first = "-", ...others] = inputs;
        const commands = parent.commands.map((other) => other.name());
        checkFirstWord(first, commands);
        checkOtherWords(others, commands);
      }
      const { output, ...others } = flags;
      finish(await prepare(inputs, output === "-" ? others : flags, io));
    });
}

async function prepare(inputs: readonly string[], flags: CleanFlags, io: Io): Promise<number> {
  if (inputs.length === 0 && io.stdin.isTTY === true) {
    throw new UsageError(
      "no input; give a URL, a file or a directory, or pipe a page in (--help shows examples)",
    );
  }
  const named = inputs.length === 0 ? ["-"] : inputs;
  await checkPlaces(flags, named, io.signal);
  await checkSideFiles(flags, io.signal);
  const report = createReport(toReportOptions(flags), io);
  for (const sentence of findReadAgain(flags, named)) report.say(sentence);
  const to = findFormat(flags.output, flags.to);
  const settled = to === undefined ? flags : { ...flags, to };
  for (const sentence of findUnheard(settled)) report.say(sentence);
  const pipeline = await createPipeline(toPipelineOptions(settled), {
    form: toForm(settled),
    takesPart: true,
  });
  try {
    const places = await openPlaces({
      output: flags.output,
      rejects: flags.rejects,
      job: digestFlags(named, flags, pipeline.fingerprint),
      inputs: named,
      isFresh: flags.fresh === true,
      saveEveryMs: flags.saveEvery,
      say: (sentence) => {
        report.say(sentence);
      },
      io,
    });
    return await runBetween({ inputs: named, flags: settled, places, pipeline, report, io });
  } finally {
    await pipeline.close();
  }
}

interface Run {
  readonly inputs: readonly string[];
  readonly flags: CleanFlags;
  readonly places: Places;
  readonly pipeline: Pipeline;
  readonly report: Report;
  readonly io: Io;
}

async function runBetween(run: Run): Promise<number> {
  const { inputs, flags, places, pipeline, report, io } = run;
  const { saved, figures } = places;
  const startedAt = performance.now();
  const seconds = (): number => (saved?.seconds ?? 0) + (performance.now() - startedAt) / 1000;
  const conclude = async (end: EndOfRun): Promise<void> => {
    const facts = { ...end, seconds: seconds() };
    if (flags.stats !== undefined)
      await writeStats({ path: flags.stats, signal: io.signal }, figures, {
        ...facts,
        version: VERSION,
        fingerprint: pipeline.fingerprint,
        engine: await pipeline.engine(),
        workers: flags.jobs,
        isResumed: saved !== undefined,
      });
    report.end({ ...facts, hasRejectsFile: flags.rejects !== undefined });
  };
  try {
    const proxy = readProxiesFor(inputs);
    const source = openInputs(inputs, {
      ...toInputOptions(flags),
      judges: "later",
      reads: "later",
      stdin: io.stdin,
      version: VERSION,
      ...(proxy === undefined ? {} : { proxy }),
      ...(saved === undefined ? {} : { after: saved.position }),
    });
    report.begin(figures, { bytesRead: () => source.bytesRead(), bytesInAll: measure(inputs, report, io) });
    const end = saved?.end;
    if (end !== undefined) await places.settle(() => conclude(end));
    else {
      const drafts = await places.open({
        ...toOutputOptions(flags, pipeline.fingerprint),
        isSingle: () => source.isSingle(),
      });
      const watch = watchFlags(flags);
      await clean(run, { source, drafts, seconds, watch });
      // The inputs that an earlier run has read may have had the column, or been affected.
      if (saved === undefined && source.ignoresColumn()) report.say(NO_FIELDS);
      if (saved === undefined) for (const sentence of watch.list()) report.say(sentence);
      const read = {
        passedOver: Object.fromEntries(source.passedOver()),
        otherFiles: source.otherFiles(),
        hiddenFiles: source.hiddenFiles(),
        bytesRead: source.bytesRead(),
      };
      await places.finish(read, () => conclude(read));
    }
  } catch (error) {
    await places.abandon();
    throw error;
  }
  return judgeRun(figures);
}

interface Stream {
  readonly source: InputSource;
  readonly drafts: Pick<Drafts, "write" | "recall">;
  /** Returns the seconds that all runs took so far. */
  readonly seconds: () => number;
  readonly watch: FlagWatch;
}

/** Writes all outcomes of the source to their files, and counts them. */
async function clean(
  { places, pipeline, report, io }: Run,
  { source, drafts, seconds, watch }: Stream,
): Promise<void> {
  // The pipeline reads ahead of what is written, so each page carries the position at which it was read.
  const pages = async function* (): AsyncGenerator<TaggedPage<Position | undefined>> {
    for await (const page of source.pages(io.signal)) {
      watch.see(page);
      const sharesFile = page.ok && places.isOneFile && !source.isSingle();
      yield {
        page: sharesFile ? accept({ ...page.value, sharesFile }) : page,
        tag: source.position(),
      };
    }
  };
  const results = pipeline.run(pages(), io.signal, { recall: drafts.recall() });
  for await (const { outcome, account, tag: position } of results) {
    await drafts.write(outcome, account);
    countOutcome(places.figures, outcome, account);
    watch.look(outcome);
    if (outcome.ok) report.accept(outcome.value);
    else report.reject(outcome);
    if (position !== undefined) await places.reach({ position, seconds: seconds() });
  }
  io.signal.throwIfAborted();
}

/** Returns a function that gives the bytes of all inputs, undefined until they are measured. Nothing waits for it. */
function measure(inputs: readonly string[], { isLive }: Report, { signal }: Io): () => number | undefined {
  let bytes: number | undefined;
  const keep = (measured: number | undefined): void => {
    bytes = measured;
  };
  // An error of an input is reported when the input is read.
  if (isLive) void measureInputs(inputs, signal).then(keep, () => undefined);
  return () => bytes;
}

/** The flags that shape the output besides those in the fingerprint of the pipeline. */
const SHAPING = [
  ...(["from", "column", "url", "to", "keepBoilerplate", "lines", "links", "formatted"] as const),
  ...(["images", "frontMatter", "spans", "metadata", "rescore"] as const),
];

/** Digest of everything that shapes the output and of where it goes; commands with the same digest are the same job. */
function digestFlags(inputs: readonly string[], flags: CleanFlags, fingerprint: string): string {
  const { output = "", rejects } = flags;
  const places = [output, rejects].map((path) => path !== undefined && resolve(path));
  return digestJob({ fingerprint, inputs, places, flags: SHAPING.map((name) => flags[name]) });
}

/** Returns 0 if any document came out, else `tryAgain` if another try may mend all rejects, else `nothing`. */
export function judgeRun({ documents, rejects, retryable }: Figures): number {
  if (documents > 0) return EXIT.done;
  return rejects > 0 && retryable === rejects ? EXIT.tryAgain : EXIT.nothing;
}
