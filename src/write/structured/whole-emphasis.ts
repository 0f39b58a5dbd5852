/** Drops emphasis that covers nearly the whole text, because its element (such as `<i/>`) was never closed. */
import type { Document, LabelledLine, SpanKind } from "../../document.js";
import { isContent } from "../shown-lines.js";

/** The share of the text above which emphasis is dropped, and the least number of lines. */
const WHOLE = 0.9;
const MIN_LINES = 5;
const KINDS = ["em", "strong"] as const satisfies readonly SpanKind[];

export function leaveWhole(doc: Document<LabelledLine>): Document<LabelledLine> {
  const lines = doc.lines.filter(isContent);
  const whole = lines.length < MIN_LINES ? [] : KINDS.filter((kind) => isAround(lines, kind));
  if (whole.length === 0) return doc;
  const isKept = ({ kind }: { readonly kind: SpanKind }): boolean => !whole.some((left) => left === kind);
  return {
    ...doc,
    lines: doc.lines.map((line) =>
      line.spans === undefined ? line : { ...line, spans: line.spans.filter(isKept) },
    ),
  };
}

function isAround(lines: readonly LabelledLine[], wanted: SpanKind): boolean {
  let all = 0;
  let inside = 0;
  for (const { text, spans = [] } of lines) {
    all += text.length;
    for (const { kind, start, end } of spans) if (kind === wanted) inside += end - start;
  }
  return inside > WHOLE * all;
}
