/** The options of `clean`: as the command line offers them, and as the pipeline and the report take them. */
import { Option, type Command } from "commander";
import type { InputOptions } from "../acquire/inputs.js";
import { INPUT_KINDS, type InputKind } from "../acquire/kind.js";
import { EXTRACTOR_NAMES } from "../extract/registry.js";
import { COMMENTS_OPTIONS } from "../label/comments.js";
import { CONDITION_OPTIONS } from "../label/text/condition.js";
import { FOCUSES } from "../label/labeller.js";
import { LABELLER_NAMES } from "../label/registry.js";
import { DEFAULTS, type PipelineOptions } from "../options.js";
import { VERSION } from "../version.js";
import { isFormatted, writers, type Form, type WriterName } from "../write/registry.js";
import type { FormatOptions } from "../write/writer.js";
import type { OutputDemands } from "./run/drafts.js";
import { addFilterFlags, toFilterOptions, type FilterFlags } from "./filter-flags.js";
import { parseBytes, parseDuration, parseProbability, parseWorkers } from "./parse-option.js";
import type { ReportOptions } from "./report/report.js";

/** The options as commander hands them over. */
export interface CleanFlags extends FilterFlags {
  readonly from?: InputKind;
  readonly column?: string;
  readonly to?: WriterName;
  readonly output?: string;
  readonly extractor: PipelineOptions["extractor"];
  readonly labeller?: NonNullable<PipelineOptions["labeller"]>;
  readonly model?: string;
  readonly focus: PipelineOptions["focus"];
  readonly threshold?: number;
  readonly condition: PipelineOptions["condition"];
  readonly comments: PipelineOptions["comments"];
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
  readonly stats?: string;
  readonly fresh?: boolean;
  readonly saveEvery: number;
}

export function addCleanFlags(command: Command): Command {
  return addRunFlags(addFilterFlags(addTextFlags(addPlaceFlags(command))));
}

/** What comes in, and where it goes. */
function addPlaceFlags(command: Command): Command {
  command
    .addOption(
      new Option("--from <kind>", "what the input is; told by content, then by name, when left out").choices(
        INPUT_KINDS,
      ),
    )
    .option(
      "--column <name>",
      "the column or field of parquet or jsonl that holds the pages (html, lines, text, content or raw_content)",
    );
  return addFormatFlag(
    command,
    "output; by the name of the file, else text for one document and jsonl where there may be many",
  ).option(
    "-o, --output <path>",
    "a file, packed where its name ends with .gz, or a directory for one file a document (stdout)",
  );
}

export function addFormatFlag(command: Command, says: string): Command {
  return command.addOption(new Option("--to <format>", says).choices(Object.keys(writers)));
}

/** What becomes text. */
export function addTextFlags(command: Command): Command {
  return command
    .addOption(
      new Option("--extractor <name>", "how a page becomes lines")
        .choices(EXTRACTOR_NAMES)
        .default(DEFAULTS.extractor),
    )
    .addOption(
      new Option(
        "--labeller <name>",
        "who labels the lines; page for pages, text for plain text, when left out",
      ).choices(LABELLER_NAMES),
    )
    .option(
      "--model <dir>",
      "another model, for the labeller that its kind names; hub:OWNER/NAME fetches it from the Hugging Face hub",
    )
    .addOption(
      new Option("--focus <focus>", "where the cut is").choices([...FOCUSES]).default(DEFAULTS.focus),
    )
    .option("--threshold <p>", "the cut itself: P(content) from which a line is kept", parseProbability)
    .addOption(
      new Option(
        "--condition <what>",
        "what plain text is: all of a page, what an extractor left of it, an existing crawl; told by each text",
      )
        .choices([...CONDITION_OPTIONS])
        .default(DEFAULTS.condition),
    )
    .addOption(
      new Option(
        "--comments <what>",
        "readers' comments: as the labeller says, judged by their text, dropped, or alone",
      )
        .choices(COMMENTS_OPTIONS)
        .default(DEFAULTS.comments),
    )
    .option("--keep-boilerplate", "keep every line, with label, score, grade and reason")
    .option("--lines", "list the content lines in each jsonl record")
    .option("--links", "keep link targets in Markdown");
}

/** How it runs, and what is told of it. */
export function addRunFlags(command: Command): Command {
  return command
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
    .option("--stats <file>", "write figures of the run (JSON): counts, a table by language, times")
    .option("--fresh", "start over, whatever an interrupted run has done")
    .addOption(
      new Option("--save-every <time>", "how often a run is saved, so that it can go on after a break")
        .argParser(parseDuration)
        .default(SAVE_EVERY_MS, "5s"),
    );
}

/** Work that a break may cost, against the disk's time: saving takes some milliseconds. */
const SAVE_EVERY_MS = 5000;

export function toInputOptions(flags: CleanFlags): InputOptions {
  return {
    maxBytes: flags.maxBytes,
    timeoutMs: flags.timeout,
    ...(flags.from === undefined ? {} : { from: flags.from }),
    ...(flags.column === undefined ? {} : { column: flags.column }),
  };
}

export function toOutputOptions(flags: CleanFlags, fingerprint: string): Omit<OutputDemands, "isSingle"> {
  return { ...toFormatOptions(flags), fingerprint, ...(flags.to === undefined ? {} : { to: flags.to }) };
}

function toFormatOptions(flags: CleanFlags): Omit<FormatOptions, "fingerprint"> {
  return {
    lines: flags.keepBoilerplate === true ? "all" : flags.lines === true ? "content" : "none",
    links: flags.links === true ? "keep" : "drop",
    version: VERSION,
  };
}

/** How documents are formatted where they are cleaned, where the format is known by then and allows it. */
export function toForm(flags: CleanFlags): Omit<Form, "fingerprint"> | undefined {
  return isFormatted(flags.to) ? { to: flags.to, ...toFormatOptions(flags) } : undefined;
}

export function toReportOptions(flags: CleanFlags): ReportOptions {
  return {
    progress: flags.progress === true ? "always" : "auto",
    quiet: flags.quiet === true,
    ...(flags.log === undefined ? {} : { logFile: flags.log }),
  };
}

export function toPipelineOptions(flags: CleanFlags): PipelineOptions {
  return {
    extractor: flags.extractor,
    focus: flags.focus,
    condition: flags.condition,
    comments: flags.comments,
    workers: flags.jobs,
    timeoutMs: flags.timeout,
    maxBytes: flags.maxBytes,
    keepBoilerplate: flags.keepBoilerplate === true,
    wants: flags.keepBoilerplate === true || flags.lines === true ? "lines" : "text",
    ...toFilterOptions(flags),
    ...(flags.labeller === undefined ? {} : { labeller: flags.labeller }),
    ...(flags.model === undefined ? {} : { modelDir: flags.model }),
    ...(flags.threshold === undefined ? {} : { threshold: flags.threshold }),
  };
}
