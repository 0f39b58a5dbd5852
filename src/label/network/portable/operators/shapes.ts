/** Implements the operators that move numbers: reshape, gather, concatenate, slice, transpose, pad and scatter. */
import type { Tensor } from "../../engine.js";
import { expand } from "./elementwise.js";
import {
  expectThat,
  inputAt,
  neededOf,
  numberOf,
  numbersAt,
  numbersOf,
  textOf,
  type Operator,
} from "./operator.js";
import type { Vectors } from "../vectors/vectors.js";
import { axisOf, reshaped, shapeTensor, sizeOf, splitAt, stridesOf, tensorLike } from "../tensors.js";

const constant: Operator = (node) => {
  const { tensor } = neededOf(node, "value");
  if (tensor === undefined) throw new Error("a constant has no value");
  return () => [tensor];
};

const identity: Operator = () => (inputs) => [inputAt(inputs, 0)];

const shape: Operator = () => (inputs) => [shapeTensor(inputAt(inputs, 0).dims)];

/** Copies rows along an axis by their indices; a negative index counts from the end. */
const gather: Operator =
  (node, { products: { vectors } }) =>
  (inputs) => {
    const [from, places] = [inputAt(inputs, 0), inputAt(inputs, 1)];
    const axis = axisOf(numberOf(node, "axis", 0), from.dims.length);
    const { outer, length, inner } = splitAt(from.dims, axis);
    const dims = [...from.dims.slice(0, axis), ...places.dims, ...from.dims.slice(axis + 1)];
    const into = tensorLike(from, dims, vectors);
    const count = places.data.length;
    for (let run = 0; run < outer; run++)
      for (let at = 0; at < count; at++) {
        const place = axisOf(places.data[at] ?? 0, length);
        copy(from, (run * length + place) * inner, { into, to: (run * count + at) * inner, count: inner });
      }
    return [into];
  };

/** Copies consecutive numbers; a loop is faster than a view for few numbers. */
function copy(
  { data }: Tensor,
  from: number,
  { into, to, count }: { readonly into: Tensor; readonly to: number; readonly count: number },
): void {
  if (count < 64) for (let i = 0; i < count; i++) into.data[to + i] = data[from + i] ?? 0;
  else into.data.set(data.subarray(from, from + count), to);
}

const unsqueeze: Operator = () => (inputs) => {
  const of = inputAt(inputs, 0);
  const axes = numbersAt(inputs, 1) ?? [];
  const rank = of.dims.length + axes.length;
  const added = new Set(axes.map((axis) => axisOf(axis, rank)));
  let next = 0;
  const dims = Array.from({ length: rank }, (_, axis) => (added.has(axis) ? 1 : (of.dims[next++] ?? 1)));
  return [reshaped(of, dims)];
};

const squeeze: Operator = () => (inputs) => {
  const of = inputAt(inputs, 0);
  const rank = of.dims.length;
  const axes = numbersAt(inputs, 1)?.map((axis) => axisOf(axis, rank));
  return [
    reshaped(
      of,
      of.dims.filter((dim, axis) => (axes === undefined ? dim !== 1 : !axes.includes(axis))),
    ),
  ];
};

/** Changes the sizes; 0 keeps a size, and -1 is computed from the rest. */
const reshape: Operator = (node) => {
  expectThat(numberOf(node, "allowzero", 0) === 0, node, "with empty axes");
  return (inputs) => {
    const of = inputAt(inputs, 0);
    const asked = numbersAt(inputs, 1) ?? [];
    const dims = asked.map((dim, axis) => (dim === 0 ? (of.dims[axis] ?? 0) : dim));
    const known = sizeOf(dims.filter((dim) => dim !== -1));
    return [
      reshaped(
        of,
        dims.map((dim) => (dim === -1 ? of.data.length / Math.max(1, known) : dim)),
      ),
    ];
  };
};

const concat: Operator =
  (node, { products: { vectors } }) =>
  (inputs) => {
    const parts = inputs.map((_, at) => inputAt(inputs, at));
    const first = inputAt(inputs, 0);
    const axis = axisOf(neededOf(node, "axis").number, first.dims.length);
    const total = parts.reduce((sum, { dims }) => sum + (dims[axis] ?? 0), 0);
    // All parts must have the sizes of the first one except along this axis, as in ONNX Runtime.
    const into = tensorLike(first, first.dims.with(axis, total), vectors);
    const { outer, inner } = splitAt(into.dims, axis);
    const last = parts.at(-1) ?? first;
    const isFast =
      vectors !== undefined &&
      first.data instanceof Float32Array &&
      outer > 1 &&
      (splitAt(last.dims, axis).length * inner) % 4 === 0 &&
      last.data.length > 0;
    let offset = 0;
    for (const part of parts) {
      const count = splitAt(part.dims, axis).length * inner;
      if (part.data.length !== outer * count) throw new Error("tensors of different sizes cannot be joined");
      const blocks = { count, apart: count, times: outer };
      // The kernel copies multiples of 16 bytes. The next part overwrites the excess; the last part must not have any.
      if (isFast) copyBlocks(vectors, part, { ...blocks, into, to: offset, apartInto: total * inner });
      else
        for (let run = 0; run < outer; run++)
          copy(part, run * count, { into, to: run * total * inner + offset, count });
      offset += count;
    }
    return [into];
  };

