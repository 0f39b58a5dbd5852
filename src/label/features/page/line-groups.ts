/** Groups the lines of a page by the elements that they share, so that a network can judge related lines together. */
import type { Places } from "./place.js";

/**
 * What the lines of a group share. `own`: the element. `parent`: the nearest element around that one with more lines.
 * `parent-run`: the same, but only lines of one run, so that all lines between them are inside it too.
 * `grandparent-run`: a run in the nearest element with more lines than the parent. Elements with the same path are one.
 */
export const GROUP_LEVELS = ["own", "parent", "parent-run", "grandparent-run"] as const;

const LEVELS = GROUP_LEVELS.length;
const OWN = GROUP_LEVELS.indexOf("own");
const PARENT = GROUP_LEVELS.indexOf("parent");
const PARENT_RUN = GROUP_LEVELS.indexOf("parent-run");
const GRANDPARENT_RUN = GROUP_LEVELS.indexOf("grandparent-run");

/** The groups of consecutive lines. */
export interface LineGroups {
  /** Lines × LEVELS: the number of the group, below the length of `shares`. */
  readonly of: Int32Array;
  /** By group, the weight of one of its lines: 1 / the number of its lines. */
  readonly shares: Float32Array;
}

/** Returns a function that groups `rows` lines from `start` on; other lines are in no group. */
export function createLineGroups(places: Places): (start: number, rows: number) => LineGroups {
  const { elements, runs } = findElements(places);
  const size = places.outline.size();
  const known = new Int32Array(LEVELS * size);
  const begun = new Int32Array(LEVELS * size);
  return (start, rows) => {
    const of = new Int32Array(rows * LEVELS);
    const counts = new Int32Array(rows * LEVELS);
    let groups = 0;
    known.fill(-1);
    for (let at = 0; at < of.length; at++) {
      const from = start * LEVELS + at;
      const slot = (at % LEVELS) * size + (elements[from] ?? 0);
      const run = runs[from] ?? 0;
      let group = known[slot] ?? -1;
      // Runs of an element follow one another, so only the latest has to be remembered.
      if (group < 0 || begun[slot] !== run) {
        group = groups;
        groups += 1;
        known[slot] = group;
        begun[slot] = run;
      }
      of[at] = group;
      counts[group] = (counts[group] ?? 0) + 1;
    }
    const shares = new Float32Array(groups);
    for (let group = 0; group < groups; group++) shares[group] = 1 / (counts[group] ?? 1);
    return { of, shares };
  };
}

/** Lines × LEVELS: the element that groups the line, and the first line of the run, or 0 on levels without runs. */
function findElements({ outline, nodes, shared }: Places): {
  readonly elements: Int32Array;
  readonly runs: Int32Array;
} {
  const { parent, depth } = outline;
  const around = findAround(outline, nodes);
  const since = new Int32Array(outline.size());
  const elements = new Int32Array(nodes.length * LEVELS);
  const runs = new Int32Array(nodes.length * LEVELS);
  for (let line = 0; line < nodes.length; line++) {
    const own = nodes[line] ?? 0;
    for (let at = own; (depth[at] ?? 0) > (shared[line] ?? 0); at = parent[at] ?? 0) since[at] = line;
    const outer = around[own] ?? 0;
    const outermost = around[outer] ?? 0;
    const base = line * LEVELS;
    elements[base + OWN] = own;
    elements[base + PARENT] = elements[base + PARENT_RUN] = outer;
    elements[base + GRANDPARENT_RUN] = outermost;
    runs[base + PARENT_RUN] = since[outer] ?? 0;
    runs[base + GRANDPARENT_RUN] = since[outermost] ?? 0;
  }
  return { elements, runs };
}

/** By element, the nearest one around it with more lines, or the element itself if no other has more. */
function findAround(outline: Places["outline"], nodes: Int32Array): Int32Array {
  const { parent } = outline;
  const lines = new Int32Array(outline.size());
  for (const node of nodes) lines[node] = (lines[node] ?? 0) + 1;
  // Children have higher numbers than their parents.
  for (let node = lines.length - 1; node > 0; node--) {
    const outer = parent[node] ?? 0;
    lines[outer] = (lines[outer] ?? 0) + (lines[node] ?? 0);
  }
  const around = new Int32Array(lines.length);
  for (let node = 1; node < lines.length; node++) {
    const outer = parent[node] ?? 0;
    const isLarger = (other: number): boolean => (lines[other] ?? 0) > (lines[node] ?? 0);
    const next = isLarger(outer) ? outer : (around[outer] ?? 0);
    around[node] = isLarger(next) ? next : node;
  }
  return around;
}
