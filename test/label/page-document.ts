/** Makes pages for labellers, and labels them one at a time. */
import type { Document, LabelledLine, Line } from "../../src/document.js";
import type { Labeller } from "../../src/label/labeller.js";

/** A page with these lines, each of which is a paragraph unless it says otherwise. */
export function pageDocument(lines: readonly Partial<Line>[], meta: Document["meta"] = {}): Document {
  return {
    id: "page",
    url: "",
    source: "html",
    meta,
    notes: [],
    lines: lines.map((line) => ({
      text: "A line.",
      block: "p",
      path: "body>div.post>p",
      linkChars: 0,
      breakBefore: "block",
      ...line,
    })),
  };
}

export async function labelOne(labeller: Labeller, document: Document): Promise<Document<LabelledLine>> {
  const [labelled] = await labeller.label([document]);
  if (labelled === undefined) throw new Error("no document came back");
  return labelled;
}
