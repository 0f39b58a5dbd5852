/** Turns the elements of a page's outline into the buckets of their paths, each once, however many lines it has. */
import { TABLE_ROWS } from "../bags.js";
import type { Places } from "./place.js";
import { fillPathBuckets, MAX_PATH_BUCKETS, READ_STEPS, type Step } from "./steps.js";

/** The bags of a page model: two of the line's text (the first of BAGS), two of its path. */
export const PAGE_BAGS = ["words", "shapes", "near", "far"] as const;
export const TEXT_BAGS = 2;

export interface PathBuckets {
  readonly near: Uint16Array;
  readonly far: Uint16Array;
}

/** `nears` and `fars` say how many of each array are filled. */
interface FilledBuckets extends PathBuckets {
  readonly nears: number;
  readonly fars: number;
}

export interface Paths {
  /** The element of each line: a number below `elements`. */
  readonly nodes: Int32Array;
  readonly elements: number;
  /** The buckets of an element's path, good until the next one is read. */
  read(node: number): FilledBuckets;
}

export function createPaths({ outline, nodes }: Places): Paths {
  const near = new Uint16Array(MAX_PATH_BUCKETS);
  const far = new Uint16Array(MAX_PATH_BUCKETS);
  const steps: Step[] = [];
  return {
    nodes,
    elements: outline.size(),
    read(node) {
      steps.length = 0;
      for (let at = node; at > 0 && steps.length < READ_STEPS; at = outline.parent[at] ?? 0) {
        const step = outline.step[at];
        if (step !== undefined) steps.push(step);
      }
      const filled = fillPathBuckets(steps.reverse(), TABLE_ROWS - 1, { near, far });
      return { near, far, nears: filled.near, fars: filled.far };
    },
  };
}

/** The buckets of the path of a line, to be kept. */
export function createPathBuckets(places: Places): (line: number) => PathBuckets {
  const paths = createPaths(places);
  const known = new Map<number, PathBuckets>();
  return (line) => {
    const node = paths.nodes[line] ?? 0;
    const before = known.get(node);
    if (before !== undefined) return before;
    const { near, far, nears, fars } = paths.read(node);
    const buckets = { near: near.slice(0, nears), far: far.slice(0, fars) };
    known.set(node, buckets);
    return buckets;
  };
}
