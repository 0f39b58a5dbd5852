/** Turns the bucket numbers of a line into the means of their rows in the embedding table, bag by bag. */
import { BAGS, bagAt } from "./features/bags.js";
import type { BagSink } from "./features/windows.js";
import type { TextModel } from "./model.js";

export interface BagPool extends BagSink {
  /** rows × (bags × width), of the window last begun. */
  values(): Float32Array;
}

/**
 * The table is int8, so the sums are whole numbers: exact, whatever the order, and the same as the trainer's.
 * Keeping the table out of the network saves handing a quarter of a thousand bucket numbers a line to the runtime.
 */
export function createBagPool({
  table,
  width,
  scale,
}: Pick<TextModel, "table" | "width" | "scale">): BagPool {
  const sums = new Int32Array(width);
  let values = new Float32Array(0);
  return {
    begin(rows) {
      values = new Float32Array(rows * BAGS.length * width);
    },
    take(row, bags) {
      for (let bag = 0; bag < BAGS.length; bag++) {
        const numbers = bagAt(bags, bag);
        sums.fill(0);
        for (const number of numbers) {
          const base = number * width;
          for (let i = 0; i < width; i++) sums[i] = (sums[i] ?? 0) + (table[base + i] ?? 0);
        }
        const base = (row * BAGS.length + bag) * width;
        const factor = scale / Math.max(1, numbers.length);
        for (let i = 0; i < width; i++) values[base + i] = (sums[i] ?? 0) * factor;
      }
    },
    values: () => values,
  };
}
