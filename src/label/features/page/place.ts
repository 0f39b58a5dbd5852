/** The lines of a page into the columns of their place: path, links, repetition, and what stands around them. */
import { HASH_START, hashFinish } from "../hash.js";
import { wordEquivalents } from "../line.js";
import { scanLine } from "../scan.js";
import { createScan, keptSlot, keptTokens, TOKEN, type LineScan } from "../tokens.js";
import type { MoreColumns } from "../windows.js";
import { GROUP_FACT_COUNT, GROUPS, PLACE_AT, PLACE_COUNT } from "./columns.js";
import { createOutline, type Outline, type PlacedLine } from "./outline.js";
import { blockColumn } from "./steps.js";

export interface Places extends MoreColumns {
  readonly outline: Outline;
  /** The outline's node of each line. */
  readonly nodes: Int32Array;
}

/** Lines with fewer words are no sentences; with links on most of the text they are a list of links. */
const SENTENCE_WORDS = 8;
const MOST_LINKED = 0.4;
/** The core is the innermost element with this share of the page's sentences. */
const CORE_SHARE = 0.6;
/** Lines before and after that count as around. */
const AROUND = 3;
const MAX_DISTANCE = 50;

interface NodeFacts {
  readonly lines: Float64Array;
  readonly characters: Float64Array;
  readonly linked: Float64Array;
  readonly sentences: Float64Array;
  readonly sentenceCharacters: Float64Array;
}

export function createPlaces(lines: readonly PlacedLine[], title: string): Places {
  const outline = createOutline();
  const nodes = Int32Array.from(lines, (line) => outline.nodeOf(line.path));
  const count = lines.length;
  const characters = new Float32Array(count);
  const isSentence = new Uint8Array(count);
  const titleHits = new Float32Array(count);
  const titleShare = new Float32Array(count);
  const titleWords = wordsOf(title);
  const previous = new Int32Array(count).fill(-1);
  const next = new Int32Array(count).fill(-1);
  const rank = new Int32Array(count);
  let added = 0;
  let own: NodeFacts = createFacts(0);
  let below: NodeFacts = own;
  let byTags: NodeFacts = own;
  let core = 0;
  let meanDepth = 0;
  let total = 1;

  return {
    outline,
    nodes,
    count: PLACE_COUNT,
    add(scan) {
      characters[added] = scan.length;
      const line = lines[added];
      const linked = line === undefined ? 0 : linkShare(line);
      isSentence[added] = wordEquivalents(scan) >= SENTENCE_WORDS && linked < MOST_LINKED ? 1 : 0;
      matchTitle(scan, titleWords, added, titleHits, titleShare);
      added += 1;
    },
    finish() {
      const size = outline.size();
      own = createFacts(size);
      byTags = createFacts(size + 1);
      linkNeighbours(nodes, size, { previous, next, rank });
      for (let i = 0; i < count; i++) {
        const line = lines[i];
        if (line === undefined) continue;
        const node = nodes[i] ?? 0;
        const of = { length: characters[i] ?? 0, share: linkShare(line), isSentence: isSentence[i] === 1 };
        addLine(own, node, of);
        addLine(byTags, outline.tags[node] ?? 0, of);
        meanDepth += (outline.depth[node] ?? 0) / count;
        total += of.length;
      }
      below = sumBelow(own, outline);
      core = findCore(below, outline);
    },
    fill(index, row, base) {
      const line = lines[index];
      if (line === undefined) return;
      const node = nodes[index] ?? 0;
      const put = (column: keyof typeof PLACE_AT, value: number): void => {
        row[base + PLACE_AT[column]] = value;
      };
      row.fill(0, base, base + PLACE_COUNT);
      const block = blockColumn(line.block);
      if (block >= 0) row[base + block] = 1;
      put("breaks-block", line.breakBefore === "block" ? 1 : 0);
      if (line.span !== undefined)
        put("markup-share", Math.max(0, 1 - line.text.length / Math.max(1, line.span[1] - line.span[0])));
      put("words-of-title", titleShare[index] ?? 0);
      put("title-covered", titleWords.size === 0 ? 0 : (titleHits[index] ?? 0) / titleWords.size);
      // Lines of plain text have no place.
      if (node === 0) return;
      fillPath(outline, node, row, base);
      const depth = outline.depth[node] ?? 0;
      put("depth", depth / 10);
      put("depth-to-mean", (depth - meanDepth) / 5);
      const shared = (other: number): number => sharedDepth(outline, node, other) / depth;
      const before = nodes[index - 1];
      const after = nodes[index + 1];
      put("shared-before", before === undefined ? 0 : shared(before));
      put("shared-after", after === undefined ? 0 : shared(after));
      put("same-path-before", before === node ? 1 : 0);
      put("same-path-after", after === node ? 1 : 0);
      fillLinks(lines, index, row, base);
      const tags = outline.tags[node] ?? 0;
      put("same-tags-lines", Math.log1p(byTags.lines[tags] ?? 0));
      put("same-tags-characters", (byTags.characters[tags] ?? 0) / total);
      put("same-tags-link-share", (byTags.linked[tags] ?? 0) / Math.max(1, byTags.characters[tags] ?? 0));
      put("place-in-own", ((rank[index] ?? 0) + 0.5) / Math.max(1, own.lines[node] ?? 0));
      put("since-own", distance(index, previous[index] ?? -1));
      put("until-own", distance(index, next[index] ?? -1));
      const toCore = depth - sharedDepth(outline, node, core);
      put("in-core", core !== 0 && sharedDepth(outline, node, core) === (outline.depth[core] ?? 0) ? 1 : 0);
      put("core-distance", Math.log1p(toCore));
      fillGroups({ own, below, outline, total }, node, row, base);
    },
  };
}

