/** Finds the line that repeats a page's title and the prose of its best candidate, and measures distances to them. */
import { logCount } from "../columns.js";
import { scanLine } from "../scan-line.js";
import { createScan, keptSlot, keptTokens, TOKEN, type LineScan } from "../tokens.js";
import { PLACE_AT } from "./place-columns.js";

const { "words-of-title": WORDS_OF_TITLE, "title-covered": TITLE_COVERED } = PLACE_AT;

interface TitleMatch {
  add(scan: LineScan, line: number): void;
  fill(line: number, row: Float32Array, base: number): void;
  /** Returns the line that repeats the title, else the first line in an h1, else -1. */
  line(lines: readonly { readonly block: string }[]): number;
}

/**
 * A line repeats the title if the share of its words that are in the title, times the share of the title's words that
 * are in it, is above this.
 */
const LEAST_MATCH = 0.4;
/** Added for a line in an h1, so that it wins over a line that matches slightly better. */
const HEADING_BONUS = 0.15;

/** Workspace for scanning the title; created once, because it is larger than everything else here. */
const scan = createScan();

/** Measures the share of each line's words that are in the title, and of the title's words that are in the line. */
export function matchTitle(title: string, lines: number): TitleMatch {
  const words = new Set<number>();
  // A bit for each ending of the title words' hashes, which rules out nearly all words of a page without a set lookup.
  let endings = 0;
  scanLine(scan, title);
  for (let i = 0; i < keptTokens(scan); i++) {
    const slot = keptSlot(scan, i);
    if (scan.kind[slot] === TOKEN.mark) continue;
    const hash = scan.hash[slot] ?? 0;
    words.add(hash);
    endings |= 1 << hash;
  }
  const share = new Float32Array(lines);
  const covered = new Float32Array(lines);
  const seen = new Set<number>();
  return {
    add(line, at) {
      if (words.size === 0) return;
      let all = 0;
      let found = 0;
      seen.clear();
      const count = keptTokens(line);
      for (let i = 0; i < count; i++) {
        const slot = keptSlot(line, i);
        if (line.kind[slot] === TOKEN.mark) continue;
        all += 1;
        const hash = line.hash[slot] ?? 0;
        if ((endings & (1 << hash)) === 0 || !words.has(hash)) continue;
        found += 1;
        seen.add(hash);
      }
      share[at] = found / Math.max(1, all);
      covered[at] = seen.size / words.size;
    },
    fill(line, row, base) {
      row[base + WORDS_OF_TITLE] = share[line] ?? 0;
      row[base + TITLE_COVERED] = covered[line] ?? 0;
    },
    line(all) {
      let best = -1;
      let highest = LEAST_MATCH;
      for (let at = 0; at < share.length; at++) {
        const isHeading = all[at]?.block === "h1";
        if (isHeading && best < 0 && highest <= LEAST_MATCH) best = at;
        const match = (share[at] ?? 0) * (covered[at] ?? 0) + (isHeading ? HEADING_BONUS : 0);
        if (match <= highest) continue;
        best = at;
        highest = match;
      }
      return best;
    },
  };
}

/* The distance of each line from the title's line and from the prose of the best candidate. */

export interface Milestones {
  fill(line: number, row: Float32Array, base: number): void;
}

const MOST_LINES = 255;
/** Brings the logarithm of MOST_LINES to about 1. */
const SCALE = 5.5;

const {
  "after-title": AFTER_TITLE,
  "after-first": AFTER_FIRST,
  "after-last": AFTER_LAST,
  "points-before": POINTS_BEFORE,
  "points-after": POINTS_AFTER,
} = PLACE_AT;

/**
 * Creates the distance columns. `points` are each line's points for prose, `isInBest` checks whether a line is in the
 * best candidate, and `title` is the line that repeats the title, or -1.
 */
export function createMilestones(
  points: Float32Array,
  isInBest: (line: number) => boolean,
  title: number,
): Milestones {
  const before = new Float64Array(points.length + 1);
  // The first and the last line of prose in the best candidate, or -1.
  let first = -1;
  let last = -1;
  for (let line = 0; line < points.length; line++) {
    before[line + 1] = (before[line] ?? 0) + (points[line] ?? 0);
    if (points[line] === 0 || !isInBest(line)) continue;
    if (first < 0) first = line;
    last = line;
  }
  const all = Math.max(1, before[points.length] ?? 0);
  return {
    fill(line, row, base) {
      row[base + AFTER_TITLE] = distance(line, title);
      row[base + AFTER_FIRST] = distance(line, first);
      row[base + AFTER_LAST] = distance(line, last);
      row[base + POINTS_BEFORE] = (before[line] ?? 0) / all;
      row[base + POINTS_AFTER] = ((before[points.length] ?? 0) - (before[line + 1] ?? 0)) / all;
    },
  };
}

function distance(line: number, mark: number): number {
  if (mark < 0) return 0;
  const lines = Math.min(MOST_LINES, Math.abs(line - mark));
  return (Math.sign(line - mark) * logCount(lines)) / SCALE;
}
