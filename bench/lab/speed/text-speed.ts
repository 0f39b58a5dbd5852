/**
 * Measures how many lines per second the `text` labeller processes on one core, in documents of 40 lines, and what each
 * part of it costs.
 * `node dist/bench/lab/speed/text-speed.js [FILE.jsonl[.gz]] [--condition auto|raw|extracted|crawl] [--model DIR]
 * [--rounds N]`; each row of the file is `{"lines": [{"text"}]}`.
 */
import { resolve } from "node:path";
import { parseArgs } from "node:util";
import type { ConditionOption } from "thresher";
import { readWholeJsonl } from "../../corpora/jsonl.js";
import { openCorpus } from "../../corpora/registry.js";
import { formatCount, formatPercent } from "../../report/format.js";
import { layOut } from "../../report/markdown-table.js";
import { timeStages } from "../../run/profile/cpu-time.js";
import {
  loadInternals,
  type NetworkInput,
  type Sink,
  type TextDocument,
  type TextLine,
  type Window,
} from "./text-internals.js";
import { isMain } from "../is-main.js";

export const DOCUMENT_LINES = 40;
/** A round over this many documents takes about half a second. */
const MOST_DOCUMENTS = 250;
/**
 * Rounds before timing starts. The JavaScript engine goes on compiling hot code for some hundred thousand lines, and a
 * crawl is long.
 */
const WARM_UP = 20;
const ROUNDS = 9;

/** CPU microseconds per line: of the whole labeller, and of its parts, which add up to `all`. */
export interface TextCosts {
  readonly all: number;
  readonly parts: Readonly<Record<string, number>>;
}

/** Cuts the lines that are not blank into documents of 40 lines, and drops the rest. */
export function cutDocuments(texts: readonly string[]): string[][] {
  const solid = texts.filter((text) => /\S/.test(text));
  const whole = Math.floor(solid.length / DOCUMENT_LINES);
  return Array.from({ length: whole }, (_, at) =>
    solid.slice(at * DOCUMENT_LINES, (at + 1) * DOCUMENT_LINES),
  );
}

/** Reads a file and cuts each of its documents separately; without a file, cuts the lines of all fixtures together. */
export async function readDocuments(file?: string): Promise<string[][]> {
  if (file === undefined) {
    const texts: string[] = [];
    const fixtures = openCorpus("fixtures");
    for await (const { lines = [] } of fixtures.documents()) texts.push(...lines.map(({ text }) => text));
    return cutDocuments(texts);
  }
  return (await readTexts(file)).flatMap(cutDocuments);
}

/** Reads the lines of each document of a file whose rows are `{"lines": [{"text"}]}`. */
export async function readTexts(file: string): Promise<string[][]> {
  const texts: string[][] = [];
  for await (const row of readWholeJsonl(file)) {
    const { lines } = JSON.parse(row) as { lines: readonly { text: string }[] }; // the form that the usage names
    texts.push(lines.map(({ text }) => text));
  }
  return texts;
}

export interface TextSpeedOptions {
  readonly rounds?: number;
  /** The condition that the labeller is given. When it is stated, the network need not estimate it. */
  readonly condition?: ConditionOption;
  /** The folder of the model; the shipped model when absent. */
  readonly modelDir?: string;
}

/**
 * Returns medians over rounds. In each round every stage goes over all documents once. Up to pooling, each stage
 * repeats the one before, so that differences give the costs of the parts.
 */
export async function timeText(
  documents: readonly (readonly string[])[],
  { rounds = ROUNDS, condition = "auto", modelDir }: TextSpeedOptions = {},
): Promise<TextCosts> {
  const { stages, close } = await openStages(documents, condition, modelDir);
  const ms = await timeStages(stages, { warmUp: WARM_UP, rounds });
  await close();
  const perLine = (total: number): number => (total * 1000) / (documents.length * DOCUMENT_LINES);
  const parts = {
    "characters and tokens": perLine(ms.scan),
    "hashing of n-grams": perLine(ms.hashed - ms.scan),
    columns: perLine(ms.described - ms.hashed),
    pooling: perLine(ms.pooled - ms.described),
    network: perLine(ms.network),
    "labels and the rest": perLine(ms.all - ms.pooled - ms.network),
  };
  return { all: perLine(ms.all), parts };
}

