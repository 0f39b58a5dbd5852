/**
 * Computes four floats at a time with SIMD instructions of WebAssembly, in a memory that holds the values of a run. The
 * portable engine uses it wherever SIMD is available.
 */
import * as wasm from "../../wasm.js";
import { lstmStep, sigmoids, tangents } from "./curves.js";
import { createRooms, type Rooms } from "./rooms.js";
import { multiplier, FLOAT_BYTES, MANY, SINGLE } from "./multiplier.js";

/** Thrown if the memory is too small for a run, which then starts again in a larger one. */
export class MemoryFull extends Error {}

export interface Vectors extends Pick<Rooms, "use" | "leave" | "endStep"> {
  /**
   * Allocates `count` floats with arbitrary content, until the step ends or, after `use`, until `leave`. Throws
   * MemoryFull.
   */
  take(count: number): Float32Array;
  /** Frees all values except those that are kept. */
  begin(): void;
  /** At least doubles the memory after a run threw MemoryFull. Throws RangeError if that is impossible. */
  grow(): void;
  /** Allocates `count` floats for good and returns the index of the first. Frees all other values. */
  keep(count: number): number;
  /** Returns the array itself if it is in the memory, else a copy that is. */
  hold(data: Float32Array): Float32Array;
  /** Stores numbers for good and returns their address in bytes. Frees all other values. */
  keepNumbers(numbers: readonly number[]): number;
  /** Returns the memory as floats, a view that is valid until the memory grows. */
  floats(): Float32Array;
  readonly call: Readonly<Record<KernelName, wasm.Call>>;
}

/** Bytes that stay unused at the end of the memory, because kernels read rows and write numbers in groups of four. */
const MARGIN = wasm.PAGE_BYTES;

/** Does some work, and repeats it in a larger memory as long as it throws MemoryFull. */
export function withRoom<T>(vectors: Vectors | undefined, work: () => T): T {
  if (vectors === undefined) return work();
  for (;;) {
    vectors.begin();
    try {
      return work();
    } catch (error) {
      if (!(error instanceof MemoryFull)) throw error;
      vectors.grow();
    }
  }
}

function openKernels(how: "apart" | "fused"): wasm.WasmCode<KernelName> | undefined {
  return wasm.openWasm(writeKernels(how), 2 * MARGIN);
}

/**
 * Opens a memory with its kernels. Returns undefined if WebAssembly or SIMD is not available. Open only one per
 * network, because each one reserves gigabytes of address space.
 */
export function openVectors(): Vectors | undefined {
  const code = openKernels("fused") ?? openKernels("apart");
  if (code === undefined) return undefined;
  const { memory, call } = code;
  let kept = 0;
  let used = 0;
  const rooms = createRooms((data) => (data.buffer === memory.buffer ? data.byteOffset / FLOAT_BYTES : -1));
  let floats = new Float32Array(memory.buffer);
  const growTo = (bytes: number): void => {
    const missing = bytes + MARGIN - memory.buffer.byteLength;
    if (missing > 0) memory.grow(Math.ceil(missing / wasm.PAGE_BYTES));
    floats = new Float32Array(memory.buffer);
  };
  const take = (count: number): Float32Array => {
    // Arrays begin at a multiple of four floats. Kernels write at most three floats too many.
    const size = Math.ceil((count + 3) / 4) * 4;
    const from = rooms.again(size) ?? used;
    if (from === used) {
      if ((from + size) * FLOAT_BYTES + MARGIN > memory.buffer.byteLength)
        throw new MemoryFull("the memory is full");
      used += size;
    }
    rooms.add(from, size);
    return floats.subarray(from, from + count);
  };
  const keep = (count: number): number => {
    const from = kept;
    kept += Math.ceil(count / 4) * 4;
    used = kept;
    rooms.clear();
    growTo(kept * FLOAT_BYTES);
    return from;
  };
  return {
    take,
    use: rooms.use,
    leave: rooms.leave,
    endStep: rooms.endStep,
    begin() {
      used = kept;
      rooms.clear();
    },
    grow() {
      growTo(2 * memory.buffer.byteLength);
    },
    keep,
    hold(data) {
      if (data.buffer === memory.buffer) return data;
      const copy = take(data.length);
      copy.set(data);
      return copy;
    },
    keepNumbers(numbers) {
      const at = keep(numbers.length);
      floats.set(numbers, at);
      return at * FLOAT_BYTES;
    },
    floats: () => floats,
    call,
  };
}

// Parameters: results from INTO to END, operands from A on and from B on, or one operand at B.
const [INTO, END, A, B] = [0, 1, 2, 3] as const;
const X = 4;

function ofPairs(operation: readonly number[]): wasm.WasmFunction {
  const body = wasm.repeat(INTO, wasm.NEXT_VECTOR, END, [
    ...[...wasm.get(INTO), ...wasm.get(A), ...wasm.loadVector(0), ...wasm.get(B), ...wasm.loadVector(0)],
    ...[...operation, ...wasm.storeVector(0)],
    ...[...wasm.advance(A, wasm.NEXT_VECTOR), ...wasm.advance(B, wasm.NEXT_VECTOR)],
  ]);
  return { parameters: 4, numbers: 0, vectors: 0, body };
}

function withOne(operation: readonly number[]): wasm.WasmFunction {
  const body = [
    ...[...wasm.get(B), ...wasm.LOAD_FLOAT_4_TIMES, ...wasm.set(X)],
    ...wasm.repeat(INTO, wasm.NEXT_VECTOR, END, [
      ...[...wasm.get(INTO), ...wasm.get(A), ...wasm.loadVector(0), ...wasm.get(X), ...operation],
      ...[...wasm.storeVector(0), ...wasm.advance(A, wasm.NEXT_VECTOR)],
    ]),
  ];
  return { parameters: 4, numbers: 0, vectors: 1, body };
}