function wordsOf(title: string): Set<number> {
  const scan = createScan();
  scanLine(scan, title);
  const words = new Set<number>();
  forEachWord(scan, (hash) => words.add(hash));
  return words;
}

function forEachWord(scan: LineScan, visit: (hash: number) => void): void {
  const count = keptTokens(scan);
  for (let i = 0; i < count; i++) {
    const slot = keptSlot(scan, i);
    if (scan.kind[slot] !== TOKEN.mark) visit(hashFinish((scan.hash[slot] ?? 0) ^ HASH_START));
  }
}

function matchTitle(
  scan: LineScan,
  title: ReadonlySet<number>,
  line: number,
  hits: Float32Array,
  shares: Float32Array,
): void {
  if (title.size === 0) return;
  let words = 0;
  let found = 0;
  const seen = new Set<number>();
  forEachWord(scan, (hash) => {
    words += 1;
    if (!title.has(hash)) return;
    found += 1;
    seen.add(hash);
  });
  hits[line] = seen.size;
  shares[line] = found / Math.max(1, words);
}

function linkShare(line: PlacedLine): number {
  return line.text.length === 0 ? 0 : Math.min(1, line.linkChars / line.text.length);
}

function createFacts(size: number): NodeFacts {
  const array = (): Float64Array => new Float64Array(size);
  return {
    lines: array(),
    characters: array(),
    linked: array(),
    sentences: array(),
    sentenceCharacters: array(),
  };
}

function plus(array: Float64Array, at: number, value: number): void {
  array[at] = (array[at] ?? 0) + value;
}

function addLine(
  facts: NodeFacts,
  node: number,
  of: { readonly length: number; readonly share: number; readonly isSentence: boolean },
): void {
  plus(facts.lines, node, 1);
  plus(facts.characters, node, of.length);
  plus(facts.linked, node, of.length * of.share);
  if (!of.isSentence) return;
  plus(facts.sentences, node, 1);
  plus(facts.sentenceCharacters, node, of.length);
}

/** Children have higher numbers than their parents, so one pass from the end adds every node to all above it. */
function sumBelow(own: NodeFacts, outline: Outline): NodeFacts {
  const size = outline.size();
  const below: NodeFacts = {
    lines: own.lines.slice(),
    characters: own.characters.slice(),
    linked: own.linked.slice(),
    sentences: own.sentences.slice(),
    sentenceCharacters: own.sentenceCharacters.slice(),
  };
  for (let node = size - 1; node > 0; node--) {
    const parent = outline.parent[node] ?? 0;
    plus(below.lines, parent, below.lines[node] ?? 0);
    plus(below.characters, parent, below.characters[node] ?? 0);
    plus(below.linked, parent, below.linked[node] ?? 0);
    plus(below.sentences, parent, below.sentences[node] ?? 0);
    plus(below.sentenceCharacters, parent, below.sentenceCharacters[node] ?? 0);
  }
  return below;
}

