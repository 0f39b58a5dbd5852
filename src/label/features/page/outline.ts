/**
 * Builds the outline of a page from the paths of its lines: a tree of steps, each with what is below it.
 *
 * Elements with the same path are one node: the records of a list are one, and so are the paragraphs of an article.
 */
import { codeUnit } from "../../../code-unit.js";
import type { PathTree } from "../../../path-tree.js";
import { stepsSoFar, type NumberedStep, type Step } from "./steps.js";

/** A line as far as its place counts. */
export interface PlacedLine {
  readonly text: string;
  readonly block: string;
  readonly path: string;
  readonly linkChars: number;
  readonly breakBefore: "line" | "block";
  readonly span?: readonly [number, number];
}

/** Node 0 is the page itself, and the place of plain text, whose path is "". */
export interface Outline {
  readonly parent: readonly number[];
  readonly depth: readonly number[];
  readonly step: readonly (Step | undefined)[];
  /** A number for the tags from the outermost step to this one, whatever their names. */
  readonly tags: readonly number[];
  size(): number;
}

/** An outline that grows with the paths that it is asked for. */
export interface GrowingOutline extends Outline {
  /** The node of a path. */
  nodeOf(path: string): number;
}

/** A key for a child must be exact: parents and steps are numbered below 2^26 each, so both fit into one double. */
const STEP_SPAN = 2 ** 26;
/** ">" */
const STEP_END = 62;
/** Steps of a path, from the outermost on, that become nodes. Extractors give some thirty; gold of others may give more. */
export const MAX_STEPS = 256;

interface Nodes extends Omit<Outline, "size"> {
  /** The node of a step below a node. */
  readonly childOf: (node: number, name: string) => number;
  /** A new one for a step below a node. */
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
    parent,
    depth,
    step,
    tags,
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

/** The outline of paths that are a tree already: the same as if they were read one by one. */
export function outlineOfTree({ parents, steps }: PathTree): Outline {
  const read = stepsSoFar();
  const { add, parent, depth, step, tags } = createNodes(read);
  for (let node = 1; node < parents.length; node += 1) add(parents[node] ?? 0, read(steps[node] ?? ""));
  return { parent, depth, step, tags, size: () => parent.length };
}

export function createOutline(): GrowingOutline {
  const { childOf, parent, depth, step, tags } = createNodes(stepsSoFar());
  const nodes = new Map([["", 0]]);
  // The steps of the path before: where each ends, and its node. Neighbours share most of their path.
  let last = "";
  let lastSteps = 0;
  const ends: number[] = [];
  const chain: number[] = [];
  const findNode = (path: string): number => {
    let shared = 0;
    const limit = Math.min(path.length, last.length);
    while (shared < limit && codeUnit(path, shared) === codeUnit(last, shared)) shared += 1;
    let steps = 0;
    // A step is the same only if it ends at the same place in both.
    while (steps < lastSteps && isStepEnd(ends[steps] ?? 0, shared, path, last)) steps += 1;
    let node = steps === 0 ? 0 : (chain[steps - 1] ?? 0);
    // A path that ends with ">" has an empty last step, as one with ">>" has an empty one inside.
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
  // Field by field: spread, each page's outline would be of a shape of its own to the engine, looked up at every field.
  return {
    parent,
    depth,
    step,
    tags,
    nodeOf(path) {
      const known = nodes.get(path);
      if (known !== undefined) return known;
      const node = findNode(path);
      nodes.set(path, node);
      return node;
    },
    size: () => parent.length,
  };
}

/** Whether a step of the path before, which ended at `end`, ends there in this path too. */
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
