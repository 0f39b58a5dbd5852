/** A results file into the benchmark's part of the README: `npm run bench:readme -- RESULTS.json [README.md]`. */
import { readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { formatReadmeTable } from "./report/index.js";
import type { Results } from "./results.js";
import { ROOT } from "./systems/root.js";

const START = "<!-- bench:start -->";
const END = "<!-- bench:end -->";

/** The README with the tables between its two marks. Throws a RangeError where it does not have both, once, in order. */
export function replaceTables(readme: string, results: Results): string {
  const parts = readme.split(START);
  const [before, rest] = parts;
  const ends = rest?.split(END);
  if (before === undefined || parts.length !== 2 || ends?.length !== 2) {
    throw new RangeError(`the file must hold ${START} and, after it, ${END}, each once`);
  }
  return `${before}${START}\n\n${formatReadmeTable(results).trim()}\n\n${END}${ends[1] ?? ""}`;
}

/** Throws a RangeError for a file that is no results file. */
export async function readResults(file: string): Promise<Results> {
  const value = JSON.parse(await readFile(file, "utf8")) as Partial<Results> | null; // checked on the next line
  if (value?.format !== "thresher-bench-1")
    throw new RangeError(`${file} is no results file of thresher bench`);
  return value as Results; // the format says so
}

async function main([file, readme = join(ROOT, "README.md")]: readonly string[]): Promise<number> {
  if (file === undefined) {
    process.stderr.write("npm run bench:readme -- RESULTS.json [README.md]\n");
    return 2;
  }
  try {
    await writeFile(readme, replaceTables(await readFile(readme, "utf8"), await readResults(file)));
  } catch (error) {
    process.stderr.write(`bench:readme: ${error instanceof Error ? error.message : String(error)}\n`);
    return 1;
  }
  process.stderr.write(`bench:readme: wrote ${readme}\n`);
  return 0;
}

if (process.argv[1] !== undefined && import.meta.url === pathToFileURL(process.argv[1]).href) {
  process.exitCode = await main(process.argv.slice(2));
}
