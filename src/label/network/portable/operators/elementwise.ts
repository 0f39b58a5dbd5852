/** Implements elementwise operators, which repeat the smaller tensor: arithmetic, comparisons and functions. */
import type { Tensor } from "../../engine.js";
import { floatsAt, inputAt, neededOf, type Operator } from "./operator.js";
import { floatTensor, integers, sizeOf, stridesOf, tensorLike } from "../tensors.js";
import type { Call } from "../../wasm.js";
import { BOOL, isFloatType } from "../onnx-file.js";
import type { KernelName, Vectors } from "../vectors/vectors.js";

/** Where a row of a repeated tensor begins, and whether its numbers are consecutive (1) or one repeated number (0). */
interface Walk {
  readonly row: number;
  readonly step: 0 | 1;
}

/** Writes `count` results from `at` on. Each operation has its own loop, because a call costs more than a sum. */
type Loop = (
  into: Tensor["data"],
  at: number,
  count: number,
  of: { readonly a: Tensor["data"]; readonly of: Walk },
  by: { readonly b: Tensor["data"]; readonly of: Walk },
) => void;

const add: Loop = (into, at, count, { a, of: x }, { b, of: y }) => {
  for (let i = 0; i < count; i++) into[at + i] = (a[x.row + i * x.step] ?? 0) + (b[y.row + i * y.step] ?? 0);
};
const subtract: Loop = (into, at, count, { a, of: x }, { b, of: y }) => {
  for (let i = 0; i < count; i++) into[at + i] = (a[x.row + i * x.step] ?? 0) - (b[y.row + i * y.step] ?? 0);
};
const multiply: Loop = (into, at, count, { a, of: x }, { b, of: y }) => {
  for (let i = 0; i < count; i++) into[at + i] = (a[x.row + i * x.step] ?? 0) * (b[y.row + i * y.step] ?? 0);
};
const divide: Loop = (into, at, count, { a, of: x }, { b, of: y }) => {
  for (let i = 0; i < count; i++) into[at + i] = (a[x.row + i * x.step] ?? 0) / (b[y.row + i * y.step] ?? 0);
};
/** Makes a slower loop that calls a function per number, for rare operations or small tensors. */
function each(compute: (a: number, b: number) => number): Loop {
  return (into, at, count, { a, of: x }, { b, of: y }) => {
    for (let i = 0; i < count; i++)
      into[at + i] = compute(a[x.row + i * x.step] ?? 0, b[y.row + i * y.step] ?? 0);
  };
}
const power = each((a, b) => (b === 2 ? a * a : a ** b));

/** Returns the sizes of the result: each axis is as long as the longer one. Throws an Error if they do not fit. */
function broadcast(a: readonly number[], b: readonly number[]): number[] {
  const rank = Math.max(a.length, b.length);
  return Array.from({ length: rank }, (_, axis) => {
    const x = a[axis - rank + a.length] ?? 1;
    const y = b[axis - rank + b.length] ?? 1;
    if (x !== y && x !== 1 && y !== 1)
      throw new Error(`tensors of ${a.join(" × ")} and ${b.join(" × ")} do not fit together`);
    return x === 1 ? y : x;
  });
}

/** Returns how far a step along each axis of the result moves in a tensor: 0 where the tensor is repeated. */
function stepsOf(of: readonly number[], rank: number): number[] {
  const strides = stridesOf(of);
  return Array.from({ length: rank }, (_, axis) => {
    const own = axis - rank + of.length;
    return (of[own] ?? 1) === 1 ? 0 : (strides[own] ?? 0);
  });
}

