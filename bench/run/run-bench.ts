/** Runs `thresher bench`: from its options to a results file and its reports. */
import { existsSync } from "node:fs";
import { mkdir, writeFile } from "node:fs/promises";
import { availableParallelism, cpus } from "node:os";
import { join, resolve } from "node:path";
import { EXIT, OutputError, UsageError, VERSION } from "thresher";
import {
  CorpusMissing,
  corpusNames,
  DEFAULT_FIXTURES_DIR,
  DEFAULT_GOLD_DIR,
  openCorpus,
} from "../corpora/registry.js";
import { openOwnGold } from "../corpora/own-gold.js";
import { ChartsMissing, formatTerminal, writeReports } from "../report/index.js";
import type { CorpusScores, Results } from "../report/results.js";
import { runCorpus } from "./run-corpus.js";
import { gatherDocuments, type RunDocuments } from "./documents.js";
import { formatCommand, type BenchIo, type BenchOptions } from "./bench-options.js";
import { findIdle } from "./idle.js";
import { Progress } from "./progress.js";
import { Roster } from "./roster.js";
import { runSpeed } from "./run-speed.js";
import { UnknownSystem } from "../systems/errors.js";
import { findSystems, type SystemEntry } from "../systems/registry.js";
import { ROOT } from "../systems/root.js";
import type { Corpus } from "../corpora/gold.js";

const DEFAULT_CORPORA = ["fixtures", "fixtures-text"];
/** More systems at a time would wait for each other's scores. */
const MAX_JOBS = 4;
/** Rows of own gold that are told with what is wrong with them. */
const MAX_TOLD = 5;

/**
 * Returns the exit code: 1 when a corpus is not there or no system could be had, 2 when a system that was named has no
 * score. Throws UsageError for names that do not exist.
 */
export async function runBench(options: BenchOptions, io: BenchIo): Promise<number> {
  const { results, missing, idle } = await measure(options, io);
  const hasScores = results.corpora.some(({ systems }) => systems.length > 0);
  if (hasScores) await publish(results, options, io);
  for (const message of [...missing, ...idle]) io.stderr.write(`thresher: ${message}\n`);
  if (idle.length > 0) return EXIT.usage;
  return missing.length === 0 && hasScores ? EXIT.done : EXIT.nothing;
}

export interface Measurement {
  readonly results: Results;
  /** For each corpus that is not there, how to get it. */
  readonly missing: readonly string[];
  /** For each system that was named and has no score, why. */
  readonly idle: readonly string[];
}

/** The run without its files. */
export async function measure(options: BenchOptions, io: BenchIo): Promise<Measurement> {
  const folders = { goldDir: findGold(options), fixturesDir: join(ROOT, DEFAULT_FIXTURES_DIR) };
  const corpora = [...findCorpora(options, folders), ...(await openOwnGold(options.corpus ?? []))];
  const entries = findEntries(options);
  const progress = new Progress(io.stderr);
  const roster = new Roster(entries, {
    ...(options.timeoutMs === undefined ? {} : { timeoutMs: options.timeoutMs }),
    onUnavailable: (name, why) => {
      progress.say(`${name}: not available: ${why}`);
    },
  });
  const scores: CorpusScores[] = [];
  const missing: string[] = [];
  const ids = new Set<string>();
  const seen = new Map<string, string>();
  const onSeen = (name: string, why: string): void => {
    seen.set(name, why);
    progress.say(`${name}: not measured: ${why}`);
  };
  for (const corpus of corpora) {
    const documents = await gather(corpus, options);
    if (typeof documents === "string") {
      missing.push(documents);
      continue;
    }
    for (const id of documents.ids) ids.add(id);
    const { gold, problems } = documents;
    progress.say(`${corpus.name}: ${gold.size} documents, ${problems.length} rows left out`);
    if (options.corpus?.includes(corpus.origin) === true)
      for (const { file, line, detail } of problems.slice(0, MAX_TOLD))
        progress.say(`${file}:${line}: ${detail}`);
    const settings = { ...toCorpusOptions(options), signal: io.signal, progress, onSeen };
    scores.push(await runCorpus(corpus, { documents, roster }, settings));
  }
  const isTimed = options.speed === true;
  const speed = isTimed
    ? await runSpeed(entries, { ...options, ...folders, signal: io.signal, progress })
    : undefined;
  progress.clear();
  const results = {
    ...describeRun(options),
    systems: roster.describeSystems(ids),
    unavailable: roster.unavailable(),
    corpora: scores,
    ...(speed === undefined ? {} : { speed }),
  };
  const { systems, unavailable } = results;
  return { results, missing, idle: findIdle(options.systems, { scores, systems, unavailable, ids, seen }) };
}