/**
 * Writes a function that copies blocks from `from` up to `end`, which are `apartFrom` apart, to `into`, `apartInto`
 * apart. It rounds `bytes`, the size of a block, up to a multiple of 16.
 */
function copyBlocks(): wasm.WasmFunction {
  const [into, apartInto, from, end, apartFrom, bytes, at] = [0, 1, 2, 3, 4, 5, 6] as const;
  const body = wasm.repeat(from, wasm.get(apartFrom), end, [
    ...[...wasm.number(0), ...wasm.set(at)],
    ...wasm.repeat(at, wasm.NEXT_VECTOR, bytes, [
      ...[...wasm.get(into), ...wasm.get(at), wasm.PLUS],
      ...[...wasm.get(from), ...wasm.get(at), wasm.PLUS, ...wasm.loadVector(0), ...wasm.storeVector(0)],
    ]),
    ...wasm.advance(into, wasm.get(apartInto)),
  ]);
  return { parameters: 6, numbers: 1, vectors: 0, body };
}

/**
 * Writes a function that normalises rows: it subtracts the mean, divides by the deviation, multiplies by weights and
 * adds biases. `facts` is the address of 1 / width, epsilon and 1; `row` is the bytes of a row, a multiple of 16.
 */
function normalize(): wasm.WasmFunction {
  const [into, end, from, row, weights, biases, facts, at] = [0, 1, 2, 3, 4, 5, 6, 7] as const;
  const [sum, mean, factor] = [8, 9, 10] as const;
  const fact = (place: number): number[] => [
    ...[...wasm.get(facts), ...wasm.number(FLOAT_BYTES * place), wasm.PLUS, ...wasm.LOAD_FLOAT_4_TIMES],
  ];
  const load = (base: number): number[] => [
    ...[...wasm.get(base), ...wasm.get(at), wasm.PLUS, ...wasm.loadVector(0)],
  ];
  const centred = [...load(from), ...wasm.get(mean), ...wasm.MINUS_4_FLOATS];
  const along = (work: readonly number[]): number[] => [
    ...[...wasm.number(0), ...wasm.set(at), ...wasm.repeat(at, wasm.NEXT_VECTOR, row, work)],
  ];
  const zero = [...wasm.number(0), ...wasm.SPREAD_TO_8, ...wasm.set(sum)];
  /** Adds the four lanes of `sum`, spreads the total to all lanes and divides it by the width. */
  const meanOfSum = [
    ...wasm.forEach(4, (lane) => [
      ...[...wasm.get(sum), ...wasm.floatOf(lane)],
      ...(lane === 0 ? [] : [wasm.PLUS_FLOAT]),
    ]),
    ...[...wasm.SPREAD_FLOAT, ...fact(0), ...wasm.TIMES_4_FLOATS],
  ];
  const body = wasm.repeat(into, wasm.get(row), end, [
    ...zero,
    ...along([...wasm.get(sum), ...load(from), ...wasm.PLUS_4_FLOATS, ...wasm.set(sum)]),
    ...[...meanOfSum, ...wasm.set(mean)],
    ...zero,
    ...along([
      ...[...centred, ...wasm.set(factor), ...wasm.get(factor), ...wasm.get(factor), ...wasm.TIMES_4_FLOATS],
      ...[...wasm.get(sum), ...wasm.PLUS_4_FLOATS, ...wasm.set(sum)],
    ]),
    ...[...fact(2), ...meanOfSum, ...fact(1), ...wasm.PLUS_4_FLOATS, ...wasm.ROOT_4_FLOATS],
    ...[...wasm.OVER_4_FLOATS, ...wasm.set(factor)],
    ...along([
      ...[...wasm.get(into), ...wasm.get(at), wasm.PLUS],
      ...[...centred, ...wasm.get(factor), ...wasm.TIMES_4_FLOATS, ...load(weights), ...wasm.TIMES_4_FLOATS],
      ...[...load(biases), ...wasm.PLUS_4_FLOATS, ...wasm.storeVector(0)],
    ]),
    ...wasm.advance(from, wasm.get(row)),
  ]);
  return { parameters: 7, numbers: 1, vectors: 3, body };
}

/**
 * Assembles the kernels, only on demand because most networks run in the native engine. Node.js 22 and browsers from
 * 2023 on support the "fused" ones.
 */
const writeKernels = (how: "apart" | "fused") => ({
  many: multiplier(MANY, how),
  single: multiplier(SINGLE, how),
  copyBlocks: copyBlocks(),
  normalize: normalize(),
  addPairs: ofPairs(wasm.PLUS_4_FLOATS),
  addOne: withOne(wasm.PLUS_4_FLOATS),
  subtractPairs: ofPairs(wasm.MINUS_4_FLOATS),
  subtractOne: withOne(wasm.MINUS_4_FLOATS),
  multiplyPairs: ofPairs(wasm.TIMES_4_FLOATS),
  multiplyOne: withOne(wasm.TIMES_4_FLOATS),
  dividePairs: ofPairs(wasm.OVER_4_FLOATS),
  divideOne: withOne(wasm.OVER_4_FLOATS),
  mostOfPairs: ofPairs(wasm.MOST_4_FLOATS),
  mostOfOne: withOne(wasm.MOST_4_FLOATS),
  leastOfOne: withOne(wasm.LEAST_4_FLOATS),
  sigmoids: sigmoids(),
  tangents: tangents(),
  lstmStep: lstmStep(),
});
export type KernelName = keyof ReturnType<typeof writeKernels>;
