/**
 * Sums rows of an int8 table by their numbers.
 *
 * Eight columns are added at once by a few instructions of WebAssembly, in a third of the time that adding them one by
 * one takes. Sums are whole numbers: exact, whatever the order, and the same as the trainer's.
 */
import { STRIPE } from "../features/bags.js";

/** So many rows of -128 to 127 fit into a sum of 16 bits: 256 × -128 = -2^15. */
export const MOST_ROWS = 256;

interface RowSums {
  /** Takes the numbers of the rows, MOST_ROWS at most. */
  readonly numbers: Uint16Array;
  /** Column by column, the sums last asked for. */
  readonly sums: Int16Array;
  /** Sums the rows of the first `count` numbers. */
  add(count: number): void;
}

/** `width` columns of STRIPE or a multiple. One for each table: every one of these reserves gigabytes of addresses. */
export function createRowSums(table: Int8Array, width: number): RowSums {
  // The memory holds the table, then the numbers, then the sums.
  const numbersAt = table.length;
  const sumsAt = numbersAt + 2 * MOST_ROWS;
  const memory = reserve(sumsAt + 2 * width);
  if (memory === undefined) return createPlainSums(table, width);
  new Int8Array(memory.buffer).set(table);
  const adder = openAdder(memory);
  return {
    numbers: new Uint16Array(memory.buffer, numbersAt, MOST_ROWS),
    sums: new Int16Array(memory.buffer, sumsAt, width),
    add(count) {
      adder(numbersAt, numbersAt + 2 * count, width, sumsAt);
    },
  };
}

/** The same without WebAssembly. */
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

/** As much of the runtime's interface as is used here; the types of Node leave it out. */
declare const WebAssembly: {
  readonly Memory: new (size: { readonly initial: number }) => WasmMemory;
  readonly Module: new (bytes: Uint8Array) => object;
  readonly Instance: new (
    module: object,
    imports: { readonly env: { readonly memory: WasmMemory } },
  ) => { readonly exports: { readonly add: Adder } };
};
interface WasmMemory {
  readonly buffer: ArrayBuffer;
}

const PAGE_BYTES = 65_536;

/** Nothing where addresses are limited (`ulimit -v`, as on many clusters): there the runtime has no memory to give. */
function reserve(bytes: number): WasmMemory | undefined {
  try {
    return new WebAssembly.Memory({ initial: Math.ceil(bytes / PAGE_BYTES) });
  } catch (error) {
    if (error instanceof RangeError) return undefined;
    throw error;
  }
}

/** Sums the rows whose numbers are between two addresses into those from `into` on; the table begins at address 0. */
type Adder = (from: number, to: number, width: number, into: number) => void;

function openAdder(memory: WasmMemory): Adder {
  const code = new WebAssembly.Module(Uint8Array.from(MODULE));
  return new WebAssembly.Instance(code, { env: { memory } }).exports.add;
}

// The instructions that are used, by their numbers in the WebAssembly specification (2.0, 5.4).
const I32 = 0x7f;
const V128 = 0x7b;
const BLOCK = [0x02, 0x40];
const LOOP = [0x03, 0x40];
const END = 0x0b;
const branchTo = (outer: number): number[] => [0x0c, outer];
const branchIf = (outer: number): number[] => [0x0d, outer];
const get = (local: number): number[] => [0x20, local];
const set = (local: number): number[] => [0x21, local];
const tee = (local: number): number[] => [0x22, local];
const number = (value: number): number[] => [0x41, value];
const IS_BELOW = 0x49;
const IS_NOT_BELOW = 0x4f;
const PLUS = 0x6a;
const TIMES = 0x6c;
const LOAD_NUMBER = [0x2f, 1, 0];
const LOAD_8_BYTES = [0xfd, 0x01, 0, 0];
const STORE_8_SUMS = [0xfd, 0x0b, 0, 0];
const SPREAD_TO_8 = [0xfd, 0x10];
const PLUS_8 = [0xfd, 0x8e, 0x01];

const [FROM, TO, WIDTH, INTO, COLUMN, AT, SUM] = [0, 1, 2, 3, 4, 5, 6] as const;

/** For every eight columns: adds the bytes of all rows, and writes the sums of 16 bits. */
const ADD_ROWS = [
  LOOP,
  [...number(0), ...SPREAD_TO_8, ...set(SUM), ...get(FROM), ...set(AT)],
  [...BLOCK, ...LOOP],
  [...get(AT), ...get(TO), IS_NOT_BELOW, ...branchIf(1)],
  [...get(AT), ...LOAD_NUMBER, ...get(WIDTH), TIMES, ...get(COLUMN), PLUS, ...LOAD_8_BYTES],
  [...get(SUM), ...PLUS_8, ...set(SUM)],
  [...get(AT), ...number(2), PLUS, ...set(AT), ...branchTo(0)],
  [END, END],
  [...get(INTO), ...get(COLUMN), PLUS, ...get(COLUMN), PLUS, ...get(SUM), ...STORE_8_SUMS],
  [...get(COLUMN), ...number(STRIPE), PLUS, ...tee(COLUMN), ...get(WIDTH), IS_BELOW, ...branchIf(0)],
  [END, END],
].flat();

/** Lengths are below 128 here: one byte. */
const sized = (bytes: readonly number[]): number[] => [bytes.length, ...bytes];
const named = (name: string): number[] => sized([...Buffer.from(name)]);
const part = (id: number, bytes: readonly number[]): number[] => [id, ...sized(bytes)];

const MODULE = [
  [0, ...Buffer.from("asm"), 1, 0, 0, 0],
  // One type: a function of four numbers that returns nothing.
  part(1, [1, 0x60, 4, I32, I32, I32, I32, 0]),
  part(2, [1, ...named("env"), ...named("memory"), 2, 0, 1]),
  part(3, [1, 0]),
  part(7, [1, ...named("add"), 0, 0]),
  // Beside its four numbers the function has two more and eight sums.
  part(10, [1, ...sized([2, 2, I32, 1, V128, ...ADD_ROWS])]),
].flat();
