/** Fills the columns for each line's place in its page: its path, links, repetition and neighbours. */
import type { PathTree } from "../../../document/path-tree.js";
import { CHAR } from "../chars.js";
import { wordEquivalents } from "../line-columns.js";
import type { LineScan } from "../tokens.js";
import type { MoreColumns } from "../windows.js";
import { PLACE_AT, PLACE_COUNT } from "./place-columns.js";
import { createElements, sharedDepth, sumLines, type Elements } from "./groups.js";
import { type Milestones, createMilestones, matchTitle } from "./landmarks.js";
import { createOutline, outlineOfTree, type Outline, type PlacedLine } from "./outline.js";
import { blockColumn } from "./steps.js";

export interface Places extends MoreColumns {
  readonly outline: Outline;
  /** By line, its node of the outline. */
  readonly nodes: Int32Array;
  /** By line, how many steps its path shares with the path of the line before; 0 for the first line. */
  readonly shared: Int32Array;
}

/** Lines with fewer words are not prose. Lines with at least a share of MOST_LINKED in links are lists of links. */
const SENTENCE_WORDS = 8;
const MOST_LINKED = 0.4;
/** How many lines before and after a line count for `link-share-around`. */
const AROUND = 3;
/** Larger distances to another line, in lines, count as this one. */
const MAX_DISTANCE = 50;

const {
  "breaks-block": BREAKS_BLOCK,
  "markup-share": MARKUP_SHARE,
  "shared-before": SHARED_BEFORE,
  "shared-after": SHARED_AFTER,
  "same-path-before": SAME_PATH_BEFORE,
  "same-path-after": SAME_PATH_AFTER,
  "place-in-own": PLACE_IN_OWN,
  "since-own": SINCE_OWN,
  "until-own": UNTIL_OWN,
  "link-share": LINK_SHARE,
  "link-share-before": LINK_SHARE_BEFORE,
  "link-share-after": LINK_SHARE_AFTER,
  "link-share-around": LINK_SHARE_AROUND,
} = PLACE_AT;

/** Creates the place columns of a page. Without `tree`, the tree of the lines' paths, the paths are parsed. */
export function createPlaces(lines: readonly PlacedLine[], title: string, tree?: PathTree): Places {
  const count = lines.length;
  const { outline, nodes } =
    tree === undefined ? readPaths(lines) : { outline: outlineOfTree(tree), nodes: tree.nodes };
  const placed = placeLines(lines);
  const { links } = placed;
  const lengths = new Float32Array(count);
  const isSentence = new Uint8Array(count);
  const points = new Float32Array(count);
  const shared = sharedWithBefore(outline, nodes);
  const titleMatch = matchTitle(title, count);
  const { previous, next, rank, sizes } = linkNeighbours(nodes, outline.size());
  let added = 0;
  let elements: Elements | undefined;
  let milestones: Milestones | undefined;

  return {
    outline,
    nodes,
    shared,
    count: PLACE_COUNT,
    add(scan) {
      lengths[added] = scan.length;
      const isProse = wordEquivalents(scan) >= SENTENCE_WORDS && (links[added] ?? 0) < MOST_LINKED;
      isSentence[added] = isProse ? 1 : 0;
      points[added] = isProse ? pointsOf(scan) * (1 - (links[added] ?? 0)) : 0;
      titleMatch.add(scan, added);
      added += 1;
    },
    finish() {
      const facts = { outline, nodes, lengths, links, isSentence, points, shared };
      const made = createElements(outline, sumLines(facts));
      elements = made;
      milestones = createMilestones(
        points,
        (line) => made.isInBest(nodes[line] ?? 0),
        titleMatch.line(lines),
      );
    },
    fill(index, row, base) {
      if (index >= count) return;
      const node = nodes[index] ?? 0;
      const block = placed.blocks[index] ?? -1;
      if (block >= 0) row[base + block] = 1;
      row[base + BREAKS_BLOCK] = placed.breaksBlock[index] ?? 0;
      titleMatch.fill(index, row, base);
      // A line of plain text has no place in a page.
      if (node === 0 || elements === undefined) return;
      elements.fill(node, row, base);
      milestones?.fill(index, row, base);
      row[base + MARKUP_SHARE] = placed.markup[index] ?? 0;
      fillShared({ outline, nodes, shared }, index, row, base);
      row[base + PLACE_IN_OWN] = ((rank[index] ?? 0) + 0.5) / Math.max(1, sizes[node] ?? 0);
      row[base + SINCE_OWN] = nearness(index, previous[index] ?? -1);
      row[base + UNTIL_OWN] = nearness(index, next[index] ?? -1);
      fillLinks(placed, index, row, base);
    },
  };
}

function readPaths(lines: readonly PlacedLine[]): Pick<Places, "outline" | "nodes"> {
  const { outline, nodeOf } = createOutline();
  const nodes = new Int32Array(lines.length);
  for (const [at, { path }] of lines.entries()) nodes[at] = nodeOf(path);
  return { outline, nodes };
}

/**
 * Facts about the lines that are read repeatedly, in arrays by line. Line objects have many hidden classes, which makes
 * their fields slow to read, so each line is read once.
 */
interface PlacedLines {
  /** The column of the block tag, or -1. */
  readonly blocks: Int16Array;
  readonly breaksBlock: Uint8Array;
  /** The share of the line's source that is markup; 0 if its span in the source is unknown. */
  readonly markup: Float64Array;
  readonly characters: Float64Array;
  /** Characters inside links. */
  readonly linked: Float64Array;
  /** The share of characters that is inside links, at most 1. */
  readonly links: Float32Array;
}