type Stage = "scan" | "hashed" | "described" | "pooled" | "network" | "all";
type Stages = Readonly<Record<Stage, () => void | Promise<void>>>;

async function openStages(
  documents: readonly (readonly string[])[],
  condition: ConditionOption,
  modelDir: string | undefined,
): Promise<{ stages: Stages; close: () => Promise<void> }> {
  const label = await loadInternals();
  const model = label.loadTextModel(modelDir);
  const network = await label.openModel(model.network, modelDir ?? "", await label.chooseEngine());
  const labeller = await label.createTextLabeller({
    focus: "balanced",
    condition,
    ...(modelDir && { modelDir }),
  });
  const workspace = label.createWorkspace();
  const pool = label.createTextPool(model, model.pieces);
  const nowhere: Sink = { begin: () => undefined, take: () => undefined };
  const texts = documents.flat();
  const built = documents.map(toDocument);
  const describe = (sink: Sink, take: (window: Window, document: readonly string[]) => void): void => {
    for (const document of documents)
      for (const window of label.featureWindows(document, workspace, sink, model.window))
        take(window, document);
  };
  const said = label.saidShares(condition);
  const inputs: NetworkInput[] = [];
  describe(pool, ({ hand, rows }, document) => {
    const known = label.conditionInput(said, document);
    // These arrays are reused for the next document, so they are copied.
    const pieces = pool.pieces?.().slice();
    inputs.push({
      rows,
      hand: hand.slice(),
      bags: pool.values().slice(),
      ...(pieces && { pieces }),
      condition: known,
    });
  });
  const stages: Stages = {
    scan: () => {
      for (const text of texts) label.scanLine(workspace.scan, text);
    },
    hashed: () => {
      for (const text of texts) {
        label.scanLine(workspace.scan, text);
        label.fillBags(workspace.scan, workspace.bags);
      }
    },
    described: () => {
      describe(nowhere, () => undefined);
    },
    pooled: () => {
      describe(pool, () => undefined);
    },
    network: async () => {
      for (const input of inputs) await network.run(input);
    },
    all: async () => {
      for (const document of built) await labeller.label([document]);
    },
  };
  const close = async (): Promise<void> => {
    await network.close();
    await labeller.close();
  };
  return { stages, close };
}

/** Makes a parsed text document of these lines, as the labeller takes it. */
export function toDocument(texts: readonly string[], number: number): TextDocument {
  const lines = texts.map((text): TextLine => ({
    text,
    block: "text",
    path: "",
    linkChars: 0,
    breakBefore: "line",
  }));
  return { id: String(number), url: "", source: "text", meta: {}, notes: [], lines };
}

/** Formats a Markdown table. */
export function printCosts({ all, parts }: TextCosts): string {
  const rows = Object.entries({ ...parts, all }).map(([part, us]) => [
    part,
    us.toFixed(2),
    formatPercent(us / all),
  ]);
  return `${formatCount(1e6 / all)} lines a second\n\n${layOut(["part", "CPU µs a line", "share"], rows)}\n`;
}

async function main(): Promise<void> {
  const { values, positionals } = parseArgs({
    allowPositionals: true,
    options: {
      condition: { type: "string", default: "auto" },
      model: { type: "string" },
      rounds: { type: "string" },
    },
  });
  const { CONDITION_OPTIONS } = await loadInternals();
  const condition = CONDITION_OPTIONS.find((name) => name === values.condition);
  if (condition === undefined) throw new Error(`--condition takes one of ${CONDITION_OPTIONS.join(", ")}`);
  const file = positionals[0];
  const documents = (await readDocuments(file === undefined ? undefined : resolve(file))).slice(
    0,
    MOST_DOCUMENTS,
  );
  if (documents.length === 0)
    throw new Error(`no document of ${DOCUMENT_LINES} lines in ${file ?? "the fixtures"}`);
  const units = documents.flat().reduce((sum, text) => sum + text.length, 0);
  const lines = documents.length * DOCUMENT_LINES;
  process.stdout.write(`${documents.length} documents, ${Math.round(units / lines)} characters a line\n`);
  const costs = await timeText(documents, {
    condition,
    ...(values.rounds !== undefined && { rounds: Number(values.rounds) }),
    ...(values.model !== undefined && { modelDir: resolve(values.model) }),
  });
  process.stdout.write(printCosts(costs));
}

if (isMain(import.meta.url)) await main();