/** Runs a loop for each row of the result along its last axis. */
function combine(a: Tensor, b: Tensor, into: Tensor, loop: Loop): Tensor {
  const { dims, data } = into;
  if (a.data.length === data.length && b.data.length === data.length) {
    const whole = { row: 0, step: 1 } as const;
    loop(data, 0, data.length, { a: a.data, of: whole }, { b: b.data, of: whole });
    return into;
  }
  const rank = dims.length;
  const count = dims[rank - 1] ?? 1;
  const ofA = stepsOf(a.dims, rank);
  const ofB = stepsOf(b.dims, rank);
  const stepOfA: Walk["step"] = ofA[rank - 1] === 0 ? 0 : 1;
  const stepOfB: Walk["step"] = ofB[rank - 1] === 0 ? 0 : 1;
  const place = new Array<number>(rank).fill(0);
  // The same objects serve all rows, because there may be thousands.
  const ofRowA = { row: 0, step: stepOfA };
  const ofRowB = { row: 0, step: stepOfB };
  const readsA = { a: a.data, of: ofRowA };
  const readsB = { b: b.data, of: ofRowB };
  for (let at = 0; at < data.length; at += count) {
    loop(data, at, count, readsA, readsB);
    for (let axis = rank - 2; axis >= 0; axis--) {
      const [next, length] = [(place[axis] ?? 0) + 1, dims[axis] ?? 1];
      ofRowA.row += ofA[axis] ?? 0;
      ofRowB.row += ofB[axis] ?? 0;
      place[axis] = next;
      if (next < length) break;
      place[axis] = 0;
      ofRowA.row -= length * (ofA[axis] ?? 0);
      ofRowB.row -= length * (ofB[axis] ?? 0);
    }
  }
  return into;
}

function arithmetic(loop: Loop, pairs?: KernelName, one?: KernelName): Operator {
  return (_, { products: { vectors } }) => {
    const fast = vectors && pairs && one ? byVectors(vectors.call[pairs], vectors.call[one], loop) : loop;
    return (inputs) => {
      const [a, b] = [inputAt(inputs, 0), inputAt(inputs, 1)];
      if (a.data instanceof Float32Array !== b.data instanceof Float32Array)
        throw new Error("floats and whole numbers do not go together");
      const into = tensorLike(a, broadcast(a.dims, b.dims), vectors);
      if (!(a.data instanceof Float32Array)) return [combine(a, b, into, loop)];
      return [combine(held(a, vectors), held(b, vectors), into, fast)];
    };
  };
}

/** Copies floats into the memory of `vectors`, if there is one and they are elsewhere. */
function held({ data, dims }: Tensor, vectors: Vectors | undefined): Tensor {
  return { data: vectors !== undefined && data instanceof Float32Array ? vectors.hold(data) : data, dims };
}

/**
 * Makes a loop that computes four numbers at a time. It writes up to three numbers too many, into numbers that are only
 * computed later or into padding.
 */
function byVectors(pairs: Call, one: Call, plain: Loop): Loop {
  return (into, at, count, a, b) => {
    if (a.of.step === 0) {
      plain(into, at, count, a, b);
      return;
    }
    const from = into.byteOffset + 4 * at;
    const work = b.of.step === 0 ? one : pairs;
    work(from, from + 4 * count, a.a.byteOffset + 4 * a.of.row, b.b.byteOffset + 4 * b.of.row);
  };
}

function comparison(holds: (a: number, b: number) => boolean): Operator {
  const loop = each((a, b) => (holds(a, b) ? 1 : 0));
  return () => (inputs) => {
    const [a, b] = [inputAt(inputs, 0), inputAt(inputs, 1)];
    const dims = broadcast(a.dims, b.dims);
    return [combine(a, b, { data: new Int32Array(sizeOf(dims)), dims }, loop)];
  };
}

function unary(compute: (value: number) => number): Operator {
  return () => (inputs) => {
    const { data, dims } = floatsAt(inputs, 0);
    return [{ data: data.map(compute), dims }];
  };
}

/** Like `unary`, but with a kernel if SIMD is available. */
function curve(compute: (value: number) => number, kernel: KernelName): Operator {
  return (node, tools) => {
    const { vectors } = tools.products;
    if (vectors === undefined) return unary(compute)(node, tools);
    return (inputs) => {
      const { data, dims } = floatsAt(inputs, 0);
      const into = floatTensor(dims, vectors);
      if (data.length > 0) vectors.call[kernel](...bounds(into.data), vectors.hold(data).byteOffset);
      return [into];
    };
  };
}

/** Clamps numbers to `least` and `most`; NaN stays NaN. */
function clamp(
  data: Float32Array,
  { least, most }: { readonly least: number; readonly most: number },
  into: Float32Array,
): void {
  for (let i = 0; i < data.length; i++) {
    const value = data[i] ?? 0;
    into[i] = value < least ? least : value > most ? most : value;
  }
}

