/**
 * Builds the outline of a page, a tree of path steps, from the paths of its lines.
 *
 * Elements with the same path are one node: all records of a list are one node, as are all paragraphs of an article.
 */
import { codeUnit } from "../../../code-unit.js";
import type { PathTree } from "../../../document/path-tree.js";
import { stepsSoFar, type NumberedStep, type Step } from "./steps.js";

/** The fields of a line that the place columns read. */
export interface PlacedLine {
  readonly text: string;
  readonly block: string;
  readonly path: string;
  readonly linkChars: number;
  readonly breakBefore: "line" | "block";
  readonly span?: readonly [number, number];
}

/** Arrays are indexed by node. Node 0 is the page itself, and the node of plain text, whose path is "". */
export interface Outline {
  readonly parent: readonly number[];
  readonly depth: readonly number[];
  readonly step: readonly (Step | undefined)[];
  /** A number for the path of tags from the outermost step to this one, without ids and classes. */
  readonly tags: readonly number[];
  size(): number;
}

/** An outline to which new paths are added. */
export interface GrowingOutline {
  readonly outline: Outline;
  /** Returns the node of a path and adds it if it is new. */
  readonly nodeOf: (path: string) => number;
}

/** Parents and steps are numbered below 2^26 each, so that a key made of both is exact in one double. */
const STEP_SPAN = 2 ** 26;
/** ">" */
const STEP_END = 62;
/** The most steps of a path, from the outermost, that become nodes. Extractors write about 30; gold may have more. */
export const MAX_STEPS = 256;

interface Nodes {
  readonly outline: Outline;
  /** Returns the node of a step below a node and adds it if it is new. */
  readonly childOf: (node: number, name: string) => number;
  /** Adds a node for a step below a node. */
  readonly add: (node: number, step: NumberedStep) => number;
}

function createNodes(read: (name: string) => NumberedStep): Nodes {
  const parent = [0];
  const depth = [0];
  const step: (Step | undefined)[] = [undefined];
  const tags = [0];
  const children = new Map<number, number>();
  const tagPaths = new Map<number, number>();
  const tagNumbers = new Map<number, number>();
  const add = (node: number, what: NumberedStep): number => {
    parent.push(node);
    depth.push((depth[node] ?? 0) + 1);
    step.push(what);
    const tag = numbered(tagNumbers, what.tag);
    tags.push(1 + numbered(tagPaths, (tags[node] ?? 0) * STEP_SPAN + tag));
    return parent.length - 1;
  };
  return {
    outline: { parent, depth, step, tags, size: () => parent.length },
    add,
    childOf: (node, name) => {
      const what = read(name);
      const key = node * STEP_SPAN + what.number;
      const known = children.get(key);
      if (known !== undefined) return known;
      const child = add(node, what);
      children.set(key, child);
      return child;
    },
  };
}

/** Builds the outline from a tree of paths. The result is the same as from reading the paths one by one. */
export function outlineOfTree({ parents, steps }: PathTree): Outline {
  const read = stepsSoFar();
  const { add, outline } = createNodes(read);
  for (let node = 1; node < parents.length; node += 1) add(parents[node] ?? 0, read(steps[node] ?? ""));
  return outline;
}

/** Creates an outline that grows by the paths of lines, for documents without a tree of paths. */
export function createOutline(): GrowingOutline {
  const { childOf, outline } = createNodes(stepsSoFar());
  const nodes = new Map([["", 0]]);
  // The previous path: where each of its steps ends, and its node. Neighbouring lines share most of their path.
  let last = "";
  let lastSteps = 0;
  const ends: number[] = [];
  const chain: number[] = [];
  const findNode = (path: string): number => {
    let shared = 0;
    const limit = Math.min(path.length, last.length);
    while (shared < limit && codeUnit(path, shared) === codeUnit(last, shared)) shared += 1;
    let steps = 0;
    // A step is shared only if it ends at the same index in both paths.
    while (steps < lastSteps && isStepEnd(ends[steps] ?? 0, shared, path, last)) steps += 1;
    let node = steps === 0 ? 0 : (chain[steps - 1] ?? 0);
    // A path that ends with ">" has an empty last step, just as ">>" holds an empty step.
    let from = steps === 0 ? 0 : (ends[steps - 1] ?? 0) + 1;
    for (; from <= path.length && steps < MAX_STEPS; steps++) {
      let to = path.indexOf(">", from);
      if (to < 0) to = path.length;
      node = childOf(node, path.slice(from, to));
      ends[steps] = to;
      chain[steps] = node;
      from = to + 1;
    }
    last = path;
    lastSteps = steps;
    return node;
  };
  return {
    outline,
    nodeOf(path) {
      const known = nodes.get(path);
      if (known !== undefined) return known;
      const node = findNode(path);
      nodes.set(path, node);
      return node;
    },
  };
}

/** Checks whether a step of the previous path that ends at `end` also ends there in this path. */
function isStepEnd(end: number, shared: number, path: string, before: string): boolean {
  if (end > shared) return false;
  const isEndOf = (text: string): boolean => end === text.length || codeUnit(text, end) === STEP_END;
  return isEndOf(path) && isEndOf(before);
}

function numbered(numbers: Map<number, number>, key: number): number {
  const known = numbers.get(key);
  if (known !== undefined) return known;
  numbers.set(key, numbers.size);
  return numbers.size - 1;
}
