/** Runs `thresher bench`: from its options to a results file and its reports. */
import { EXIT, UsageError } from "thresher";
import { ChartsMissing } from "../report/charts/plot.js";
import type { Results } from "../report/results.js";
import { formatTerminal } from "../report/terminal.js";
import { writeReports } from "../report/write-reports.js";
import { runCorpus } from "./run-corpus.js";
import type { BenchIo, BenchOptions } from "./bench-options.js";
import { findIdle } from "./idle.js";
import { runItemBench } from "./items/item-bench.js";
import { runProfile } from "./profile/run-profile.js";
import { Progress } from "./progress.js";
import { runSpeed } from "./run-speed.js";
import {
  checkResults,
  countJobs,
  describeRun,
  findCorpora,
  findEntries,
  findFolders,
  openRoster,
  scoreEach,
  tellProblems,
  writeResults,
} from "./set-up.js";

/**
 * Runs the benchmark and returns the exit code: 1 if a corpus is missing or no system has a score, 2 if lines are
 * measured and a named system has no score. Throws UsageError for unknown names and unfit options, and OutputError if
 * the results folder cannot be written to.
 */
export async function runBench(options: BenchOptions, io: BenchIo): Promise<number> {
  if (options.profile === true) return runProfile(options, io);
  if (options.model !== undefined)
    throw new UsageError(
      "--model is for --profile; to score a model, name a system: --systems ours:model=DIR",
    );
  await checkResults(options.output);
  const { measure: subject = "lines" } = options;
  if (subject !== "lines") return runItemBench({ ...options, measure: subject }, io);
  const { results, missing, idle } = await measure(options, io);
  const hasScores = results.corpora.some(({ systems }) => systems.length > 0);
  if (hasScores) await publish(results, options, io);
  for (const message of [...missing, ...idle]) io.stderr.write(`thresher: ${message}\n`);
  if (idle.length > 0) return EXIT.usage;
  return missing.length === 0 && hasScores ? EXIT.done : EXIT.nothing;
}

export interface Measurement {
  readonly results: Results;
  /** For each missing corpus, how to get it. */
  readonly missing: readonly string[];
  /** For each named system without a score, the reason. */
  readonly idle: readonly string[];
}

/** Measures lines without writing files. */
export async function measure(options: BenchOptions, io: BenchIo): Promise<Measurement> {
  const folders = findFolders(options);
  const corpora = await findCorpora(options, folders);
  const entries = findEntries(options);
  const progress = new Progress(io.stderr);
  const roster = openRoster(entries, options, progress);
  const seen = new Map<string, string>();
  const onSeen = (name: string, why: string): void => {
    seen.set(name, why);
    progress.say(`${name}: not measured: ${why}`);
  };
  const settings = { ...toCorpusOptions(options), signal: io.signal, progress, onSeen };
  const { scores, missing, ids } = await scoreEach(
    corpora,
    { ...options, ...settings },
    (corpus, documents) => {
      if (options.corpus?.includes(corpus.origin) === true) tellProblems(documents.problems, progress);
      return runCorpus(corpus, { documents, roster }, settings);
    },
  );
  const isTimed = options.speed === true && !io.signal.aborted;
  const speed = isTimed
    ? await runSpeed(entries, { ...options, ...folders, signal: io.signal, progress })
    : undefined;
  progress.clear();
  const results: Results = {
    format: "thresher-bench-1",
    ...describeRun(options),
    systems: roster.describeSystems(ids),
    unavailable: roster.unavailable(),
    corpora: scores,
    ...(speed === undefined ? {} : { speed }),
  };
  const { systems, unavailable } = results;
  return { results, missing, idle: findIdle(options.systems, { scores, systems, unavailable, ids, seen }) };
}

function toCorpusOptions({ reference, resamples, hasRouge, jobs }: BenchOptions) {
  return {
    ...{ jobs: countJobs(jobs), hasRouge },
    ...(reference === undefined ? {} : { reference }),
    ...(resamples === undefined ? {} : { samples: resamples }),
  };
}

/** Prints the table to stdout, and writes the dated JSON and the reports made from it. */
async function publish(
  results: Results,
  { output }: BenchOptions,
  { stdout, stderr }: BenchIo,
): Promise<void> {
  const { directory, file } = await writeResults(results, output);
  stdout.write(formatTerminal(results));
  stderr.write(`thresher: wrote ${file}\n`);
  try {
    for (const report of await writeReports(results, directory)) stderr.write(`thresher: wrote ${report}\n`);
  } catch (error) {
    if (!(error instanceof ChartsMissing)) throw error;
    stderr.write(`thresher: no HTML page: ${error.message}\n`);
  }
}
