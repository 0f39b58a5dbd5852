/** The spots that a page's lines stand at into the tree of their paths. */
import type { PathTree } from "../path-tree.js";
import { isCutShort, type Spot } from "./path.js";

/** Undefined where a path leaves steps out: two spots may have the same one then. */
export function numberSpots(placed: readonly { readonly spot: Spot }[]): PathTree | undefined {
  const parents = [0];
  const steps = [""];
  const nodes = new Int32Array(placed.length);
  const unnumbered: Spot[] = [];
  for (let line = 0; line < placed.length; line += 1) {
    const spot = placed[line]?.spot;
    if (spot === undefined || isCutShort(spot)) return undefined;
    for (let open = spot; open.node < 0 && open.outer !== undefined; open = open.outer) unnumbered.push(open);
    for (let next = unnumbered.pop(); next !== undefined; next = unnumbered.pop()) {
      next.node = parents.length;
      parents.push(next.outer?.node ?? 0);
      steps.push(next.step);
    }
    nodes[line] = spot.node;
  }
  return { parents, steps, nodes };
}
