/** Reads the files of measured figures and looks up values by path; a missing value is reported as not measured. */
import { readdir, readFile, stat } from "node:fs/promises";
import { join } from "node:path";
import { formatCount, formatPercent, formatScore } from "../../report/format.js";
import type { Results } from "../../report/results.js";
import { isMissing } from "../../missing.js";

/**
 * The files in the folder of papers, without `.json`. Each holds the command, the date, the data and the measurements.
 */
export const SOURCE_NAMES = [
  "transformer",
  "texrex",
  "boilernet",
  "fasttext",
  "register-oscar",
  "registers",
  "justext",
  "text",
  "speed",
] as const;
export type SourceName = (typeof SOURCE_NAMES)[number];

export interface Sources {
  /** Parsed JSON by file name; a missing file has no entry. */
  readonly files: Readonly<Partial<Record<SourceName, unknown>>>;
  /** The newest results of the benchmark itself. */
  readonly bench?: { readonly file: string; readonly results: Results };
  /** The size of the weights in each model folder, in bytes. */
  readonly sizes: Readonly<Record<string, number>>;
}

export interface Figure {
  readonly value: number;
  readonly low?: number;
  readonly high?: number;
}

export const NOT_MEASURED = "not measured";

/** Matches weights, and the tokenizer that they need. */
const WEIGHTS = /\.(onnx|bin)$|^tokenizer\.json$/;

/** Reads all files of figures and the newest results of the benchmark, and measures the sizes of the models. */
export async function readSources(resultsDir: string, modelsDir: string): Promise<Sources> {
  const files: Partial<Record<SourceName, unknown>> = {};
  for (const name of SOURCE_NAMES) {
    const text = await readIfThere(join(resultsDir, "papers", `${name}.json`));
    if (text !== undefined) files[name] = JSON.parse(text);
  }
  const bench = await readBench(resultsDir);
  return { files, sizes: await weighModels(modelsDir), ...(bench === undefined ? {} : { bench }) };
}

async function readIfThere(path: string): Promise<string | undefined> {
  try {
    return await readFile(path, "utf8");
  } catch (error) {
    if (isMissing(error)) return undefined;
    throw error;
  }
}

async function readBench(resultsDir: string): Promise<Sources["bench"]> {
  const slim = (await readdir(resultsDir)).filter((name) => name.endsWith(".slim.json"));
  const file = slim.sort().at(-1);
  if (file === undefined) return undefined;
  // `bench:results` wrote this from a results file that it had checked.
  return { file, results: JSON.parse(await readFile(join(resultsDir, file), "utf8")) as Results };
}

async function weighModels(modelsDir: string): Promise<Record<string, number>> {
  const sizes: Record<string, number> = {};
  const folders = (await readdir(modelsDir, { withFileTypes: true })).filter((entry) => entry.isDirectory());
  for (const { name } of folders) {
    const inside = await readdir(join(modelsDir, name), { withFileTypes: true, recursive: true });
    const weights = inside.filter((entry) => entry.isFile() && WEIGHTS.test(entry.name));
    let bytes = 0;
    for (const { parentPath, name: file } of weights) bytes += (await stat(join(parentPath, file))).size;
    if (bytes > 0) sizes[name] = bytes;
  }
  return sizes;
}

/** Returns the value at a path; undefined when the file or any key of the path is missing. */
export function lookUp({ files }: Sources, name: SourceName, path: readonly string[]): unknown {
  return path.reduce<unknown>(propertyOf, files[name]);
}

function propertyOf(value: unknown, key: string): unknown {
  return typeof value === "object" && value !== null && Object.hasOwn(value, key)
    ? (value as Readonly<Record<string, unknown>>)[key] // checked just above to be a property
    : undefined;
}

/**
 * Returns the key of the first entry of a list that has these properties, for the path of a figure; undefined when
 * there is none.
 */
export function entryWith(
  sources: Sources,
  name: SourceName,
  path: readonly string[],
  wanted: Readonly<Record<string, string>>,
): string | undefined {
  const list = lookUp(sources, name, path);
  if (!Array.isArray(list)) return undefined;
  const at = list.findIndex((entry: unknown) =>
    Object.entries(wanted).every(([key, value]) => propertyOf(entry, key) === value),
  );
  return at < 0 ? undefined : String(at);
}

