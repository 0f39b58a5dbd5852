/** Windows of features through a network into the logits of the whole document. */
import type { BagPool } from "./pool.js";
import type { FeatureWindow } from "./features/windows.js";
import type { Logits, Session } from "./session.js";

/**
 * Logits before calibration, one for each of `lines`; of the page, where the network judges pages, the mean over windows,
 * each by its lines. `pool` holds the bags of the window last taken. Without lines there is no window, and no verdict.
 */
export async function scoreWindows(
  windows: Iterable<FeatureWindow>,
  by: { readonly pool: BagPool; readonly session: Session; readonly lines: number },
): Promise<Logits> {
  const logits = new Float32Array(by.lines);
  let page: Float32Array | undefined;
  for (const { start, rows, contextBefore, contextAfter, hand } of windows) {
    const scores = await by.session.run(hand, by.pool.values(), rows);
    logits.set(scores.lines.subarray(contextBefore, rows - contextAfter), start + contextBefore);
    if (scores.page === undefined) continue;
    page ??= new Float32Array(scores.page.length);
    const share = (rows - contextBefore - contextAfter) / by.lines;
    for (let i = 0; i < page.length; i++) page[i] = (page[i] ?? 0) + share * (scores.page[i] ?? 0);
  }
  return page === undefined ? { lines: logits } : { lines: logits, page };
}
