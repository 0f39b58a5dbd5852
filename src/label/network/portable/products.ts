/**
 * Multiplies rows with a matrix that stays the same: by vector instructions of WebAssembly where they are to be had, by
 * plain loops elsewhere. Nearly all the time of a network goes here.
 */
import * as wasm from "../wasm.js";

/** Rows times one matrix. */
export interface Product {
  /** Reads rows × inner numbers, and writes rows × outer. */
  run(rows: Float32Array, count: number, into: Float32Array): void;
}

export interface Matrix {
  /** inner × outer, row after row. */
  readonly data: Float32Array;
  readonly inner: number;
  readonly outer: number;
  /** Added to every row. */
  readonly bias?: Float32Array | undefined;
  /** Whether rows come one by one. */
  readonly isForSingleRows?: boolean;
}

export interface ProductMaker {
  /** How products are made, for people. */
  readonly by: string;
  prepare(matrix: Matrix): Product;
}

export const PLAIN = "plain JavaScript";
export const VECTORS = "WebAssembly SIMD";

/** The fastest that runs here. */
export function createProducts(): ProductMaker {
  return createVectorProducts() ?? createPlainProducts();
}

export function createPlainProducts(): ProductMaker {
  return {
    by: PLAIN,
    prepare: ({ data, inner, outer, bias = new Float32Array(outer) }) => ({
      run(rows, count, into) {
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

/** So many rows and vectors of four columns are summed at once: their sums are in registers. */
interface Shape {
  readonly rows: number;
  readonly vectors: number;
}
const MANY: Shape = { rows: 4, vectors: 2 };
const SINGLE: Shape = { rows: 1, vectors: 8 };

/** Rows that are copied to the memory of WebAssembly at a time; a multiple of MANY.rows. */
const TILE_ROWS = 64;
const FLOAT_BYTES = 4;

/** Nothing where WebAssembly or its vectors are not to be had. One for a network: each reserves gigabytes of addresses. */
export function createVectorProducts(): ProductMaker | undefined {
  const code = wasm.openWasm({ many: multiplier(MANY), single: multiplier(SINGLE) }, 0);
  if (code === undefined) return undefined;
  const { memory, call } = code;
  let used = 0;
  let floats = new Float32Array(memory.buffer);
  /** Where `count` more floats begin, in floats. */
  const take = (count: number): number => {
    const from = used;
    used += count;
    const missing = used * FLOAT_BYTES - memory.buffer.byteLength;
    if (missing > 0) memory.grow(Math.ceil(missing / wasm.PAGE_BYTES));
    floats = new Float32Array(memory.buffer);
    return from;
  };
  /** The rows and sums of the product that runs; products take turns. */
  const scratch = { at: 0, floats: 0 };
  const findScratch = (count: number): void => {
    if (count <= scratch.floats) return;
    scratch.at = take(count);
    scratch.floats = count;
  };
  return {
    by: VECTORS,
    prepare(matrix) {
      const { inner, outer, isForSingleRows = false } = matrix;
      const shape = isForSingleRows ? SINGLE : MANY;
      const tile = isForSingleRows ? 1 : TILE_ROWS;
      const width = 4 * shape.vectors;
      const padded = Math.ceil(outer / width) * width;
      const at = take(padded * (inner + 1));
      pack(matrix, width, floats.subarray(at, at + padded * (inner + 1)));
      findScratch(tile * (inner + padded));
      const multiply = isForSingleRows ? call.single : call.many;
      return {
        run(rows, count, into) {
          const from = scratch.at;
          const sums = from + tile * inner;
          for (let row = 0; row < count; row += tile) {
            const here = Math.min(tile, count - row);
            floats.set(rows.subarray(row * inner, (row + here) * inner), from);
            const ends = Math.ceil(here / shape.rows) * shape.rows;
            const bytes = [from, from + ends * inner, inner, at, padded, sums].map(
              (one) => one * FLOAT_BYTES,
            );
            multiply(...bytes);
            if (padded === outer) {
              into.set(floats.subarray(sums, sums + here * outer), row * outer);
              continue;
            }
            for (let one = 0; one < here; one++)
              for (let column = 0; column < outer; column++)
                into[(row + one) * outer + column] = floats[sums + one * padded + column] ?? 0;
          }
        },
      };
    },
  };
}

/** Panels of so many columns: the bias of its columns, then them row after row. What is over is zeros. */
function pack({ data, inner, outer, bias }: Matrix, width: number, into: Float32Array): void {
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

// The parameters, all in bytes: rows from A to END_A, each so long; panels from B; sums from C, each row so long.
const [A, END_A, ROW_OF_A, B, ROW_OF_C, C] = [0, 1, 2, 3, 4, 5] as const;
const PARAMETERS = 6;
// Where in a panel, in a row of C, and in the first row of A it is; where that row of A ends.
const [AT_B, AT_C, AT_A, END_ROW] = [6, 7, 8, 9] as const;
/** Then where in each further row of A it is, then the vectors. */
const AT_ROWS = 10;

/** Multiplies `rows` rows at a time with a panel of 4 × `vectors` columns. */
function multiplier({ rows, vectors }: Shape): wasm.WasmFunction {
  const each = <T>(count: number, make: (at: number) => readonly T[]): T[] =>
    Array.from({ length: count }, (_, at) => make(at)).flat();
  const atRow = (row: number): number => (row === 0 ? AT_A : AT_ROWS + row - 1);
  const firstVector = AT_ROWS + rows - 1;
  const sum = (row: number, at: number): number => firstVector + row * vectors + at;
  const factor = (at: number): number => firstVector + rows * vectors + at;
  const value = firstVector + (rows + 1) * vectors;
  const panelBytes = 16 * vectors;
  const advance = (local: number, bytes: number): number[] => [
    ...wasm.get(local),
    ...wasm.number(bytes),
    wasm.PLUS,
    ...wasm.set(local),
  ];
  const body = [
    ...wasm.LOOP,
    ...[...wasm.get(B), ...wasm.set(AT_B), ...wasm.number(0), ...wasm.set(AT_C)],
    ...wasm.LOOP,
    ...each(vectors, (at) => [...wasm.get(AT_B), ...wasm.loadVector(16 * at), ...wasm.set(factor(at))]),
    ...each(rows, (row) => each(vectors, (at) => [...wasm.get(factor(at)), ...wasm.set(sum(row, at))])),
    ...advance(AT_B, panelBytes),
    ...[...wasm.get(A), ...wasm.tee(AT_A), ...wasm.get(ROW_OF_A), wasm.PLUS, ...wasm.set(END_ROW)],
    ...each(rows - 1, (row) => [
      ...[...wasm.get(atRow(row)), ...wasm.get(ROW_OF_A), wasm.PLUS, ...wasm.set(atRow(row + 1))],
    ]),
    ...wasm.LOOP,
    ...each(vectors, (at) => [...wasm.get(AT_B), ...wasm.loadVector(16 * at), ...wasm.set(factor(at))]),
    ...each(rows, (row) => [
      ...[...wasm.get(atRow(row)), ...wasm.LOAD_FLOAT_4_TIMES, ...wasm.set(value)],
      ...each(vectors, (at) => [
        ...[...wasm.get(value), ...wasm.get(factor(at)), ...wasm.TIMES_4_FLOATS],
        ...[...wasm.get(sum(row, at)), ...wasm.PLUS_4_FLOATS, ...wasm.set(sum(row, at))],
      ]),
      ...(row === 0 ? [] : advance(atRow(row), FLOAT_BYTES)),
    ]),
    ...advance(AT_B, panelBytes),
    ...[...wasm.get(AT_A), ...wasm.number(FLOAT_BYTES), wasm.PLUS, ...wasm.tee(AT_A)],
    ...[...wasm.get(END_ROW), wasm.IS_BELOW, ...wasm.branchIf(0)],
    wasm.END,
    // The rows of A are done; AT_A goes through those of C now.
    ...[...wasm.get(C), ...wasm.get(AT_C), wasm.PLUS, ...wasm.set(AT_A)],
    ...each(rows, (row) => [
      ...each(vectors, (at) => [...wasm.get(AT_A), ...wasm.get(sum(row, at)), ...wasm.storeVector(16 * at)]),
      ...[...wasm.get(AT_A), ...wasm.get(ROW_OF_C), wasm.PLUS, ...wasm.set(AT_A)],
    ]),
    ...[...wasm.get(AT_C), ...wasm.number(panelBytes), wasm.PLUS, ...wasm.tee(AT_C)],
    ...[...wasm.get(ROW_OF_C), wasm.IS_BELOW, ...wasm.branchIf(0)],
    wasm.END,
    ...each(rows, () => [
      ...[...wasm.get(A), ...wasm.get(ROW_OF_A), wasm.PLUS, ...wasm.set(A)],
      ...[...wasm.get(C), ...wasm.get(ROW_OF_C), wasm.PLUS, ...wasm.set(C)],
    ]),
    ...[...wasm.get(A), ...wasm.get(END_A), wasm.IS_BELOW, ...wasm.branchIf(0)],
    wasm.END,
  ];
  return { parameters: PARAMETERS, numbers: 4 + rows - 1, vectors: (rows + 1) * vectors + 1, body };
}
