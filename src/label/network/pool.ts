/** Pools the bucket numbers and word pieces of a line into means of their rows in a model's tables. */
import { BAGS, bagOf } from "../features/bags.js";
import { createPieceCutter } from "../features/pieces/line-pieces.js";
import type { Vocabulary } from "../features/pieces/vocabulary.js";
import { PAGE_BAGS, TEXT_BAGS, type Paths } from "../features/page/path-bags.js";
import { createRoom, type Room } from "../features/room.js";
import type { BagSink } from "../features/windows.js";
import type { Table } from "../models/table.js";
import { createRowSums, MOST_ROWS } from "./row-sums.js";

export interface BagPool extends BagSink {
  /** Returns rows × (bags × width) of the current window; valid until the next window begins. */
  values(): Float32Array;
  /** Returns rows × (PIECE_PLACES × width of the piece table) of the current window, for a model with word pieces. */
  pieces?(): Float32Array;
}

/** Rows per line that its pieces give: the mean of all, the first and the last. */
const PIECE_PLACES = 3;

/**
 * Creates a pool for the n-grams of a text's lines, and for their pieces if the model has some. Pooling outside of the
 * network saves passing about 250 numbers per line to the runtime.
 */
export function createTextPool(model: Table, pieces?: PieceTable): BagPool {
  const { width } = model;
  const means = rowMeansOf(model);
  const ofPieces = pieces && createPiecePool(pieces);
  const room = createRoom();
  let values = room.take(0);
  return {
    begin(rows) {
      values = room.take(rows * BAGS.length * width);
      ofPieces?.begin(rows);
    },
    take(row, bags, text) {
      for (let bag = 0; bag < BAGS.length; bag++)
        means.write(values, (row * BAGS.length + bag) * width, bagOf(bags, bag), bags.counts[bag] ?? 0);
      ofPieces?.take(row, text);
    },
    values: () => values,
    ...(ofPieces && { pieces: ofPieces.values }),
  };
}

interface PiecePool {
  readonly begin: (rows: number) => void;
  readonly take: (row: number, text: string) => void;
  readonly values: () => Float32Array;
}

function createPiecePool(table: PieceTable): PiecePool {
  const cutter = createPieceCutter(table.vocabulary);
  const means = rowMeansOf(table);
  const { width } = table;
  const room = createRoom();
  let values = room.take(0);
  return {
    begin(rows) {
      // Zeroed, because `take` writes nothing for a line without pieces.
      values = room.take(rows * PIECE_PLACES * width).fill(0);
    },
    take(row, text) {
      const count = cutter.cut(text);
      if (count === 0) return;
      const base = row * PIECE_PLACES * width;
      means.write(values, base, cutter.numbers, count);
      writeRow(table, values, base + width, cutter.numbers[0] ?? 0);
      writeRow(table, values, base + 2 * width, cutter.numbers[count - 1] ?? 0);
    },
    values: () => values,
  };
}

function writeRow({ table, width, scale }: Table, values: Float32Array, base: number, row: number): void {
  for (let column = 0; column < width; column++)
    values[base + column] = (table[row * width + column] ?? 0) * scale;
}

/** Creates a pool for a page: bags of the text, then bags of the path, which are pooled once per element and window. */
export function createPagePool(model: Table, paths: Paths, room: Room = createRoom()): BagPool {
  const { width } = model;
  const columns = PAGE_BAGS.length * width;
  const means = rowMeansOf(model);
  /** By element: the index of its pooled path in the window's values, or 0 if it is not pooled yet. */
  const known = new Int32Array(paths.elements);
  let values = room.take(0);
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
      values = room.take(rows * columns);
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

/* Means of rows of a model's table. */

/** A table with one row per piece of the vocabulary. */
export interface PieceTable extends Table {
  readonly vocabulary: Vocabulary;
}

interface RowMeans {
  /** Writes the mean of the rows of a bag's first `count` numbers at index `base`; zeros if `count` is 0. */
  write(values: Float32Array, base: number, bag: Uint16Array, count: number): void;
}

const known = new WeakMap<Table, RowMeans>();

/** Returns the row means of a table; there is only one per table, however many documents are read. */
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
  /** Sums the rows of a part of a bag into `sums`. */
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
