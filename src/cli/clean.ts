/** `thresher [clean] INPUT…`: the main job. */
import { resolve } from "node:path";
import type { Command } from "commander";
import { openInputs, type InputSource } from "../acquire/inputs.js";
import { EXIT, REASONS, UsageError } from "../outcome.js";
import { createPipeline } from "../pipeline.js";
import { VERSION } from "../version.js";
import { addCleanFlags, toPipelineOptions, toReportOptions, type CleanFlags } from "./clean-flags.js";
import { explainFilters } from "./filter-flags.js";
import type { Io } from "./io.js";
import { openOutput, openRejects, type Output, type RejectLog } from "./output.js";
import { createReport, type Counts } from "./report.js";

const EXAMPLES = `
Examples:
  thresher page.html                               one page to text
  thresher https://example.org/post --to markdown  fetch a page, keep headings, lists, tables and code
  cat page.html | thresher                         from stdin
  thresher crawl/ -o clean.jsonl --rejects r.jsonl a directory, with what could not be used and why
  thresher dump.jsonl.gz --keep-boilerplate        every line of every record with label, score and grade
  thresher old-crawl.txt --focus precision         text that somebody else extracted
  thresher corpus.parquet --column body -o clean.parquet  a table whose column body holds the pages
  thresher blog/ --comments drop -o blog.jsonl     posts without what readers wrote below them

How it decides: pages go to the labeller page, plain text to the labeller text, unless --labeller names one for all.
With --to jsonl, "score" is the mean score of the content lines, and "page" says what the page is: its type, the
probability of it, and P(main content). A page without main content is a reject (no-content), or all boilerplate with
--keep-boilerplate. Lines of readers' comments have the kind "comment"; --comments drop spares forums and other pages
that consist of comments.
`;

/** What the help says below the options. */
export function explainClean(): string {
  const rows = Object.entries(REASONS).map(([reason, sentence]) => `  ${reason.padEnd(17)} ${sentence}\n`);
  return `${EXAMPLES}${explainFilters()}\nReasons for a reject:\n${rows.join("")}${EXIT_CODES}`;
}

const EXIT_CODES = `
Exit codes: 0 done (rejects are not failures), 1 nothing at all could be turned into text, 2 wrong usage,
74 output could not be written, 75 the network failed: try again, 130 interrupted.
`;

export function addCleanCommand(program: Command, io: Io, finish: (code: number) => void): Command {
  const command = program
    .command("clean", { isDefault: true })
    .summary("pages or text in, clean text out (may be left out)")
    .description("Turns web pages, and text that others extracted badly, into clean text.")
    .usage("[options] INPUT…")
    .argument("[inputs...]", "URL, file, directory, glob, or - for stdin");
  return addCleanFlags(command)
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
    ...(flags.column === undefined ? {} : { column: flags.column }),
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
  report.end(flags.rejects !== undefined, source.passedOver());
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
      version: VERSION,
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
