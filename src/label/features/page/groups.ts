/** Sums up the lines below each element of an outline and fills the columns that all lines of an element share. */
import { logCount } from "../columns.js";
import { fillCandidate, findCandidates, type Candidates } from "./candidates.js";
import { ELEMENT_COUNT, GROUP_FACT_COUNT, GROUPS, PLACE_AT } from "./place-columns.js";
import type { Outline } from "./outline.js";

interface Sums {
  readonly lines: Float64Array;
  readonly characters: Float64Array;
  readonly linked: Float64Array;
  readonly sentences: Float64Array;
  readonly sentenceCharacters: Float64Array;
  readonly points: Float64Array;
}

function createSums(size: number): Sums {
  const array = (): Float64Array => new Float64Array(size);
  return {
    lines: array(),
    characters: array(),
    linked: array(),
    sentences: array(),
    sentenceCharacters: array(),
    points: array(),
  };
}

function plus(array: Float64Array, at: number, value: number): void {
  array[at] = (array[at] ?? 0) + value;
}

/** Children have higher numbers than their parents, so one pass from the end adds each node to all its ancestors. */
function sumBelow(own: Sums, { parent }: Outline): Sums {
  const copy = (array: Float64Array): Float64Array => {
    const sums = array.slice();
    for (let node = sums.length - 1; node > 0; node--) plus(sums, parent[node] ?? 0, sums[node] ?? 0);
    return sums;
  };
  return {
    lines: copy(own.lines),
    characters: copy(own.characters),
    linked: copy(own.linked),
    sentences: copy(own.sentences),
    sentenceCharacters: copy(own.sentenceCharacters),
    points: copy(own.points),
  };
}

/** The core is the innermost element with at least this share of the characters in the page's sentence lines. */
const CORE_SHARE = 0.6;

function findCore({ sentenceCharacters }: Sums, { parent }: Outline): number {
  const all = sentenceCharacters[0] ?? 0;
  if (all === 0) return 0;
  let core = 0;
  // A node with more than half has at most one child with more than half, and children come after their parents.
  for (let node = 1; node < sentenceCharacters.length; node++)
    if (parent[node] === core && (sentenceCharacters[node] ?? 0) >= CORE_SHARE * all) core = node;
  return core;
}

/** Returns how many steps the paths of two nodes share, counted from the outermost step. */
export function sharedDepth({ parent, depth }: Outline, one: number, other: number): number {
  let a = one;
  let b = other;
  // The deeper of two different nodes goes up; a path has a bounded number of steps.
  while (a !== b) {
    if ((depth[a] ?? 0) >= (depth[b] ?? 0)) a = parent[a] ?? 0;
    else b = parent[b] ?? 0;
  }
  return depth[a] ?? 0;
}

/** What the sums need to know about the lines of a page. Arrays have one entry per line. */
interface LineFacts {
  readonly outline: Outline;
  /** Node of the outline. */
  readonly nodes: Int32Array;
  /** In letters of an alphabet (see `widthOf`). */
  readonly lengths: Float32Array;
  /** The share of the line's characters that is inside links. */
  readonly links: Float32Array;
  readonly isSentence: Uint8Array;
  /** Points for prose; 0 for lines that are not prose. */
  readonly points: Float32Array;
  /** Number of steps that the path shares with the path of the line before. */
  readonly shared: Int32Array;
}

interface ElementSums {
  /** By node of the outline: sums over the lines on exactly its path. */
  readonly own: Sums;
  /** By number of a path of tags (`Outline.tags`). */
  readonly byTags: Sums;
  /** By node: how many runs of consecutive lines are inside it. */
  readonly runs: Float64Array;
  readonly meanDepth: number;
}

export function sumLines({
  outline,
  nodes,
  lengths,
  links,
  isSentence,
  points,
  shared,
}: LineFacts): ElementSums {
  const own = createSums(outline.size());
  const byTags = createSums(outline.size() + 1);
  const runs = new Float64Array(outline.size());
  let depths = 0;
  const add = (sums: Sums, at: number, line: number): void => {
    const length = lengths[line] ?? 0;
    plus(sums.lines, at, 1);
    plus(sums.characters, at, length);
    plus(sums.linked, at, length * (links[line] ?? 0));
    plus(sums.points, at, points[line] ?? 0);
    if (isSentence[line] === 0) return;
    plus(sums.sentences, at, 1);
    plus(sums.sentenceCharacters, at, length);
  };
  for (let line = 0; line < nodes.length; line++) {
    const node = nodes[line] ?? 0;
    add(own, node, line);
    add(byTags, outline.tags[node] ?? 0, line);
    depths += outline.depth[node] ?? 0;
    for (let at = node; (outline.depth[at] ?? 0) > (shared[line] ?? 0); at = outline.parent[at] ?? 0)
      plus(runs, at, 1);
  }
  return { own, byTags, runs, meanDepth: depths / Math.max(1, nodes.length) };
}

export interface Elements {
  /** Writes the ELEMENT_COUNT columns of a node into `row`, starting at `base`. Each node is computed only once. */
  fill(node: number, row: Float32Array, base: number): void;
  isInBest(node: number): boolean;
}

export function createElements(outline: Outline, sums: ElementSums): Elements {
  const below = sumBelow(sums.own, outline);
  const linkShare = (node: number): number =>
    (below.linked[node] ?? 0) / Math.max(1, below.characters[node] ?? 0);
  const candidates = findCandidates(outline, { points: sums.own.points, linkShare, runs: sums.runs });
  const { own, byTags, runs, meanDepth } = sums;
  const core = findCore(below, outline);
  const page: PageSums = { own, byTags, runs, meanDepth, outline, below, core, candidates };
  const rows = createRows((node, row) => {
    describeElement(page, node, row);
  });
  /** By node: its number among the nodes described so far, or 0. */
  const known = new Int32Array(outline.size());
  return {
    fill(node, row, base) {
      const number = known[node] || rows.describe(node);
      known[node] = number;
      rows.copy(number, row, base);
    },
    isInBest: (node) => candidates.isInBest[node] === 1,
  };
}

