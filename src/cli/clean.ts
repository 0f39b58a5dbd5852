/** `thresher [clean] INPUT…`: the main job. */
import { resolve } from "node:path";
import { Option, type Command } from "commander";
import { openInputs, type InputSource } from "../acquire/inputs.js";
import { EXTRACTOR_NAMES } from "../extract/extractor.js";
import { FOCUSES } from "../label/labeller.js";
import { labellers } from "../label/registry.js";
import { EXIT, REASONS, UsageError } from "../outcome.js";
import { createPipeline, DEFAULTS, type PipelineOptions } from "../pipeline.js";
import { VERSION } from "../version.js";
import { writers, type WriterName } from "../write/registry.js";
import type { Io } from "./io.js";
import { openOutput, openRejects, type Output, type RejectLog } from "./output.js";
import { parseBytes, parseDuration, parseProbability, parseWorkers } from "./parse-option.js";
import { createReport, type Counts, type ReportOptions } from "./report.js";

/** The options as commander hands them over. */
interface CleanFlags {
  readonly from?: "html" | "text" | "jsonl";
  readonly to?: WriterName;
  readonly output?: string;
  readonly extractor: PipelineOptions["extractor"];
  readonly labeller: PipelineOptions["labeller"];
  readonly model?: string;
  readonly focus: PipelineOptions["focus"];
  readonly threshold?: number;
  readonly keepBoilerplate?: boolean;
  readonly lines?: boolean;
  readonly links?: boolean;
  readonly rejects?: string;
  readonly jobs: number;
  readonly maxBytes: number;
  readonly timeout: number;
  readonly quiet?: boolean;
  readonly progress?: boolean;
  readonly log?: string;
}

const EXAMPLES = `
Examples:
  thresher page.html                               one page to text
  thresher https://example.org/post --to markdown  fetch a page, keep headings, lists, tables and code
  cat page.html | thresher                         from stdin
  thresher crawl/ -o clean.jsonl --rejects r.jsonl a directory, with what could not be used and why
  thresher dump.jsonl.gz --keep-boilerplate        every line of every record with label, score and grade
  thresher old-crawl.txt --focus precision         text that somebody else extracted
`;

/** What the help says below the options. */
export function explainClean(): string {
  const rows = Object.entries(REASONS).map(([reason, sentence]) => `  ${reason.padEnd(17)} ${sentence}\n`);
  return `${EXAMPLES}\nReasons for a reject:\n${rows.join("")}${EXIT_CODES}`;
}

const EXIT_CODES = `
Exit codes: 0 done (rejects are not failures), 1 nothing at all could be turned into text, 2 wrong usage,
74 output could not be written, 75 the network failed: try again, 130 interrupted.
`;

export function addCleanCommand(program: Command, io: Io, finish: (code: number) => void): Command {
  return program
    .command("clean", { isDefault: true })
    .summary("pages or text in, clean text out (may be left out)")
    .description("Turns web pages, and text that others extracted badly, into clean text.")
    .usage("[options] INPUT…")
    .argument("[inputs...]", "URL, file, directory, glob, or - for stdin")
    .addOption(
      new Option("--from <kind>", "what the input is; told by content, then by name, when left out").choices([
        "html",
        "text",
        "jsonl",
      ]),
    )
    .addOption(
      new Option("--to <format>", "output; text for one document, jsonl where there may be many").choices(
        Object.keys(writers),
      ),
    )
    .option("-o, --output <path>", "a file, or a directory for one file a document (stdout)")
    .addOption(
      new Option("--extractor <name>", "how a page becomes lines")
        .choices(EXTRACTOR_NAMES)
        .default(DEFAULTS.extractor),
    )
    .addOption(
      new Option("--labeller <name>", "who labels the lines")
        .choices(Object.keys(labellers))
        .default(DEFAULTS.labeller),
    )
    .option("--model <dir>", "another model for the labeller")
    .addOption(
      new Option("--focus <focus>", "where the cut is").choices([...FOCUSES]).default(DEFAULTS.focus),
    )
    .option("--threshold <p>", "the cut itself: P(content) from which a line is kept", parseProbability)
    .option("--keep-boilerplate", "keep every line, with label, score, grade and reason")
    .option("--lines", "list the content lines in each jsonl record")
    .option("--links", "keep link targets in Markdown")
    .option("--rejects <file>", "write what was not turned into text, with reasons (JSONL)")
    .option("-j, --jobs <n>", "workers", parseWorkers, DEFAULTS.workers)
    .option("--max-bytes <size>", "decoded bytes a document may have", parseBytes, DEFAULTS.maxBytes)
    .addOption(
      new Option("--timeout <time>", "time a document may take")
        .argParser(parseDuration)
        .default(DEFAULTS.timeoutMs, "10s"),
    )
    .option("--quiet", "say nothing on stderr but errors")
    .option("--progress", "show progress even when stderr is no terminal")
    .option("--log <file>", "append one JSON line for each document and reject")
    .helpOption("-h, --help", "print this help")
    .addHelpText("after", explainClean)
    .action(async (inputs: string[], flags: CleanFlags) => {
      finish(await clean(inputs, flags, io));
    });
}