/** Blocks of floats to copy; all distances are in floats. */
interface Blocks {
  /** Where the first block begins; 0 if undefined. */
  readonly start?: number;
  /** The length of a block. */
  readonly count: number;
  /** The distance from one block to the next in the source. */
  readonly apart: number;
  /** The number of blocks. */
  readonly times: number;
  readonly into: Tensor;
  readonly to: number;
  readonly apartInto: number;
}

function copyBlocks(vectors: Vectors, { data }: Tensor, blocks: Blocks): void {
  const { start = 0, count, apart, times, into, to, apartInto } = blocks;
  if (!(data instanceof Float32Array)) throw new Error("floats and whole numbers do not go together");
  if (count === 0) return;
  const from = vectors.hold(data).byteOffset + 4 * start;
  const target = into.data.byteOffset + 4 * to;
  vectors.call.copyBlocks(target, 4 * apartInto, from, from + 4 * apart * times, 4 * apart, 4 * count);
}

const transpose: Operator =
  (node, { products: { vectors } }) =>
  (inputs) => {
    const of = inputAt(inputs, 0);
    const rank = of.dims.length;
    const order = numbersOf(node, "perm") ?? Array.from({ length: rank }, (_, axis) => rank - 1 - axis);
    const dims = order.map((axis) => of.dims[axisOf(axis, rank)] ?? 1);
    const moved = order.filter((axis) => of.dims[axis] !== 1);
    if (moved.every((axis, at) => axis > (moved[at - 1] ?? -1))) return [reshaped(of, dims)];
    const into = tensorLike(of, dims, vectors);
    const strides = stridesOf(of.dims);
    const turned = { into, strides: order.map((axis) => strides[axis] ?? 1), from: 0 };
    if (!copyLongest(of, turned, vectors)) copyByStrides(of, turned);
    return [into];
  };

/** Cuts out a range of each given axis, with steps of 1; ends beyond an axis are clamped. */
const slice: Operator =
  (_, { products: { vectors } }) =>
  (inputs) => {
    const of = inputAt(inputs, 0);
    const rank = of.dims.length;
    const starts = numbersAt(inputs, 1) ?? [];
    const ends = numbersAt(inputs, 2) ?? [];
    const axes = numbersAt(inputs, 3) ?? starts.map((_, axis) => axis);
    const steps = numbersAt(inputs, 4) ?? [];
    const strides = stridesOf(of.dims);
    const dims = [...of.dims];
    let from = 0;
    for (const [at, given] of axes.entries()) {
      const axis = axisOf(given, rank);
      if ((steps[at] ?? 1) !== 1) throw new Error("slices go in steps of one");
      const length = of.dims[axis] ?? 0;
      const place = (index: number): number =>
        Math.min(length, Math.max(0, index < 0 ? index + length : index));
      const [start, end] = [place(starts[at] ?? 0), place(ends[at] ?? 0)];
      dims[axis] = Math.max(0, end - start);
      from += start * (strides[axis] ?? 1);
    }
    const into = tensorLike(of, dims, vectors);
    // Consecutive rows are copied at once.
    if (dims.every((dim, axis) => axis === 0 || dim === of.dims[axis]))
      into.data.set(of.data.subarray(from, from + into.data.length));
    else copyByStrides(of, { into, strides, from });
    return [into];
  };

/** How to read the numbers of `into`: they begin at `from`, and a step along each of its axes moves by a stride. */
interface Strides {
  readonly into: Tensor;
  readonly strides: readonly number[];
  readonly from: number;
}

/** Copies blocks along the longest axis, for each index of the others. Returns false if that is not possible. */
function copyLongest(of: Tensor, { into, strides, from }: Strides, vectors: Vectors | undefined): boolean {
  const { data, dims } = into;
  const last = dims.length - 1;
  const count = dims[last] ?? 1;
  const isFast = vectors !== undefined && of.data instanceof Float32Array && data.length > 0;
  if (!isFast || last < 1 || strides[last] !== 1 || count % 4 !== 0) return false;
  const times = Math.max(...dims.slice(0, last));
  const longest = dims.indexOf(times);
  const own = stridesOf(dims);
  const held = { data: vectors.hold(of.data), dims: of.dims };
  const blocks = { count, apart: strides[longest] ?? 1, times, into, apartInto: own[longest] ?? 1 };
  const copyFrom = (axis: number, start: number, to: number): void => {
    if (axis === last) copyBlocks(vectors, held, { ...blocks, start, to });
    else if (axis === longest) copyFrom(axis + 1, start, to);
    else
      for (let place = 0; place < (dims[axis] ?? 1); place++)
        copyFrom(axis + 1, start + place * (strides[axis] ?? 1), to + place * (own[axis] ?? 1));
  };
  copyFrom(0, from, 0);
  return true;
}