function toCorpusOptions({ reference, resamples, jobs }: BenchOptions) {
  return {
    jobs: jobs ?? Math.min(MAX_JOBS, availableParallelism()),
    ...(reference === undefined ? {} : { reference }),
    ...(resamples === undefined ? {} : { samples: resamples }),
  };
}

function findGold({ gold }: BenchOptions): string {
  return gold === undefined ? resolve(ROOT, DEFAULT_GOLD_DIR) : resolve(gold);
}

function findCorpora(
  { corpora, corpus = [] }: BenchOptions,
  folders: { readonly goldDir: string; readonly fixturesDir: string },
): Corpus[] {
  const names = corpora.length + corpus.length === 0 ? DEFAULT_CORPORA : [...new Set(corpora)];
  const unknown = names.filter((name) => !corpusNames().includes(name));
  if (unknown.length > 0) {
    throw new UsageError(
      `there is no corpus ${unknown.join(", ")}; there are ${corpusNames().join(", ")} (--gold names the folder of their data; --corpus FILE takes gold of your own)`,
    );
  }
  return names.map((name) => openCorpus(name, folders));
}

function findEntries({ systems, reference }: BenchOptions): readonly SystemEntry[] {
  try {
    const entries = findSystems(systems.length === 0 ? ["all"] : systems);
    if (reference !== undefined && !entries.some(({ name }) => name === reference)) {
      throw new UsageError(`the reference ${reference} is not among the systems that run`);
    }
    return entries;
  } catch (error) {
    if (error instanceof UnknownSystem) throw new UsageError(error.message, { cause: error });
    throw error;
  }
}

/** The documents, or the sentence that says how to get them. */
async function gather(corpus: Corpus, { sample }: BenchOptions): Promise<RunDocuments | string> {
  try {
    return await gatherDocuments(corpus, sample);
  } catch (error) {
    if (error instanceof CorpusMissing) return error.message;
    throw error;
  }
}

function describeRun(
  options: BenchOptions,
): Pick<Results, "format" | "date" | "command" | "version" | "machine"> {
  const processors = cpus();
  return {
    format: "thresher-bench-1",
    date: `${new Date().toISOString().slice(0, 19)}Z`,
    command: formatCommand(options),
    version: VERSION,
    machine: {
      cpu: processors[0]?.model ?? "unknown",
      cores: processors.length,
      node: process.versions.node,
      platform: `${process.platform} ${process.arch}`,
    },
  };
}

/** In a clone its own folder; where the package is installed, one in the working directory. */
function findResults(): string {
  return existsSync(join(ROOT, "bench", "report", "results.ts"))
    ? join(ROOT, "bench", "results")
    : resolve("bench-results");
}

/** The table to stdout, and the dated JSON with what is written from it. */
async function publish(
  results: Results,
  { output }: BenchOptions,
  { stdout, stderr }: BenchIo,
): Promise<void> {
  const directory = output ?? findResults();
  const file = join(directory, `${results.date.replaceAll(":", "-")}.json`);
  try {
    await mkdir(directory, { recursive: true });
    await writeFile(file, `${JSON.stringify(results)}\n`);
  } catch (cause) {
    throw new OutputError(`cannot write the results to ${directory}: ${String(cause)}`, { cause });
  }
  stdout.write(formatTerminal(results));
  stderr.write(`thresher: wrote ${file}\n`);
  try {
    for (const report of await writeReports(results, directory)) stderr.write(`thresher: wrote ${report}\n`);
  } catch (error) {
    if (!(error instanceof ChartsMissing)) throw error;
    stderr.write(`thresher: no HTML page: ${error.message}\n`);
  }
}
