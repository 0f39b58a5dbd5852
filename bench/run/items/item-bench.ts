/**
 * Runs `thresher bench --measure structure`, `metadata` and `units`: from the options to a results file and its
 * reports.
 */
import { writeFile } from "node:fs/promises";
import { EXIT, UsageError } from "thresher";
import type { ItemResults } from "../../report/items/item-results.js";
import { formatItemMarkdown, formatItemTerminal, renderItemPage } from "../../report/items/item-reports.js";
import { MarkdownParserMissing } from "../../metrics/structure/read-markdown.js";
import type { BenchIo, BenchOptions } from "../bench-options.js";
import { Progress } from "../progress.js";
import {
  countJobs,
  describeRun,
  findCorpora,
  findEntries,
  findFolders,
  openRoster,
  scoreEach,
  tellProblems,
  writeResults,
} from "../set-up.js";
import { runItems, type ItemSubject } from "./run-items.js";

export interface ItemBenchOptions extends BenchOptions {
  readonly measure: ItemSubject;
}

/**
 * Returns the exit code: `EXIT.nothing` if a corpus is missing or no system has a score, else `EXIT.done`. Throws like
 * `measureItems`.
 */
export async function runItemBench(options: ItemBenchOptions, io: BenchIo): Promise<number> {
  const { results, missing } = await measureItems(options, io);
  const hasScores = results.corpora.some(({ systems }) => systems.length > 0);
  if (hasScores) {
    const { file } = await writeResults(results, options.output);
    io.stdout.write(formatItemTerminal(results));
    const [markdown, page] = ["md", "html"].map((suffix) => file.replace(/json$/, suffix));
    await writeFile(markdown!, formatItemMarkdown(results)); // two suffixes, two files
    await writeFile(page!, renderItemPage(results));
    for (const written of [file, markdown, page]) io.stderr.write(`thresher: wrote ${written}\n`);
  }
  for (const message of missing) io.stderr.write(`thresher: ${message}\n`);
  return missing.length === 0 && hasScores ? EXIT.done : EXIT.nothing;
}

export interface ItemMeasurement {
  readonly results: ItemResults;
  /** For each missing corpus, how to get it. */
  readonly missing: readonly string[];
}

/**
 * Measures without writing files. Throws UsageError for unknown names, for options that only `lines` has, and if
 * structure is measured without the Markdown parser.
 */
export async function measureItems(options: ItemBenchOptions, io: BenchIo): Promise<ItemMeasurement> {
  const { measure: subject, speed, reference, jobs, resamples } = options;
  if (speed === true || reference !== undefined)
    throw new UsageError(`--speed and --reference are for --measure lines, and not for ${subject}`);
  const corpora = await findCorpora(options, findFolders(options));
  const progress = new Progress(io.stderr);
  const roster = openRoster(findEntries(options), options, progress);
  const settings = {
    ...{ subject, signal: io.signal, progress, jobs: countJobs(jobs) },
    ...(resamples === undefined ? {} : { samples: resamples }),
  };
  const { scores, missing, ids } = await scoreEach(
    corpora,
    { ...options, ...settings },
    (corpus, documents) => {
      tellProblems(documents.problems, progress);
      return runOrRefuse(() => runItems(corpus, { documents, roster }, settings));
    },
  );
  const results: ItemResults = {
    format: "thresher-bench-items-1",
    subject,
    ...describeRun(options),
    systems: roster.describeSystems(ids),
    unavailable: roster.unavailable(),
    corpora: scores,
  };
  return { results, missing };
}

async function runOrRefuse<T>(run: () => Promise<T>): Promise<T> {
  try {
    return await run();
  } catch (error) {
    if (error instanceof MarkdownParserMissing) throw new UsageError(error.message, { cause: error });
    throw error;
  }
}
