/** The paths of a page's lines as a tree, kept beside the lines: who walked the page need not have it read out of strings again. */
import type { Line } from "./document.js";

/** Lines with the same path stand at one node. Nodes are numbered in the order of the lines, from the outermost step inwards. */
export interface PathTree {
  /** By node, the one around it; 0 is the page itself. */
  readonly parents: readonly number[];
  /** By node, its own step of the path; "" for the page. */
  readonly steps: readonly string[];
  /** The node of each line. */
  readonly nodes: Int32Array;
}

/** By the very list of lines: a copy, and a list without some of them, has no tree, and its paths are read. */
const trees = new WeakMap<readonly Line[], PathTree>();

export function keepPathTree(lines: readonly Line[], tree: PathTree): void {
  trees.set(lines, tree);
}

/** Undefined where nobody kept one; the paths of the lines say the same. */
export function pathTreeOf(lines: readonly Line[]): PathTree | undefined {
  return trees.get(lines);
}
