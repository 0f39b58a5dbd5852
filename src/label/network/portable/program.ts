/** Compiles a graph into steps: constant values are computed once, and values are freed after their last use. */
import { ownValue } from "../../../own-value.js";
import type { Tensor } from "../engine.js";
import { ELEMENTWISE } from "./operators/elementwise.js";
import { fuseNodes, namesReadBy } from "./fusion.js";
import { MATRICES } from "./operators/matrices.js";
import type { GraphFile, Node } from "./onnx-file.js";
import type { Kernel, Operator } from "./operators/operator.js";
import type { ProductMaker } from "./vectors/products.js";
import { REDUCTIONS } from "./operators/reductions.js";
import { SHAPES } from "./operators/shapes.js";
import { MemoryFull, withRoom, type Vectors } from "./vectors/vectors.js";

const OPERATORS: Readonly<Record<string, Operator>> = {
  ...ELEMENTWISE,
  ...SHAPES,
  ...REDUCTIONS,
  ...MATRICES,
};
/** The only operator whose attributes hold graphs. */
const CHOICE = "If";

/** One node of a graph. Inputs and outputs are indices in the list of values; -1 is an input that is left out. */
interface Step {
  readonly operator: string;
  readonly inputs: readonly number[];
  readonly outputs: readonly number[];
  readonly work: Kernel | Choice;
  /** The values that nothing reads after this step. */
  readonly ends: readonly number[];
}

interface Choice {
  readonly whenTrue: Branch;
  readonly whenFalse: Branch;
}

interface Branch {
  readonly steps: readonly Step[];
  readonly outputs: readonly number[];
}

type Values = (Tensor | undefined)[];

type Program = (inputs: Readonly<Record<string, Tensor>>) => Readonly<Record<string, Tensor>>;

/** Returns the operators of a graph and its inner graphs that are not implemented, sorted. */
export function unknownOperators(graph: GraphFile): string[] {
  const all = graph.nodes.flatMap(({ operator, attributes }) => [
    ...(operator === CHOICE || Object.hasOwn(OPERATORS, operator) ? [] : [operator]),
    ...[...attributes.values()].flatMap(({ graph: within }) => (within ? unknownOperators(within) : [])),
  ]);
  return [...new Set(all)].sort();
}

/** Compiles a graph into a function from inputs to outputs by name. Throws an Error for a graph that cannot run. */
export function compile(graph: GraphFile, products: ProductMaker): Program {
  const known: Values = [];
  const names = new Map<string, number>();
  for (const { name } of graph.inputs) names.set(name, addPlace(known, undefined));
  const main = compileGraph(graph, { names, known, products });
  return (inputs) =>
    withRoom(products.vectors, () => {
      const values = [...known];
      for (const { name } of graph.inputs) values[names.get(name) ?? -1] = inputs[name];
      runSteps(main.steps, values, products.vectors);
      const outputs = graph.outputs.map((name, at) => [name, copyOut(read(values, main.outputs[at] ?? -1))]);
      // The entries are pairs of an output's name and its value.
      return Object.fromEntries(outputs) as Readonly<Record<string, Tensor>>;
    });
}

/** Copies a value, because the next run reuses its memory. */
function copyOut({ data, dims }: Tensor): Tensor {
  return { data: data.slice(), dims };
}

function addPlace(known: Values, value: Tensor | undefined): number {
  known.push(value);
  return known.length - 1;
}

function read(values: Values, place: number): Tensor {
  const value = values[place];
  if (value === undefined) throw new Error("a value is used before it is computed");
  return value;
}

interface Scope {
  /** The indices of values by name, in this graph and those around it. */
  readonly names: ReadonlyMap<string, number>;
  /** Constant values by index; `undefined` for values that differ from run to run. */
  readonly known: Values;
  readonly products: ProductMaker;
}

