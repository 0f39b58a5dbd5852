/** Sets up a benchmark run from its options and writes its results, for every subject. */
import { constants, existsSync } from "node:fs";
import { access, mkdir, stat, writeFile } from "node:fs/promises";
import { availableParallelism, cpus } from "node:os";
import { dirname, join, resolve } from "node:path";
import { OutputError, UsageError, VERSION } from "thresher";
import type { Corpus, CorpusProblem } from "../corpora/gold.js";
import { openOwnGold } from "../corpora/own-gold.js";
import {
  CorpusMissing,
  corpusNames,
  DEFAULT_FIXTURES_DIR,
  DEFAULT_GOLD_DIR,
  openCorpus,
} from "../corpora/registry.js";
import { formatNumberOf } from "../report/format.js";
import type { Results } from "../report/results.js";
import { UnknownSystem, type UnknownName } from "../systems/errors.js";
import { findSystems, type SystemEntry } from "../systems/registry.js";
import { ROOT } from "../systems/root.js";
import type { Subject } from "../systems/subject.js";
import { formatCommand, type BenchOptions } from "./bench-options.js";
import { gatherDocuments, type RunDocuments } from "./documents.js";
import type { Progress } from "./progress.js";
import { Roster } from "./roster.js";

/** The default corpora, which come with the source code. */
const DEFAULT_CORPORA: Readonly<Record<Subject, readonly string[]>> = {
  lines: ["fixtures", "fixtures-text"],
  structure: ["fixtures"],
  metadata: ["fixtures"],
  units: ["fixtures"],
};
/** The default limit on parallel systems: more would wait for each other's scores. */
const MAX_JOBS = 4;
/** How many bad gold rows are reported with what is wrong with them. */
const MAX_TOLD = 5;

export interface Folders {
  readonly goldDir: string;
  readonly fixturesDir: string;
}

export function findFolders({ gold }: BenchOptions): Folders {
  const goldDir = gold === undefined ? DEFAULT_GOLD_DIR : resolve(gold);
  return { goldDir, fixturesDir: DEFAULT_FIXTURES_DIR };
}

export function countJobs(jobs: number | undefined): number {
  return jobs ?? Math.min(MAX_JOBS, availableParallelism());
}

export function openRoster(
  entries: readonly SystemEntry[],
  { timeoutMs }: BenchOptions,
  progress: Progress,
): Roster {
  return new Roster(entries, {
    ...(timeoutMs === undefined ? {} : { timeoutMs }),
    onUnavailable: (name, why) => {
      progress.say(`${name}: not available: ${why}`);
    },
  });
}

export function tellProblems(problems: readonly CorpusProblem[], progress: Progress): void {
  for (const { file, line, detail } of problems.slice(0, MAX_TOLD))
    progress.say(`${file}:${line}: ${detail}`);
}

/**
 * Opens the named corpora and the user's own gold files. Throws UsageError for unknown names and for files without
 * gold.
 */
export async function findCorpora(
  { corpora, corpus = [], measure: subject = "lines" }: BenchOptions,
  folders: Folders,
): Promise<Corpus[]> {
  const names = corpora.length + corpus.length === 0 ? DEFAULT_CORPORA[subject] : [...new Set(corpora)];
  const known = corpusNames(subject);
  const unknown = names.filter((name) => !known.includes(name));
  const [first] = unknown;
  if (first !== undefined) {
    const cause: UnknownName = { unknown: first, known };
    throw new UsageError(
      `there is no corpus ${unknown.join(", ")}${subject === "lines" ? "" : ` whose ${subject} can be measured`}; there are ${known.join(", ")} (--gold names the folder of their data; --corpus FILE takes gold of your own)`,
      { cause },
    );
  }
  return [
    ...names.map((name) => openCorpus(name, { ...folders, subject })),
    ...(await openOwnGold(corpus, subject)),
  ];
}