/**
 * Returns a figure with its interval. The files have these forms: a number, `[value, low, high]`, `{value, low, high}`
 * or `{mean, interval}`. Returns undefined when the value is missing or null; throws a RangeError for anything else.
 */
export function figureAt(sources: Sources, name: SourceName, ...path: string[]): Figure | undefined {
  const found = lookUp(sources, name, path);
  if (found === undefined || found === null) return undefined;
  if (typeof found === "number") return { value: found };
  if (Array.isArray(found)) return toFigure(found, `${name}: ${path.join(" / ")}`);
  // Neither null nor an array; each property is checked below.
  const { value, mean, low, high, interval } = found as Readonly<Record<string, unknown>>;
  const bounds: readonly unknown[] = Array.isArray(interval)
    ? interval
    : low === undefined
      ? []
      : [low, high];
  return toFigure([value ?? mean, ...bounds], `${name}: ${path.join(" / ")}`);
}

function toFigure([value, low, high]: readonly unknown[], where: string): Figure {
  if (typeof value !== "number") throw new RangeError(`${where} is no figure`);
  return typeof low === "number" && typeof high === "number" ? { value, low, high } : { value };
}

/** Like `figureAt`, but returns only the value. */
export function numberAt(sources: Sources, name: SourceName, ...path: string[]): number | undefined {
  return figureAt(sources, name, ...path)?.value;
}

/** Returns the path of a figure for training on one set and testing on another, at a threshold of one half. */
export function crossingOf(set: string, trained: string, tested: string, measure: string): string[] {
  return ["measured", "cross", "results", set, trained, tested, "at.5", measure];
}

/** Returns the sentences of a list; empty when the value is not a list. */
export function textsAt(sources: Sources, name: SourceName, ...path: string[]): string[] {
  const found = lookUp(sources, name, path);
  if (!Array.isArray(found)) return [];
  return found.filter((text): text is string => typeof text === "string");
}

/** Returns the keys of the object at a path; empty when the path leads to no object. */
export function keysAt(sources: Sources, name: SourceName, ...path: string[]): string[] {
  const found = lookUp(sources, name, path);
  return typeof found === "object" && found !== null ? Object.keys(found) : [];
}

/** Returns a measure of a system on a corpus in the benchmark's own results; undefined when it was not measured. */
export function benchFigureAt(
  { bench }: Sources,
  corpus: string,
  system: string,
  measure: string,
): Figure | undefined {
  const scores = bench?.results.corpora.find((one) => one.corpus === corpus);
  const found = scores?.systems.find((one) => one.system === system)?.overall[measure];
  if (typeof found?.value !== "number") return undefined;
  const { value, low, high } = found;
  return low === undefined || high === undefined ? { value } : { value, low, high };
}

/** Formats a figure with its interval: .874 (.85–.90) */
export function show(figure: Figure | undefined): string {
  if (figure === undefined) return NOT_MEASURED;
  const { value, low, high } = figure;
  if (low === undefined || high === undefined) return formatScore(value);
  return `${formatScore(value)} (${shorter(low)}–${shorter(high)})`;
}

function shorter(value: number): string {
  const digits = Math.abs(value).toFixed(2);
  return `${value < 0 && digits !== "0.00" ? "−" : ""}${digits.replace(/^0/, "")}`;
}

/** Formats a difference in percentage points: +5.9 */
export function showPoints(difference: number | undefined): string {
  if (difference === undefined) return NOT_MEASURED;
  const digits = Math.abs(100 * difference).toFixed(1);
  return `${difference < 0 ? "−" : "+"}${digits}`;
}

export function showCount(count: number | undefined): string {
  return count === undefined ? NOT_MEASURED : formatCount(count);
}

/** Formats the share that a part has of a whole: 12.5 % */
export function showShare(part: number | undefined, whole: number | undefined): string {
  return part === undefined || whole === undefined || whole === 0
    ? NOT_MEASURED
    : formatPercent(part / whole);
}

/** Returns `above` minus `below`; undefined when either is undefined. */
export function gain(above: number | undefined, below: number | undefined): number | undefined {
  return above === undefined || below === undefined ? undefined : above - below;
}

/** Returns the mean; undefined when the list is empty or any value is undefined. */
export function meanOf(values: readonly (number | undefined)[]): number | undefined {
  if (values.length === 0) return undefined;
  let sum = 0;
  for (const value of values) {
    if (value === undefined) return undefined;
    sum += value;
  }
  return sum / values.length;
}