/** Fills `into` row by row. */
function copyByStrides(of: Tensor, { into, strides, from }: Strides): void {
  const { data, dims } = into;
  const rank = dims.length;
  const count = dims[rank - 1] ?? 1;
  const step = strides[rank - 1] ?? 1;
  const place = new Array<number>(rank).fill(0);
  let start = from;
  for (let at = 0; at < data.length; at += count) {
    if (step === 1) copy(of, start, { into, to: at, count });
    else for (let i = 0; i < count; i++) data[at + i] = of.data[start + i * step] ?? 0;
    for (let axis = rank - 2; axis >= 0; axis--) {
      const [next, length] = [(place[axis] ?? 0) + 1, dims[axis] ?? 1];
      start += strides[axis] ?? 0;
      place[axis] = next;
      if (next < length) break;
      place[axis] = 0;
      start -= length * (strides[axis] ?? 0);
    }
  }
}

const expanded: Operator =
  (_, { products: { vectors } }) =>
  (inputs) => [expand(inputAt(inputs, 0), numbersAt(inputs, 1) ?? [], vectors)];

const constantOfShape: Operator = (node) => {
  const { tensor: value = { data: new Float32Array(1), dims: [1] } } = node.attributes.get("value") ?? {};
  return (inputs) => {
    const into = tensorLike(value, numbersAt(inputs, 0) ?? []);
    into.data.fill(value.data[0] ?? 0);
    return [into];
  };
};

/** Adds rows to the rows of a tensor with given indices. */
const scatter: Operator = (node, { products: { vectors } }) => {
  expectThat(textOf(node, "reduction", "none") === "add", node, "that does not add");
  return (inputs) => {
    const [onto, places, rows] = [inputAt(inputs, 0), inputAt(inputs, 1), inputAt(inputs, 2)];
    expectThat(places.dims.at(-1) === 1, node, "by more than one axis");
    const { length, inner } = splitAt(onto.dims, 0);
    const into = tensorLike(onto, onto.dims, vectors);
    into.data.set(onto.data);
    if (rows.data.length !== places.data.length * inner) throw new Error("there is not a row for each place");
    const isFast = vectors !== undefined && rows.data instanceof Float32Array && inner % 4 === 0;
    const added = isFast && rows.data instanceof Float32Array ? vectors.hold(rows.data).byteOffset : 0;
    for (let at = 0; at < places.data.length; at++) {
      const base = axisOf(places.data[at] ?? 0, length) * inner;
      if (isFast) {
        const row = into.data.byteOffset + 4 * base;
        vectors.call.addPairs(row, row + 4 * inner, row, added + 4 * at * inner);
        continue;
      }
      for (let i = 0; i < inner; i++)
        into.data[base + i] = (into.data[base + i] ?? 0) + (rows.data[at * inner + i] ?? 0);
    }
    return [into];
  };
};

/** Adds rows of zeros before and after, along the first axis only. */
const pad: Operator =
  (node, { products: { vectors } }) =>
  (inputs) => {
    const of = inputAt(inputs, 0);
    const around = numbersAt(inputs, 1) ?? [];
    const rank = of.dims.length;
    expectThat(
      textOf(node, "mode", "constant") === "constant" &&
        [2, 3].every((at) => (node.inputs[at] ?? "") === "") &&
        around.length === 2 * rank &&
        around.every((count, at) => (at % rank === 0 ? count >= 0 : count === 0)),
      node,
      "that adds anything but rows of zeros",
    );
    const [length = 0, ...inner] = of.dims;
    const [before = 0, after = 0] = [around[0], around[rank]];
    const into = tensorLike(of, [before + length + after, ...inner], vectors);
    const from = before * sizeOf(inner);
    into.data.fill(0, 0, from);
    into.data.set(of.data, from);
    into.data.fill(0, from + of.data.length);
    return [into];
  };

export const SHAPES = {
  Constant: constant,
  Identity: identity,
  Shape: shape,
  Gather: gather,
  Unsqueeze: unsqueeze,
  Squeeze: squeeze,
  Reshape: reshape,
  Concat: concat,
  Transpose: transpose,
  Slice: slice,
  Pad: pad,
  Expand: expanded,
  ConstantOfShape: constantOfShape,
  ScatterND: scatter,
} satisfies Readonly<Record<string, Operator>>;
