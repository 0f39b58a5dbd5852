/** Turns the bucket numbers of a line into the means of their rows in the embedding table, bag by bag. */
import { BAGS, bagOf } from "./features/bags.js";
import { PAGE_BAGS, TEXT_BAGS, type PathBuckets } from "./features/page/path-bags.js";
import type { BagSink } from "./features/windows.js";
import { rowMeansOf, type Table } from "./row-means.js";

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
export function createPagePool(model: Table, bucketsOf: (line: number) => PathBuckets): BagPool {
  const { width } = model;
  const columns = PAGE_BAGS.length * width;
  const means = rowMeansOf(model);
  const paths = new Map<PathBuckets, Float32Array>();
  let values = new Float32Array(0);
  let first = 0;
  const pathOf = (line: number): Float32Array => {
    const buckets = bucketsOf(line);
    const known = paths.get(buckets);
    if (known !== undefined) return known;
    const pooled = new Float32Array(2 * width);
    means.write(pooled, 0, buckets.near, buckets.near.length);
    means.write(pooled, width, buckets.far, buckets.far.length);
    paths.set(buckets, pooled);
    return pooled;
  };
  return {
    bags: TEXT_BAGS,
    begin(rows, start) {
      values = new Float32Array(rows * columns);
      first = start;
    },
    take(row, bags) {
      const base = row * columns;
      for (let bag = 0; bag < TEXT_BAGS; bag++)
        means.write(values, base + bag * width, bagOf(bags, bag), bags.counts[bag] ?? 0);
      values.set(pathOf(first + row), base + TEXT_BAGS * width);
    },
    values: () => values,
  };
}
