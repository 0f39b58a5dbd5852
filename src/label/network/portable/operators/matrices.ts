/** Implements the operators that multiply by matrices: products, convolutions and LSTMs (long short-term memory). */
import type { Tensor } from "../../engine.js";
import type { Node } from "../onnx-file.js";
import {
  expectThat,
  floatsAt,
  neededOf,
  numberOf,
  numbersOf,
  textOf,
  type Inputs,
  type Operator,
  type OperatorTools,
} from "./operator.js";
import { createPlainProducts, takeRows, type Matrix, type Product } from "../vectors/products.js";
import type { Vectors } from "../vectors/vectors.js";
import { floatTensor, sizeOf } from "../tensors.js";

/** Prepares the product with a matrix: a fast one if the matrix is constant, else plain loops. */
function productOf(matrix: Matrix, isConstant: boolean, tools: OperatorTools): Product {
  return (isConstant ? tools.products : createPlainProducts()).prepare(matrix);
}

/** Transposes outer × inner to inner × outer. */
function turned(data: Float32Array, outer: number, inner: number): Float32Array {
  const into = new Float32Array(data.length);
  for (let column = 0; column < outer; column++)
    for (let k = 0; k < inner; k++) into[k * outer + column] = data[column * inner + k] ?? 0;
  return into;
}

/** Returns a function that makes something from some inputs; it is made only once if these inputs are constant. */
function madeOf<T>(
  places: readonly number[],
  tools: OperatorTools,
  make: (inputs: Inputs, isConstant: boolean) => T,
) {
  const known: (Tensor | undefined)[] = [];
  for (const at of places) known[at] = tools.constant(at);
  const isConstant = places.every((at) => known[at] !== undefined);
  const made = isConstant ? make(known, true) : undefined;
  return (inputs: Inputs): T => made ?? make(inputs, false);
}

/** Multiplies rows along the last axis of the first input by a matrix, and adds the third input to every row. */
const matMul: Operator = (node, tools) => {
  const matrix = madeOf(node.inputs.length > 2 ? [1, 2] : [1], tools, (inputs, isConstant) => {
    const { data, dims } = floatsAt(inputs, 1);
    const [inner = 0, outer = 0] = dims;
    expectThat(dims.length === 2, node, "by stacks of matrices");
    const bias = inputs[2] === undefined ? undefined : floatsAt(inputs, 2).data;
    return { inner, outer, product: productOf({ data, inner, outer, bias }, isConstant, tools) };
  });
  return (inputs) => {
    const rows = floatsAt(inputs, 0);
    const { inner, outer, product } = matrix(inputs);
    return [multiply(rows, { inner, outer, product }, tools)];
  };
};

function multiply(
  { data, dims }: { readonly data: Float32Array; readonly dims: readonly number[] },
  { inner, outer, product }: { readonly inner: number; readonly outer: number; readonly product: Product },
  tools: OperatorTools,
): Tensor {
  if (dims.at(-1) !== inner) throw new Error(`rows of ${dims.at(-1) ?? 0} do not fit a matrix of ${inner}`);
  const count = sizeOf(dims.slice(0, -1));
  const into = takeRows(count, outer, tools.products.vectors);
  if (count > 0) product.run(data, count, into);
  return { data: into, dims: dims.with(-1, outer) };
}

const gemm: Operator = (node, tools) => {
  const isTurned = numberOf(node, "transB", 0) === 1;
  expectThat(
    numberOf(node, "transA", 0) === 0 && numberOf(node, "alpha", 1) === 1 && numberOf(node, "beta", 1) === 1,
    node,
    "that turns or scales its rows",
  );
  const matrix = madeOf(node.inputs.length > 2 ? [1, 2] : [1], tools, (inputs, isConstant) => {
    const { data: given, dims } = floatsAt(inputs, 1);
    const [first = 0, second = 0] = dims;
    const [inner, outer] = isTurned ? [second, first] : [first, second];
    const data = isTurned ? turned(given, outer, inner) : given;
    const bias = inputs[2] === undefined ? undefined : floatsAt(inputs, 2).data;
    expectThat(bias === undefined || bias.length === outer, node, "with a bias that is no row");
    return { inner, outer, product: productOf({ data, inner, outer, bias }, isConstant, tools) };
  });
  return (inputs) => {
    const { inner, outer, product } = matrix(inputs);
    return [multiply(floatsAt(inputs, 0), { inner, outer, product }, tools)];
  };
};

/** A convolution reads `taps` rows, `dilation` apart, from `before` rows earlier on; beyond the ends it reads zeros. */
interface Neighbours {
  readonly taps: number;
  readonly dilation: number;
  readonly before: number;
}

/** Reads channels × length and returns channels × length, as ONNX defines `Conv`. */
const conv: Operator = (node, tools) => {
  const byRows = convRows(node, tools);
  return (inputs) => {
    const { data, dims } = floatsAt(inputs, 0);
    const [batch = 0, channels = 0, length = 0] = dims;
    expectThat(dims.length === 3 && batch === 1, node, "of more than one row of places");
    const rows = { data: turned(data, channels, length), dims: [1, length, channels] };
    const { data: out, dims: sizes } = byRows(inputs.with(0, rows));
    const [, , made = 0] = sizes;
    return [{ data: turned(out, length, made), dims: [1, made, length] }];
  };
};

