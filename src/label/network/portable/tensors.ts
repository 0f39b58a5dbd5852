/** Makes and measures tensors: floats in a Float32Array, whole numbers and truth values in an Int32Array. */
import type { Tensor } from "../engine.js";
import type { Vectors } from "./vectors.js";

/** The most numbers that one tensor may hold: 1 GB. More is asked for by a damaged file alone. */
const MOST_NUMBERS = 2 ** 28;

/** How many numbers have these sizes. Throws an Error for sizes that are none. */
export function sizeOf(dims: readonly number[]): number {
  let size = 1;
  for (const dim of dims) size *= dim;
  if (!Number.isInteger(size) || size > MOST_NUMBERS || dims.some((dim) => dim < 0))
    throw new Error(`the sizes ${dims.join(" × ")} are none that a tensor can have`);
  return size;
}

/** Towards zero. Whole numbers of 64 bits end at the largest of 32, which is further than any axis of ours goes. */
export function integers(numbers: ArrayLike<number>): Int32Array {
  return Int32Array.from(numbers, (one) => Math.max(-(2 ** 31), Math.min(2 ** 31 - 1, one)));
}

/** Room for floats, with anything in it where there are vectors. */
export function floatTensor(
  dims: readonly number[],
  vectors?: Vectors,
): { readonly data: Float32Array; readonly dims: readonly number[] } {
  const size = sizeOf(dims);
  return { data: vectors === undefined ? new Float32Array(size) : vectors.take(size), dims };
}

/** Room for numbers of the kind of `like`. */
export function tensorLike(like: Tensor, dims: readonly number[], vectors?: Vectors): Tensor {
  return like.data instanceof Float32Array
    ? floatTensor(dims, vectors)
    : { data: new Int32Array(sizeOf(dims)), dims };
}

export function shapeTensor(numbers: readonly number[]): Tensor {
  return { data: integers(numbers), dims: [numbers.length] };
}

/** The same numbers in other sizes. */
export function reshaped({ data }: Tensor, dims: readonly number[]): Tensor {
  if (sizeOf(dims) !== data.length)
    throw new Error(`${data.length} numbers have no sizes ${dims.join(" × ")}`);
  return { data, dims };
}

/** An axis counted from the front; -1 is the last of `rank`. */
export function axisOf(axis: number, rank: number): number {
  const at = axis < 0 ? axis + rank : axis;
  if (!Number.isInteger(at) || at < 0 || at >= rank) throw new Error(`there is no axis ${axis} of ${rank}`);
  return at;
}

/** How far apart neighbours of each axis are, row after row. */
export function stridesOf(dims: readonly number[]): number[] {
  const strides = new Array<number>(dims.length).fill(1);
  for (let axis = dims.length - 2; axis >= 0; axis--)
    strides[axis] = (strides[axis + 1] ?? 1) * (dims[axis + 1] ?? 1);
  return strides;
}

/** How many runs there are before an axis, how long it is, and how many numbers each of its places holds. */
export function splitAt(
  dims: readonly number[],
  axis: number,
): { outer: number; length: number; inner: number } {
  const outer = sizeOf(dims.slice(0, axis));
  const inner = sizeOf(dims.slice(axis + 1));
  return { outer, length: dims[axis] ?? 1, inner };
}
