/** Reads an ONNX file as a graph of nodes and weights; field numbers are those of onnx.proto (ONNX 1.17). */
import type { Tensor } from "../engine.js";
import { readFields, readNumbers } from "./protobuf.js";
import { integers, sizeOf } from "./tensors.js";

export interface Node {
  readonly operator: string;
  /** Names of values; an empty name is an input that is left out. */
  readonly inputs: readonly string[];
  readonly outputs: readonly string[];
  readonly attributes: ReadonlyMap<string, Attribute>;
}

export interface Attribute {
  /** The value of an integer or float attribute. */
  readonly number: number;
  readonly numbers: readonly number[];
  readonly text: string;
  readonly tensor?: Tensor;
  readonly graph?: GraphFile;
}

export interface GraphFile {
  readonly nodes: readonly Node[];
  readonly weights: ReadonlyMap<string, Tensor>;
  readonly inputs: readonly GraphInput[];
  readonly outputs: readonly string[];
}

export interface GraphInput {
  readonly name: string;
  /** The length of each axis; 0 if it differs from run to run. */
  readonly dims: readonly number[];
  readonly isFloat: boolean;
}

/** The operator set versions that are supported; later ones moved the axes of means from attributes to inputs. */
const OPSETS = { first: 13, last: 17 } as const;

/** Reads the bytes of an ONNX file. Throws an Error that says what is wrong with them. */
export function readOnnx(bytes: Uint8Array): GraphFile {
  let graph: GraphFile | undefined;
  let opset = 0;
  for (const { number, bytes: part } of readFields(bytes)) {
    if (number === 7) graph = readGraph(part);
    else if (number === 8) opset = Math.max(opset, readOpset(part));
  }
  if (graph === undefined || opset === 0) throw new Error("its data is cut short, or it is not an ONNX file");
  if (opset < OPSETS.first || opset > OPSETS.last)
    throw new Error(`its operators have version ${opset}, not ${OPSETS.first} to ${OPSETS.last}`);
  return graph;
}

/** Returns the version of ONNX's own operator set, or 0 for other sets, whose nodes are found by their domain. */
function readOpset(bytes: Uint8Array): number {
  let version = 0;
  let isOther = false;
  for (const field of readFields(bytes)) {
    if (field.number === 1) isOther = field.bytes.length > 0;
    else if (field.number === 2) version = field.value;
  }
  return isOther ? 0 : version;
}

function readGraph(bytes: Uint8Array): GraphFile {
  const nodes: Node[] = [];
  const weights = new Map<string, Tensor>();
  const inputs: GraphInput[] = [];
  const outputs: string[] = [];
  for (const { number, bytes: part } of readFields(bytes)) {
    if (number === 1) nodes.push(readNode(part));
    else if (number === 5) {
      const { name, tensor } = readTensor(part);
      weights.set(name, tensor);
    } else if (number === 11) inputs.push(readInput(part));
    else if (number === 12) outputs.push(readInput(part).name);
  }
  return { nodes, weights, inputs: inputs.filter(({ name }) => !weights.has(name)), outputs };
}

function readNode(bytes: Uint8Array): Node {
  const inputs: string[] = [];
  const outputs: string[] = [];
  const attributes = new Map<string, Attribute>();
  let operator = "";
  let domain = "";
  for (const { number, bytes: part } of readFields(bytes)) {
    if (number === 1) inputs.push(readText(part));
    else if (number === 2) outputs.push(readText(part));
    else if (number === 4) operator = readText(part);
    else if (number === 5) attributes.set(...readAttribute(part));
    else if (number === 7) domain = readText(part);
  }
  return {
    operator: domain === "" || domain === "ai.onnx" ? operator : `${domain}.${operator}`,
    inputs,
    outputs,
    attributes,
  };
}

