/** Creates and measures tensors: floats in a Float32Array, whole numbers and booleans in an Int32Array. */
import type { Tensor } from "../engine.js";
import type { Vectors } from "./vectors/vectors.js";

/** The most numbers of one tensor: 1 GB. Only damaged files ask for more. */
const MOST_NUMBERS = 2 ** 28;

/** Returns how many numbers a tensor of these sizes holds. Throws an Error for negative or too large sizes. */
export function sizeOf(dims: readonly number[]): number {
  let size = 1;
  for (const dim of dims) size *= dim;
  if (!Number.isInteger(size) || size > MOST_NUMBERS || dims.some((dim) => dim < 0))
    throw new Error(`a tensor cannot have the sizes ${dims.join(" × ")}`);
  return size;
}

/** Rounds towards zero and clamps to 32 bits, which is more than any axis of our networks needs. */
export function integers(numbers: ArrayLike<number>): Int32Array {
  return Int32Array.from(numbers, (one) => Math.max(-(2 ** 31), Math.min(2 ** 31 - 1, one)));
}

/** Allocates floats: zeros, or arbitrary values if the memory is that of `vectors`. */
export function floatTensor(
  dims: readonly number[],
  vectors?: Vectors,
): { readonly data: Float32Array; readonly dims: readonly number[] } {
  const size = sizeOf(dims);
  return { data: vectors === undefined ? new Float32Array(size) : vectors.take(size), dims };
}

/** Allocates a tensor of the same kind of numbers as `like`. */
export function tensorLike(like: Tensor, dims: readonly number[], vectors?: Vectors): Tensor {
  return like.data instanceof Float32Array
    ? floatTensor(dims, vectors)
    : { data: new Int32Array(sizeOf(dims)), dims };
}

export function shapeTensor(numbers: readonly number[]): Tensor {
  return { data: integers(numbers), dims: [numbers.length] };
}

/** Returns the same numbers with other sizes. Throws an Error if these need another count. */
export function reshaped({ data }: Tensor, dims: readonly number[]): Tensor {
  if (sizeOf(dims) !== data.length)
    throw new Error(`${data.length} numbers cannot have the sizes ${dims.join(" × ")}`);
  return { data, dims };
}

/** Returns an axis counted from the front; -1 is the last of `rank`. Throws an Error if there is no such axis. */
export function axisOf(axis: number, rank: number): number {
  const at = axis < 0 ? axis + rank : axis;
  if (!Number.isInteger(at) || at < 0 || at >= rank) throw new Error(`there is no axis ${axis} of ${rank}`);
  return at;
}

/** Returns for each axis the distance between neighbours, in row-major order. */
export function stridesOf(dims: readonly number[]): number[] {
  const strides = new Array<number>(dims.length).fill(1);
  for (let axis = dims.length - 2; axis >= 0; axis--)
    strides[axis] = (strides[axis + 1] ?? 1) * (dims[axis + 1] ?? 1);
  return strides;
}

/** Returns the product of the sizes before an axis, its own length, and the product of the sizes after it. */
export function splitAt(
  dims: readonly number[],
  axis: number,
): { outer: number; length: number; inner: number } {
  const outer = sizeOf(dims.slice(0, axis));
  const inner = sizeOf(dims.slice(axis + 1));
  return { outer, length: dims[axis] ?? 1, inner };
}
