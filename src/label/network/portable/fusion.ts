/** Fuses small nodes that exporters write into one: layer normalisation, convolutions over lines, and added biases. */
import type { Tensor } from "../engine.js";
import type { Attribute, GraphFile, Node } from "./onnx-file.js";

/**
 * Returns the nodes of a graph after fusion, in an order in which they can run. `around` returns the constant values of
 * the graphs around this one.
 */
export function fuseNodes(graph: GraphFile, around: (name: string) => Tensor | undefined): readonly Node[] {
  const makers = new Map(graph.nodes.flatMap((node) => node.outputs.map((name) => [name, node] as const)));
  const finder = new Finder(makers, (name) => graph.weights.get(name) ?? around(name));
  const fuse = (node: Node): Node =>
    fuseNorm(node, finder) ?? fuseConv(node, finder) ?? fuseBias(node, finder) ?? node;
  return dropUnused(graph.nodes.map(fuse), graph.outputs);
}

/** Finds the node or the constant behind a value. */
class Finder {
  readonly #makers: ReadonlyMap<string, Node>;
  readonly #weight: (name: string) => Tensor | undefined;

  constructor(makers: ReadonlyMap<string, Node>, weight: (name: string) => Tensor | undefined) {
    this.#makers = makers;
    this.#weight = weight;
  }

  /** Returns the node that computes an input of `node`, if it has this operator. */
  behind(node: Node | undefined, at: number, operator: string): Node | undefined {
    const maker = this.#makers.get(node?.inputs[at] ?? "");
    return maker?.operator === operator ? maker : undefined;
  }

  constant(name: string | undefined): Tensor | undefined {
    if (name === undefined) return undefined;
    const maker = this.#makers.get(name);
    if (maker === undefined) return this.#weight(name);
    return maker.operator === "Constant" ? maker.attributes.get("value")?.tensor : undefined;
  }

  /** Returns the value of an input that is a constant with one number. */
  number(node: Node | undefined, at: number): number | undefined {
    const tensor = this.constant(node?.inputs[at]);
    return tensor?.data.length === 1 ? tensor.data[0] : undefined;
  }
}

/** Fuses (x − mean x) ÷ √(mean (x − mean x)² + ε) × weight + bias, with means over the last axis. */
function fuseNorm(last: Node, finder: Finder): Node | undefined {
  if (last.operator !== "Add") return undefined;
  const scaled = finder.behind(last, 0, "Mul");
  const divided = finder.behind(scaled, 0, "Div");
  const centred = finder.behind(divided, 0, "Sub");
  const mean = finder.behind(centred, 1, "ReduceMean");
  const shifted = finder.behind(finder.behind(divided, 1, "Sqrt"), 0, "Add");
  const variance = finder.behind(shifted, 0, "ReduceMean");
  const squared = finder.behind(variance, 0, "Pow");
  const epsilon = finder.number(shifted, 1);
  const [x, weight, bias] = [mean?.inputs[0], scaled?.inputs[1], last.inputs[1]];
  if (x === undefined || weight === undefined || bias === undefined || epsilon === undefined)
    return undefined;
  const isNorm =
    centred?.inputs[0] === x &&
    squared?.inputs[0] === centred.outputs[0] &&
    finder.number(squared, 1) === 2 &&
    isOfLastAxis(mean) &&
    isOfLastAxis(variance) &&
    [weight, bias].every((name) => finder.constant(name)?.dims.length === 1);
  const attributes = new Map([["epsilon", attribute({ number: epsilon })]]);
  return isNorm
    ? { ...last, operator: "LayerNormalization", inputs: [x, weight, bias], attributes }
    : undefined;
}

function isOfLastAxis(mean: Node | undefined): boolean {
  const axes = mean?.attributes.get("axes")?.numbers ?? [];
  return axes.length === 1 && axes[0] === -1 && (mean?.attributes.get("keepdims")?.number ?? 1) === 1;
}

/** Fuses a convolution between two transposes into one that reads and writes lines × channels. */
function fuseConv(last: Node, finder: Finder): Node | undefined {
  const conv = last.operator === "Transpose" ? finder.behind(last, 0, "Conv") : undefined;
  const first = finder.behind(conv, 0, "Transpose");
  const [x] = first?.inputs ?? [];
  if (conv === undefined || x === undefined || !turnsLines(first) || !turnsLines(last)) return undefined;
  return { ...conv, operator: "thresher.ConvLines", inputs: conv.inputs.with(0, x), outputs: last.outputs };
}

function turnsLines(turn: Node | undefined): boolean {
  return turn?.attributes.get("perm")?.numbers.join() === "0,2,1";
}

/** Fuses a matrix product and a bias that is added to it, in either order. */
function fuseBias(last: Node, finder: Finder): Node | undefined {
  if (last.operator !== "Add") return undefined;
  for (const at of [0, 1]) {
    const product = finder.behind(last, at, "MatMul");
    const bias = last.inputs[1 - at];
    const matrix = finder.constant(product?.inputs[1]);
    if (product === undefined || bias === undefined || matrix?.dims.length !== 2) continue;
    const { dims = [] } = finder.constant(bias) ?? {};
    if (dims.length === 1 && dims[0] === matrix.dims[1])
      return {
        ...product,
        operator: "thresher.Linear",
        inputs: [...product.inputs, bias],
        outputs: last.outputs,
      };
  }
  return undefined;
}

function attribute(given: Partial<Attribute>): Attribute {
  return { number: 0, numbers: [], text: "", ...given };
}

/** Keeps the nodes whose outputs are read. */
function dropUnused(nodes: readonly Node[], outputs: readonly string[]): Node[] {
  const read = new Set(outputs);
  const kept: Node[] = [];
  for (const node of nodes.toReversed()) {
    if (!node.outputs.some((name) => read.has(name))) continue;
    for (const name of namesReadBy(node)) read.add(name);
    kept.push(node);
  }
  return kept.reverse();
}

/** Returns the names of a node's inputs and of all values that its inner graphs read. */
export function namesReadBy(node: Node): string[] {
  const within = [...node.attributes.values()].flatMap(({ graph }) =>
    graph === undefined ? [] : [...graph.nodes.flatMap(namesReadBy), ...graph.outputs],
  );
  return [...node.inputs, ...within];
}