async function clean(inputs: readonly string[], flags: CleanFlags, io: Io): Promise<number> {
  if (inputs.length === 0 && io.stdin.isTTY === true) {
    throw new UsageError(
      "no input; give a URL, a file or a directory, or pipe a page in (--help shows examples)",
    );
  }
  checkPlaces(flags);
  const source = openInputs(inputs.length === 0 ? ["-"] : inputs, {
    stdin: io.stdin,
    version: VERSION,
    maxBytes: flags.maxBytes,
    timeoutMs: flags.timeout,
    ...(flags.from === undefined ? {} : { from: flags.from }),
  });
  const report = createReport(toReportOptions(flags), io);
  const pipeline = await createPipeline(toPipelineOptions(flags));
  try {
    const outcomes = pipeline.run(source.pages(io.signal), io.signal);
    await withPlaces(flags, { source, fingerprint: pipeline.fingerprint, io }, async (output, rejects) => {
      for await (const outcome of outcomes) {
        if (outcome.ok) {
          await output.write(outcome.value);
          report.accept(outcome.value);
        } else {
          await rejects?.write(outcome);
          report.reject(outcome);
        }
      }
      io.signal.throwIfAborted();
    });
  } finally {
    await pipeline.close();
  }
  report.end(flags.rejects !== undefined);
  return conclude(report.counts);
}

/** Output, rejects and log would overwrite each other in one file. */
function checkPlaces({ output, rejects, log }: CleanFlags): void {
  const places = Object.entries({ "--output": output, "--rejects": rejects, "--log": log });
  const taken = new Map<string, string>();
  for (const [option, path] of places) {
    if (path === undefined) continue;
    if (path === "") throw new UsageError(`${option} needs a path`);
    const place = resolve(path);
    const other = taken.get(place);
    if (other !== undefined && !place.startsWith("/dev/"))
      throw new UsageError(`${other} and ${option} cannot write to the same file ${path}`);
    taken.set(place, option);
  }
}

/** Opens output and rejects, makes them final when the work is done, and leaves nothing behind when it fails. */
async function withPlaces(
  flags: CleanFlags,
  { source, fingerprint, io }: { source: InputSource; fingerprint: string; io: Io },
  work: (output: Output, rejects: RejectLog | undefined) => Promise<void>,
): Promise<void> {
  const output = await openOutput(
    {
      lines: flags.keepBoilerplate === true ? "all" : flags.lines === true ? "content" : "none",
      links: flags.links === true ? "keep" : "drop",
      fingerprint,
      isSingle: () => source.isSingle(),
      ...(flags.output === undefined ? {} : { path: flags.output }),
      ...(flags.to === undefined ? {} : { to: flags.to }),
    },
    io,
  );
  let rejects: RejectLog | undefined;
  try {
    rejects = flags.rejects === undefined ? undefined : await openRejects(flags.rejects);
    await work(output, rejects);
    await output.close();
    await rejects?.close();
  } catch (error) {
    await output.discard();
    await rejects?.discard();
    throw error;
  }
}

/** 0 as soon as one document came out; otherwise whether it is worth trying again. */
function conclude({ documents, rejects, retryable }: Counts): number {
  if (documents > 0) return EXIT.done;
  return rejects > 0 && retryable === rejects ? EXIT.tryAgain : EXIT.nothing;
}

function toReportOptions(flags: CleanFlags): ReportOptions {
  return {
    progress: flags.progress === true ? "always" : "auto",
    quiet: flags.quiet === true,
    ...(flags.log === undefined ? {} : { logFile: flags.log }),
  };
}

function toPipelineOptions(flags: CleanFlags): PipelineOptions {
  return {
    extractor: flags.extractor,
    labeller: flags.labeller,
    focus: flags.focus,
    workers: flags.jobs,
    timeoutMs: flags.timeout,
    maxBytes: flags.maxBytes,
    keepBoilerplate: flags.keepBoilerplate === true,
    ...(flags.model === undefined ? {} : { modelDir: flags.model }),
    ...(flags.threshold === undefined ? {} : { threshold: flags.threshold }),
  };
}
