/** Declares operators, which are created once for each node of a network and then run for each document. */
import type { Tensor } from "../../engine.js";
import type { Attribute, Node } from "../onnx-file.js";
import type { ProductMaker } from "../vectors/products.js";

/** Computes outputs from inputs, without changing these; an input that the node leaves out is `undefined`. */
export type Kernel = (inputs: Inputs) => readonly Tensor[];

export interface OperatorTools {
  /** Returns the node's input at an index if it is the same in every run, else undefined. */
  constant(at: number): Tensor | undefined;
  readonly products: ProductMaker;
}

/** Creates the kernel of a node. Throws an Error for unsupported attributes. */
export type Operator = (node: Node, tools: OperatorTools) => Kernel;

export type Inputs = readonly (Tensor | undefined)[];

/** Returns the input at an index. Throws an Error if the node leaves it out. */
export function inputAt(inputs: Inputs, at: number): Tensor {
  const tensor = inputs[at];
  if (tensor === undefined) throw new Error(`input ${at + 1} is missing`);
  return tensor;
}

/** Returns the input at an index. Throws an Error if it does not hold floats. */
export function floatsAt(
  inputs: Inputs,
  at: number,
): { readonly data: Float32Array; readonly dims: readonly number[] } {
  const { data, dims } = inputAt(inputs, at);
  if (!(data instanceof Float32Array)) throw new Error(`input ${at + 1} does not hold floats`);
  return { data, dims };
}

/** Returns the numbers of an input, or undefined if the node leaves it out. */
export function numbersAt(inputs: Inputs, at: number): number[] | undefined {
  const tensor = inputs[at];
  return tensor && Array.from(tensor.data);
}

/** Returns the number of an attribute, or `otherwise` if the node does not have it. */
export function numberOf(node: Node, name: string, otherwise: number): number {
  return node.attributes.get(name)?.number ?? otherwise;
}

export function numbersOf(node: Node, name: string): readonly number[] | undefined {
  return node.attributes.get(name)?.numbers;
}

/** Returns the text of an attribute, or `otherwise` if the node does not have it. */
export function textOf(node: Node, name: string, otherwise: string): string {
  return node.attributes.get(name)?.text ?? otherwise;
}

/** Returns a required attribute. Throws an Error if it is missing. */
export function neededOf(node: Node, name: string): Attribute {
  const attribute = node.attributes.get(name);
  if (attribute === undefined) throw new Error(`"${node.operator}" has no "${name}"`);
  return attribute;
}

/** Throws an Error if a node uses a variant of its operator that is not implemented; `what` describes the variant. */
export function expectThat(isSo: boolean, node: Node, what: string): void {
  if (!isSo) throw new Error(`the portable engine does not support "${node.operator}" ${what}`);
}