function readAttribute(bytes: Uint8Array): [string, Attribute] {
  let name = "";
  let number = 0;
  let text = "";
  const numbers: number[] = [];
  let tensor: Tensor | undefined;
  let graph: GraphFile | undefined;
  for (const field of readFields(bytes)) {
    if (field.number === 1) name = readText(field.bytes);
    else if (field.number === 2 || field.number === 3) number = field.value;
    else if (field.number === 4) text = readText(field.bytes);
    else if (field.number === 5) ({ tensor } = readTensor(field.bytes));
    else if (field.number === 6) graph = readGraph(field.bytes);
    else if (field.number === 8) numbers.push(...readNumbers(field));
  }
  return [name, { number, numbers, text, ...(tensor && { tensor }), ...(graph && { graph }) }];
}

function readInput(bytes: Uint8Array): GraphInput {
  let name = "";
  let isFloat = false;
  const dims: number[] = [];
  for (const field of readFields(bytes)) {
    if (field.number === 1) name = readText(field.bytes);
    // TypeProto.tensor_type holds the type of the values (1) and the shape (2).
    if (field.number !== 2) continue;
    for (const type of readFields(field.bytes))
      for (const part of readFields(type.bytes)) {
        if (part.number === 1) isFloat = part.value === FLOAT;
        else if (part.number === 2) for (const dim of readFields(part.bytes)) dims.push(readDim(dim.bytes));
      }
  }
  return { name, dims, isFloat };
}

function readDim(bytes: Uint8Array): number {
  for (const { number, value } of readFields(bytes)) if (number === 1) return value;
  return 0;
}

// TensorProto.DataType
const FLOAT = 1;
const INT8 = 3;
const INT32 = 6;
const INT64 = 7;
export const BOOL = 9;

/** Checks whether values of a type are floats. Throws an Error for types that are not supported. */
export function isFloatType(type: number): boolean {
  if (type === FLOAT) return true;
  if ([INT8, INT32, INT64, BOOL].includes(type)) return false;
  throw new Error(
    `it has numbers of type ${type}, but only floats, whole numbers and truth values are supported`,
  );
}

function readTensor(bytes: Uint8Array): { readonly name: string; readonly tensor: Tensor } {
  const dims: number[] = [];
  const listed: number[] = [];
  let type = 0;
  let name = "";
  let raw: Uint8Array | undefined;
  for (const field of readFields(bytes)) {
    if (field.number === 1) dims.push(...readNumbers(field));
    else if (field.number === 2) type = field.value;
    else if (field.number === 5 || field.number === 7) for (const one of readNumbers(field)) listed.push(one);
    else if (field.number === 4) {
      if (field.isSized) raw = field.bytes;
      else listed.push(field.value);
    } else if (field.number === 8) name = readText(field.bytes);
    else if (field.number === 9) raw = field.bytes;
    else if (field.number === 13 || (field.number === 14 && field.value !== 0))
      throw new Error("its weights are in another file");
  }
  const count = sizeOf(dims);
  const data = raw === undefined ? fromList(listed, type) : fromBytes(raw, type);
  if (data.length !== count) throw new Error(`"${name}" has ${data.length} numbers in it, not ${count}`);
  return { name, tensor: { data, dims } };
}

function fromList(numbers: readonly number[], type: number): Tensor["data"] {
  return isFloatType(type) ? Float32Array.from(numbers) : integers(numbers);
}

/** Numbers are little-endian, both in ONNX files and in the memory of the machines that run JavaScript. */
function fromBytes(raw: Uint8Array, type: number): Tensor["data"] {
  // A copy is aligned for all types of numbers. `slice` would not copy a Node Buffer.
  const { buffer } = new Uint8Array(raw);
  if (isFloatType(type)) return new Float32Array(buffer, 0, Math.floor(raw.length / 4));
  if (type === INT8) return Int32Array.from(new Int8Array(buffer));
  if (type === BOOL) return Int32Array.from(new Uint8Array(buffer));
  if (type === INT32) return new Int32Array(buffer, 0, Math.floor(raw.length / 4));
  return integers(Array.from(new BigInt64Array(buffer, 0, Math.floor(raw.length / 8)), Number));
}

const TEXT = new TextDecoder();

function readText(bytes: Uint8Array): string {
  return TEXT.decode(bytes);
}
