/** Collects the spans of one line while its text is built. */
import type { InlineSpan } from "../../document.js";

/** A span without its place in the text. */
export type Meaning = Omit<InlineSpan, "start" | "end">;

/** The meaning of text that does not belong to the line. */
export const DROPPED: Meaning = Object.freeze({ kind: "drop" });

/** An open span, and the spans around it. Each element has its own object, so that two neighbours stay two spans. */
export interface Mark {
  readonly meaning: Meaning;
  readonly outer: Mark | undefined;
  readonly depth: number;
  /** The last line that has text of this span, and the start and end of that text. */
  line: Spans | undefined;
  start: number;
  end: number;
}

interface Drawn {
  readonly meaning: Meaning;
  readonly at: number;
  readonly isBehindSpace: boolean;
  hasSpaceBehind: boolean;
}

/** The spans of one line that are known so far. */
export interface Spans {
  readonly marks: Mark[];
  readonly drawn: Drawn[];
  /** The number of elements without text that text has followed. */
  followed: number;
}

/** The largest number of spans in one line; no written text has more. */
const MAX_SPANS = 20_000;

export function createSpans(): Spans {
  return { marks: [], drawn: [], followed: 0 };
}

/** Extends a span, and the spans around it, over text that was added at [start, end). */
export function extendSpans(spans: Spans, mark: Mark, [start, end]: readonly [number, number]): void {
  const { marks } = spans;
  for (let open: Mark | undefined = mark; open !== undefined; open = open.outer) {
    if (open.line !== spans) {
      open.line = spans;
      open.start = start;
      if (marks.length < MAX_SPANS) marks.push(open);
    }
    open.end = end;
  }
}

/** Adds an element without text. Whether a space follows it is set later, by `followDrawn`. */
export function drawInSpans(
  { drawn }: Spans,
  meaning: Meaning,
  place: Pick<Drawn, "at" | "isBehindSpace">,
): void {
  if (drawn.length < MAX_SPANS) drawn.push({ meaning, ...place, hasSpaceBehind: false });
}

/** Called when text follows: records whether a space comes between it and the elements without text before it. */
export function followDrawn(spans: Spans, hasSpace: boolean): void {
  for (; spans.followed < spans.drawn.length; spans.followed += 1) {
    const one = spans.drawn[spans.followed];
    if (one !== undefined) one.hasSpaceBehind = hasSpace;
  }
}

/** Returns all spans of the line, outer ones before inner ones. */
export function takeSpans({ marks, drawn }: Spans): InlineSpan[] {
  const spans: InlineSpan[] = [];
  // Text reaches the innermost mark first; of two with the same text the outer one comes first.
  if (marks.length > 1) marks.sort((a, b) => a.depth - b.depth);
  for (const { meaning, start, end } of marks) spans.push(placeSpan(meaning, start, end));
  for (const { meaning, at, isBehindSpace, hasSpaceBehind } of drawn)
    spans.push({ ...placeSpan(meaning, at, at), ...spacesOf(isBehindSpace, hasSpaceBehind) });
  return spans.length > 1 ? sortSpans(spans) : spans;
}

/** Puts the fields of a span into the order in which records list them. */
export function placeSpan(meaning: Meaning, start: number, end: number): InlineSpan {
  const { kind, ...rest } = meaning;
  return { kind, start, end, ...rest };
}

function spacesOf(before: boolean, after: boolean): Pick<InlineSpan, "spaces"> {
  if (before) return { spaces: after ? "both" : "before" };
  return after ? { spaces: "after" } : {};
}

/** Sorts outer spans before inner ones. Two spans at the same place stay in the order in which they were opened. */
export function sortSpans(spans: InlineSpan[]): InlineSpan[] {
  return spans.sort((a, b) => a.start - b.start || b.end - a.end);
}
