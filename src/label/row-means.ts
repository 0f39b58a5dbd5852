/** Bucket numbers into the mean of their rows in a model's table. */
import type { LineModel } from "./model.js";
import { createRowSums, MOST_ROWS } from "./row-sums.js";

export type Table = Pick<LineModel, "table" | "width" | "scale">;

export interface RowMeans {
  /** Writes the mean of the rows of the first `count` numbers of a bag from place `base` on; an empty one gives zeros. */
  write(values: Float32Array, base: number, bag: Uint16Array, count: number): void;
}

const known = new WeakMap<Table, RowMeans>();

/** One for each model, however many documents it reads. */
export function rowMeansOf(model: Table): RowMeans {
  const before = known.get(model);
  if (before !== undefined) return before;
  const means = createRowMeans(model);
  known.set(model, means);
  return means;
}

function createRowMeans({ table, width, scale }: Table): RowMeans {
  const rows = createRowSums(table, width);
  const { numbers, sums } = rows;
  const totals = new Int32Array(width);
  /** Sums the rows of some numbers of a bag; `sums` holds them then. */
  const sum = (bag: Uint16Array, from: number, to: number): void => {
    for (let i = from; i < to; i++) numbers[i - from] = bag[i] ?? 0;
    rows.add(to - from);
  };
  const sumMany = (bag: Uint16Array, count: number): void => {
    totals.fill(0);
    for (let from = 0; from < count; from += MOST_ROWS) {
      sum(bag, from, Math.min(count, from + MOST_ROWS));
      for (let column = 0; column < width; column++)
        totals[column] = (totals[column] ?? 0) + (sums[column] ?? 0);
    }
  };
  return {
    write(values, base, bag, count) {
      const factor = scale / Math.max(1, count);
      if (count <= MOST_ROWS) {
        sum(bag, 0, count);
        for (let column = 0; column < width; column++) values[base + column] = (sums[column] ?? 0) * factor;
      } else {
        sumMany(bag, count);
        for (let column = 0; column < width; column++) values[base + column] = (totals[column] ?? 0) * factor;
      }
    },
  };
}