/** Number of elements that the buffer holds at first; it doubles for pages with more. */
const ROOM = 64;

interface Rows {
  /** Computes the row of a node and returns the node's number; the first is 1. */
  describe(node: number): number;
  copy(number: number, row: Float32Array, base: number): void;
}

/** Keeps all rows in one array, because allocating an array per element takes longer than filling it. */
function createRows(fill: (node: number, row: Float32Array) => void): Rows {
  const scratch = new Float32Array(ELEMENT_COUNT);
  let rows = new Float32Array(ROOM * ELEMENT_COUNT);
  let described = 0;
  return {
    describe(node) {
      fill(node, scratch);
      if ((described + 1) * ELEMENT_COUNT > rows.length) {
        const larger = new Float32Array(2 * rows.length);
        larger.set(rows);
        rows = larger;
      }
      rows.set(scratch, described * ELEMENT_COUNT);
      described += 1;
      return described;
    },
    copy(number, row, base) {
      const from = (number - 1) * ELEMENT_COUNT;
      for (let at = 0; at < ELEMENT_COUNT; at++) row[base + at] = rows[from + at] ?? 0;
    },
  };
}

interface PageSums extends ElementSums {
  readonly outline: Outline;
  readonly below: Sums;
  readonly core: number;
  readonly candidates: Candidates;
}

const {
  depth: DEPTH,
  "depth-to-mean": DEPTH_TO_MEAN,
  "same-tags-lines": SAME_TAGS,
  "in-core": IN_CORE,
  "core-distance": CORE_DISTANCE,
  "in-article": FIRST_TAG,
  "in-old": LAST_TAG,
  "own-lines": FIRST_GROUP,
} = PLACE_AT;

function describeElement(page: PageSums, node: number, row: Float32Array): void {
  const { outline, byTags, below, core, meanDepth } = page;
  row.fill(0);
  fillPath(outline, node, row);
  const depth = outline.depth[node] ?? 0;
  row[DEPTH] = depth / 10;
  row[DEPTH_TO_MEAN] = (depth - meanDepth) / 5;
  const tags = outline.tags[node] ?? 0;
  const total = 1 + (below.characters[0] ?? 0);
  const characters = byTags.characters[tags] ?? 0;
  row[SAME_TAGS] = logCount(byTags.lines[tags] ?? 0);
  row[SAME_TAGS + 1] = characters / total;
  row[SAME_TAGS + 2] = (byTags.linked[tags] ?? 0) / Math.max(1, characters);
  const shared = sharedDepth(outline, node, core);
  row[IN_CORE] = core !== 0 && shared === (outline.depth[core] ?? 0) ? 1 : 0;
  row[CORE_DISTANCE] = logCount(depth - shared);
  const { best } = page.candidates;
  fillCandidate(page.candidates, { outline, node, shared: sharedDepth(outline, node, best) }, row);
  fillGroups(page, node, row, total);
}

/** A name this many steps above the line's element counts half as much as one on the element itself. */
const NAMES_REACH = 4;

function fillPath(outline: Outline, node: number, row: Float32Array): void {
  let up = 0;
  for (let at = node; at > 0; at = outline.parent[at] ?? 0, up++) {
    const step = outline.step[at];
    if (step === undefined) continue;
    if (step.tagColumn >= 0) row[step.tagColumn] = (row[step.tagColumn] ?? 0) + 1;
    for (const mark of step.marks) row[mark] = 1;
    // Only the innermost name of each kind counts, and less the further out it is.
    for (const name of step.names) row[name] = Math.max(row[name] ?? 0, 1 / (1 + up / NAMES_REACH));
  }
  for (let column = FIRST_TAG; column <= LAST_TAG; column++) row[column] = logCount(row[column] ?? 0);
}

/** Steps up from the line's own element, in the order of GROUPS without `outermost`, which is the child of the body. */
const UP = [0, 1, 2, 3, 5];
const OUTERMOST_DEPTH = 2;

function fillGroups(page: PageSums, node: number, row: Float32Array, total: number): void {
  const { outline, own, below, runs } = page;
  const allPoints = Math.max(1, below.points[0] ?? 0);
  let at = node;
  let up = 0;
  for (let group = 0; group < GROUPS.length; group++) {
    const isOutermost = group === GROUPS.length - 1;
    for (; up < (UP[group] ?? 0); up++) at = outline.parent[at] ?? 0;
    if (isOutermost) at = outermostOf(outline, node);
    const sums = group === 0 ? own : below;
    const lines = Math.max(1, sums.lines[at] ?? 0);
    const characters = sums.characters[at] ?? 0;
    const to = FIRST_GROUP + group * GROUP_FACT_COUNT;
    row[to] = logCount(lines);
    row[to + 1] = characters / total;
    row[to + 2] = logCount(characters / lines);
    row[to + 3] = (sums.linked[at] ?? 0) / Math.max(1, characters);
    row[to + 4] = (sums.sentences[at] ?? 0) / lines;
    row[to + 5] = (sums.points[at] ?? 0) / allPoints;
    row[to + 6] = logCount(runs[at] ?? 0);
  }
}

function outermostOf({ parent, depth }: Outline, node: number): number {
  let at = node;
  while ((depth[at] ?? 0) > OUTERMOST_DEPTH) at = parent[at] ?? 0;
  return at;
}
