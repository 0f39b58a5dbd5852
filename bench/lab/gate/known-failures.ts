/**
 * Prints how well text models do on the known failures of earlier line labellers, beside the untrained labellers.
 * `node dist/bench/lab/gate/known-failures.js [--model DIR]... [--focus F] [--json FILE] [--fixtures DIR]`.
 */
import { writeFile } from "node:fs/promises";
import { basename, join, resolve } from "node:path";
import { parseArgs } from "node:util";
import { createThresher, UsageError, type CleanOptions, type Focus } from "thresher";
import { DEFAULT_FIXTURES_DIR } from "../../corpora/registry.js";
import { readMarkedDocuments, type MarkedDocument } from "./known-failures/marked-documents.js";
import {
  compareKinds,
  scoreKinds,
  type Answer,
  type KindDifference,
} from "./known-failures/failure-scores.js";
import type { KindScore } from "./known-failures/failure-scores.js";
import {
  formatCount,
  formatDifference,
  formatInterval,
  formatP,
  formatScore,
  NONE,
} from "../../report/format.js";
import { layOut } from "../../report/markdown-table.js";
import { isMain } from "../is-main.js";

/** A labeller with the name that the tables show for it. */
export interface NamedLabeller {
  readonly name: string;
  readonly options: Pick<CleanOptions, "labeller" | "modelDir" | "focus">;
}

export interface LabellerResult {
  readonly name: string;
  readonly fingerprint: string;
  readonly kinds: readonly KindScore[];
  readonly answers: readonly Answer[];
}

const UNTRAINED = ["justext", "rules"] as const;

/**
 * Lists the models in the given order (the shipped model if none is given), then the labellers that are not trained.
 * Throws a UsageError when two folders have the same name.
 */
export function listLabellers(models: readonly string[], focus: Focus = "balanced"): NamedLabeller[] {
  const shipped: NamedLabeller = { name: "text (shipped)", options: { labeller: "text", focus } };
  const named = models.map((folder): NamedLabeller => {
    const modelDir = resolve(folder);
    return { name: basename(modelDir), options: { labeller: "text", modelDir, focus } };
  });
  const twins = named.filter(({ name }, at) => named.findIndex((other) => other.name === name) !== at);
  if (twins.length > 0)
    throw new UsageError(`two folders are called ${twins[0]?.name}; the table needs names`);
  return [
    ...(named.length === 0 ? [shipped] : named),
    ...UNTRAINED.map((labeller) => ({ name: labeller, options: { labeller, focus } })),
  ];
}

/** Runs one labeller over every document, whose lines are already split. */
export async function askLabeller(
  { name, options }: NamedLabeller,
  documents: readonly MarkedDocument[],
): Promise<LabellerResult> {
  const thresher = await createThresher({ ...options, workers: 1, keepBoilerplate: true });
  try {
    const answers: Answer[] = [];
    for (const document of documents) {
      const { id, lines } = document;
      const outcome = await thresher.clean({ id, lines: lines.map(({ text }) => text) });
      if (!outcome.ok) throw new Error(`${name} rejects ${id}: ${outcome.reason}`);
      const said = (outcome.value.lines ?? []).map(({ label }) => (label === "content" ? 1 : 0));
      if (said.length !== lines.length)
        throw new Error(`${name} gives ${said.length} lines for the ${lines.length} of ${id}`);
      answers.push({ document, said });
    }
    return { name, fingerprint: thresher.fingerprint, kinds: scoreKinds(answers), answers };
  } finally {
    await thresher.close();
  }
}

export interface Comparison {
  readonly name: string;
  readonly base: string;
  readonly kinds: readonly KindDifference[];
}

/** Compares every labeller after the first with the first. */
export function compareAll([base, ...others]: readonly LabellerResult[]): Comparison[] {
  if (base === undefined) return [];
  return others.map(({ name, answers }) => ({
    name,
    base: base.name,
    kinds: compareKinds(base.answers, answers),
  }));
}

const HEADS = "kind,documents,languages,marked,labeller,right,interval,content,boilerplate,all lines".split(
  ",",
);

/** Formats two Markdown tables: how each labeller does on each kind, and how the others differ from the first. */
export function formatTables(results: readonly LabellerResult[], comparisons: readonly Comparison[]): string {
  const kinds = results[0]?.kinds ?? [];
  const rows = kinds.flatMap(({ kind, documents, languages, markedLines }, at) =>
    results.map(({ name, kinds: own }, row) => {
      const { marked, content, boilerplate, all } = own[at]!.accuracy;
      const counts = [kind, ...[documents, languages, markedLines].map(formatCount)];
      return [
        ...(row === 0 ? counts : counts.map(() => "")),
        name,
        formatScore(marked.value),
        formatInterval({ low: marked.low ?? NaN, high: marked.high ?? NaN }),
        ...[content, boilerplate, all].map(({ value }) => formatScore(value)),
      ];
    }),
  );
  const against = comparisons.flatMap(({ name, base, kinds: own }) =>
    own.map(({ kind, marked: { difference, p } }) => {
      const { value, low, high } = difference;
      const known = value !== null && low !== null && high !== null;
      const change = known ? formatDifference({ difference: value, low, high }) : NONE;
      return [kind, `${name} − ${base}`, change, p === null ? NONE : formatP(p)];
    }),
  );
  const tables = [layOut(HEADS, rows)];
  if (against.length > 0) tables.push(layOut(["kind", "labellers", "marked lines", "p"], against));
  return `${tables.join("\n\n")}\n`;
}

/** What `--json` writes: the scores, and the label that each line got. */
function toJson(results: readonly LabellerResult[], comparisons: readonly Comparison[]): string {
  const labellers = results.map(({ name, fingerprint, kinds, answers }) => ({
    ...{ name, fingerprint, kinds },
    documents: answers.map(({ document, said }) => {
      const { id, lang, type, condition, lines } = document;
      const gold = lines.map(({ label }) => label);
      const marked = lines.map(({ cls }) => (cls === undefined ? 0 : 1));
      return { id, lang, type, condition, gold: gold.join(""), marked: marked.join(""), said: said.join("") };
    }),
  }));
  const value = {
    format: "thresher-known-failures-1",
    date: new Date().toISOString(),
    labellers,
    comparisons,
  };
  return `${JSON.stringify(value, undefined, 1)}\n`;
}

async function main(): Promise<void> {
  const { values } = parseArgs({
    options: {
      model: { type: "string", multiple: true },
      focus: { type: "string" },
      json: { type: "string" },
      fixtures: { type: "string" },
    },
  });
  const folder = resolve(values.fixtures ?? join(DEFAULT_FIXTURES_DIR, "known-failures"));
  const documents = await readMarkedDocuments(folder);
  if (documents.length === 0) throw new UsageError(`no fixtures in ${folder}`);
  const results: LabellerResult[] = [];
  // `createThresher` checks the name of the focus.
  for (const labeller of listLabellers(values.model ?? [], values.focus as Focus | undefined))
    results.push(await askLabeller(labeller, documents));
  const comparisons = compareAll(results);
  if (values.json !== undefined) await writeFile(values.json, toJson(results, comparisons));
  process.stdout.write(formatTables(results, comparisons));
}

if (isMain(import.meta.url)) await main();
