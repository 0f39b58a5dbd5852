/** Implements the operators that reduce along axes: means, sums, maxima, softmax and layer normalisation. */
import type { Tensor } from "../../engine.js";
import {
  expectThat,
  floatsAt,
  numberOf,
  numbersAt,
  numbersOf,
  type Inputs,
  type Operator,
} from "./operator.js";
import { axisOf, floatTensor, sizeOf, splitAt } from "../tensors.js";
import type { Vectors } from "../vectors/vectors.js";

/** How the numbers along an axis become one. */
type Reduction = "sum" | "mean" | "most";

/** Creates a reduction along adjacent axes, or all axes if the node names no axes. Throws an Error for other axes. */
function reduction(how: Reduction, axesOf: (inputs: Inputs) => readonly number[] | undefined): Operator {
  return (node, { products: { vectors } }) =>
    (inputs) => {
      const { data, dims } = floatsAt(inputs, 0);
      const named = numbersOf(node, "axes") ?? axesOf(inputs) ?? dims.map((_, axis) => axis);
      const axes = named.map((axis) => axisOf(axis, dims.length)).sort((a, b) => a - b);
      const first = axes[0] ?? 0;
      expectThat(
        axes.every((axis, at) => axis === first + at),
        node,
        "along axes that are apart",
      );
      const count = sizeOf(axes.map((axis) => dims[axis] ?? 1));
      const outer = sizeOf(dims.slice(0, first));
      const inner = sizeOf(dims.slice(first + axes.length));
      const keeps = numberOf(node, "keepdims", 1) === 1;
      const kept = dims.flatMap((dim, axis) => (axes.includes(axis) ? (keeps ? [1] : []) : [dim]));
      const into = floatTensor(kept);
      const runs = { outer, count, inner };
      if (vectors !== undefined && inner % 4 === 0 && data.length > 0)
        reduceByVectors(data, runs, how, { into: into.data, vectors });
      else reduce(data, runs, how, into.data);
      return [into];
    };
}

interface Runs {
  readonly outer: number;
  readonly count: number;
  readonly inner: number;
}

/** How many rows are summed in single precision before their sum is added in double precision. */
const ROWS_AT_ONCE = 32;

function reduceByVectors(
  data: Float32Array,
  { outer, count, inner }: Runs,
  how: Reduction,
  { into, vectors }: { readonly into: Float32Array; readonly vectors: Vectors },
): void {
  const rows = vectors.hold(data);
  const some = vectors.take(inner);
  const [start, end, bytes] = [some.byteOffset, some.byteOffset + 4 * inner, 4 * inner];
  const joinRow = how === "most" ? vectors.call.mostOfPairs : vectors.call.addPairs;
  const chunks = { outer: 1, count: Math.ceil(count / ROWS_AT_ONCE), inner };
  const sums = new Float32Array(chunks.count * inner);
  for (let run = 0; run < outer; run++) {
    const from = rows.byteOffset + run * count * bytes;
    for (let first = 0, at = 0; first < count; first += ROWS_AT_ONCE, at += inner) {
      vectors.call.copyBlocks(start, 0, from + first * bytes, from + first * bytes + 1, bytes, bytes);
      const last = Math.min(count, first + ROWS_AT_ONCE);
      for (let row = first + 1; row < last; row++) joinRow(start, end, start, from + row * bytes);
      sums.set(some, at);
    }
    const totals = into.subarray(run * inner, (run + 1) * inner);
    reduce(sums, chunks, how === "most" ? "most" : "sum", totals);
    if (how === "mean") for (let i = 0; i < inner; i++) totals[i] = (totals[i] ?? 0) / count;
  }
}

function reduce(data: Float32Array, { outer, count, inner }: Runs, how: Reduction, into: Float32Array): void {
  // Double precision, so that sums over thousands of lines stay exact enough.
  const sums = new Float64Array(inner);
  const join = how === "most" ? keepMost : addTo;
  const divisor = how === "mean" ? count : 1;
  for (let run = 0; run < outer; run++) {
    sums.fill(how === "most" ? -Infinity : 0);
    for (let at = 0; at < count; at++) join(sums, data, (run * count + at) * inner);
    for (let i = 0; i < inner; i++) into[run * inner + i] = (sums[i] ?? 0) / divisor;
  }
}