function findCore(below: NodeFacts, outline: Outline): number {
  const all = below.sentenceCharacters[0] ?? 0;
  if (all === 0) return 0;
  let core = 0;
  // A node with more than half has at most one child with more than half, and children come after their parents.
  for (let node = 1; node < outline.size(); node++)
    if (outline.parent[node] === core && (below.sentenceCharacters[node] ?? 0) >= CORE_SHARE * all)
      core = node;
  return core;
}

function linkNeighbours(
  nodes: Int32Array,
  size: number,
  of: { readonly previous: Int32Array; readonly next: Int32Array; readonly rank: Int32Array },
): void {
  const last = new Int32Array(size).fill(-1);
  for (let i = 0; i < nodes.length; i++) {
    const node = nodes[i] ?? 0;
    const before = last[node] ?? -1;
    of.previous[i] = before;
    if (before >= 0) {
      of.next[before] = i;
      of.rank[i] = (of.rank[before] ?? 0) + 1;
    }
    last[node] = i;
  }
}

/** 0 where there is none, else 1 for the next line, falling with the distance. */
function distance(line: number, other: number): number {
  return other < 0 ? 0 : 1 / (1 + Math.log(Math.min(MAX_DISTANCE, Math.abs(line - other))));
}

function sharedDepth(outline: Outline, one: number, other: number): number {
  let [a, b] = [one, other];
  let [da, db] = [outline.depth[a] ?? 0, outline.depth[b] ?? 0];
  while (a !== b) {
    if (da >= db) {
      a = outline.parent[a] ?? 0;
      da -= 1;
    } else {
      b = outline.parent[b] ?? 0;
      db -= 1;
    }
  }
  return da;
}

function fillPath(outline: Outline, node: number, row: Float32Array, base: number): void {
  for (let at = node; at > 0; at = outline.parent[at] ?? 0) {
    const step = outline.step[at];
    if (step === undefined) continue;
    if (step.tagColumn >= 0) row[base + step.tagColumn] = (row[base + step.tagColumn] ?? 0) + 1;
    for (const mark of step.marks) row[base + mark] = 1;
  }
  for (let column = PLACE_AT["in-article"]; column <= PLACE_AT["in-old"]; column++)
    row[base + column] = Math.log1p(row[base + column] ?? 0);
}

function fillLinks(lines: readonly PlacedLine[], index: number, row: Float32Array, base: number): void {
  const shareOf = (at: number): number => {
    const line = lines[at];
    return line === undefined ? 0 : linkShare(line);
  };
  row[base + PLACE_AT["link-share"]] = shareOf(index);
  row[base + PLACE_AT["link-share-before"]] = shareOf(index - 1);
  row[base + PLACE_AT["link-share-after"]] = shareOf(index + 1);
  let linked = 0;
  let all = 0;
  for (let at = index - AROUND; at <= index + AROUND; at++) {
    linked += lines[at]?.linkChars ?? 0;
    all += lines[at]?.text.length ?? 0;
  }
  row[base + PLACE_AT["link-share-around"]] = linked / Math.max(1, all);
}

/** Steps up from the line's own element, in the order of GROUPS; the outermost is the child of the body. */
const UP = [0, 1, 2, 3, 5];
const OUTERMOST_DEPTH = 2;

interface GroupSource {
  readonly own: NodeFacts;
  readonly below: NodeFacts;
  readonly outline: Outline;
  readonly total: number;
}

function fillGroups(source: GroupSource, node: number, row: Float32Array, base: number): void {
  const { outline, own, below, total } = source;
  let at = node;
  let up = 0;
  for (let group = 0; group < GROUPS.length; group++) {
    const isOutermost = group === GROUPS.length - 1;
    if (isOutermost) while ((outline.depth[at] ?? 0) > OUTERMOST_DEPTH) at = outline.parent[at] ?? 0;
    else for (; up < (UP[group] ?? 0); up++) at = outline.parent[at] ?? 0;
    const facts = group === 0 ? own : below;
    const lines = Math.max(1, facts.lines[at] ?? 0);
    const characters = facts.characters[at] ?? 0;
    const to = base + PLACE_AT["own-lines"] + group * GROUP_FACT_COUNT;
    row[to] = Math.log1p(lines);
    row[to + 1] = characters / total;
    row[to + 2] = Math.log1p(characters / lines);
    row[to + 3] = (facts.linked[at] ?? 0) / Math.max(1, characters);
    row[to + 4] = (facts.sentences[at] ?? 0) / lines;
  }
}
