/** The lines that an extractor took and those that it left out into one list in source order. */
import type { Line } from "../document.js";

/**
 * Merges by the place in the source; both lists keep their own order. The boundaries of the lines that were taken stay
 * as they are, so the text of the document is the same with and without the others.
 */
export function mergeLeftOut(taken: readonly Line[], leftOut: readonly Line[], extractor: string): Line[] {
  const merged: Line[] = [];
  let next = 0;
  for (const line of taken) {
    for (let other = leftOut[next]; other !== undefined && isBefore(other, line); other = leftOut[next]) {
      merged.push(mark(other, extractor));
      next += 1;
    }
    merged.push(line);
  }
  for (const other of leftOut.slice(next)) merged.push(mark(other, extractor));
  return merged;
}

/** Text that the parser made up has no place in the source, and stays with what follows it. */
function isBefore(a: Line, b: Line): boolean {
  return a.span === undefined || (b.span !== undefined && a.span[0] < b.span[0]);
}

function mark(line: Line, extractor: string): Line {
  return { ...line, breakBefore: "line", leftOutBy: extractor };
}