function addTo(sums: Float64Array, data: Float32Array, from: number): void {
  for (let i = 0; i < sums.length; i++) sums[i] = (sums[i] ?? 0) + (data[from + i] ?? 0);
}

function keepMost(sums: Float64Array, data: Float32Array, from: number): void {
  for (let i = 0; i < sums.length; i++) {
    const value = data[from + i] ?? 0;
    if (value > (sums[i] ?? 0)) sums[i] = value;
  }
}

const softmax: Operator = (node) => (inputs) => {
  const { data, dims } = floatsAt(inputs, 0);
  const axis = axisOf(numberOf(node, "axis", -1), dims.length);
  const { outer, length, inner } = splitAt(dims, axis);
  const into = floatTensor(dims);
  for (let run = 0; run < outer * inner; run++) {
    const at = (place: number): number => (Math.floor(run / inner) * length + place) * inner + (run % inner);
    let most = -Infinity;
    for (let place = 0; place < length; place++) most = Math.max(most, data[at(place)] ?? 0);
    let sum = 0;
    for (let place = 0; place < length; place++) {
      const power = Math.exp((data[at(place)] ?? 0) - most);
      sum += power;
      into.data[at(place)] = power;
    }
    for (let place = 0; place < length; place++) into.data[at(place)] = (into.data[at(place)] ?? 0) / sum;
  }
  return [into];
};

/** Subtracts each row's mean, divides by its deviation, multiplies by weights per column and adds biases per column. */
const normalize: Operator = (node, { products: { vectors } }) => {
  const epsilon = numberOf(node, "epsilon", 1e-5);
  const facts = vectors?.keepNumbers([0, epsilon, 1]) ?? 0;
  return (inputs) => {
    const { data, dims } = floatsAt(inputs, 0);
    const { data: weight } = floatsAt(inputs, 1);
    const bias: Tensor["data"] = inputs[2]?.data ?? new Float32Array(weight.length);
    expectThat(axisOf(numberOf(node, "axis", -1), dims.length) === dims.length - 1, node, "of many axes");
    const width = dims.at(-1) ?? 1;
    if (weight.length !== width || bias.length !== width) throw new Error("weights of other columns");
    const into = floatTensor(dims, vectors);
    if (vectors !== undefined && width % 4 === 0 && data.length > 0 && bias instanceof Float32Array) {
      vectors.floats()[facts / 4] = 1 / width;
      const [from, to] = [into.data.byteOffset, into.data.byteOffset + into.data.byteLength];
      const [x, w, b] = [data, weight, bias].map((one) => vectors.hold(one).byteOffset);
      vectors.call.normalize(from, to, x ?? 0, 4 * width, w ?? 0, b ?? 0, facts);
      return [into];
    }
    for (let row = 0; row < data.length; row += width) {
      let sum = 0;
      for (let i = 0; i < width; i++) sum += data[row + i] ?? 0;
      const mean = sum / width;
      let squares = 0;
      for (let i = 0; i < width; i++) squares += ((data[row + i] ?? 0) - mean) ** 2;
      const factor = 1 / Math.sqrt(squares / width + epsilon);
      for (let i = 0; i < width; i++)
        into.data[row + i] = ((data[row + i] ?? 0) - mean) * factor * (weight[i] ?? 0) + (bias[i] ?? 0);
    }
    return [into];
  };
};

export const REDUCTIONS = {
  ReduceMean: reduction("mean", () => undefined),
  ReduceMax: reduction("most", () => undefined),
  ReduceSum: reduction("sum", (inputs) => numbersAt(inputs, 1)),
  Softmax: softmax,
  LayerNormalization: normalize,
} satisfies Readonly<Record<string, Operator>>;
