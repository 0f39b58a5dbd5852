/** Declares what an operator is: made once for each node of a network, then run for each document. */
import type { Tensor } from "../engine.js";
import type { Attribute, Node } from "./onnx-file.js";
import type { ProductMaker } from "./products.js";

/** Outputs from inputs, neither of which it changes; an input that the node leaves out is `undefined`. */
export type Kernel = (inputs: Inputs) => readonly Tensor[];

export interface OperatorTools {
  /** The input at a place, where it is the same in every run. */
  constant(at: number): Tensor | undefined;
  readonly products: ProductMaker;
}

/** Throws an Error for attributes that it cannot work with. */
export type Operator = (node: Node, tools: OperatorTools) => Kernel;

export type Inputs = readonly (Tensor | undefined)[];

export function inputAt(inputs: Inputs, at: number): Tensor {
  const tensor = inputs[at];
  if (tensor === undefined) throw new Error(`input ${at + 1} is missing`);
  return tensor;
}

/** The input at a place, which must hold floats. */
export function floatsAt(
  inputs: Inputs,
  at: number,
): { readonly data: Float32Array; readonly dims: readonly number[] } {
  const { data, dims } = inputAt(inputs, at);
  if (!(data instanceof Float32Array)) throw new Error(`input ${at + 1} does not hold floats`);
  return { data, dims };
}

/** The numbers of an input, where the node has it. */
export function numbersAt(inputs: Inputs, at: number): number[] | undefined {
  const tensor = inputs[at];
  return tensor && Array.from(tensor.data);
}

export function numberOf(node: Node, name: string, otherwise: number): number {
  return node.attributes.get(name)?.number ?? otherwise;
}

export function numbersOf(node: Node, name: string): readonly number[] | undefined {
  return node.attributes.get(name)?.numbers;
}

export function textOf(node: Node, name: string, otherwise: string): string {
  return node.attributes.get(name)?.text ?? otherwise;
}

/** An attribute without which the node means nothing. */
export function neededOf(node: Node, name: string): Attribute {
  const attribute = node.attributes.get(name);
  if (attribute === undefined) throw new Error(`"${node.operator}" has no "${name}"`);
  return attribute;
}

/** Holds a node to what is implemented. */
export function expectThat(isSo: boolean, node: Node, what: string): void {
  if (!isSo) throw new Error(`the portable engine knows no "${node.operator}" ${what}`);
}
