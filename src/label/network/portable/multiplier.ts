/** Writes the multiplication of rows with a packed matrix as WebAssembly: four rows and eight columns at a time, or one and 32. */
import * as wasm from "../wasm.js";

/** So many rows and vectors of four columns are summed at once: their sums are in registers. */
export interface Shape {
  readonly rows: number;
  readonly vectors: number;
}
export const MANY: Shape = { rows: 4, vectors: 2 };
export const SINGLE: Shape = { rows: 1, vectors: 8 };

export const FLOAT_BYTES = 4;

// The parameters, all in bytes: rows from A to END_A, each so long; panels from B; sums from C, each row so long.
const [A, END_A, ROW_OF_A, B, ROW_OF_C, C] = [0, 1, 2, 3, 4, 5] as const;
const PARAMETERS = 6;
// The first of the rows that are multiplied and their sums; where in a panel and in the first row it is, and where that ends.
const [ROWS, SUMS, AT_B, AT_A, END_ROW, END_C] = [6, 7, 8, 9, 10, 11] as const;
/** Then where in each further row of A it is, then the vectors. */
const AT_ROWS = 12;

/**
 * Multiplies `rows` rows at a time with a panel of 4 × `vectors` columns, which stays in the nearest cache for all rows. `fused`
 * multiplies and adds in one instruction, which not every runtime knows.
 */
export function multiplier({ rows, vectors }: Shape, how: "apart" | "fused"): wasm.WasmFunction {
  const each = <T>(count: number, make: (at: number) => readonly T[]): T[] =>
    Array.from({ length: count }, (_, at) => make(at)).flat();
  const atRow = (row: number): number => (row === 0 ? AT_A : AT_ROWS + row - 1);
  const firstVector = AT_ROWS + rows - 1;
  const sum = (row: number, at: number): number => firstVector + row * vectors + at;
  const factor = (at: number): number => firstVector + rows * vectors + at;
  const value = firstVector + (rows + 1) * vectors;
  const panelBytes = 16 * vectors;
  const advance = (local: number, by: readonly number[]): number[] => [
    ...[...wasm.get(local), ...by, wasm.PLUS, ...wasm.set(local)],
  ];
  const loadFactors = each(vectors, (at) => [
    ...[...wasm.get(AT_B), ...wasm.loadVector(16 * at), ...wasm.set(factor(at))],
  ]);
  const body = [
    ...[...wasm.get(C), ...wasm.get(ROW_OF_C), wasm.PLUS, ...wasm.set(END_C)],
    ...wasm.LOOP,
    ...[...wasm.get(A), ...wasm.set(ROWS), ...wasm.get(C), ...wasm.set(SUMS)],
    ...wasm.LOOP,
    // A panel begins with the biases of its columns.
    ...[...wasm.get(B), ...wasm.set(AT_B), ...loadFactors],
    ...each(rows, (row) => each(vectors, (at) => [...wasm.get(factor(at)), ...wasm.set(sum(row, at))])),
    ...advance(AT_B, wasm.number(panelBytes)),
    ...[...wasm.get(ROWS), ...wasm.tee(AT_A), ...wasm.get(ROW_OF_A), wasm.PLUS, ...wasm.set(END_ROW)],
    ...each(rows - 1, (row) => [
      ...[...wasm.get(atRow(row)), ...wasm.get(ROW_OF_A), wasm.PLUS, ...wasm.set(atRow(row + 1))],
    ]),
    ...wasm.LOOP,
    ...loadFactors,
    ...each(rows, (row) => [
      ...[...wasm.get(atRow(row)), ...wasm.LOAD_FLOAT_4_TIMES, ...wasm.set(value)],
      ...each(vectors, (at) => [
        ...[...wasm.get(value), ...wasm.get(factor(at)), ...(how === "fused" ? [] : wasm.TIMES_4_FLOATS)],
        ...[...wasm.get(sum(row, at)), ...(how === "fused" ? wasm.TIMES_PLUS_4_FLOATS : wasm.PLUS_4_FLOATS)],
        ...wasm.set(sum(row, at)),
      ]),
      ...(row === 0 ? [] : advance(atRow(row), wasm.number(FLOAT_BYTES))),
    ]),
    ...advance(AT_B, wasm.number(panelBytes)),
    ...[...wasm.get(AT_A), ...wasm.number(FLOAT_BYTES), wasm.PLUS, ...wasm.tee(AT_A)],
    ...[...wasm.get(END_ROW), wasm.IS_BELOW, ...wasm.branchIf(0)],
    wasm.END,
    ...each(rows, (row) => [
      ...each(vectors, (at) => [...wasm.get(SUMS), ...wasm.get(sum(row, at)), ...wasm.storeVector(16 * at)]),
      ...[...advance(SUMS, wasm.get(ROW_OF_C)), ...advance(ROWS, wasm.get(ROW_OF_A))],
    ]),
    ...[...wasm.get(ROWS), ...wasm.get(END_A), wasm.IS_BELOW, ...wasm.branchIf(0)],
    wasm.END,
    ...[...wasm.get(AT_B), ...wasm.set(B)],
    ...[...wasm.get(C), ...wasm.number(panelBytes), wasm.PLUS, ...wasm.tee(C)],
    ...[...wasm.get(END_C), wasm.IS_BELOW, ...wasm.branchIf(0)],
    wasm.END,
  ];
  return {
    parameters: PARAMETERS,
    numbers: AT_ROWS - PARAMETERS + rows - 1,
    vectors: (rows + 1) * vectors + 1,
    body,
  };
}
