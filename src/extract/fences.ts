/** Finds code in plain text: what is between two fences of backticks, as in Markdown (CommonMark 0.31, section 4.5). */

/** Hardly any text has this, and to look for it costs next to nothing. */
export const FENCE_MARK = "```";

/** The lines that could be a fence; what is behind the backticks of an opening one names the language. */
const FENCE = /^[ \t]*(`{3,})([^`\n\r\f\u2028\u2029]*)$/gm;

/** A part of a text as [start, end) in UTF-16 code units. */
type Range = readonly [start: number, end: number];

/** Code with its fences, in order. A fence without an end opens nothing: outside of Markdown it may be an ornament. */
export function findFences(text: string): readonly Range[] {
  if (!text.includes(FENCE_MARK)) return [];
  const ranges: Range[] = [];
  let open: { readonly start: number; readonly length: number } | undefined;
  for (const match of text.matchAll(FENCE)) {
    const [line, { length } = "", info = ""] = match;
    if (open === undefined) open = { start: match.index, length };
    else if (length >= open.length && info.trim() === "") {
      ranges.push([open.start, match.index + line.length]);
      open = undefined;
    }
  }
  return ranges;
}

/** Tells of places that are asked for in order whether they are within one of the ranges. */
export function followRanges(ranges: readonly Range[]): (at: number) => boolean {
  let next = 0;
  return (at) => {
    while (at >= (ranges[next]?.[1] ?? Infinity)) next += 1;
    return at >= (ranges[next]?.[0] ?? Infinity);
  };
}
