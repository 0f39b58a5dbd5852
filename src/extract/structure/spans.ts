/** Gathers the spans of one line while its text is put together. */
import type { InlineSpan } from "../../document.js";

/** What is known of a span before its text is. */
export type Meaning = Omit<InlineSpan, "start" | "end">;

/** Text that is no part of the line. */
export const DROPPED: Meaning = Object.freeze({ kind: "drop" });

/** A span that is open around a text, and those around it. One object for one element, so that neighbours stay two. */
export interface Mark {
  readonly meaning: Meaning;
  readonly outer: Mark | undefined;
  readonly depth: number;
  /** The last line that has text of it, and where that text is. */
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

/** What is known of the spans of one line. */
export interface Spans {
  readonly marks: Mark[];
  readonly drawn: Drawn[];
  /** How many of those that are drawn text has followed. */
  followed: number;
}

/** Spans of one line; more are no writing. */
const MAX_SPANS = 20_000;

export function createSpans(): Spans {
  return { marks: [], drawn: [], followed: 0 };
}

/** Text that was added is in a span, and in those around it. */
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

/** Something without text, behind a space that may still come or not. */
export function drawInSpans(
  { drawn }: Spans,
  meaning: Meaning,
  place: Pick<Drawn, "at" | "isBehindSpace">,
): void {
  if (drawn.length < MAX_SPANS) drawn.push({ meaning, ...place, hasSpaceBehind: false });
}

/** Text follows what had none. */
export function followDrawn(spans: Spans, hasSpace: boolean): void {
  for (; spans.followed < spans.drawn.length; spans.followed += 1) {
    const one = spans.drawn[spans.followed];
    if (one !== undefined) one.hasSpaceBehind = hasSpace;
  }
}

/** All of them, outer ones before inner ones. */
export function takeSpans({ marks, drawn }: Spans): InlineSpan[] {
  const spans: InlineSpan[] = [];
  // Text reaches the innermost mark first; of two with the same text the outer one comes first.
  if (marks.length > 1) marks.sort((a, b) => a.depth - b.depth);
  for (const { meaning, start, end } of marks) spans.push(placeSpan(meaning, start, end));
  for (const { meaning, at, isBehindSpace, hasSpaceBehind } of drawn)
    spans.push({ ...placeSpan(meaning, at, at), ...spacesOf(isBehindSpace, hasSpaceBehind) });
  return spans.length > 1 ? sortSpans(spans) : spans;
}

/** With its fields in the order in which records are read. */
export function placeSpan(meaning: Meaning, start: number, end: number): InlineSpan {
  const { kind, ...rest } = meaning;
  return { kind, start, end, ...rest };
}

function spacesOf(before: boolean, after: boolean): Pick<InlineSpan, "spaces"> {
  if (before) return { spaces: after ? "both" : "before" };
  return after ? { spaces: "after" } : {};
}

/** Outer ones before inner ones; of two at the same place the one that was opened first. */
export function sortSpans(spans: InlineSpan[]): InlineSpan[] {
  return spans.sort((a, b) => a.start - b.start || b.end - a.end);
}
