/**
 * Scores the page types from the network's logits, the mean features of the lines and the clues that the page states: a
 * shop's product list and a list of search results look alike to a network that sees lines, but their URLs differ.
 */
import { PAGE_TYPES } from "../../document.js";
import { isObject, tryJson, type Fields } from "../../json.js";
import { standardise } from "../network/correction.js";
import type { Manifest } from "../models/manifest.js";

/** One weight for each page type, in the order of PAGE_TYPES. */
type Weights = readonly number[];

export interface PageTyping {
  /** One for each input: the network's logits of the page, the column means over the lines, and log(1 + lines). */
  readonly means: readonly number[];
  readonly deviations: readonly number[];
  readonly weights: readonly Weights[];
  readonly offsets: Weights;
  /** What each clue adds to the logits when the page has it. */
  readonly clues: ReadonlyMap<string, Weights>;
}

/** Inputs after the logits of the page and the columns. */
const MORE = ["log-lines"];

/** Returns undefined for models without a typing. Throws UsageError for a typing that does not fit. */
export function typingAt(about: Manifest, columns: readonly string[]): PageTyping | undefined {
  if (!about.has("typing")) return undefined;
  const json = readJson(about);
  const refuse = (what: string): never =>
    about.refuse(`"${what}" in ${about.fileName("typing")} does not fit this version`);
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
  return isObject(value) ? value : about.refuse(`${about.fileName("typing")} is not a JSON object`);
}

function isNumbers(value: unknown): value is number[] {
  return Array.isArray(value) && value.every((one) => typeof one === "number" && Number.isFinite(one));
}

/** The evidence for the type of a page. */
interface TypeEvidence {
  /** The network's logits of the page. */
  readonly page: Float32Array;
  /** The number of lines. */
  readonly lines: number;
  /** The sum of each column over the lines. */
  readonly sums: Float64Array;
  readonly clues: readonly string[];
}

/** Returns one logit for each page type, in the order of PAGE_TYPES. */
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

/** Adds `times` × `weights` to the logits; does nothing when there are no weights. */
function addTimes(logits: Float64Array, weights: Weights = [], times: number): void {
  for (let type = 0; type < weights.length; type++)
    logits[type] = (logits[type] ?? 0) + times * (weights[type] ?? 0);
}
