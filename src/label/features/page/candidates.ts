/**
 * Finds the container with the most points for prose, like Readability, and Arc90 before it: each line of prose gives
 * points to the box that it is in and fewer points to the boxes around it.
 *
 * Boxes with the same path are one node of the outline, so a node's points are divided by the number of its runs. Ten
 * comments thus score no more than one.
 */
import { logCount } from "../columns.js";
import { PLACE_AT } from "./place-columns.js";
import type { Outline } from "./outline.js";
import type { Step } from "./steps.js";

/** Facts about the nodes of an outline, by node. */
interface NodeFacts {
  /** Points of the lines on exactly this path. */
  readonly points: Float64Array;
  /** The share of characters in links, over all lines below the node. */
  readonly linkShare: (node: number) => number;
  /** Number of runs of consecutive lines inside the node. */
  readonly runs: Float64Array;
}

export interface Candidates {
  /** The best node; 0 if the page has no prose. */
  readonly best: number;
  /** By node, as a share of the best score. */
  readonly scores: Float64Array;
  readonly isInBest: Uint8Array;
  readonly isInSecond: Uint8Array;
  /** 1 less the second-best score: 1 if no other container scores, 0 if one is as good or if the page has no prose. */
  readonly lead: number;
}

/** The share of a line's points that each box gets, from the line's own box outwards. */
const SHARES = [1, 1 / 2, 1 / 6, 1 / 9, 1 / 12];
/** Factors for the score of a box, by its names and tags. */
const NAMED_MAIN = 1.25;
const NAMED_FURNITURE = 0.5;
const NAMED_COMMENT = 0.4;
const FURNITURE = 0.5;
const FURNITURE_TAGS = new Set([
  PLACE_AT["in-nav"],
  PLACE_AT["in-footer"],
  PLACE_AT["in-aside"],
  PLACE_AT["in-form"],
]);
/** A line's score is the best among this many elements, from its own outwards. */
const NEAR = 3;

/** Scores the nodes of an outline, and finds the best one and the best that is neither in it nor around it. */
export function findCandidates(outline: Outline, facts: NodeFacts): Candidates {
  const scores = scoreNodes(outline, facts);
  const best = bestOf(scores, () => true);
  const size = scores.length;
  const isInBest = new Uint8Array(size);
  const isInSecond = new Uint8Array(size);
  const none = { best, scores, isInBest, isInSecond, lead: 0 };
  if (best === 0) return none;
  const { parent } = outline;
  const isAround = new Uint8Array(size);
  for (let at = best; at > 0; at = parent[at] ?? 0) isAround[at] = 1;
  const highest = scores[best] ?? 1;
  // Parents come before their children.
  for (let node = 1; node < size; node++) {
    const above = parent[node] ?? 0;
    isInBest[node] = node === best || isInBest[above] === 1 ? 1 : 0;
    scores[node] = (scores[node] ?? 0) / highest;
  }
  const second = bestOf(scores, (node) => isInBest[node] === 0 && isAround[node] === 0);
  if (second > 0)
    for (let node = second; node < size; node++)
      isInSecond[node] = node === second || isInSecond[parent[node] ?? 0] === 1 ? 1 : 0;
  return { ...none, lead: 1 - (scores[second] ?? 0) };
}

function scoreNodes(outline: Outline, { points, linkShare, runs }: NodeFacts): Float64Array {
  const { parent, step } = outline;
  const scores = new Float64Array(points.length);
  for (let node = 1; node < points.length; node++) {
    const given = points[node] ?? 0;
    if (given === 0) continue;
    let at = boxOf(outline, node);
    for (let up = 0; up < SHARES.length && at > 0; up++) {
      scores[at] = (scores[at] ?? 0) + given * (SHARES[up] ?? 0);
      at = parent[at] ?? 0;
    }
  }
  for (let node = 1; node < points.length; node++) {
    const score = scores[node] ?? 0;
    if (score === 0) continue;
    const worth = (1 - linkShare(node)) * worthOf(step[node]);
    scores[node] = (score * worth) / Math.max(1, runs[node] ?? 0);
  }
  return scores;
}

/** Finds the box of a line: skips the parts of a paragraph, then that paragraph if there is an element around it. */
function boxOf({ parent, step }: Outline, node: number): number {
  let at = node;
  while (at > 0 && step[at]?.role === "part") at = parent[at] ?? 0;
  return step[at]?.role === "paragraph" && (parent[at] ?? 0) > 0 ? (parent[at] ?? 0) : at;
}

function worthOf(step: Step | undefined): number {
  if (step === undefined) return 1;
  let worth = FURNITURE_TAGS.has(step.tagColumn) ? FURNITURE : 1;
  for (const name of step.names) worth *= WORTH.get(name) ?? 1;
  return worth;
}

const WORTH = new Map<number, number>([
  [PLACE_AT["named-main"], NAMED_MAIN],
  [PLACE_AT["named-furniture"], NAMED_FURNITURE],
  [PLACE_AT["named-comment"], NAMED_COMMENT],
]);

/** Returns the node with the highest score, the first if several are equal, or 0 if all scores are 0. */
function bestOf(scores: Float64Array, may: (node: number) => boolean): number {
  let best = 0;
  let highest = 0;
  for (let node = 1; node < scores.length; node++) {
    const score = scores[node] ?? 0;
    if (score <= highest || !may(node)) continue;
    best = node;
    highest = score;
  }
  return best;
}

const {
  "candidate-score": CANDIDATE_SCORE,
  "in-best": IN_BEST,
  "best-lead": BEST_LEAD,
  "below-best": BELOW_BEST,
  "best-distance": BEST_DISTANCE,
  "in-second": IN_SECOND,
} = PLACE_AT;

/** Fills the candidate columns of a node. `shared` is how many steps its path shares with the path of the best node. */
export function fillCandidate(
  candidates: Candidates,
  { outline, node, shared }: { readonly outline: Outline; readonly node: number; readonly shared: number },
  row: Float32Array,
): void {
  const { best, scores, isInBest, isInSecond, lead } = candidates;
  if (best === 0) return;
  const depth = outline.depth[node] ?? 0;
  let score = 0;
  let at = node;
  for (let up = 0; up < NEAR && at > 0; up++) {
    score = Math.max(score, scores[at] ?? 0);
    at = outline.parent[at] ?? 0;
  }
  row[CANDIDATE_SCORE] = score;
  row[IN_SECOND] = isInSecond[node] ?? 0;
  row[BEST_DISTANCE] = logCount((outline.depth[best] ?? 0) - shared);
  if (isInBest[node] === 0) return;
  row[IN_BEST] = 1;
  row[BEST_LEAD] = lead;
  row[BELOW_BEST] = logCount(depth - shared);
}