/** Finds the systems to run. Throws UsageError for unknown names, and for a reference that does not run. */
export function findEntries({ systems, reference, measure: subject }: BenchOptions): readonly SystemEntry[] {
  try {
    const entries = findSystems(systems.length === 0 ? ["all"] : systems, subject);
    if (reference !== undefined && !entries.some(({ name }) => name === reference)) {
      throw new UsageError(`the reference ${reference} is not among the systems that run`);
    }
    return entries;
  } catch (error) {
    if (error instanceof UnknownSystem) throw new UsageError(error.message, { cause: error.cause ?? error });
    throw error;
  }
}

/** The scores of a run's corpora. */
export interface Scored<S> {
  /** One for each corpus that could be read. */
  readonly scores: readonly S[];
  /** For each missing corpus, how to get it. */
  readonly missing: readonly string[];
  /** The ids of all documents. */
  readonly ids: ReadonlySet<string>;
}

/**
 * Gathers the documents of one corpus after another, and calls `score` for each corpus that is present. If it is
 * interrupted, it returns the scores of the corpora that are finished, and throws if there are none.
 */
export async function scoreEach<S>(
  corpora: readonly Corpus[],
  {
    sample,
    progress,
    signal,
  }: Pick<BenchOptions, "sample"> & { readonly progress: Progress; readonly signal: AbortSignal },
  score: (corpus: Corpus, documents: RunDocuments) => Promise<S>,
): Promise<Scored<S>> {
  const scores: S[] = [];
  const missing: string[] = [];
  const ids = new Set<string>();
  for (const corpus of corpora) {
    const documents = await gather(corpus, sample);
    if (typeof documents === "string") {
      missing.push(documents);
      continue;
    }
    for (const id of documents.ids) ids.add(id);
    const { gold, problems } = documents;
    progress.say(
      `${corpus.name}: ${formatNumberOf(gold.size, "document")}, ${formatNumberOf(problems.length, "row")} left out`,
    );
    try {
      scores.push(await score(corpus, documents));
    } catch (error) {
      if (!signal.aborted || scores.length === 0) throw error;
      progress.say(`${corpus.name}: interrupted; the results have only the corpora before it`);
      break;
    }
  }
  return { scores, missing, ids };
}

/** Returns the documents, or a sentence that says how to get them. */
async function gather(corpus: Corpus, sample: number | undefined): Promise<RunDocuments | string> {
  try {
    return await gatherDocuments(corpus, sample);
  } catch (error) {
    if (error instanceof CorpusMissing) return error.message;
    throw error;
  }
}

/** Returns what every results file says about the run. */
export function describeRun(
  options: BenchOptions,
): Pick<Results, "date" | "command" | "version" | "machine"> {
  const processors = cpus();
  return {
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

/**
 * Returns the results folder: `bench/results` in a clone; `bench-results` in the working directory if the package is
 * installed.
 */
function findResults(): string {
  return existsSync(join(ROOT, "bench", "report", "results.ts"))
    ? join(ROOT, "bench", "results")
    : resolve("bench-results");
}

/** Throws OutputError if results could not be written later: that must show before hours of work. Creates no folder. */
export async function checkResults(output: string | undefined): Promise<void> {
  const directory = output ?? findResults();
  // The nearest existing folder on the way up is the one in which folders would be created.
  let there = resolve(directory);
  while (!existsSync(there)) there = dirname(there);
  try {
    if (!(await stat(there)).isDirectory()) throw new Error(`${there} is not a folder`);
    await access(there, constants.W_OK);
  } catch (cause) {
    throw cannotWrite(directory, cause);
  }
}

/** Writes the dated JSON file and creates its folder. Throws OutputError if it cannot be written. */
export async function writeResults(
  results: { readonly date: string },
  output: string | undefined,
): Promise<{ readonly directory: string; readonly file: string }> {
  const directory = output ?? findResults();
  const file = join(directory, `${results.date.replaceAll(":", "-")}.json`);
  try {
    await mkdir(directory, { recursive: true });
    await writeFile(file, `${JSON.stringify(results)}\n`);
  } catch (cause) {
    throw cannotWrite(directory, cause);
  }
  return { directory, file };
}

function cannotWrite(directory: string, cause: unknown): OutputError {
  const why = cause instanceof Error ? cause.message : String(cause);
  return new OutputError(`cannot write the results to ${directory}: ${why}`, { cause });
}
