/** Joins lines into one sequence of numbered tokens, and indexes where each short run of tokens occurs. */
import { tokenEvidence, tokenize } from "../tokens.js";

/** The run lengths that are indexed; each is twice the previous one. */
const GRAMS = [1, 2, 4, 8] as const;
export type Gram = (typeof GRAMS)[number];

/** The tokens of many lines, one line after the other. */
export interface TokenSequence {
  readonly tokens: readonly string[];
  /** The index of each token's line. */
  readonly lineOf: Int32Array;
  /** The offset at which each line's tokens start, and the total at the end: one more entry than lines. */
  readonly starts: Int32Array;
}

export function readSequence(lines: readonly string[]): TokenSequence {
  const tokens: string[] = [];
  const lineNumbers: number[] = [];
  const starts = new Int32Array(lines.length + 1);
  lines.forEach((line, index) => {
    for (const token of tokenize(line)) {
      tokens.push(token);
      lineNumbers.push(index);
    }
    starts[index + 1] = tokens.length;
  });
  return { tokens, lineOf: Int32Array.from(lineNumbers), starts };
}

/**
 * Numbers every run of one length in both sequences: equal runs of tokens have equal numbers. -1 means that the gold
 * does not have this run.
 */
export interface GramIndex {
  readonly gold: Int32Array;
  readonly output: Int32Array;
  /**
   * Run number n occurs in the gold at `places[first[n]]` up to, but not including, `places[first[n + 1]]`, in order.
   */
  readonly first: Int32Array;
  readonly places: Int32Array;
}

/** The index for each run length, and the evidence of each gold token (see `tokenEvidence`). */
export interface PairIndex {
  readonly grams: ReadonlyMap<Gram, GramIndex>;
  readonly evidence: Float32Array;
}

export function indexPair(gold: TokenSequence, output: TokenSequence): PairIndex {
  const numbers = new Map<string, number>();
  const goldIds = Int32Array.from(gold.tokens, (token) => {
    const known = numbers.get(token);
    if (known !== undefined) return known;
    numbers.set(token, numbers.size);
    return numbers.size - 1;
  });
  const outputIds = Int32Array.from(output.tokens, (token) => numbers.get(token) ?? -1);
  const grams = new Map<Gram, GramIndex>();
  let current = withPlaces(goldIds, outputIds, numbers.size);
  for (const gram of GRAMS) {
    if (gram > 1) current = doubleRuns(current, gram / 2);
    grams.set(gram, current);
  }
  return { grams, evidence: Float32Array.from(gold.tokens, tokenEvidence) };
}

/** Numbers the runs that are twice as long: each distinct pair of numbers `half` tokens apart gets a new number. */
function doubleRuns(index: GramIndex, half: number): GramIndex {
  const count = index.first.length;
  const numbers = new Map<number, number>();
  const pairs = (ids: Int32Array, known: (key: number) => number): Int32Array =>
    Int32Array.from(ids, (id, at) => {
      const next = ids[at + half] ?? -1;
      return id < 0 || next < 0 ? -1 : known(id * count + next);
    });
  const gold = pairs(index.gold, (key) => {
    const number = numbers.get(key) ?? numbers.size;
    if (number === numbers.size) numbers.set(key, number);
    return number;
  });
  return withPlaces(
    gold,
    pairs(index.output, (key) => numbers.get(key) ?? -1),
    numbers.size,
  );
}

function withPlaces(gold: Int32Array, output: Int32Array, count: number): GramIndex {
  const first = new Int32Array(count + 1);
  for (const id of gold) if (id >= 0) first[id + 1]! += 1;
  for (let id = 0; id < count; id += 1) first[id + 1]! += first[id]!;
  const next = first.slice();
  const places = new Int32Array(first[count] ?? 0);
  gold.forEach((id, at) => {
    if (id >= 0) places[next[id]!++] = at;
  });
  return { gold, output, first, places };
}

/** Returns the part of `places` for run `id` whose positions are in `range`, as indices [from, to). */
export function placesWithin(
  index: GramIndex,
  id: number,
  range: readonly [number, number],
): readonly [number, number] {
  const from = index.first[id] ?? 0;
  const to = index.first[id + 1] ?? 0;
  return [lowerBound(index.places, range[0], [from, to]), lowerBound(index.places, range[1], [from, to])];
}

function lowerBound(sorted: Int32Array, wanted: number, within: readonly [number, number]): number {
  let [low, high] = within;
  while (low < high) {
    const middle = (low + high) >>> 1;
    if (sorted[middle]! < wanted) low = middle + 1;
    else high = middle;
  }
  return low;
}
