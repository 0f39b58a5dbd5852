/**
 * Sums the rows of a text's words, each as often as the word is there.
 *
 * Four columns are added by one instruction of WebAssembly: with it a text's registers are told in 85 µs, and in 127 µs where
 * columns are added one by one (medians of turku-tq's documents).
 */
import * as wasm from "../network/wasm.js";

/** Four floats, as one vector holds them. */
const VECTOR_FLOATS = 4;
const FLOAT_BYTES = Float32Array.BYTES_PER_ELEMENT;
/** Sums that are held at once: so many vectors, the row's and its factor fit into a processor's sixteen. */
const MOST_VECTORS = 13;

export interface WordRows {
  /** Floats of a row, gaps included. */
  readonly stride: number;
  /** The rows by their numbers, `stride` floats each. */
  readonly rows: Float32Array;
  /** By place among the different words of a text: the number of its row. */
  readonly numbers: Uint32Array;
  /** By place: how often the word is in the text, and among its first words. */
  readonly counts: Float32Array;
  readonly firstCounts: Float32Array;
  /** Sums the rows of the first so many places, by `counts` or `firstCounts`; valid until it is called again. */
  sum(places: number, counts: Float32Array): Float32Array;
}

/** `width`: floats of a row that are used; `mostRows` and `mostPlaces`: how many there is room for. */
export function createWordRows(width: number, mostRows: number, mostPlaces: number): WordRows {
  const vectors = Math.ceil(width / VECTOR_FLOATS);
  const passes = Math.ceil(vectors / MOST_VECTORS);
  const held = Math.ceil(vectors / passes);
  const stride = passes * held * VECTOR_FLOATS;
  const sizes = [mostRows * stride, mostPlaces, mostPlaces, mostPlaces, stride];
  const starts = sizes.map((_, at) => sizes.slice(0, at).reduce((sum, size) => sum + FLOAT_BYTES * size, 0));
  const bytes = FLOAT_BYTES * sizes.reduce((sum, size) => sum + size, 0);
  const code = wasm.openWasm({ sumRows: sumRows(held, passes) }, bytes);
  const buffer = code?.memory.buffer ?? new ArrayBuffer(bytes);
  const floats = (at: number): Float32Array => new Float32Array(buffer, starts[at], sizes[at]);
  const rows = floats(0);
  const numbers = new Uint32Array(buffer, starts[1], mostPlaces);
  const sums = floats(4);
  return {
    stride,
    rows,
    numbers,
    counts: floats(2),
    firstCounts: floats(3),
    sum(places, counts) {
      const { byteOffset } = numbers;
      const distance = counts.byteOffset - byteOffset;
      if (code === undefined) sumPlainly(rows, stride, numbers.subarray(0, places), counts, sums);
      else code.call.sumRows(byteOffset, byteOffset + FLOAT_BYTES * places, distance, sums.byteOffset);
      return sums;
    },
  };
}

/** The same without WebAssembly. */
export function sumPlainly(
  rows: Float32Array,
  stride: number,
  numbers: Uint32Array,
  counts: Float32Array,
  into: Float32Array,
): void {
  into.fill(0);
  for (const [place, number] of numbers.entries()) {
    const times = counts[place] ?? 0;
    const base = number * stride;
    for (let column = 0; column < stride; column++)
      into[column] = (into[column] ?? 0) + times * (rows[base + column] ?? 0);
  }
}

const [FROM, TO, DISTANCE, INTO, COLUMN, AT, ROW, TIMES, SUMS] = [0, 1, 2, 3, 4, 5, 6, 7, 8] as const;

/**
 * Sums the rows whose numbers are between two addresses, times the floats that stand so many bytes behind the numbers, and writes
 * the sums from INTO on; the rows begin at address 0. In each pass over the rows it adds some vectors of them.
 */
function sumRows(vectors: number, passes: number): wasm.WasmFunction {
  const passBytes = vectors * VECTOR_FLOATS * FLOAT_BYTES;
  const forEach = (write: (sum: number, offset: number) => readonly number[]): number[] =>
    Array.from({ length: vectors }, (_, at) => write(SUMS + at, at * VECTOR_FLOATS * FLOAT_BYTES)).flat();
  return {
    parameters: 4,
    numbers: 3,
    vectors: vectors + 1,
    body: [
      wasm.LOOP,
      forEach((sum) => [...wasm.floats(0), ...wasm.set(sum)]),
      [...wasm.get(FROM), ...wasm.set(AT)],
      [...wasm.BLOCK, ...wasm.LOOP],
      [...wasm.get(AT), ...wasm.get(TO), wasm.IS_NOT_BELOW, ...wasm.branchIf(1)],
      [...wasm.get(AT), ...wasm.LOAD_NUMBER, ...wasm.number(passBytes * passes), wasm.TIMES],
      [...wasm.get(COLUMN), wasm.PLUS, ...wasm.set(ROW)],
      [...wasm.get(AT), ...wasm.get(DISTANCE), wasm.PLUS, ...wasm.LOAD_FLOAT_4_TIMES, ...wasm.set(TIMES)],
      forEach((sum, offset) => [
        ...[...wasm.get(ROW), ...wasm.loadVector(offset), ...wasm.get(TIMES), ...wasm.TIMES_4_FLOATS],
        ...[...wasm.get(sum), ...wasm.PLUS_4_FLOATS, ...wasm.set(sum)],
      ]),
      [...wasm.get(AT), ...wasm.number(FLOAT_BYTES), wasm.PLUS, ...wasm.set(AT), ...wasm.branchTo(0)],
      [wasm.END, wasm.END],
      [...wasm.get(INTO), ...wasm.get(COLUMN), wasm.PLUS, ...wasm.set(ROW)],
      forEach((sum, offset) => [...wasm.get(ROW), ...wasm.get(sum), ...wasm.storeVector(offset)]),
      [...wasm.get(COLUMN), ...wasm.number(passBytes), wasm.PLUS, ...wasm.tee(COLUMN)],
      [...wasm.number(passBytes * passes), wasm.IS_BELOW, ...wasm.branchIf(0)],
      [wasm.END],
    ].flat(),
  };
}
