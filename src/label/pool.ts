/** Turns the bucket numbers of a line into the means of their rows in the embedding table, bag by bag. */
import { BAGS, bagOf, STRIPE, type LineBags } from "./features/bags.js";
import { PAGE_BAGS, TEXT_BAGS, type PathBuckets } from "./features/page/path-bags.js";
import type { BagSink } from "./features/windows.js";
import type { LineModel } from "./model.js";

export interface BagPool extends BagSink {
  /** rows × (bags × width), of the window last begun. */
  values(): Float32Array;
}

type Table = Pick<LineModel, "table" | "width" | "scale">;

/**
 * The table is int8, so the sums are whole numbers: exact, whatever the order, and the same as the trainer's.
 * Keeping the table out of the network saves handing a quarter of a thousand bucket numbers a line to the runtime.
 */
export function createBagPool(model: Table): BagPool {
  let values = new Float32Array(0);
  const { width } = model;
  return {
    begin(rows) {
      values = new Float32Array(rows * BAGS.length * width);
    },
    take(row, bags) {
      for (let bag = 0; bag < BAGS.length; bag++)
        poolBag(values, (row * BAGS.length + bag) * width, model, bags, bag);
    },
    values: () => values,
  };
}

/** As above, for a page: bags of the text, then those of the path, which are pooled once for each element. */
export function createPagePool(model: Table, bucketsOf: (line: number) => PathBuckets): BagPool {
  const { width } = model;
  const columns = PAGE_BAGS.length * width;
  const paths = new Map<PathBuckets, Float32Array>();
  let values = new Float32Array(0);
  let first = 0;
  const pathOf = (line: number): Float32Array => {
    const buckets = bucketsOf(line);
    const known = paths.get(buckets);
    if (known !== undefined) return known;
    const pooled = new Float32Array(2 * width);
    poolInto(pooled, 0, model, buckets.near, buckets.near.length);
    poolInto(pooled, width, model, buckets.far, buckets.far.length);
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
      for (let bag = 0; bag < TEXT_BAGS; bag++)
        poolBag(values, row * columns + bag * width, model, bags, bag);
      values.set(pathOf(first + row), row * columns + TEXT_BAGS * width);
    },
    values: () => values,
  };
}

function poolBag(values: Float32Array, base: number, model: Table, bags: LineBags, bag: number): void {
  poolInto(values, base, model, bagOf(bags, bag), bags.counts[bag] ?? 0);
}

/** Writes the mean of the rows of the first `count` numbers of a bag; an empty one stays zero. */
function poolInto(
  values: Float32Array,
  base: number,
  { table, width, scale }: Table,
  bag: Uint16Array,
  count: number,
): void {
  const factor = scale / Math.max(1, count);
  for (let column = 0; column < width; column += STRIPE) {
    // In variables rather than in an array: three times as fast.
    let [a, b, c, d, e, f, g, h] = [0, 0, 0, 0, 0, 0, 0, 0];
    for (let i = 0; i < count; i++) {
      const at = (bag[i] ?? 0) * width + column;
      a += table[at] ?? 0;
      b += table[at + 1] ?? 0;
      c += table[at + 2] ?? 0;
      d += table[at + 3] ?? 0;
      e += table[at + 4] ?? 0;
      f += table[at + 5] ?? 0;
      g += table[at + 6] ?? 0;
      h += table[at + 7] ?? 0;
    }
    const to = base + column;
    values[to] = a * factor;
    values[to + 1] = b * factor;
    values[to + 2] = c * factor;
    values[to + 3] = d * factor;
    values[to + 4] = e * factor;
    values[to + 5] = f * factor;
    values[to + 6] = g * factor;
    values[to + 7] = h * factor;
  }
}