/** Reads length × channels and returns length × channels (see fusion.ts). */
const convLines: Operator = (node, tools) => {
  const byRows = convRows(node, tools);
  return (inputs) => [byRows(inputs)];
};

function convRows(
  node: Node,
  tools: OperatorTools,
): (inputs: Inputs) => { readonly data: Float32Array; readonly dims: readonly number[] } {
  const [dilation = 1] = numbersOf(node, "dilations") ?? [];
  const [before = 0, after = 0] = numbersOf(node, "pads") ?? [];
  const [step = 1] = numbersOf(node, "strides") ?? [];
  expectThat(
    numberOf(node, "group", 1) === 1 && step === 1 && textOf(node, "auto_pad", "NOTSET") === "NOTSET",
    node,
    "in groups, with strides or with automatic padding",
  );
  const matrix = madeOf(node.inputs.length > 2 ? [1, 2] : [1], tools, (inputs, isConstant) => {
    const { data: given, dims } = floatsAt(inputs, 1);
    const [outer = 0, channels = 0, taps = 0] = dims;
    expectThat(dims.length === 3, node, "along more than one axis");
    // From outer × channels × taps to taps × channels × outer, because gathered rows hold one neighbour after another.
    const data = new Float32Array(given.length);
    for (let column = 0; column < outer; column++)
      for (let channel = 0; channel < channels; channel++)
        for (let tap = 0; tap < taps; tap++)
          data[(tap * channels + channel) * outer + column] =
            given[(column * channels + channel) * taps + tap] ?? 0;
    const bias = inputs[2] === undefined ? undefined : floatsAt(inputs, 2).data;
    const inner = taps * channels;
    return { taps, channels, outer, product: productOf({ data, inner, outer, bias }, isConstant, tools) };
  });
  return (inputs) => {
    const { data, dims } = floatsAt(inputs, 0);
    const { taps, channels, outer, product } = matrix(inputs);
    const [, length = 0, width = 0] = dims;
    if (width !== channels) throw new Error(`rows of ${width} do not fit ${channels} channels`);
    const count = length + before + after - dilation * (taps - 1);
    const { vectors } = tools.products;
    const into = takeRows(Math.max(0, count), outer, vectors);
    const around = { taps, dilation, before };
    const gathered = gatherNeighbours(data, { length, channels, count }, around, vectors);
    product.run(gathered, count, into);
    return { data: into, dims: [1, count, outer] };
  };
}

function gatherNeighbours(
  data: Float32Array,
  { length, channels, count }: { readonly length: number; readonly channels: number; readonly count: number },
  { taps, dilation, before }: Neighbours,
  vectors: Vectors | undefined,
): Float32Array {
  const width = taps * channels;
  const into = takeRows(count, width, vectors);
  const isFast = vectors !== undefined && channels % 4 === 0;
  const from = isFast ? vectors.hold(data) : data;
  if (vectors !== undefined) into.fill(0);
  for (let tap = 0; tap < taps; tap++) {
    const shift = tap * dilation - before;
    const [first, end] = [Math.max(0, -shift), Math.min(count, length - shift)];
    if (first >= end) continue;
    if (isFast) {
      const at = from.byteOffset + 4 * (first + shift) * channels;
      const to = into.byteOffset + 4 * (first * width + tap * channels);
      const bytes = 4 * channels;
      vectors.call.copyBlocks(to, 4 * width, at, at + (end - first) * bytes, bytes, bytes);
    } else
      for (let row = first; row < end; row++) {
        const at = (row + shift) * channels;
        into.set(from.subarray(at, at + channels), row * width + tap * channels);
      }
  }
  return into;
}

/** The two products of one direction of an LSTM: with the inputs, and with its own last outputs. */
interface Direction {
  readonly ofInputs: Product;
  readonly ofOutputs: Product;
}

/** Prepares the one or two directions of an LSTM, each with its own weights. Throws an Error for wrong sizes. */
function prepareDirections(
  inputs: Inputs,
  hidden: number,
  prepare: (matrix: Matrix) => Product,
): Direction[] {
  const [ofInputs, ofOutputs] = [floatsAt(inputs, 1), floatsAt(inputs, 2)];
  const gates = 4 * hidden;
  const [count = 0, , inner = 0] = ofInputs.dims;
  const biases = inputs[3] === undefined ? new Float32Array(count * 2 * gates) : floatsAt(inputs, 3).data;
  if (ofInputs.data.length !== count * gates * inner || ofOutputs.data.length !== count * gates * hidden)
    throw new Error("the weights of an LSTM have wrong sizes");
  return Array.from({ length: count }, (_, at): Direction => {
    // Biases of inputs and of outputs are added up, because both go into the same sums.
    const bias = biases.slice(2 * at * gates, (2 * at + 1) * gates);
    for (let i = 0; i < gates; i++) bias[i] = (bias[i] ?? 0) + (biases[(2 * at + 1) * gates + i] ?? 0);
    const own = (from: Float32Array, width: number): Float32Array =>
      turned(from.subarray(at * gates * width, (at + 1) * gates * width), gates, width);
    return {
      ofInputs: prepare({ data: own(ofInputs.data, inner), inner, outer: gates, bias }),
      ofOutputs: prepare({
        data: own(ofOutputs.data, hidden),
        inner: hidden,
        outer: gates,
        isForSingleRows: true,
      }),
    };
  });
}

