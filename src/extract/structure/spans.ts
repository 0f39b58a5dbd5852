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
  /** Whether any text was inside of it. */
  hasText: boolean;
}

export interface Spans {
  /** Text that was added is in a span, and in those around it. */
  extend(mark: Mark, start: number, end: number): void;
  /** Something without text, behind a space that may still come or not. */
  draw(meaning: Meaning, at: number, hasSpace: boolean): void;
  /** Text follows what had none. */
  follow(hasSpace: boolean): void;
  /** All of them, outer ones before inner ones. */
  take(): InlineSpan[];
}

interface Place {
  readonly start: number;
  end: number;
}

/** Spans of one line; more are no writing. */
const MAX_SPANS = 20_000;

export function createSpans(): Spans {
  const places = new Map<Mark, Place>();
  const drawn: { meaning: Meaning; at: number; isBehindSpace: boolean; hasSpaceBehind: boolean }[] = [];
  let waiting = 0;
  return {
    extend(mark, start, end) {
      for (let open: Mark | undefined = mark; open !== undefined; open = open.outer) {
        const place = places.get(open);
        if (place !== undefined) place.end = end;
        else if (places.size < MAX_SPANS) places.set(open, { start, end });
        open.hasText = true;
      }
    },
    draw(meaning, at, hasSpace) {
      if (drawn.length < MAX_SPANS)
        drawn.push({ meaning, at, isBehindSpace: hasSpace, hasSpaceBehind: false });
    },
    follow(hasSpace) {
      for (; waiting < drawn.length; waiting += 1) {
        const one = drawn[waiting];
        if (one !== undefined) one.hasSpaceBehind = hasSpace;
      }
    },
    take() {
      const spans: InlineSpan[] = [];
      // Text reaches the innermost mark first; of two with the same text the outer one comes first.
      const marks = [...places].sort(([a], [b]) => a.depth - b.depth);
      for (const [{ meaning }, { start, end }] of marks) spans.push({ ...meaning, start, end });
      for (const { meaning, at, isBehindSpace, hasSpaceBehind } of drawn)
        spans.push({ ...meaning, start: at, end: at, ...spacesOf(isBehindSpace, hasSpaceBehind) });
      return sortSpans(spans);
    },
  };
}

function spacesOf(before: boolean, after: boolean): Pick<InlineSpan, "spaces"> {
  if (before) return { spaces: after ? "both" : "before" };
  return after ? { spaces: "after" } : {};
}

/** Outer ones before inner ones; of two at the same place the one that was opened first. */
export function sortSpans(spans: InlineSpan[]): InlineSpan[] {
  return spans.sort((a, b) => a.start - b.start || b.end - a.end);
}
