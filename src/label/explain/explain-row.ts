/** Computes what each part of a line's features adds to its score, by running the network again without the part. */
import { sigmoid } from "../label-line.js";
import type { FeatureWindow } from "../features/windows.js";
import { correctRow, type Correction } from "../network/correction.js";
import type { BagPool } from "../network/pool.js";
import type { NetworkInput, Session } from "../network/session.js";
import type { FeaturePart } from "./feature-parts.js";

/** The effect of one part. `by`: what it adds to the log-odds of the line; `without`: the score without it. */
interface Effect {
  readonly name: string;
  readonly by: number;
  readonly without: number;
}

export interface Explanation {
  /** The network's score, before any rule. */
  readonly score: number;
  /** The strongest effect first. */
  readonly effects: readonly Effect[];
}

interface RowTools {
  readonly session: Session;
  readonly parts: readonly FeaturePart[];
  readonly bags: number;
  readonly correction: Correction | undefined;
  /** Turns a logit into log-odds for this document. */
  readonly toOdds: (logit: number) => number;
}

/** The network's input for a window, and the row of the wanted line in it. */
export interface RowInput extends NetworkInput {
  readonly row: number;
}

const AROUND = "the lines around it";

/** Returns a copy of the window that a line belongs to, because the next window is written into the same memory. */
export function findRow(
  windows: Iterable<FeatureWindow>,
  line: number,
  { pool, more }: { readonly pool: BagPool; readonly more: (window: FeatureWindow) => Partial<NetworkInput> },
): RowInput | undefined {
  for (const window of windows) {
    const { start, rows, contextBefore, contextAfter, hand } = window;
    const row = line - start;
    if (row < contextBefore || row >= rows - contextAfter) continue;
    const pieces = pool.pieces?.().slice();
    return {
      ...{ row, rows, hand: hand.slice(), bags: pool.values().slice() },
      ...(pieces && { pieces }),
      ...more(window),
    };
  }
  return undefined;
}

/** Computes the effects of all parts. "Without" a part means that it has the mean values of the window. */
export async function explainRow(input: RowInput, tools: RowTools): Promise<Explanation> {
  const { session, correction, toOdds } = tools;
  const { row, ...given } = input;
  const ask = async (changed: NetworkInput): Promise<number> => {
    const logit = (await session.run(changed)).lines[row] ?? 0;
    return toOdds(logit) + (correction === undefined ? 0 : correctRow(changed.hand, row, correction));
  };
  const odds = await ask(given);
  const effects: Effect[] = [];
  const add = (name: string, without: number): void => {
    effects.push({ name, by: odds - without, without: sigmoid(without) });
  };
  const mean = meansOf(input);
  for (const part of tools.parts) add(part.name, await ask(withoutPart(input, mean, part, tools.bags)));
  if (input.rows > 1) add(AROUND, await ask(withoutOthers(input, mean)));
  effects.sort((one, other) => Math.abs(other.by) - Math.abs(one.by));
  return { score: sigmoid(odds), effects };
}

interface Means {
  readonly hand: Float32Array;
  readonly bags: Float32Array;
  readonly pieces: Float32Array;
}

const NONE = new Float32Array(0);

function meansOf({ rows, hand, bags, pieces = NONE }: RowInput): Means {
  return { hand: meanRow(hand, rows), bags: meanRow(bags, rows), pieces: meanRow(pieces, rows) };
}

function meanRow(values: Float32Array, rows: number): Float32Array {
  const width = values.length / rows;
  const sums = new Float64Array(width);
  for (let at = 0; at < values.length; at += 1)
    sums[at % width] = (sums[at % width] ?? 0) + (values[at] ?? 0) / rows;
  return Float32Array.from(sums);
}

function withoutPart(input: RowInput, mean: Means, part: FeaturePart, bags: number): NetworkInput {
  const { row, ...given } = input;
  const hand = given.hand.slice();
  for (const column of part.columns) hand[row * mean.hand.length + column] = mean.hand[column] ?? 0;
  const values = given.bags.slice();
  const width = mean.bags.length / bags;
  for (const bag of part.bags)
    values.set(mean.bags.subarray(bag * width, (bag + 1) * width), row * mean.bags.length + bag * width);
  // The word pieces go with bag 0, the words.
  if (given.pieces === undefined || !part.bags.includes(0)) return { ...given, hand, bags: values };
  const pieces = given.pieces.slice();
  pieces.set(mean.pieces, row * mean.pieces.length);
  return { ...given, hand, bags: values, pieces };
}

function withoutOthers({ row, ...given }: RowInput, mean: Means): NetworkInput {
  const only = (values: Float32Array, means: Float32Array): Float32Array => {
    const width = means.length;
    const changed = new Float32Array(values.length);
    for (let at = 0; at < given.rows; at += 1)
      changed.set(at === row ? values.subarray(row * width, (row + 1) * width) : means, at * width);
    return changed;
  };
  return {
    ...given,
    hand: only(given.hand, mean.hand),
    bags: only(given.bags, mean.bags),
    ...(given.pieces && { pieces: only(given.pieces, mean.pieces) }),
  };
}
