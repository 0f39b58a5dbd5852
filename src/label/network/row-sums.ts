/**
 * Sums the rows with given numbers of an int8 table.
 *
 * One WebAssembly instruction adds eight columns, and one pass over the rows adds up to MOST_VECTORS times eight, in a
 * sixth of the time of a plain loop. Sums are integers, so they are exact in any order and the same as the trainer's.
 */
import { STRIPE } from "../features/bags.js";
import * as wasm from "./wasm.js";

/** The most rows of values from -128 to 127 whose sum always fits into 16 bits: 256 × -128 = -2^15. */
export const MOST_ROWS = 256;

interface RowSums {
  /** The caller writes the numbers of the rows here, at most MOST_ROWS. */
  readonly numbers: Uint16Array;
  /** By column, the sums of the last call of `add`. */
  readonly sums: Int16Array;
  /** Sums the rows of the first `count` numbers into `sums`. */
  add(count: number): void;
}

/**
 * Creates the sums of a table with `width` columns, a multiple of STRIPE. Create only one per table, because each one
 * reserves gigabytes of address space.
 */
export function createRowSums(table: Int8Array, width: number): RowSums {
  // The memory holds the table, then the numbers, then the sums.
  const numbersAt = table.length;
  const sumsAt = numbersAt + 2 * MOST_ROWS;
  const code = wasm.openWasm({ add: addRows(vectorsOf(width)) }, sumsAt + 2 * width);
  if (code === undefined) return createPlainSums(table, width);
  const { memory, call } = code;
  new Int8Array(memory.buffer).set(table);
  return {
    numbers: new Uint16Array(memory.buffer, numbersAt, MOST_ROWS),
    sums: new Int16Array(memory.buffer, sumsAt, width),
    add(count) {
      call.add(numbersAt, numbersAt + 2 * count, width, sumsAt);
    },
  };
}

/** Like `createRowSums`, but without WebAssembly. */
export function createPlainSums(table: Int8Array, width: number): RowSums {
  const numbers = new Uint16Array(MOST_ROWS);
  const sums = new Int16Array(width);
  return {
    numbers,
    sums,
    add(count) {
      sums.fill(0);
      for (let i = 0; i < count; i++) {
        const row = (numbers[i] ?? 0) * width;
        for (let column = 0; column < width; column++)
          sums[column] = (sums[column] ?? 0) + (table[row + column] ?? 0);
      }
    },
  };
}

/** The most vectors of sums that are held at once: half of the vector registers of a processor. */
const MOST_VECTORS = 8;

/** Returns the most vectors, up to MOST_VECTORS, that divide the columns evenly. */
function vectorsOf(width: number): number {
  let vectors = Math.min(MOST_VECTORS, width / STRIPE);
  while ((width / STRIPE) % vectors !== 0) vectors -= 1;
  return vectors;
}

const [FROM, TO, WIDTH, INTO, COLUMN, AT, ROW, SUMS] = [0, 1, 2, 3, 4, 5, 6, 7] as const;

/**
 * Writes a function that sums the rows whose numbers are at FROM to TO, and stores the 16-bit sums from INTO on. The
 * table begins at address 0. Each pass adds `vectors` vectors of eight columns over all rows.
 */
function addRows(vectors: number): wasm.WasmFunction {
  const forSums = (write: (sum: number, offset: number) => readonly number[]): number[] =>
    wasm.forEach(vectors, (at) => write(SUMS + at, at * STRIPE));
  return {
    parameters: 4,
    numbers: 3,
    vectors,
    body: wasm.repeat(COLUMN, wasm.number(STRIPE * vectors), WIDTH, [
      ...forSums((sum) => [...wasm.number(0), ...wasm.SPREAD_TO_8, ...wasm.set(sum)]),
      ...[...wasm.get(FROM), ...wasm.set(AT), ...wasm.BLOCK, ...wasm.LOOP],
      ...[...wasm.get(AT), ...wasm.get(TO), wasm.IS_NOT_BELOW, ...wasm.branchIf(1)],
      ...[...wasm.get(AT), ...wasm.LOAD_NUMBER_16, ...wasm.get(WIDTH), wasm.TIMES],
      ...[...wasm.get(COLUMN), wasm.PLUS, ...wasm.set(ROW)],
      ...forSums((sum, offset) => [
        ...[...wasm.get(ROW), ...wasm.load8Bytes(offset)],
        ...[...wasm.get(sum), ...wasm.PLUS_8_NUMBERS, ...wasm.set(sum)],
      ]),
      ...[...wasm.advance(AT, wasm.number(2)), ...wasm.branchTo(0), wasm.END, wasm.END],
      ...[...wasm.get(INTO), ...wasm.get(COLUMN), wasm.PLUS, ...wasm.get(COLUMN), wasm.PLUS],
      ...wasm.set(ROW),
      ...forSums((sum, offset) => [...wasm.get(ROW), ...wasm.get(sum), ...wasm.storeVector(2 * offset)]),
    ]),
  };
}
