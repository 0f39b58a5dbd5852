/**
 * Writes the tables of a results file into `bench/RESULTS.md`, and a slim copy of the file into `results/` beside it:
 * `npm run bench:results -- RESULTS.json [PAGE.md]`.
 */
import { mkdir, readFile, writeFile } from "node:fs/promises";
import { basename, dirname, join } from "node:path";
import type { MeasureName } from "../metrics/measures.js";
import { findOwnHeadline } from "../report/tables/columns.js";
import { formatResultsTables } from "../report/results-tables.js";
import type { Results, SystemScores } from "../report/results.js";
import { ROOT } from "../systems/root.js";
import { isMain } from "./is-main.js";
import { replaceBetween } from "./replace-between.js";

const MARKS = ["<!-- bench:start -->", "<!-- bench:end -->"] as const;

/** Replaces the tables of the page. Throws like `replaceBetween`. */
export function replaceTables(page: string, results: Results): string {
  return replaceBetween(page, MARKS, formatResultsTables(results).trim());
}

/**
 * Keeps only what the repository may hold: the scores of whole corpora. Gold is other people's text, so its lines are
 * dropped. The many small groups are dropped because they can be computed again.
 */
export function slimResults(results: Results): Results {
  const corpora = results.corpora.map((corpus) => ({
    ...corpus,
    systems: corpus.systems.map((system) => ({
      ...system,
      groups: slimGroups(system, findOwnHeadline(corpus)),
      failed: [],
      worst: [],
    })),
  }));
  return { ...results, corpora };
}

/** Keeps page types, by the measure of the corpus's own evaluation, because the tables show them. */
function slimGroups({ groups }: SystemScores, own: MeasureName | undefined): SystemScores["groups"] {
  const types = groups["pageType"];
  if (types === undefined || own === undefined) return {};
  const slim = Object.entries(types).map(([type, { documents, scores }]) => {
    const measured = scores[own];
    return [type, { documents, scores: measured === undefined ? {} : { [own]: measured } }] as const;
  });
  return { pageType: Object.fromEntries(slim) };
}

/** Throws a RangeError when the file is not a results file. */
export async function readResults(file: string): Promise<Results> {
  const value = JSON.parse(await readFile(file, "utf8")) as Partial<Results> | null; // checked on the next line
  if (value?.format !== "thresher-bench-1")
    throw new RangeError(`${file} is not a results file of thresher bench`);
  return value as Results; // the format says so
}

async function main([file, page = join(ROOT, "bench", "RESULTS.md")]: readonly string[]): Promise<number> {
  if (file === undefined) {
    process.stderr.write("npm run bench:results -- RESULTS.json [PAGE.md]\n");
    return 2;
  }
  try {
    const results = await readResults(file);
    await writeFile(page, replaceTables(await readFile(page, "utf8"), results));
    const slim = join(dirname(page), "results", basename(file).replace(/\.json$/, ".slim.json"));
    await mkdir(dirname(slim), { recursive: true });
    await writeFile(slim, `${JSON.stringify(slimResults(results))}\n`);
    process.stderr.write(`bench:results: wrote ${slim}\n`);
  } catch (error) {
    process.stderr.write(`bench:results: ${error instanceof Error ? error.message : String(error)}\n`);
    return 1;
  }
  process.stderr.write(`bench:results: wrote ${page}\n`);
  return 0;
}

if (isMain(import.meta.url)) {
  process.exitCode = await main(process.argv.slice(2));
}
