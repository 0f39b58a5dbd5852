/**
 * Measures the CPU time per page of the `texrex` labeller after parsing, part by part, and compares it with the figure
 * in its paper.
 * `node dist/bench/lab/speed/texrex-speed.js [--gold DIR] [--model DIR] [--rounds N] [--json FILE]` reads the pages of
 * `speed`, or the fixtures when these are missing.
 */
import { writeFile } from "node:fs/promises";
import { join, resolve } from "node:path";
import { parseArgs } from "node:util";
import { DEFAULT_FIXTURES_DIR, DEFAULT_GOLD_DIR } from "../../corpora/registry.js";
import { layOut } from "../../report/markdown-table.js";
import { timeStages } from "../../run/profile/cpu-time.js";
import { readSpeedPages } from "../../run/run-speed.js";
import { ROOT } from "../../systems/root.js";
import { loadInternals, type Lines } from "./texrex-internals.js";
import { isMain } from "../is-main.js";

/** Schäfer 2016, section 3.5: CPU milliseconds a document for the boilerplate detector alone. */
export const PUBLISHED_MS = 3.15;

/** Rounds before timing starts, in which the JavaScript engine compiles hot code. */
const WARM_UP = 3;
const ROUNDS = 9;

/** CPU milliseconds per page: the median over rounds of the mean over pages. */
export interface TexrexCosts {
  readonly pages: number;
  readonly lines: number;
  /** The time for parsing and extraction, which come before the labeller and are not included in `all`. */
  readonly parsing: number;
  readonly parts: Readonly<Record<"markup" | "features" | "network" | "labels and the rest", number>>;
  readonly all: number;
}

/**
 * In each round every stage goes over all pages once. The stage `label` repeats the work of `features` and `network`.
 */
export async function timePages(
  pages: readonly string[],
  { rounds = ROUNDS, modelDir }: { readonly rounds?: number; readonly modelDir?: string } = {},
): Promise<TexrexCosts> {
  const internals = await loadInternals();
  const labeller = internals.createTexrexLabeller({ focus: "balanced", ...(modelDir && { modelDir }) });
  const model = internals.loadTexrexModel(modelDir ?? join(ROOT, "models", "texrex-1"));
  const extractor = internals.createPageExtractor();
  const extract = (html: string): Lines =>
    extractor.extract(internals.parseQuickly({ id: "", url: "", html })).value ?? { lines: [] };
  const bare = pages
    .map((html) => ({ html, document: extract(html) }))
    .filter((one) => one.document.lines.length > 0);
  const counted = bare.map(({ html, document }) => internals.countMarkup(document, html));
  const rows = counted.map(({ lines, markup }) => internals.describeLines(lines, markup));
  const stages = {
    parsing: () => {
      for (const { html } of bare) extract(html);
    },
    markup: () => {
      for (const { html, document } of bare) internals.countMarkup(document, html);
    },
    features: () => {
      for (const { lines, markup } of counted) internals.describeLines(lines, markup);
    },
    network: () => {
      for (const row of rows) internals.runNetwork(model.page.weights, row);
    },
    label: async () => {
      for (const document of counted) await labeller.label([document]);
    },
  };
  const { parsing, markup, features, network, label } = await timeStages(stages, { warmUp: WARM_UP, rounds });
  await labeller.close();
  const perPage = (ms: number): number => ms / bare.length;
  return {
    pages: bare.length,
    lines: counted.reduce((sum, { lines }) => sum + lines.length, 0) / Math.max(1, counted.length),
    parsing: perPage(parsing),
    parts: {
      markup: perPage(markup),
      features: perPage(features),
      network: perPage(network),
      "labels and the rest": perPage(label - features - network),
    },
    all: perPage(markup + label),
  };
}

/** Formats a Markdown table. */
export function printCosts({ pages, lines, parsing, parts, all }: TexrexCosts): string {
  const rows = Object.entries({ ...parts, all }).map(([part, ms]) => [part, ms.toFixed(3)]);
  const heads = ["part", "CPU ms a page"];
  return (
    `${pages} pages of ${Math.round(lines)} lines; to parse one and find its lines takes ${parsing.toFixed(2)} CPU ms\n\n` +
    `${layOut(heads, [...rows, ["published", PUBLISHED_MS.toFixed(3)]])}\n`
  );
}

async function main(): Promise<void> {
  const { values } = parseArgs({
    options: {
      gold: { type: "string" },
      model: { type: "string" },
      rounds: { type: "string" },
      json: { type: "string" },
    },
  });
  const goldDir = resolve(values.gold ?? DEFAULT_GOLD_DIR);
  const { pages, name: from } = await readSpeedPages({ goldDir, fixturesDir: DEFAULT_FIXTURES_DIR });
  const sources = pages.map(({ html = "" }) => html);
  const costs = await timePages(sources, {
    ...(values.rounds !== undefined && { rounds: Number(values.rounds) }),
    ...(values.model !== undefined && { modelDir: resolve(values.model) }),
  });
  process.stdout.write(printCosts(costs));
  if (values.json !== undefined)
    await writeFile(
      values.json,
      `${JSON.stringify({ from, node: process.version, publishedMs: PUBLISHED_MS, ...costs }, null, 2)}\n`,
    );
}

if (isMain(import.meta.url)) await main();