function placeLines(lines: readonly PlacedLine[]): PlacedLines {
  const count = lines.length;
  const placed: PlacedLines = {
    blocks: new Int16Array(count),
    breaksBlock: new Uint8Array(count),
    markup: new Float64Array(count),
    characters: new Float64Array(count),
    linked: new Float64Array(count),
    links: new Float32Array(count),
  };
  for (let at = 0; at < count; at++) {
    const line = lines[at];
    if (line === undefined) continue;
    const { text, block, breakBefore, linkChars, span } = line;
    const { length } = text;
    placed.blocks[at] = blockColumn(block);
    placed.breaksBlock[at] = breakBefore === "block" ? 1 : 0;
    if (span !== undefined) placed.markup[at] = Math.max(0, 1 - length / Math.max(1, span[1] - span[0]));
    placed.characters[at] = length;
    placed.linked[at] = linkChars;
    placed.links[at] = length === 0 ? 0 : Math.min(1, linkChars / length);
  }
  return placed;
}

/** Prose gets one point, one more for each comma and each sentence, and one for each LETTERS_OF_A_POINT letters. */
const MOST_COMMAS = 6;
const MOST_SENTENCES = 4;
const LETTERS_OF_A_POINT = 100;
const MOST_FOR_LENGTH = 3;

function pointsOf(scan: LineScan): number {
  const commas = Math.min(MOST_COMMAS, scan.counts[CHAR.comma] ?? 0);
  const length = Math.min(MOST_FOR_LENGTH, scan.length / LETTERS_OF_A_POINT);
  return 1 + commas + Math.min(MOST_SENTENCES, scan.sentences) + length;
}

function sharedWithBefore(outline: Outline, nodes: Int32Array): Int32Array {
  const shared = new Int32Array(nodes.length);
  for (let line = 1; line < nodes.length; line++) {
    const node = nodes[line] ?? 0;
    const before = nodes[line - 1] ?? 0;
    shared[line] = node === before ? (outline.depth[node] ?? 0) : sharedDepth(outline, node, before);
  }
  return shared;
}

interface Neighbourhood {
  readonly outline: Outline;
  readonly nodes: Int32Array;
  readonly shared: Int32Array;
}

function fillShared(
  { outline, nodes, shared }: Neighbourhood,
  index: number,
  row: Float32Array,
  base: number,
): void {
  const node = nodes[index] ?? 0;
  const depth = outline.depth[node] ?? 1;
  if (index > 0) {
    row[base + SHARED_BEFORE] = (shared[index] ?? 0) / depth;
    row[base + SAME_PATH_BEFORE] = nodes[index - 1] === node ? 1 : 0;
  }
  if (index + 1 < nodes.length) {
    row[base + SHARED_AFTER] = (shared[index + 1] ?? 0) / depth;
    row[base + SAME_PATH_AFTER] = nodes[index + 1] === node ? 1 : 0;
  }
}

function fillLinks(
  { links, linked, characters }: PlacedLines,
  index: number,
  row: Float32Array,
  base: number,
): void {
  row[base + LINK_SHARE] = links[index] ?? 0;
  row[base + LINK_SHARE_BEFORE] = index > 0 ? (links[index - 1] ?? 0) : 0;
  row[base + LINK_SHARE_AFTER] = index + 1 < links.length ? (links[index + 1] ?? 0) : 0;
  let inside = 0;
  let all = 0;
  const end = Math.min(links.length - 1, index + AROUND);
  for (let at = Math.max(0, index - AROUND); at <= end; at++) {
    inside += linked[at] ?? 0;
    all += characters[at] ?? 0;
  }
  row[base + LINK_SHARE_AROUND] = Math.min(1, inside / Math.max(1, all));
}

interface Neighbours {
  /** By line: the nearest line before and after with the same path, or -1. */
  readonly previous: Int32Array;
  readonly next: Int32Array;
  /** By line: how many lines with the same path come before it. */
  readonly rank: Int32Array;
  /** By node: how many lines have exactly its path. */
  readonly sizes: Int32Array;
}

function linkNeighbours(nodes: Int32Array, size: number): Neighbours {
  const previous = new Int32Array(nodes.length).fill(-1);
  const next = new Int32Array(nodes.length).fill(-1);
  const rank = new Int32Array(nodes.length);
  const sizes = new Int32Array(size);
  const last = new Int32Array(size).fill(-1);
  for (let i = 0; i < nodes.length; i++) {
    const node = nodes[i] ?? 0;
    const before = last[node] ?? -1;
    previous[i] = before;
    if (before >= 0) next[before] = i;
    rank[i] = sizes[node] ?? 0;
    sizes[node] = (sizes[node] ?? 0) + 1;
    last[node] = i;
  }
  return { previous, next, rank, sizes };
}

const NEARNESS = Float64Array.from(
  { length: MAX_DISTANCE + 1 },
  (_, distance) => 1 / (1 + Math.log(distance)),
);

/** Returns 1 for an adjacent line and less with the distance, or 0 if `other` is -1. */
function nearness(line: number, other: number): number {
  return other < 0 ? 0 : (NEARNESS[Math.min(MAX_DISTANCE, Math.abs(line - other))] ?? 0);
}