const relu: Operator = (_, { products: { vectors } }) => {
  const zero = vectors?.keepNumbers([0]) ?? 0;
  return (inputs) => {
    const { data, dims } = floatsAt(inputs, 0);
    const into = floatTensor(dims, vectors);
    if (vectors === undefined) clamp(data, { least: 0, most: Infinity }, into.data);
    else vectors.call.mostOfOne(...bounds(into.data), vectors.hold(data).byteOffset, zero);
    return [into];
  };
};

/** Returns where an array begins and ends in the memory, in bytes. */
function bounds({ byteOffset, byteLength }: Float32Array): [number, number] {
  return [byteOffset, byteOffset + byteLength];
}

const clip: Operator =
  (_, { products: { vectors } }) =>
  (inputs) => {
    const { data, dims } = floatsAt(inputs, 0);
    const least = inputs[1]?.data[0] ?? -Infinity;
    const most = inputs[2]?.data[0] ?? Infinity;
    const into = floatTensor(dims, vectors);
    if (vectors === undefined) clamp(data, { least, most }, into.data);
    else {
      const ends = vectors.hold(Float32Array.of(least, most));
      vectors.call.mostOfOne(...bounds(into.data), vectors.hold(data).byteOffset, ends.byteOffset);
      vectors.call.leastOfOne(...bounds(into.data), into.data.byteOffset, ends.byteOffset + 4);
    }
    return [into];
  };

const negate: Operator = () => (inputs) => {
  const of = inputAt(inputs, 0);
  const into = tensorLike(of, of.dims);
  for (let i = 0; i < into.data.length; i++) into.data[i] = -(of.data[i] ?? 0);
  return [into];
};

/** Converts numbers: floats to integers by rounding towards zero, and all but 0 to the boolean 1. */
const cast: Operator = (node) => {
  const type = neededOf(node, "to").number;
  const isFloat = isFloatType(type);
  return (inputs) => {
    const of = inputAt(inputs, 0);
    const { data, dims } = of;
    if (type === BOOL) return [{ data: Int32Array.from(data, (one) => Number(one !== 0)), dims }];
    if (isFloat === data instanceof Float32Array) return [of];
    return [isFloat ? { data: Float32Array.from(data), dims } : { data: integers(data), dims }];
  };
};

const where: Operator = () => (inputs) => {
  const [holds, a, b] = [inputAt(inputs, 0), inputAt(inputs, 1), inputAt(inputs, 2)];
  const dims = broadcast(holds.dims, broadcast(a.dims, b.dims));
  const spread = (of: Tensor): Tensor["data"] => expand(of, dims).data;
  const [truths, ofA, ofB] = [spread(holds), spread(a), spread(b)];
  const into = tensorLike(a, dims);
  for (let i = 0; i < into.data.length; i++) into.data[i] = (truths[i] === 0 ? ofB[i] : ofA[i]) ?? 0;
  return [into];
};

/** Repeats a tensor along its axes of length 1. Throws an Error if the sizes do not fit. */
export function expand(of: Tensor, dims: readonly number[], vectors?: Vectors): Tensor {
  const sizes = broadcast(of.dims, dims);
  const zero = tensorLike(of, [], vectors);
  zero.data.fill(0);
  const loop =
    vectors && of.data instanceof Float32Array
      ? byVectors(vectors.call.addPairs, vectors.call.addOne, add)
      : add;
  return combine(held(of, vectors), zero, tensorLike(of, sizes, vectors), loop);
}

export const ELEMENTWISE = {
  Add: arithmetic(add, "addPairs", "addOne"),
  Sub: arithmetic(subtract, "subtractPairs", "subtractOne"),
  Mul: arithmetic(multiply, "multiplyPairs", "multiplyOne"),
  Div: arithmetic(divide, "dividePairs", "divideOne"),
  Pow: arithmetic(power),
  Less: comparison((a, b) => a < b),
  Greater: comparison((a, b) => a > b),
  Equal: comparison((a, b) => a === b),
  Where: where,
  Relu: relu,
  Clip: clip,
  Neg: negate,
  Sqrt: unary(Math.sqrt),
  Exp: unary(Math.exp),
  Sigmoid: curve((value) => 1 / (1 + Math.exp(-value)), "sigmoids"),
  Tanh: curve(Math.tanh, "tangents"),
  Cast: cast,
} satisfies Readonly<Record<string, Operator>>;
