/**
 * The paths of a page's lines into its outline: a tree of steps, each with what stands below it.
 *
 * Elements with the same path are one node: the records of a list are one, and so are the paragraphs of an article.
 */
import { codeUnit } from "../../../code-unit.js";
import { stepsSoFar, type Step } from "./steps.js";

/** A line as far as its place counts. */
export interface PlacedLine {
  readonly text: string;
  readonly block: string;
  readonly path: string;
  readonly linkChars: number;
  readonly breakBefore: "line" | "block";
  readonly span?: readonly [number, number];
}

export interface Outline {
  /** The node of a path; 0 is the page itself, and the place of plain text, whose path is "". */
  nodeOf(path: string): number;
  readonly parent: readonly number[];
  readonly depth: readonly number[];
  readonly step: readonly (Step | undefined)[];
  /** A number for the tags from the outermost step to this one, whatever their names. */
  readonly tags: readonly number[];
  size(): number;
}

/** A key for a child must be exact: parents and steps are numbered below 2^26 each, so both fit into one double. */
const STEP_SPAN = 2 ** 26;
/** ">" */
const STEP_END = 62;
/** Steps of a path, from the outermost on, that become nodes. Extractors give some thirty; gold of others may give more. */
export const MAX_STEPS = 256;

interface Nodes extends Omit<Outline, "nodeOf" | "size"> {
  /** The node of a step below a node. */
  readonly childOf: (node: number, name: string) => number;
}

function createNodes(): Nodes {
  const parent = [0];
  const depth = [0];
  const step: (Step | undefined)[] = [undefined];
  const tags = [0];
  const read = stepsSoFar();
  const children = new Map<number, number>();
  const tagPaths = new Map<number, number>();
  const tagNumbers = new Map<number, number>();

  return {
    parent,
    depth,
    step,
    tags,
    childOf: (node, name) => {
      const what = read(name);
      const key = node * STEP_SPAN + what.number;
      const known = children.get(key);
      if (known !== undefined) return known;
      const child = parent.length;
      children.set(key, child);
      parent.push(node);
      depth.push((depth[node] ?? 0) + 1);
      step.push(what);
      const tag = numbered(tagNumbers, what.tag);
      tags.push(1 + numbered(tagPaths, (tags[node] ?? 0) * STEP_SPAN + tag));
      return child;
    },
  };
}

export function createOutline(): Outline {
  const { childOf, parent, depth, step, tags } = createNodes();
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
