/**
 * Prints the page that compares the figures that the papers published with our measurements.
 * `node dist/bench/lab/papers/papers.js [--results DIR] [--models DIR]`; `> bench/papers.md` keeps it.
 */
import { join, resolve } from "node:path";
import { parseArgs } from "node:util";
import { writePage } from "./page.js";
import { readSources, SOURCE_NAMES } from "./sources.js";
import { ROOT } from "../../systems/root.js";
import { isMain } from "../is-main.js";

async function main(): Promise<void> {
  const { values } = parseArgs({ options: { results: { type: "string" }, models: { type: "string" } } });
  const results = resolve(values.results ?? join(ROOT, "bench", "results"));
  const sources = await readSources(results, resolve(values.models ?? join(ROOT, "models")));
  for (const name of SOURCE_NAMES.filter((one) => sources.files[one] === undefined))
    process.stderr.write(`papers: not measured: there is no ${join(results, "papers", `${name}.json`)}\n`);
  process.stdout.write(writePage(sources));
}

if (isMain(import.meta.url)) await main();
