/**
 * Keeps slim copies of results of structure, metadata and units in `bench/results/items/`, and writes the tables of all
 * those copies into `bench/items.md`: `npm run bench:items -- [RESULTS.json…]`.
 */
import { mkdir, readdir, readFile, writeFile } from "node:fs/promises";
import { basename, join } from "node:path";
import { formatItemTables } from "../report/items/item-reports.js";
import type { ItemResults, SystemItems } from "../report/items/item-results.js";
import { ROOT } from "../systems/root.js";
import { isMain } from "./is-main.js";
import { replaceBetween } from "./replace-between.js";

const MARKS = ["<!-- items:start -->", "<!-- items:end -->"] as const;
const PAGE = join(ROOT, "bench", "items.md");
const FOLDER = join(ROOT, "bench", "results", "items");

/** Replaces the tables of the page. Throws like `replaceBetween`. */
export function replaceItemTables(page: string, results: readonly ItemResults[]): string {
  return replaceBetween(page, MARKS, results.map((one) => formatItemTables(one).trim()).join("\n\n"));
}

/** Keeps only what the repository may hold: the figures of the tables, but no lines of pages and no machine's paths. */
export function slimItems(results: ItemResults): ItemResults {
  const slim = (system: SystemItems): SystemItems => {
    const pageTypes: Record<string, SystemItems["pageTypes"][string]> = {};
    for (const [type, found] of Object.entries(system.pageTypes)) pageTypes[type] = { ...found, scores: {} };
    return { ...system, failed: [], examples: {}, pageTypes };
  };
  const corpora = results.corpora.map((corpus) => ({ ...corpus, systems: corpus.systems.map(slim) }));
  const command = results.command.replace(/(?<= --gold )(?:'[^']*'|\S+)/, "DIR");
  return { ...results, command, corpora };
}

/** Throws a RangeError when the file is not a results file of structure, metadata or units. */
export async function readItems(file: string): Promise<ItemResults> {
  const value = JSON.parse(await readFile(file, "utf8")) as Partial<ItemResults> | null; // checked on the next line
  if (value?.format !== "thresher-bench-items-1")
    throw new RangeError(
      `${file} is not a results file of thresher bench --measure structure, metadata or units`,
    );
  return value as ItemResults; // the format says so
}

/** Reads all slim copies, sorted by subject (metadata first), then by date with the oldest first. */
export async function readKept(folder = FOLDER): Promise<ItemResults[]> {
  const names = (await readdir(folder)).filter((name) => name.endsWith(".json"));
  const kept = await Promise.all(names.map((name) => readItems(join(folder, name))));
  const rank = ({ subject, date }: ItemResults): string => `${subject} ${date}`;
  return kept.sort((a, b) => (rank(a) < rank(b) ? -1 : 1));
}

async function main(files: readonly string[]): Promise<number> {
  try {
    await mkdir(FOLDER, { recursive: true });
    for (const file of files) {
      const slim = JSON.stringify(slimItems(await readItems(file)));
      await writeFile(join(FOLDER, basename(file)), `${slim}\n`);
    }
    await writeFile(PAGE, replaceItemTables(await readFile(PAGE, "utf8"), await readKept()));
  } catch (error) {
    process.stderr.write(`bench:items: ${error instanceof Error ? error.message : String(error)}\n`);
    return 1;
  }
  process.stderr.write(`bench:items: wrote ${PAGE}\n`);
  return 0;
}

if (isMain(import.meta.url)) {
  process.exitCode = await main(process.argv.slice(2));
}
