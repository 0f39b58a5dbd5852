/** Defines `thresher bench [CORPUS…]`, which scores our systems and others on annotated corpora. */
import { InvalidArgumentError, Option, type Command } from "commander";
import { UsageError } from "../outcome.js";
import { createSay, type Io } from "./io.js";
import { findNearest } from "./nearest-command.js";
import { parseCount, parseDuration, parseWorkers } from "./options/parse-option.js";

interface BenchFlags {
  readonly corpus?: string[];
  readonly systems?: string[];
  readonly measure?: Measure;
  readonly gold?: string;
  readonly sample?: number;
  readonly output?: string;
  readonly speed?: boolean;
  readonly profile?: boolean;
  readonly model?: string;
  readonly timeout?: number;
  readonly reference?: string;
  readonly jobs?: number;
  readonly resamples?: number;
}

/** Values of `--measure`; a test compares them with the measures of the benchmark. */
export const MEASURES = ["lines", "structure", "metadata", "units"] as const;
type Measure = (typeof MEASURES)[number];

/**
 * Types of what `bench/run/run-bench.ts` exports; a test compares the two. The benchmark is built separately, so its
 * types cannot be imported here.
 */
export interface BenchModule {
  readonly runBench: (
    options: Omit<BenchFlags, "systems" | "timeout"> & {
      readonly corpora: readonly string[];
      readonly systems: readonly string[];
      readonly timeoutMs?: number;
    },
    io: Io,
  ) => Promise<number>;
}

interface UnknownName {
  readonly unknown: string;
  readonly known: readonly string[];
}

const NOTES = `
CORPUS is fixtures or fixtures-text (both if none is named), or a corpus whose data is in the folder that --gold
names. bench/corpora/README.md lists the corpora. bench/systems/README.md lists the systems, and how to install the
Python ones.

--corpus takes one row per page or text: {"id","html","gold_lines":[{"text","label"}]} with label 1 (content) or 0, or
{"id","html","gold_text"}, or {"id","lines":[{"text","label"}]} for plain text; "lang" and "page_type" group the scores.
The command exits with 2 if a system that you name gets no score, or if a name is unknown. Systems that are not
installed are listed and left out.

--measure structure compares headings, list items, table cells, code, quotes, links and emphasis with the elements of
the page that lie in main content; --measure metadata compares title, author, date, site, description, image and
language with the known metadata of the page. Both support fewer systems, no stored outputs, and other corpora (for
metadata: meta-atf, or --corpus with rows {"id","url","html","meta":{"title","author","date",…}}). --measure units
shows which tables, lists, blocks of code, quotes, posts and sections a system keeps in part.

Examples:
  thresher bench                                     everything that is installed, on the fixtures
  thresher bench canola l3s-gn1 --gold ../gold       two corpora
  thresher bench canola --systems raw readability+text trafilatura
  thresher bench canola --systems readability outputs.jsonl    your own outputs, one {"id","text"} per line
  thresher bench --corpus gold.jsonl --systems page trafilatura outputs.jsonl    your own gold
  thresher bench --systems ours:extractor=body,focus=precision body+text
  thresher bench --measure structure wcxb-heldout --systems page trafilatura defuddle --gold ../gold
  thresher bench --profile --gold ../gold             the time of each stage of a page
  thresher bench --measure metadata meta-atf meta-htmldate --gold ../gold
`;

export function addBenchCommand(program: Command, io: Io, finish: (code: number) => void): Command {
  return program
    .command("bench")
    .summary("score this and other extractors on annotated pages")
    .description(
      "Runs systems on annotated corpora and writes their scores, with intervals, as a table, JSON and HTML.",
    )
    .usage("[CORPUS…] [options]")
    .argument("[corpora...]", "names of corpora")
    .option(
      "--corpus <files...>",
      "your own gold, JSON Lines (.jsonl, .jsonl.gz), each file a corpus (see below)",
    )
    .option("--systems <names...>", "systems, or files of stored outputs (all)")
    .option("--measure <what>", `${MEASURES.join(", ")} (lines)`, parseMeasure)
    .option("--gold <dir>", "the folder that holds lines/, pages/ and meta/")
    .option("--sample <n>", "only n documents of each corpus, always the same ones", parseCount)
    .option("-o, --output <dir>", "where the results go (bench/results; bench-results if installed)")
    .option("--speed", "also measure speed and memory, systems in turn")
    .addOption(
      new Option(
        "--profile",
        "only measure the cost of each stage, of the command and of rivals (page, trafilatura, resiliparse)",
      ).conflicts(["measure", "corpus", "speed", "reference", "resamples", "output", "jobs"]),
    )
    .option("--model <dir>", "the model to profile (the shipped one)")
    .option("--timeout <time>", "time limit of a system for a page (30s)", parseDuration)
    .option("--reference <system>", "the system that the others are compared with (trafilatura, else raw)")
    .option("-j, --jobs <n>", "systems that run at the same time", parseWorkers)
    .option("--resamples <n>", "resamplings for intervals and tests; 0 for none (1000)", parseResamples)
    .helpOption("-h, --help", "print this help")
    .addHelpText("after", NOTES)
    .action(async (corpora: string[], { timeout, ...flags }: BenchFlags) => {
      const { runBench } = await loadBench();
      const options = { ...flags, corpora, systems: flags.systems ?? [] };
      try {
        finish(await runBench(timeout === undefined ? options : { ...options, timeoutMs: timeout }, io));
      } catch (error) {
        if (io.signal.aborted) createSay(io)("no results are written, because the run has not ended");
        throw sayNearest(error);
      }
    });
}

/** Adds the nearest known name to an error about a name, which `bench/systems/errors.ts` defines. */
function sayNearest(error: unknown): unknown {
  if (!(error instanceof Error)) return error;
  const { unknown = "", known = [] } = (error.cause ?? {}) as Partial<UnknownName>; // no other cause has these fields
  const nearest = findNearest(unknown.toLowerCase(), known);
  return nearest === undefined ? error : new UsageError(`${error.message}; did you mean "${nearest}"?`);
}

async function loadBench(): Promise<BenchModule> {
  // Imported by URL and not by name, because it is compiled separately, after this file.
  const module: unknown = await import(new URL("../bench/run/run-bench.js", import.meta.url).href);
  return module as BenchModule; // built from bench/run/run-bench.ts; a test compares the types
}

function parseMeasure(value: string): Measure {
  const measure = MEASURES.find((name) => name === value);
  if (measure === undefined) throw new InvalidArgumentError(`It must be one of ${MEASURES.join(", ")}.`);
  return measure;
}

function parseResamples(value: string): number {
  const count = /^\d{1,9}$/.test(value) ? Number(value) : -1;
  if (count < 0 || count > 100_000)
    throw new InvalidArgumentError("It must be a whole number from 0 to 100000.");
  return count;
}
