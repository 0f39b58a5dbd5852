/** Finds the cells of each table row: among the holders of a page, or in the text of a row that is one line. */
import type { Holder, LabelledLine } from "../../../document.js";
import { cutLine } from "../inline.js";

/** The holders of a page, and the cells of each row by the row's holder index. */
export interface Cells {
  readonly byRow: ReadonlyMap<number, readonly number[]>;
  readonly holders: readonly Holder[];
}

export interface TableCell {
  readonly lines: readonly LabelledLine[];
  /** The cell's part of the line, in characters, if the whole row is one line. */
  readonly range?: readonly [number, number];
  /** Whether the cell is for the line number of code. */
  readonly isNumber?: boolean;
  /** The cells below it, if the header has several rows; also further lines of the same cell. */
  readonly below?: readonly TableCell[];
}

export function groupCells(holders: readonly Holder[]): Cells {
  const byRow = new Map<number, number[]>();
  for (const [id, { tag, parent }] of holders.entries()) {
    if ((tag !== "td" && tag !== "th") || parent === undefined) continue;
    const row = byRow.get(parent);
    if (row === undefined) byRow.set(parent, [id]);
    else row.push(id);
  }
  return { byRow, holders };
}

/** The cells of a row that is one line, with a tab between them. The line of a cell has only the spans that touch it. */
export function splitRow(line: LabelledLine): TableCell[] {
  const { spans = [], links = [] } = line;
  let start = 0;
  const ranges = line.text.split("\t").map((text): Range => {
    const range = [start, start + text.length] as const;
    start += text.length + 1;
    return range;
  });
  const ownSpans = shareOut(spans, ranges);
  const ownLinks = shareOut(links, ranges);
  return ranges.map((range, at) => {
    const own = {
      ...(ownSpans && { spans: ownSpans[at] ?? [] }),
      ...(ownLinks && { links: ownLinks[at] ?? [] }),
    };
    return { lines: [(ownSpans ?? ownLinks) ? { ...line, ...own } : line], range };
  });
}

type Range = readonly [start: number, end: number];

/** The spans that touch each range; if each cell of a very long row looked at all of them, it would take quadratic time. */
function shareOut<T extends { readonly start: number; readonly end: number }>(
  spans: readonly T[],
  ranges: readonly Range[],
): T[][] | undefined {
  if (spans.length === 0) return undefined;
  const shares = ranges.map((): T[] => []);
  for (const span of spans) {
    let [at, end] = [0, ranges.length - 1];
    while (at < end) {
      const middle = (at + end) >> 1;
      if ((ranges[middle]?.[1] ?? 0) < span.start) at = middle + 1;
      else end = middle;
    }
    for (; at < ranges.length && (ranges[at]?.[0] ?? 0) <= span.end; at += 1) shares[at]?.push(span);
  }
  return shares;
}

/** The cells of a row that is one line, as lines of their own. */
export function cutRow(line: LabelledLine): LabelledLine[] {
  return splitRow(line).map(({ range = [0, 0] }) => cutLine(line, range));
}
