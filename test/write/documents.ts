/** Makes documents for the tests of the writers. */
import type { Document, LabelledLine } from "../../src/document.js";

/** A labelled line with sensible defaults. */
export function line(text: string, more: Partial<LabelledLine> = {}): LabelledLine {
  return {
    text,
    block: "p",
    path: "body>p",
    linkChars: 0,
    breakBefore: "block",
    score: more.label === "boilerplate" ? 0.1 : 0.9,
    label: "content",
    ...more,
  };
}

export function document(
  lines: readonly LabelledLine[],
  more: Partial<Document<LabelledLine>> = {},
): Document<LabelledLine> {
  return { id: "page", url: "", source: "html", meta: {}, notes: [], lines, ...more };
}
