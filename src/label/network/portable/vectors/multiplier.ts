/** Writes WebAssembly that multiplies rows by a packed matrix: four rows × eight columns at a time, or one row × 32. */
import * as wasm from "../../wasm.js";

/** How many rows and vectors of four columns are summed at once, with all sums in registers. */
interface Shape {
  readonly rows: number;
  readonly vectors: number;
}
export const MANY: Shape = { rows: 4, vectors: 2 };
export const SINGLE: Shape = { rows: 1, vectors: 8 };

export const FLOAT_BYTES = 4;

// The parameters, all in bytes: rows from A to END_A, each ROW_OF_A long; panels from B; sums from C, in rows of
// ROW_OF_C.
const [A, END_A, ROW_OF_A, B, ROW_OF_C, C] = [0, 1, 2, 3, 4, 5] as const;
const PARAMETERS = 6;
// The addresses of the current rows and of their sums, of the position in the panel and in the first row, of the end of
// that row, and of the end of a row of sums.
const [ROWS, SUMS, AT_B, AT_A, END_ROW, END_C] = [6, 7, 8, 9, 10, 11] as const;
/** The next locals are the positions in the other rows of A; then come the vectors. */
const AT_ROWS = 12;

/**
 * Writes a function that multiplies `rows` rows at a time by a panel of 4 × `vectors` columns, which stays in the L1
 * cache for all rows. `fused` multiplies and adds in one instruction, which not every runtime supports.
 */
export function multiplier({ rows, vectors }: Shape, how: "apart" | "fused"): wasm.WasmFunction {
  const atRow = (row: number): number => (row === 0 ? AT_A : AT_ROWS + row - 1);
  const firstVector = AT_ROWS + rows - 1;
  const sum = (row: number, at: number): number => firstVector + row * vectors + at;
  const factor = (at: number): number => firstVector + rows * vectors + at;
  const value = firstVector + (rows + 1) * vectors;
  const panelBytes = 16 * vectors;
  const loadFactors = wasm.forEach(vectors, (at) => [
    ...[...wasm.get(AT_B), ...wasm.loadVector(16 * at), ...wasm.set(factor(at))],
  ]);
  const multiplyRows = wasm.repeat(AT_A, wasm.number(FLOAT_BYTES), END_ROW, [
    ...loadFactors,
    ...wasm.forEach(rows, (row) => [
      ...[...wasm.get(atRow(row)), ...wasm.LOAD_FLOAT_4_TIMES, ...wasm.set(value)],
      ...wasm.forEach(vectors, (at) => [
        ...[...wasm.get(value), ...wasm.get(factor(at)), ...(how === "fused" ? [] : wasm.TIMES_4_FLOATS)],
        ...[...wasm.get(sum(row, at)), ...(how === "fused" ? wasm.TIMES_PLUS_4_FLOATS : wasm.PLUS_4_FLOATS)],
        ...wasm.set(sum(row, at)),
      ]),
      ...(row === 0 ? [] : wasm.advance(atRow(row), wasm.number(FLOAT_BYTES))),
    ]),
    ...wasm.advance(AT_B, wasm.number(panelBytes)),
  ]);
  const multiplyPanel = [
    ...[...wasm.get(A), ...wasm.set(ROWS), ...wasm.get(C), ...wasm.set(SUMS)],
    ...wasm.LOOP,
    // A panel begins with the biases of its columns.
    ...[...wasm.get(B), ...wasm.set(AT_B), ...loadFactors],
    ...wasm.forEach(rows, (row) =>
      wasm.forEach(vectors, (at) => [...wasm.get(factor(at)), ...wasm.set(sum(row, at))]),
    ),
    ...wasm.advance(AT_B, wasm.number(panelBytes)),
    ...[...wasm.get(ROWS), ...wasm.tee(AT_A), ...wasm.get(ROW_OF_A), wasm.PLUS, ...wasm.set(END_ROW)],
    ...wasm.forEach(rows - 1, (row) => [
      ...[...wasm.get(atRow(row)), ...wasm.get(ROW_OF_A), wasm.PLUS, ...wasm.set(atRow(row + 1))],
    ]),
    ...multiplyRows,
    ...wasm.forEach(rows, (row) => [
      ...wasm.forEach(vectors, (at) => [
        ...[...wasm.get(SUMS), ...wasm.get(sum(row, at)), ...wasm.storeVector(16 * at)],
      ]),
      ...[...wasm.advance(SUMS, wasm.get(ROW_OF_C)), ...wasm.advance(ROWS, wasm.get(ROW_OF_A))],
    ]),
    ...[...wasm.get(ROWS), ...wasm.get(END_A), wasm.IS_BELOW, ...wasm.branchIf(0)],
    wasm.END,
    ...[...wasm.get(AT_B), ...wasm.set(B)],
  ];
  const body = [
    ...[...wasm.get(C), ...wasm.get(ROW_OF_C), wasm.PLUS, ...wasm.set(END_C)],
    ...wasm.repeat(C, wasm.number(panelBytes), END_C, multiplyPanel),
  ];
  return {
    parameters: PARAMETERS,
    numbers: AT_ROWS - PARAMETERS + rows - 1,
    vectors: (rows + 1) * vectors + 1,
    body,
  };
}
