/** Writes activation functions as WebAssembly: sigmoid, tanh, and one step of an LSTM. */
import * as wasm from "../../wasm.js";

/**
 * exp(x) = 2ⁿ × exp(r) with |r| ≤ ½ ln 2. The polynomial and the two parts of ln 2 are from Cephes (expf.c), whose
 * error is at most one or two units in the last place of a float.
 */
const LOG2_E = 1.4426950408889634;
const [LN2_HIGH, LN2_LOW] = [0.693359375, -2.1219444e-4] as const;
const POLYNOMIAL = [
  1.98756915e-4, 1.3981999507e-3, 8.3334519073e-3, 4.1665795894e-2, 1.6666665459e-1, 5.0000001201e-1,
] as const;
/** Inputs are clamped to ±87: further out, a sigmoid equals 0 or 1; up to here, no power of two is out of range. */
const FURTHEST = 87;
const [EXPONENT_BITS, EXPONENT_OF_ONE] = [23, 127] as const;

/** Indices of three scratch vectors. */
interface Locals {
  readonly x: number;
  readonly power: number;
  readonly sum: number;
}

/** Replaces each float of the vector on the stack by 1 / (1 + exp(−x)); NaN stays NaN. */
function sigmoidOfTop({ x, power, sum }: Locals): number[] {
  return [
    ...[...wasm.floats(-1), ...wasm.TIMES_4_FLOATS],
    ...[...wasm.floats(-FURTHEST), ...wasm.MOST_4_FLOATS, ...wasm.floats(FURTHEST), ...wasm.LEAST_4_FLOATS],
    ...[
      ...wasm.tee(x),
      ...wasm.floats(LOG2_E),
      ...wasm.TIMES_4_FLOATS,
      ...wasm.NEAREST_4_FLOATS,
      ...wasm.set(power),
    ],
    ...[LN2_HIGH, LN2_LOW].flatMap((part) => [
      ...[...wasm.get(x), ...wasm.get(power), ...wasm.floats(part), ...wasm.TIMES_4_FLOATS],
      ...[...wasm.MINUS_4_FLOATS, ...wasm.set(x)],
    ]),
    ...[...wasm.floats(POLYNOMIAL[0]), ...wasm.set(sum)],
    ...POLYNOMIAL.slice(1).flatMap((factor) => [
      ...[...wasm.get(sum), ...wasm.get(x), ...wasm.TIMES_4_FLOATS, ...wasm.floats(factor)],
      ...[...wasm.PLUS_4_FLOATS, ...wasm.set(sum)],
    ]),
    // sum × x² + x + 1
    ...[...wasm.get(sum), ...wasm.get(x), ...wasm.TIMES_4_FLOATS, ...wasm.get(x), ...wasm.TIMES_4_FLOATS],
    ...[...wasm.get(x), ...wasm.PLUS_4_FLOATS, ...wasm.floats(1), ...wasm.PLUS_4_FLOATS],
    ...[...wasm.get(power), ...wasm.TO_4_NUMBERS, ...wasm.numbers(EXPONENT_OF_ONE), ...wasm.PLUS_4_NUMBERS],
    ...[...wasm.number(EXPONENT_BITS), ...wasm.SHIFT_4_NUMBERS, ...wasm.TIMES_4_FLOATS, ...wasm.set(sum)],
    ...[...wasm.floats(1), ...wasm.get(sum), ...wasm.floats(1), ...wasm.PLUS_4_FLOATS, ...wasm.OVER_4_FLOATS],
  ];
}

/** Replaces each float of the vector on the stack by tanh(x) = 2 × sigmoid(2x) − 1. */
function tangentOfTop(locals: Locals): number[] {
  return [
    ...[...wasm.floats(2), ...wasm.TIMES_4_FLOATS, ...sigmoidOfTop(locals)],
    ...[...wasm.floats(2), ...wasm.TIMES_4_FLOATS, ...wasm.floats(1), ...wasm.MINUS_4_FLOATS],
  ];
}

/** Writes a function that applies a curve to the floats from `from` on and stores the results from `into` to `end`. */
function ofEach(curve: (locals: Locals) => number[]): wasm.WasmFunction {
  const [into, end, from] = [0, 1, 2] as const;
  const body = wasm.repeat(into, wasm.NEXT_VECTOR, end, [
    ...[...wasm.get(into), ...wasm.get(from), ...wasm.loadVector(0), ...curve({ x: 3, power: 4, sum: 5 })],
    ...[...wasm.storeVector(0), ...wasm.advance(from, wasm.NEXT_VECTOR)],
  ]);
  return { parameters: 3, numbers: 0, vectors: 3, body };
}

/** Writes a function that computes 1 / (1 + exp(−x)) of each float. */
export function sigmoids(): wasm.WasmFunction {
  return ofEach(sigmoidOfTop);
}

/** Writes a function that computes tanh(x) of each float. */
export function tangents(): wasm.WasmFunction {
  return ofEach(tangentOfTop);
}

/**
 * Writes one step of an LSTM. Gates are in the order of ONNX (input, output, forget, cell), each of `bytes` bytes, a
 * multiple of 16. The gate sums of the inputs are at `a`, those of the last outputs at `b`. The function updates
 * `cells` and stores the outputs twice: at `last`, and at `row` for the line.
 */
export function lstmStep(): wasm.WasmFunction {
  const [a, b, cells, last, row, bytes, at] = [0, 1, 2, 3, 4, 5, 6] as const;
  const [locals, value] = [{ x: 7, power: 8, sum: 9 }, 10] as const;
  const from = (base: number, gate: number): number[] => [
    ...[...wasm.get(base), ...wasm.get(at), wasm.PLUS],
    ...(gate === 0 ? [] : [...wasm.get(bytes), ...wasm.number(gate), wasm.TIMES, wasm.PLUS]),
    ...wasm.loadVector(0),
  ];
  const gate = (number: number): number[] => [...from(a, number), ...from(b, number), ...wasm.PLUS_4_FLOATS];
  const store = (base: number): number[] => [
    ...[...wasm.get(base), ...wasm.get(at), wasm.PLUS, ...wasm.get(value), ...wasm.storeVector(0)],
  ];
  const [INPUT, OUTPUT, FORGET, CELL] = [0, 1, 2, 3] as const;
  const body = [
    ...[...wasm.number(0), ...wasm.set(at)],
    ...wasm.repeat(at, wasm.NEXT_VECTOR, bytes, [
      ...[...gate(FORGET), ...sigmoidOfTop(locals), ...from(cells, 0), ...wasm.TIMES_4_FLOATS],
      ...[...gate(INPUT), ...sigmoidOfTop(locals), ...gate(CELL), ...tangentOfTop(locals)],
      ...[...wasm.TIMES_4_FLOATS, ...wasm.PLUS_4_FLOATS, ...wasm.set(value), ...store(cells)],
      ...[...gate(OUTPUT), ...sigmoidOfTop(locals), ...wasm.get(value), ...tangentOfTop(locals)],
      ...[...wasm.TIMES_4_FLOATS, ...wasm.set(value), ...store(last), ...store(row)],
    ]),
  ];
  return { parameters: 6, numbers: 1, vectors: 4, body };
}
