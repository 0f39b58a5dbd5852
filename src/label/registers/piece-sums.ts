/**
 * Sums the values of a text's word pieces, each multiplied by the weight and the count of its piece.
 *
 * WebAssembly instructions add eight values at once, which takes a tenth of the time of adding them one by one.
 */
import * as wasm from "../network/wasm.js";

/** Values read at once, and floats in a vector. */
const STRIPE = 8;
const VECTOR_FLOATS = 4;
const FLOAT_BYTES = Float32Array.BYTES_PER_ELEMENT;
const BYTES = 256;

/**
 * A row for each piece: `heads` × `headWidth` values, in units of `scale`, then `heads` weights, stored as exponents in
 * units of `weightScale`.
 */
export interface PieceTable {
  readonly table: Int8Array;
  readonly heads: number;
  readonly headWidth: number;
  readonly scale: number;
  readonly weightScale: number;
}

interface PieceSums {
  /** By place: the number of a piece, and its count. */
  readonly numbers: Uint32Array;
  readonly counts: Float32Array;
  /** The last result, `stride` floats for each head: its value sums, then at `headWidth` the sum of its weights. */
  readonly sums: Float32Array;
  readonly stride: number;
  /** Sums the pieces of the first `places` places into `sums`. */
  add(places: number): void;
}

/** Creates the sums with WebAssembly if it is available. `mostPlaces`: the capacity in pieces. */
export function createPieceSums(model: PieceTable, mostPlaces: number): PieceSums {
  return createFastSums(model, mostPlaces) ?? createPlainSums(model, mostPlaces);
}

/** Returns undefined when WebAssembly is not available, or when `headWidth` is not a multiple of STRIPE. */
function createFastSums(model: PieceTable, mostPlaces: number): PieceSums | undefined {
  const { table, heads, headWidth, scale } = model;
  if (headWidth % STRIPE !== 0) return undefined;
  const width = heads * (headWidth + 1);
  const stride = headWidth + VECTOR_FLOATS;
  // The memory holds the table, the weight for each byte, then numbers, counts and sums.
  const weightsAt = Math.ceil(table.length / FLOAT_BYTES) * FLOAT_BYTES;
  const numbersAt = weightsAt + FLOAT_BYTES * BYTES;
  const countsAt = numbersAt + FLOAT_BYTES * mostPlaces;
  const sumsAt = countsAt + FLOAT_BYTES * mostPlaces;
  const code = wasm.openWasm({ sumHead: sumHead(headWidth, width) }, sumsAt + FLOAT_BYTES * heads * stride);
  if (code === undefined) return undefined;
  const { buffer } = code.memory;
  new Int8Array(buffer).set(table);
  new Float32Array(buffer, weightsAt, BYTES).set(weightsOf(model));
  const sums = new Float32Array(buffer, sumsAt, heads * stride);
  return {
    numbers: new Uint32Array(buffer, numbersAt, mostPlaces),
    counts: new Float32Array(buffer, countsAt, mostPlaces),
    sums,
    stride,
    add(places) {
      const end = numbersAt + FLOAT_BYTES * places;
      for (let head = 0; head < heads; head++) {
        const [values, weight] = [head * headWidth, heads * headWidth + head];
        const into = sumsAt + FLOAT_BYTES * head * stride;
        code.call.sumHead(numbersAt, end, countsAt - numbersAt, values, weight, weightsAt, into);
        scaleValues(sums, head * stride, headWidth, scale);
      }
    },
  };
}

/** Creates the same sums without WebAssembly. */
export function createPlainSums(model: PieceTable, mostPlaces: number): PieceSums {
  const { table, heads, headWidth, scale } = model;
  const width = heads * (headWidth + 1);
  const stride = headWidth + 1;
  const weights = weightsOf(model);
  const numbers = new Uint32Array(mostPlaces);
  const counts = new Float32Array(mostPlaces);
  const sums = new Float32Array(heads * stride);
  return {
    numbers,
    counts,
    sums,
    stride,
    add(places) {
      sums.fill(0);
      for (const [place, number] of numbers.subarray(0, places).entries())
        for (let head = 0; head < heads; head++) {
          const row = number * width;
          const weight = weights[(table[row + heads * headWidth + head] ?? 0) & 0xff] ?? 0;
          const times = weight * (counts[place] ?? 0);
          const base = head * stride;
          for (let column = 0; column < headWidth; column++)
            sums[base + column] =
              (sums[base + column] ?? 0) + times * (table[row + head * headWidth + column] ?? 0);
          sums[base + headWidth] = (sums[base + headWidth] ?? 0) + times;
        }
      for (let head = 0; head < heads; head++) scaleValues(sums, head * stride, headWidth, scale);
    },
  };
}

