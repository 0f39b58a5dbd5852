/** Turns the paths of a page's elements into bags of bucket numbers. */
import { TABLE_ROWS } from "../bags.js";
import type { Places } from "./place.js";
import { fillPathBuckets, MAX_PATH_BUCKETS, READ_STEPS, type Step } from "./steps.js";

/** The bags of a page model: two for the line's text (the first of BAGS), two for its path. */
export const PAGE_BAGS = ["words", "shapes", "near", "far"] as const;
/** How many of PAGE_BAGS, from the first on, are of the text. */
export const TEXT_BAGS = 2;

export interface PathBuckets {
  readonly near: Uint16Array;
  readonly far: Uint16Array;
}

/** `nears` and `fars` are the filled lengths of the two arrays. */
interface FilledBuckets extends PathBuckets {
  readonly nears: number;
  readonly fars: number;
}

export interface Paths {
  /** By line, its element: a number below `elements`. */
  readonly nodes: Int32Array;
  readonly elements: number;
  /** Returns the bucket numbers of an element's path; the next call overwrites them. */
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

/** Returns a function that gives a line's path buckets as arrays that the caller may keep; each path is read once. */
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