function compileGraph(graph: GraphFile, around: Scope): Branch {
  const { known, products } = around;
  const names = new Map(around.names);
  for (const [name, tensor] of graph.weights) names.set(name, addPlace(known, tensor));
  const find = (name: string): number => {
    const place = names.get(name);
    if (place === undefined) throw new Error(`nothing computes its value "${name}"`);
    return place;
  };
  const steps: Step[] = [];
  const made = new Set<number>();
  for (const node of fuseNodes(graph, (name) => known[around.names.get(name) ?? -1])) {
    const inputs = node.inputs.map((name) => (name === "" ? -1 : find(name)));
    const work = workOf(node, inputs, { names, known, products });
    const isSame =
      typeof work === "function" && inputs.every((place) => place < 0 || known[place] !== undefined);
    const values = isSame
      ? withRoom(products.vectors, () =>
          attempt(node.operator, () => work(inputs.map((place) => known[place]))).map(copyOut),
        )
      : [];
    const outputs = node.outputs.map((name, at) => {
      const place = addPlace(known, values[at]);
      names.set(name, place);
      return place;
    });
    if (isSame) continue;
    for (const place of outputs) made.add(place);
    const reads = namesReadBy(node).map((name) => names.get(name) ?? -1);
    steps.push({ operator: node.operator, inputs, outputs, work, ends: reads });
  }
  const outputs = graph.outputs.map(find);
  return { steps: endValues(steps, made, outputs), outputs };
}

function workOf(node: Node, inputs: readonly number[], scope: Scope): Kernel | Choice {
  if (node.operator === CHOICE) {
    const branch = (name: string): Branch => {
      const within = node.attributes.get(name)?.graph;
      if (within === undefined) throw new Error(`"${CHOICE}" has no "${name}"`);
      return compileGraph(within, scope);
    };
    return { whenTrue: branch("then_branch"), whenFalse: branch("else_branch") };
  }
  const make = ownValue(OPERATORS, node.operator);
  if (make === undefined) throw new Error(`the operator "${node.operator}" is not supported`);
  const constant = (at: number): Tensor | undefined => scope.known[inputs[at] ?? -1];
  return attempt(node.operator, () => make(node, { constant, products: scope.products }));
}

/** Limits `ends` to values that this graph computed and no later step or output reads. */
function endValues(steps: readonly Step[], made: ReadonlySet<number>, outputs: readonly number[]): Step[] {
  const later = new Set(outputs);
  return steps
    .toReversed()
    .map((step) => {
      const ends = [...new Set([...step.ends, ...step.outputs])].filter(
        (place) => made.has(place) && !later.has(place),
      );
      for (const place of ends) later.add(place);
      return { ...step, ends };
    })
    .reverse();
}

function runSteps(steps: readonly Step[], values: Values, vectors: Vectors | undefined): void {
  for (const { operator, inputs, outputs, work, ends } of steps) {
    const given = inputs.map((place) => values[place]);
    const results = attempt(operator, () =>
      typeof work === "function" ? work(given) : choose(work, { given, values, vectors }),
    );
    for (const [at, place] of outputs.entries()) {
      const result = results[at];
      values[place] = result;
      if (result !== undefined) vectors?.use(result.data);
    }
    for (const place of ends) {
      const ended = values[place];
      values[place] = undefined;
      if (ended !== undefined) vectors?.leave(ended.data);
    }
    vectors?.endStep();
  }
}

function choose(
  { whenTrue, whenFalse }: Choice,
  {
    given: [condition],
    values,
    vectors,
  }: { readonly given: Values; readonly values: Values; readonly vectors: Vectors | undefined },
): Tensor[] {
  if (condition === undefined) throw new Error("there is no condition");
  const { steps, outputs } = condition.data[0] === 0 ? whenFalse : whenTrue;
  runSteps(steps, values, vectors);
  return outputs.map((place) => read(values, place));
}

/** Adds the name of the operator to an error of `work`. */
function attempt<T>(operator: string, work: () => T): T {
  try {
    return work();
  } catch (cause) {
    if (!(cause instanceof Error) || cause instanceof OperatorError || cause instanceof MemoryFull)
      throw cause;
    throw new OperatorError(`its "${operator}" fails: ${cause.message}`, { cause });
  }
}

class OperatorError extends Error {}
