import type { Document } from "../../../src/document.js";

/** A plain-text document with these lines. */
export function textDocument(lines: readonly string[], id = "test"): Document {
  return {
    id,
    url: "",
    source: "text",
    meta: {},
    notes: [],
    lines: lines.map((text) => ({ text, block: "text", path: "", linkChars: 0, breakBefore: "line" })),
  };
}
