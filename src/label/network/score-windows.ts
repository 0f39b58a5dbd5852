/** Scores windows of features with a network, and joins their logits to those of the whole document. */
import type { TimeLimit } from "../../time/time-limit.js";
import type { BagPool } from "./pool.js";
import type { LineGroups } from "../features/page/line-groups.js";
import type { FeatureWindow } from "../features/windows.js";
import { correctRow, type Correction } from "./correction.js";
import type { Logits, Session } from "./session.js";

export interface DocumentLogits extends Logits {
  /** What a model's correction adds to the log-odds of each line, after calibration. */
  readonly corrections?: Float32Array;
}

/**
 * Logits before calibration, one for each of `lines`; of the document, where the network judges it, the mean over windows,
 * each by its lines. `pool` holds the bags of the window last taken. Without lines there is no window, and no verdict.
 */
export async function scoreWindows(
  windows: Iterable<FeatureWindow>,
  by: {
    readonly pool: BagPool;
    readonly session: Session;
    readonly lines: number;
    readonly condition?: Float32Array;
    readonly correction?: Correction | undefined;
    /** The groups of the lines from `start` on, for a network that takes some. */
    readonly groups?: (start: number, rows: number) => LineGroups;
    readonly limit?: TimeLimit | undefined;
    /** Takes the sums of the hand columns over all lines. */
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

/** Row by row for each column, so that a sum is held where it is quickest to add to. */
function addRows(sums: Float64Array, hand: Float32Array, from: number, to: number): void {
  const columns = sums.length;
  for (let column = 0; column < columns; column++) {
    let sum = sums[column] ?? 0;
    for (let at = from * columns + column; at < to * columns; at += columns) sum += hand[at] ?? 0;
    sums[column] = sum;
  }
}
