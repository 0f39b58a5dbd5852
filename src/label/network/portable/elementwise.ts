/** Computes number by number: sums, products, comparisons and functions, where the smaller tensor is repeated. */
import type { Tensor } from "../engine.js";
import { floatsAt, inputAt, neededOf, type Operator } from "./operator.js";
import { floatTensor, integers, sizeOf, stridesOf, tensorLike } from "./tensors.js";
import { isFloatType } from "./onnx-file.js";

/** Where a row of a repeated tensor begins, and whether its numbers follow each other or are one and the same. */
interface Walk {
  readonly row: number;
  readonly step: 0 | 1;
}

/** Writes `count` numbers from `at` on. A loop for each operation: a call for each number costs more than its sum. */
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
/** Slower, for what is rare or small. */
function each(compute: (a: number, b: number) => number): Loop {
  return (into, at, count, { a, of: x }, { b, of: y }) => {
    for (let i = 0; i < count; i++)
      into[at + i] = compute(a[x.row + i * x.step] ?? 0, b[y.row + i * y.step] ?? 0);
  };
}
const power = each((a, b) => (b === 2 ? a * a : a ** b));

/** The sizes of what two tensors make together: each axis as long as the longer one. */
export function broadcast(a: readonly number[], b: readonly number[]): number[] {
  const rank = Math.max(a.length, b.length);
  return Array.from({ length: rank }, (_, axis) => {
    const x = a[axis - rank + a.length] ?? 1;
    const y = b[axis - rank + b.length] ?? 1;
    if (x !== y && x !== 1 && y !== 1)
      throw new Error(`tensors of ${a.join(" × ")} and ${b.join(" × ")} do not fit together`);
    return x === 1 ? y : x;
  });
}

/** How far to go in a tensor for a step along each axis of the result: nowhere where it is repeated. */
function stepsOf(of: readonly number[], rank: number): number[] {
  const strides = stridesOf(of);
  return Array.from({ length: rank }, (_, axis) => {
    const own = axis - rank + of.length;
    return (of[own] ?? 1) === 1 ? 0 : (strides[own] ?? 0);
  });
}

/** Both read along the last axis, row after row of the result. */
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
  const stepOfA = ofA[rank - 1] === 0 ? 0 : 1;
  const stepOfB = ofB[rank - 1] === 0 ? 0 : 1;
  const place = new Array<number>(rank).fill(0);
  let [atA, atB] = [0, 0];
  for (let at = 0; at < data.length; at += count) {
    loop(
      data,
      at,
      count,
      { a: a.data, of: { row: atA, step: stepOfA } },
      { b: b.data, of: { row: atB, step: stepOfB } },
    );
    for (let axis = rank - 2; axis >= 0; axis--) {
      const [next, length] = [(place[axis] ?? 0) + 1, dims[axis] ?? 1];
      atA += ofA[axis] ?? 0;
      atB += ofB[axis] ?? 0;
      place[axis] = next;
      if (next < length) break;
      place[axis] = 0;
      atA -= length * (ofA[axis] ?? 0);
      atB -= length * (ofB[axis] ?? 0);
    }
  }
  return into;
}

function arithmetic(loop: Loop): Operator {
  return () => (inputs) => {
    const [a, b] = [inputAt(inputs, 0), inputAt(inputs, 1)];
    if (a.data instanceof Float32Array !== b.data instanceof Float32Array)
      throw new Error("floats and whole numbers do not go together");
    return [combine(a, b, tensorLike(a, broadcast(a.dims, b.dims)), loop)];
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

const relu: Operator = () => (inputs) => {
  const { data, dims } = floatsAt(inputs, 0);
  const into = floatTensor(dims);
  // Not Math.max: a value that is no number stays none.
  for (let i = 0; i < data.length; i++) into.data[i] = (data[i] ?? 0) < 0 ? 0 : (data[i] ?? 0);
  return [into];
};

const clip: Operator = () => (inputs) => {
  const { data, dims } = floatsAt(inputs, 0);
  const least = inputs[1]?.data[0] ?? -Infinity;
  const most = inputs[2]?.data[0] ?? Infinity;
  const into = floatTensor(dims);
  for (let i = 0; i < data.length; i++) {
    const value = data[i] ?? 0;
    into.data[i] = value < least ? least : value > most ? most : value;
  }
  return [into];
};

const negate: Operator = () => (inputs) => {
  const of = inputAt(inputs, 0);
  const into = tensorLike(of, of.dims);
  for (let i = 0; i < into.data.length; i++) into.data[i] = -(of.data[i] ?? 0);
  return [into];
};

/** Towards zero; a truth value is 1 for what is not 0. */
const cast: Operator = (node) => {
  const type = neededOf(node, "to").number;
  const isFloat = isFloatType(type);
  const BOOL = 9;
  return (inputs) => {
    const { data, dims } = inputAt(inputs, 0);
    if (isFloat) return [{ data: Float32Array.from(data), dims }];
    const numbers = Array.from(data, (one) => (type === BOOL ? Number(one !== 0) : Math.trunc(one)));
    return [{ data: integers(numbers), dims }];
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

/** Repeated along its axes of length 1. */
export function expand(of: Tensor, dims: readonly number[]): Tensor {
  const sizes = broadcast(of.dims, dims);
  const zero = tensorLike(of, []);
  return combine(of, zero, tensorLike(of, sizes), add);
}

export const ELEMENTWISE = {
  Add: arithmetic(add),
  Sub: arithmetic(subtract),
  Mul: arithmetic(multiply),
  Div: arithmetic(divide),
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
  Sigmoid: unary((value) => 1 / (1 + Math.exp(-value))),
  Tanh: unary(Math.tanh),
  Cast: cast,
} satisfies Readonly<Record<string, Operator>>;