/** Implements ONNX's "LSTM", with gates in the order input, output, forget, cell. */
const lstm: Operator = (node, tools) => {
  const hidden = neededOf(node, "hidden_size").number;
  const way = textOf(node, "direction", "forward");
  expectThat(
    numberOf(node, "layout", 0) === 0 &&
      numberOf(node, "input_forget", 0) === 0 &&
      ["activations", "clip"].every((name) => !node.attributes.has(name)) &&
      [4, 7].every((at) => (node.inputs[at] ?? "") === ""),
    node,
    "with sequence lengths, peepholes, a clip or other activations",
  );
  const gates = 4 * hidden;
  const weights = (node.inputs[3] ?? "") === "" ? [1, 2] : [1, 2, 3];
  const directions = madeOf(weights, tools, (inputs, isConstant) =>
    prepareDirections(inputs, hidden, (matrix) => productOf(matrix, isConstant, tools)),
  );
  return (inputs) => {
    const { data, dims } = floatsAt(inputs, 0);
    const [length = 0, batch = 0] = dims;
    expectThat(dims.length === 3 && batch === 1, node, "of many sequences at once");
    const all = directions(inputs);
    const count = all.length;
    const { vectors } = tools.products;
    const outputs = floatTensor([length, count, 1, hidden], vectors);
    const last = floatTensor([count, 1, hidden], vectors);
    const cells = floatTensor([count, 1, hidden], vectors);
    last.data.fill(0);
    cells.data.fill(0);
    if (inputs[5] !== undefined) last.data.set(floatsAt(inputs, 5).data);
    if (inputs[6] !== undefined) cells.data.set(floatsAt(inputs, 6).data);
    for (const [at, direction] of all.entries()) {
      const sums = takeRows(length, gates, vectors);
      direction.ofInputs.run(data, length, sums);
      const own = { from: at * hidden, to: (at + 1) * hidden };
      const state = {
        last: last.data.subarray(own.from, own.to),
        cell: cells.data.subarray(own.from, own.to),
        own: takeRows(1, gates, vectors),
      };
      const isBackward = way === "reverse" || at === 1;
      const stepOn = stepper(state, direction.ofOutputs, vectors);
      for (let step = 0; step < length; step++) {
        const row = isBackward ? length - 1 - step : step;
        stepOn({ sums, at: row * gates }, { rows: outputs.data, at: (row * count + at) * hidden });
      }
    }
    return [outputs, last, cells];
  };
};

/** The state of one direction: its last outputs, its cells, and a buffer for the gate sums of the last outputs. */
interface State {
  readonly last: Float32Array;
  readonly cell: Float32Array;
  readonly own: Float32Array;
}

/** Processes a line: the gate sums of its inputs begin at `of.at` in `sums`; its outputs go to `into.at` in `rows`. */
type Stepper = (
  of: { readonly sums: Float32Array; readonly at: number },
  into: { readonly rows: Float32Array; readonly at: number },
) => void;

function stepper({ last, cell, own }: State, ofOutputs: Product, vectors: Vectors | undefined): Stepper {
  const hidden = last.length;
  if (vectors !== undefined && hidden % 4 === 0)
    return ({ sums, at }, into) => {
      ofOutputs.run(last, 1, own);
      const row = into.rows.byteOffset + 4 * into.at;
      const [a, b] = [sums.byteOffset + 4 * at, own.byteOffset];
      vectors.call.lstmStep(a, b, cell.byteOffset, last.byteOffset, row, 4 * hidden);
    };
  return ({ sums, at }, into) => {
    ofOutputs.run(last, 1, own);
    for (let i = 0; i < 4 * hidden; i++) own[i] = (own[i] ?? 0) + (sums[at + i] ?? 0);
    for (let i = 0; i < hidden; i++) {
      const kept = sigmoid(own[2 * hidden + i] ?? 0) * (cell[i] ?? 0);
      const value = kept + sigmoid(own[i] ?? 0) * tanh(own[3 * hidden + i] ?? 0);
      cell[i] = value;
      last[i] = sigmoid(own[hidden + i] ?? 0) * tanh(value);
    }
    into.rows.set(last, into.at);
  };
}

function sigmoid(value: number): number {
  return 1 / (1 + Math.exp(-value));
}

/** Returns tanh as exactly as single precision needs, in half the time of Math.tanh. */
function tanh(value: number): number {
  return 2 * sigmoid(2 * value) - 1;
}

export const MATRICES = {
  MatMul: matMul,
  "thresher.Linear": matMul,
  Gemm: gemm,
  Conv: conv,
  "thresher.ConvLines": convLines,
  LSTM: lstm,
} satisfies Readonly<Record<string, Operator>>;
