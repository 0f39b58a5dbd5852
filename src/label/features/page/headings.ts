/** The lines of a page into what stands above each: the line that repeats the page's title, and the last heading. */
import type { PlacedLine } from "./outline.js";

const LEVELS: ReadonlyMap<string, number> = new Map([
  ["h1", 1],
  ["h2", 2],
  ["h3", 3],
  ["h4", 4],
  ["h5", 5],
  ["h6", 6],
]);

/** 1 to 6 for a heading, 0 for any other line. */
export function headingLevel({ block }: PlacedLine): number {
  return LEVELS.get(block) ?? 0;
}

/** For each line the last heading before it, or -1. */
export function findHeadings(lines: readonly PlacedLine[]): Int32Array {
  const headings = new Int32Array(lines.length);
  let last = -1;
  for (let i = 0; i < lines.length; i++) {
    const line = lines[i];
    headings[i] = last;
    if (line !== undefined && headingLevel(line) > 0) last = i;
  }
  return headings;
}

/** What a line must share with the title: words of the line that stand in it, times words of it that stand in the line. */
const LEAST_MATCH = 0.3;

/** The line that repeats the title best, the earliest of them; the first main heading where none does; or -1. */
export function findTitle(
  lines: readonly PlacedLine[],
  match: { readonly share: Float32Array; readonly covered: Float32Array },
): number {
  let best = -1;
  let most = LEAST_MATCH;
  for (let i = 0; i < lines.length; i++) {
    const value = (match.share[i] ?? 0) * (match.covered[i] ?? 0);
    if (value <= most) continue;
    most = value;
    best = i;
  }
  return best >= 0 ? best : lines.findIndex((line) => line.block === "h1");
}