/** Returns the weight for each byte of the table. */
function weightsOf({ weightScale }: PieceTable): Float32Array {
  return Float32Array.from({ length: BYTES }, (_, byte) => Math.exp(((byte << 24) >> 24) * weightScale));
}

function scaleValues(sums: Float32Array, from: number, values: number, scale: number): void {
  for (let at = from; at < from + values; at++) sums[at] = (sums[at] ?? 0) * scale;
}

const [FROM, TO, COUNTS, VALUES, WEIGHT, WEIGHTS, INTO, AT, ROW] = [0, 1, 2, 3, 4, 5, 6, 7, 8] as const;
const [TIMES, PART, SUMS] = [9, 10, 11] as const;

/**
 * Sums one head over the pieces whose numbers are at the addresses from FROM to TO; the count of a piece is COUNTS
 * bytes after its number. The table begins at address 0. In a row, the head's values begin at VALUES, and its weight is
 * the byte at WEIGHT, an index into the floats at WEIGHTS. Writes the sums of the values from INTO on, and after them
 * the sum of the weights in each of four floats.
 */
function sumHead(headWidth: number, width: number): wasm.WasmFunction {
  const vectors = headWidth / VECTOR_FLOATS;
  const add = (sum: number, addend: readonly number[]): number[] => [
    ...[...wasm.get(sum), ...addend, ...wasm.PLUS_4_FLOATS, ...wasm.set(sum)],
  ];
  const times = (half: readonly number[]): number[] => [
    ...[...wasm.get(PART), ...half, ...wasm.TO_4_FLOATS, ...wasm.get(TIMES), ...wasm.TIMES_4_FLOATS],
  ];
  const sums = Array.from({ length: vectors + 1 }, (_, at) => SUMS + at);
  return {
    parameters: 7,
    numbers: 2,
    vectors: 2 + sums.length,
    body: [
      [...wasm.get(FROM), ...wasm.set(AT)],
      [...wasm.BLOCK, ...wasm.LOOP],
      [...wasm.get(AT), ...wasm.get(TO), wasm.IS_NOT_BELOW, ...wasm.branchIf(1)],
      [...wasm.get(AT), ...wasm.LOAD_NUMBER, ...wasm.number(width), wasm.TIMES, ...wasm.tee(ROW)],
      [...wasm.get(WEIGHT), wasm.PLUS, ...wasm.LOAD_NUMBER_8, ...wasm.number(FLOAT_BYTES), wasm.TIMES],
      [...wasm.get(WEIGHTS), wasm.PLUS, ...wasm.LOAD_FLOAT_4_TIMES],
      [...wasm.get(AT), ...wasm.get(COUNTS), wasm.PLUS, ...wasm.LOAD_FLOAT_4_TIMES],
      [...wasm.TIMES_4_FLOATS, ...wasm.set(TIMES)],
      [...wasm.get(ROW), ...wasm.get(VALUES), wasm.PLUS, ...wasm.set(ROW)],
      wasm.forEach(headWidth / STRIPE, (at) => [
        ...[...wasm.get(ROW), ...wasm.load8Bytes(STRIPE * at), ...wasm.set(PART)],
        ...add(SUMS + 2 * at, times(wasm.FIRST_4_OF_8)),
        ...add(SUMS + 2 * at + 1, times(wasm.LAST_4_OF_8)),
      ]),
      add(SUMS + vectors, wasm.get(TIMES)),
      [...wasm.advance(AT, wasm.number(FLOAT_BYTES)), ...wasm.branchTo(0)],
      [wasm.END, wasm.END],
      sums.flatMap((sum, at) => [
        ...[...wasm.get(INTO), ...wasm.get(sum), ...wasm.storeVector(VECTOR_FLOATS * FLOAT_BYTES * at)],
      ]),
    ].flat(),
  };
}
