/**
 * Measures a labeller on corpora of labelled lines: its scores at its own threshold and at one half, and its CPU time.
 * `node dist/bench/lab/papers/measure-lines.js CORPUS… --labeller NAME [--model DIR] [--condition crawl] [--gold DIR]
 * [--every N]` prints JSON. `--every 5` takes each fifth document, for corpora that would take hours as a whole.
 */
import { readdirSync, statSync } from "node:fs";
import { join, resolve } from "node:path";
import { parseArgs } from "node:util";
import type { ConditionOption, LabellerName } from "thresher";
import type { GoldDocument, GoldLine } from "../../corpora/gold.js";
import { DEFAULT_GOLD_DIR, openCorpus } from "../../corpora/registry.js";
import { bootstrap, type Interval } from "../../metrics/bootstrap.js";
import { countLabelled, NO_LINES, scoreLines, type LineCounts } from "../../metrics/lines.js";
import { loadFrom } from "../../systems/internals.js";
import { isMain } from "../is-main.js";

const HALF = 0.5;

interface TextDocument {
  readonly id: string;
  readonly lines: readonly { readonly text: string; readonly block: "text" }[];
}

interface Scored {
  readonly lines: readonly { readonly score: number; readonly label: "content" | "boilerplate" }[];
}

export interface Labeller {
  readonly name: string;
  label(batch: readonly TextDocument[]): Promise<readonly Scored[]>;
  close(): Promise<void>;
}

interface LabellerOptions {
  readonly focus: "balanced";
  readonly modelDir?: string;
  readonly condition?: ConditionOption;
}

/** Mirrors the package's registry of labellers. */
interface Registry {
  readonly labellers: Readonly<
    Record<LabellerName, { create(options: LabellerOptions): Promise<Labeller>; readonly modelDir?: string }>
  >;
}

/** The counts of one document: at the labeller's own threshold, and at a score of one half. */
interface Document {
  readonly lang: string;
  readonly own: LineCounts;
  readonly half: LineCounts;
}

type Measure = "accuracy" | "f1" | "macro" | "accuracy at .5" | "f1 at .5";

export interface LinesMeasured {
  readonly documents: number;
  readonly lines: number;
  readonly pooled: Record<Measure, Interval>;
  readonly languages: Readonly<Record<string, Record<Measure, Interval>>>;
  readonly linesACpuSecond: number;
}

async function openLabeller(name: LabellerName, options: Omit<LabellerOptions, "focus">): Promise<Labeller> {
  const { labellers } = await loadFrom<Registry>({ "label/registry": ["labellers"] });
  const entry = labellers[name];
  return entry.create({
    focus: "balanced",
    ...(entry.modelDir !== undefined && { modelDir: entry.modelDir }),
    ...options,
  });
}

/**
 * Measures documents with gold lines; blank lines do not count, and lines whose label is not known are in no score. CPU
 * time is that of the labeller alone.
 */
export async function measureLines(
  texts: AsyncIterable<Pick<GoldDocument, "id" | "lang" | "lines">>,
  labeller: Labeller,
  every = 1,
): Promise<LinesMeasured> {
  const documents: Document[] = [];
  let [at, lines, cpuUs] = [0, 0, 0];
  for await (const { id, lang, lines: all = [] } of texts) {
    const gold = all.filter(({ text }) => /\S/.test(text));
    if (gold.length === 0 || at++ % every !== 0) continue;
    const given = [{ id, url: "", source: "text", meta: {}, notes: [], lines: gold.map(toLine) }];
    const before = process.cpuUsage();
    const [scored] = await labeller.label(given);
    const { user, system } = process.cpuUsage(before);
    documents.push({ lang, ...countDocument(gold, scored?.lines ?? []) });
    lines += gold.length;
    cpuUs += user + system;
  }
  const languages = [...new Set(documents.map(({ lang }) => lang))].sort();
  return {
    documents: documents.length,
    lines,
    pooled: bootstrap(documents, score),
    languages: Object.fromEntries(
      languages.map((lang) => [
        lang,
        bootstrap(
          documents.filter((one) => one.lang === lang),
          score,
        ),
      ]),
    ),
    linesACpuSecond: Math.round(lines / (cpuUs / 1e6)),
  };
}

function toLine({ text }: GoldLine) {
  return { text, block: "text", path: "", linkChars: 0, breakBefore: "line" } as const;
}

function countDocument(gold: readonly GoldLine[], said: Scored["lines"]): Omit<Document, "lang"> {
  const count = (isContent: (line: Scored["lines"][number]) => boolean): LineCounts =>
    countLabelled(
      gold,
      said.map((line) => ({ label: isContent(line) ? 1 : 0 })),
    );
  return { own: count(({ label }) => label === "content"), half: count(({ score }) => score >= HALF) };
}

function score(documents: readonly Document[]): Record<Measure, number | null> {
  const at = (cut: "own" | "half") => {
    const counts = { ...NO_LINES };
    for (const one of documents)
      for (const key of ["tp", "fp", "fn", "tn"] as const) counts[key] += one[cut][key];
    const { accuracy, content, macroF1 } = scoreLines(counts);
    return { accuracy, f1: content.f1, macro: macroF1 };
  };
  const [own, half] = [at("own"), at("half")];
  return { ...own, "accuracy at .5": half.accuracy, "f1 at .5": half.f1 };
}

function bytesOf(folder: string): number {
  const files = readdirSync(folder, { recursive: true, encoding: "utf8" }).map((file) =>
    statSync(join(folder, file)),
  );
  return files.reduce((sum, file) => sum + (file.isFile() ? file.size : 0), 0);
}

async function main(): Promise<void> {
  const string = { type: "string" } as const;
  const options = { labeller: string, model: string, condition: string, gold: string, every: string };
  const { values, positionals } = parseArgs({ options, allowPositionals: true });
  const labeller = await openLabeller((values.labeller ?? "text") as LabellerName, {
    ...(values.model !== undefined && { modelDir: resolve(values.model) }),
    ...(values.condition !== undefined && { condition: values.condition as ConditionOption }),
  });
  const goldDir = resolve(values.gold ?? DEFAULT_GOLD_DIR);
  const sets: Record<string, LinesMeasured> = {};
  for (const name of positionals)
    sets[name] = await measureLines(
      openCorpus(name, { goldDir }).documents(),
      labeller,
      Number(values.every ?? 1),
    );
  await labeller.close();
  const peakRssMb = Math.round(process.resourceUsage().maxRSS / 1024);
  const bytes = values.model === undefined ? {} : { bytes: bytesOf(values.model) };
  process.stdout.write(
    `${JSON.stringify({ labeller: labeller.name, ...bytes, peakRssMb, sets }, null, 1)}\n`,
  );
}

if (isMain(import.meta.url)) await main();
