/**
 * Tells what type a page is of, from what the network judges, what its lines have on the mean and what the page says that it is:
 * a shelf of a shop and a list of results are alike to a network that sees lines, and not in their addresses.
 */
import { PAGE_TYPES } from "../../document.js";
import { isObject, tryJson, type Fields } from "../../json.js";
import { standardise } from "../network/correction.js";
import type { Manifest } from "../models/manifest.js";

/** A weight a type, in the order of PAGE_TYPES. */
type Weights = readonly number[];

export interface PageTyping {
  /** Of the numbers: the network's logits of the page, the mean of each column over the lines, and log(1 + lines). */
  readonly means: readonly number[];
  readonly deviations: readonly number[];
  readonly weights: readonly Weights[];
  readonly offsets: Weights;
  /** What a clue of the page adds where it is there. */
  readonly clues: ReadonlyMap<string, Weights>;
}

/** Numbers beside the columns and the logits of the page. */
const MORE = ["log-lines"];

/** Absent in models that leave it to the network. Throws UsageError for one that does not fit. */
export function typingAt(about: Manifest, columns: readonly string[]): PageTyping | undefined {
  if (!about.has("typing")) return undefined;
  const json = readJson(about);
  const refuse = (what: string): never =>
    about.refuse(`"${what}" in ${about.fileName("typing")} does not fit`);
  const numbers = (value: unknown, size: number, what: string): number[] =>
    isNumbers(value) && value.length === size ? value : refuse(what);
  const inputs = [...PAGE_TYPES.map((type) => `type ${type}`), "content", ...columns, ...MORE];
  const names: unknown = json["inputs"];
  if (!Array.isArray(names) || names.join("\n") !== inputs.join("\n")) return refuse("inputs");
  const rows: unknown = json["weights"];
  if (!Array.isArray(rows) || rows.length !== inputs.length) return refuse("weights");
  const deviations = numbers(json["deviations"], inputs.length, "deviations");
  if (deviations.some((deviation) => deviation <= 0)) return refuse("deviations");
  const clues = Object.entries(isObject(json["clues"]) ? json["clues"] : refuse("clues"));
  return {
    means: numbers(json["means"], inputs.length, "means"),
    deviations,
    weights: rows.map((row) => numbers(row, PAGE_TYPES.length, "weights")),
    offsets: numbers(json["offsets"], PAGE_TYPES.length, "offsets"),
    clues: new Map(clues.map(([clue, row]) => [clue, numbers(row, PAGE_TYPES.length, `clues.${clue}`)])),
  };
}

function readJson(about: Manifest): Fields {
  const value = tryJson(new TextDecoder().decode(about.file("typing")));
  return isObject(value) ? value : about.refuse(`${about.fileName("typing")} is no JSON object`);
}

function isNumbers(value: unknown): value is number[] {
  return Array.isArray(value) && value.every((one) => typeof one === "number" && Number.isFinite(one));
}

/** What is known of a page whose type is asked for. */
export interface TypeEvidence {
  /** The network's logits of the page, and of its lines: how many there are, and the sum of each of their columns. */
  readonly page: Float32Array;
  readonly lines: number;
  readonly sums: Float64Array;
  readonly clues: readonly string[];
}

/** A logit a type. */
export function typePage({ page, lines, sums, clues }: TypeEvidence, typing: PageTyping): Float32Array {
  const { means, deviations, weights } = typing;
  const inputs = new Float64Array(weights.length);
  inputs.set(page);
  for (let column = 0; column < sums.length; column++)
    inputs[page.length + column] = (sums[column] ?? 0) / Math.max(1, lines);
  inputs[page.length + sums.length] = Math.log1p(lines);
  const logits = Float64Array.from(typing.offsets);
  for (let at = 0; at < inputs.length; at++)
    addTimes(logits, weights[at], standardise(inputs[at] ?? 0, means[at] ?? 0, deviations[at] ?? 1));
  for (const clue of clues) addTimes(logits, typing.clues.get(clue), 1);
  return Float32Array.from(logits);
}

/** Nothing is added where there are no weights. */
function addTimes(logits: Float64Array, weights: Weights = [], times: number): void {
  for (let type = 0; type < weights.length; type++)
    logits[type] = (logits[type] ?? 0) + times * (weights[type] ?? 0);
}
