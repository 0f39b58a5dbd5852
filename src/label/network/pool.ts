/** Turns the bucket numbers of a line into the means of their rows in the embedding table, bag by bag. */
import { BAGS, bagOf } from "../features/bags.js";
import { PAGE_BAGS, TEXT_BAGS, type Paths } from "../features/page/path-bags.js";
import type { BagSink } from "../features/windows.js";
import type { LineModel } from "./line-model.js";
import { createRowSums, MOST_ROWS } from "./row-sums.js";

export interface BagPool extends BagSink {
  /** rows × (bags × width), of the window last begun. */
  values(): Float32Array;
}

/** Keeping the table out of the network saves handing a quarter of a thousand bucket numbers a line to the runtime. */
export function createBagPool(model: Table): BagPool {
  let values = new Float32Array(0);
  const { width } = model;
  const means = rowMeansOf(model);
  return {
    begin(rows) {
      values = new Float32Array(rows * BAGS.length * width);
    },
    take(row, bags) {
      for (let bag = 0; bag < BAGS.length; bag++)
        means.write(values, (row * BAGS.length + bag) * width, bagOf(bags, bag), bags.counts[bag] ?? 0);
    },
    values: () => values,
  };
}

/** As above, for a page: bags of the text, then those of the path, which are pooled once for each element. */
export function createPagePool(model: Table, paths: Paths): BagPool {
  const { width } = model;
  const columns = PAGE_BAGS.length * width;
  const means = rowMeansOf(model);
  /** By element, where its path is already in the window's values; 0 where it does not. */
  const known = new Int32Array(paths.elements);
  let values = new Float32Array(0);
  let first = 0;
  const poolPath = (node: number, base: number): void => {
    const before = known[node] ?? 0;
    if (before > 0) {
      for (let at = 0; at < 2 * width; at++) values[base + at] = values[before + at] ?? 0;
      return;
    }
    const { near, far, nears, fars } = paths.read(node);
    means.write(values, base, near, nears);
    means.write(values, base + width, far, fars);
    known[node] = base;
  };
  return {
    bags: TEXT_BAGS,
    begin(rows, start) {
      values = new Float32Array(rows * columns);
      first = start;
      known.fill(0);
    },
    take(row, bags) {
      const base = row * columns;
      for (let bag = 0; bag < TEXT_BAGS; bag++)
        means.write(values, base + bag * width, bagOf(bags, bag), bags.counts[bag] ?? 0);
      poolPath(paths.nodes[first + row] ?? 0, base + TEXT_BAGS * width);
    },
    values: () => values,
  };
}

/* The mean of rows of a model's table. */

export type Table = Pick<LineModel, "table" | "width" | "scale">;

interface RowMeans {
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
