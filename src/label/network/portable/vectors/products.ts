/**
 * Multiplies rows by a constant matrix, with SIMD instructions of WebAssembly if they are available, else with plain
 * loops. Networks spend nearly all their time here.
 */
import { FLOAT_BYTES, MANY, SINGLE } from "./multiplier.js";
import { openVectors, type Vectors } from "./vectors.js";

/** Multiplies rows by one matrix. */
export interface Product {
  /** Reads count × inner numbers from `rows` and writes count × outer to `into`. */
  run(rows: Float32Array, count: number, into: Float32Array): void;
}

export interface Matrix {
  /** inner × outer, in row-major order. */
  readonly data: Float32Array;
  readonly inner: number;
  readonly outer: number;
  /** Added to every row. */
  readonly bias?: Float32Array | undefined;
  /** Whether rows are multiplied one at a time. */
  readonly isForSingleRows?: boolean;
}

export interface ProductMaker {
  /** How products are computed, for messages. */
  readonly by: string;
  /** The SIMD kernels and their memory; absent if SIMD is not available. */
  readonly vectors?: Vectors;
  prepare(matrix: Matrix): Product;
}

const PLAIN = "plain JavaScript";
const VECTORS = "WebAssembly SIMD";

/** Creates the fastest product maker that runs on this machine. */
export function createProducts(): ProductMaker {
  return createVectorProducts() ?? createPlainProducts();
}

export function createPlainProducts(): ProductMaker {
  return {
    by: PLAIN,
    prepare: ({ data, inner, outer, bias = new Float32Array(outer) }) => ({
      run(rows, count, into) {
        if (outer === 1) {
          multiplyByColumn(rows, data, { count, bias: bias[0] ?? 0, into });
          return;
        }
        for (let row = 0; row < count; row++) {
          const sums = into.subarray(row * outer, (row + 1) * outer);
          sums.set(bias);
          for (let k = 0; k < inner; k++) {
            const value = rows[row * inner + k] ?? 0;
            if (value === 0) continue;
            const from = k * outer;
            for (let column = 0; column < outer; column++)
              sums[column] = (sums[column] ?? 0) + value * (data[from + column] ?? 0);
          }
        }
      },
    }),
  };
}

function multiplyByColumn(
  rows: Float32Array,
  column: Float32Array,
  { count, bias, into }: { readonly count: number; readonly bias: number; readonly into: Float32Array },
): void {
  const inner = column.length;
  for (let row = 0; row < count; row++) {
    let sum = bias;
    for (let k = 0; k < inner; k++) sum += (rows[row * inner + k] ?? 0) * (column[k] ?? 0);
    into[row] = sum;
  }
}

/**
 * Returns undefined if WebAssembly or SIMD is not available. Create only one per network, because each one reserves
 * gigabytes of address space.
 */
export function createVectorProducts(): ProductMaker | undefined {
  const vectors = openVectors();
  if (vectors === undefined) return undefined;
  return {
    by: VECTORS,
    vectors,
    prepare(matrix) {
      const { inner, outer, isForSingleRows = false } = matrix;
      const shape = isForSingleRows ? SINGLE : MANY;
      const multiply = isForSingleRows ? vectors.call.single : vectors.call.many;
      const width = 4 * shape.vectors;
      const padded = Math.ceil(outer / width) * width;
      const at = vectors.keep(padded * (inner + 1));
      pack(matrix, width, vectors.floats().subarray(at, at + padded * (inner + 1)));
      const isWhole = padded === outer;
      return {
        run(rows, count, into) {
          // The kernel writes whole groups of rows. Arrays from `takeRows` have room for the extra rows.
          const ends = Math.ceil(count / shape.rows) * shape.rows;
          const isHere = into.buffer === vectors.floats().buffer && isWhole;
          const sums = isHere ? into : vectors.take(ends * padded);
          const from = vectors.hold(rows).byteOffset;
          const rowBytes = inner * FLOAT_BYTES;
          multiply(
            from,
            from + ends * rowBytes,
            rowBytes,
            at * FLOAT_BYTES,
            padded * FLOAT_BYTES,
            sums.byteOffset,
          );
          if (isHere) return;
          for (let row = 0; row < count; row++)
            for (let column = 0; column < outer; column++)
              into[row * outer + column] = sums[row * padded + column] ?? 0;
        },
      };
    },
  };
}

/** Allocates count × width floats for a product, with room for the extra rows that kernels write. */
export function takeRows(count: number, width: number, vectors: Vectors | undefined): Float32Array {
  if (vectors === undefined) return new Float32Array(count * width);
  const rows = Math.ceil(count / MANY.rows) * MANY.rows;
  return vectors.take(rows * width).subarray(0, count * width);
}

/** Packs a matrix into panels of `width` columns: first their biases, then their rows. Missing columns are zeros. */
function pack({ data, inner, outer, bias }: Matrix, width: number, into: Float32Array): void {
  into.fill(0);
  let at = 0;
  for (let start = 0; start < outer; start += width) {
    const count = Math.min(width, outer - start);
    if (bias !== undefined) into.set(bias.subarray(start, start + count), at);
    at += width;
    for (let k = 0; k < inner; k++) {
      into.set(data.subarray(k * outer + start, k * outer + start + count), at);
      at += width;
    }
  }
}
