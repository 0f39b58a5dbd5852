/** The elements of a page's outline into the buckets of their paths, each once, however many lines it has. */
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

/** The buckets of the path of a line. */
export function createPathBuckets({ outline, nodes }: Places): (line: number) => PathBuckets {
  const near = new Uint16Array(MAX_PATH_BUCKETS);
  const far = new Uint16Array(MAX_PATH_BUCKETS);
  const known = new Map<number, PathBuckets>();
  return (line) => {
    const node = nodes[line] ?? 0;
    const before = known.get(node);
    if (before !== undefined) return before;
    const steps: Step[] = [];
    for (let at = node; at > 0 && steps.length < READ_STEPS; at = outline.parent[at] ?? 0) {
      const step = outline.step[at];
      if (step !== undefined) steps.push(step);
    }
    steps.reverse();
    const filled = fillPathBuckets(steps, TABLE_ROWS - 1, { near, far });
    const buckets = { near: near.slice(0, filled.near), far: far.slice(0, filled.far) };
    known.set(node, buckets);
    return buckets;
  };
}
