/** Makes documents for the tests of the writers. */
import type { Document, LabelledLine, RegisterVerdict } from "../../src/document.js";

/** Makes a labelled line with sensible defaults. */
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

/** A verdict on a text: a news report, perhaps written by a machine. */
export const NEWS: RegisterVerdict = {
  main: { LY: 0.001, SP: 0.01, ID: 0.002, NA: 0.91, HI: 0.004, IN: 0.2, OP: 0.07, IP: 0.03 },
  sub: { ne: 0.85, sr: 0.02, nb: 0.03, dtp: 0.1, rv: 0.01, ob: 0.02, rs: 0, av: 0, ds: 0.01 },
  machine: 0.62,
  found: ["NA", "ne"],
};
