/** Scores windows of features with a network and merges their logits into those of the whole document. */
import type { TimeLimit } from "../../time/time-limit.js";
import type { BagPool } from "./pool.js";
import type { LineGroups } from "../features/page/line-groups.js";
import type { FeatureWindow } from "../features/windows.js";
import { correctRow, type Correction } from "./correction.js";
import type { Logits, Session } from "./session.js";

interface DocumentLogits extends Logits {
  /** One per line: what the model's correction adds to its log-odds after calibration. */
  readonly corrections?: Float32Array;
}

/**
 * Returns logits before calibration, one for each of `lines`. If the network judges whole documents, `whole` is the
 * mean over windows, weighted by their lines without context. `pool` holds the bags of the current window. Without
 * windows, `whole` is undefined.
 */
export async function scoreWindows(
  windows: Iterable<FeatureWindow>,
  by: {
    readonly pool: BagPool;
    readonly session: Session;
    readonly lines: number;
    readonly condition?: Float32Array;
    readonly correction?: Correction | undefined;
    /** Returns the groups of `rows` lines from `start` on, for a network that takes groups. */
    readonly groups?: (start: number, rows: number) => LineGroups;
    readonly limit?: TimeLimit | undefined;
    /** Gets the sum of each hand column over all lines added to it. */
    readonly sums?: Float64Array | undefined;
  },
): Promise<DocumentLogits> {
  const logits = new Float32Array(by.lines);
  const { correction } = by;
  const corrections = correction && new Float32Array(by.lines);
  let whole: Float32Array | undefined;
  for (const { start, rows, contextBefore, contextAfter, hand } of windows) {
    const { condition } = by;
    by.limit?.check();
    if (correction !== undefined && corrections !== undefined)
      for (let row = contextBefore; row < rows - contextAfter; row++)
        corrections[start + row] = correctRow(hand, row, correction);
    if (by.sums !== undefined) addRows(by.sums, hand, contextBefore, rows - contextAfter);
    const pieces = by.pool.pieces?.();
    const scores = await by.session.run({
      rows,
      hand,
      bags: by.pool.values(),
      ...(pieces && { pieces }),
      ...(condition && { condition }),
      ...(by.groups && { groups: by.groups(start, rows) }),
    });
    logits.set(scores.lines.subarray(contextBefore, rows - contextAfter), start + contextBefore);
    if (scores.whole === undefined) continue;
    whole ??= new Float32Array(scores.whole.length);
    const share = (rows - contextBefore - contextAfter) / by.lines;
    for (let i = 0; i < whole.length; i++) whole[i] = (whole[i] ?? 0) + share * (scores.whole[i] ?? 0);
  }
  return { lines: logits, ...(whole && { whole }), ...(corrections && { corrections }) };
}

/** Adds up four columns at a time, whose sums stay in registers: this takes half the time of single columns. */
function addRows(sums: Float64Array, hand: Float32Array, from: number, to: number): void {
  const columns = sums.length;
  const end = to * columns;
  let column = 0;
  for (; column + 4 <= columns; column += 4) {
    let first = sums[column] ?? 0;
    let second = sums[column + 1] ?? 0;
    let third = sums[column + 2] ?? 0;
    let fourth = sums[column + 3] ?? 0;
    for (let at = from * columns + column; at < end; at += columns) {
      first += hand[at] ?? 0;
      second += hand[at + 1] ?? 0;
      third += hand[at + 2] ?? 0;
      fourth += hand[at + 3] ?? 0;
    }
    sums[column] = first;
    sums[column + 1] = second;
    sums[column + 2] = third;
    sums[column + 3] = fourth;
  }
  for (; column < columns; column++)
    for (let at = from * columns + column; at < end; at += columns)
      sums[column] = (sums[column] ?? 0) + (hand[at] ?? 0);
}
