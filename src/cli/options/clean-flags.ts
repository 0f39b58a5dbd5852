/** Defines the flags of `clean`, and turns them into the options of the pipeline, the output and the report. */
import { InvalidArgumentError, Option, type Command } from "commander";
import type { InputOptions } from "../../acquire/inputs.js";
import { INPUT_KINDS, type InputKind } from "../../acquire/kind.js";
import type { ExtractorName } from "../../extract/registry.js";
import type { DedupOption } from "../../filter/options.js";
import type { CommentsOption } from "../../label/comments.js";
import type { Focus } from "../../label/labeller.js";
import type { ConditionOption } from "../../label/text/condition.js";
import { asksRegisters, type PipelineOptions } from "../../options/options.js";
import { VERSION } from "../../version.js";
import {
  findWriter,
  isFormatted,
  RECORD_FORMATS,
  WRITER_NAMES,
  writers,
  type Form,
  type RecordFormat,
  type WriterName,
} from "../../write/registry.js";
import type { Format } from "../../write/writer.js";
import type { OutputDemands } from "../run/drafts.js";
import { addOptionFlags, readOptionFlags } from "./option-flags.js";
import { parseAddress, parseCount, parseDuration, parseWord } from "./parse-option.js";
import type { ReportOptions } from "../report/run-report.js";

/**
 * The flags as commander returns them: flags that are no cleaning options, and the cleaning options that this file
 * reads. `readOptionFlags` reads all others from the same object.
 */
export interface CleanFlags {
  readonly from?: InputKind;
  readonly column?: string;
  readonly url?: string;
  readonly to?: WriterName;
  readonly output?: string;
  readonly minWords?: number;
  readonly extractor?: ExtractorName;
  readonly keep?: readonly string[];
  readonly remove?: readonly string[];
  readonly condition?: ConditionOption;
  readonly comments?: CommentsOption;
  readonly dedup?: DedupOption;
  readonly dedupLines?: number;
  readonly dedupMemory?: number;
  readonly keepBoilerplate?: boolean;
  readonly lines?: boolean;
  readonly formatted?: RecordFormat;
  readonly links?: boolean;
  readonly images?: boolean;
  readonly spans?: boolean;
  readonly rescore?: boolean;
  readonly focus?: Focus;
  readonly threshold?: number;
  readonly metadata?: string | false;
  readonly registers?: boolean;
  readonly frontMatter?: boolean;
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
  return addRunFlags(addTextFlags(addPlaceFlags(command)));
}

/** Adds the flags for the input and the output. */
function addPlaceFlags(command: Command): Command {
  command
    .addOption(
      new Option(
        "--from <kind>",
        "the kind of input; detected from the content, then the name, if not given",
      ).choices(INPUT_KINDS),
    )
    .option(
      "--column <name>",
      "the column or field of parquet or jsonl that holds the pages (html, lines, text, content or raw_content)",
      parseWord,
    );
  command.option(
    "--url <url>",
    "the URL of the single page in a file or on stdin; makes its links absolute",
    parseAddress,
  );
  return addFormatFlag(
    command,
    "output format; default: by the file suffix, else text for one document and jsonl for many; md means markdown",
  ).option(
    "-o, --output <path>",
    "a file (compressed if its name ends with .gz), a directory that exists or ends with / (one file per document), or - (stdout)",
  );
}

export function addFormatFlag(command: Command, says: string): Command {
  const option = new Option("--to <format>", says).choices(WRITER_NAMES);
  return command.addOption(option.argParser(parseFormat));
}

/** Accepts the name of a format or its file suffix: "markdown" or "md". */
function parseFormat(value: string): WriterName {
  const format = findWriter(value);
  if (format === undefined) throw new InvalidArgumentError(`Allowed choices are ${WRITER_NAMES.join(", ")}.`);
  return format;
}

/** Adds the flags that choose what becomes text and which documents are kept. */
export function addTextFlags(command: Command): Command {
  addOptionFlags(command, "text")
    .option("--lines", "list the content lines in each jsonl record; in TEI, add their scores")
    .addOption(
      new Option("--formatted <format>", "also add the document in this format to each jsonl record").choices(
        RECORD_FORMATS,
      ),
    )
    .option("--links", "keep link targets in Markdown, HTML, XML and TEI")
    .option("--images", "keep images in Markdown, HTML, XML and TEI")
    .option("--front-matter", "begin Markdown with the page's metadata (YAML)")
    .option("--min-words <n>", "the least number of words in a document", parseCount);
  return addOptionFlags(command, "filter");
}

/** Adds the flags for how the command runs and what it reports. */
export function addRunFlags(command: Command): Command {
  command.option("--rejects <file>", "write inputs that could not be turned into text, with reasons (JSONL)");
  return addOptionFlags(command, "run")
    .option("--quiet", "print only errors on stderr")
    .option("--progress", "show progress even if stderr is not a terminal")
    .option("--log <file>", "append one JSON line for each document and reject")
    .option("--stats <file>", "write statistics of the run (JSON): counts, a table by language, times")
    .option("--fresh", "start over; do not resume an interrupted run")
    .addOption(
      new Option("--save-every <time>", "how often the state of a run is saved, so that it can be resumed")
        .argParser(parseDuration)
        .default(SAVE_EVERY_MS, "5s"),
    );
}

/** Weighs the work that a break may cost against disk time: saving takes some milliseconds. */
const SAVE_EVERY_MS = 5000;

export function toInputOptions(flags: CleanFlags): InputOptions {
  return {
    maxBytes: flags.maxBytes,
    timeoutMs: flags.timeout,
    ...(flags.from === undefined ? {} : { from: flags.from }),
    ...(flags.column === undefined ? {} : { column: flags.column }),
    ...(flags.url === undefined ? {} : { url: flags.url }),
  };
}

export function toOutputOptions(flags: CleanFlags, fingerprint: string): Omit<OutputDemands, "isSingle"> {
  return { ...toFormatOptions(flags), fingerprint, ...(flags.to === undefined ? {} : { to: flags.to }) };
}

function toFormatOptions(flags: CleanFlags): Omit<Form, "fingerprint" | "to"> {
  return {
    lines: flags.keepBoilerplate === true ? "all" : flags.lines === true ? "content" : "none",
    links: flags.links === true ? "keep" : "drop",
    images: flags.images === true ? "keep" : "drop",
    frontMatter: flags.frontMatter === true,
    ...(flags.formatted === undefined ? {} : { formattedAs: flags.formatted }),
    ...(asksRegisters(readOptionFlags({ ...flags })) && { registers: true }),
    version: VERSION,
  };
}

/** How the pipeline formats documents; undefined if the format is not known yet or is made later. */
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
  const options = readOptionFlags({ ...flags });
  const { keepBoilerplate, filters } = options;
  const format: Format | undefined = flags.to === undefined ? undefined : writers[flags.to];
  const other: Format | undefined = flags.formatted === undefined ? undefined : writers[flags.formatted];
  const needsStructure = format?.needsStructure === true || other?.needsStructure === true;
  const isBrief = format?.needsMetadata === "brief" && flags.frontMatter !== true;
  return {
    ...options,
    structure: needsStructure ? (flags.images === true ? "keep" : "words") : options.structure,
    metadata: isBrief && options.metadata !== "skip" ? "brief" : options.metadata,
    wants: keepBoilerplate || flags.lines === true ? "lines" : "text",
    filters: flags.minWords === undefined ? filters : { "min-words": flags.minWords, ...filters },
  };
}
