/** The lines of a page into how far each stands from the line of the title, and from the prose of the best candidate. */
import { logCount } from "../log-count.js";
import { PLACE_AT } from "./columns.js";

/** A line of a page, by its number, or -1 where there is none. */
interface Landmarks {
  readonly title: number;
  /** The first and the last line of prose in the best candidate. */
  readonly first: number;
  readonly last: number;
}

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

/** `points` for prose of each line, and whether it stands in the best candidate. */
export function createMilestones(
  points: Float32Array,
  isInBest: (line: number) => boolean,
  title: number,
): Milestones {
  const before = new Float64Array(points.length + 1);
  let first = -1;
  let last = -1;
  for (let line = 0; line < points.length; line++) {
    before[line + 1] = (before[line] ?? 0) + (points[line] ?? 0);
    if (points[line] === 0 || !isInBest(line)) continue;
    if (first < 0) first = line;
    last = line;
  }
  const all = Math.max(1, before[points.length] ?? 0);
  const marks: Landmarks = { title, first, last };
  return {
    fill(line, row, base) {
      row[base + AFTER_TITLE] = distance(line, marks.title);
      row[base + AFTER_FIRST] = distance(line, marks.first);
      row[base + AFTER_LAST] = distance(line, marks.last);
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
