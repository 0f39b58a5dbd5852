/** Makes labelled documents from HTML; all their lines are content and have their structure. */
import type { Document, LabelledLine } from "../../../src/document.js";
import { createPageExtractor } from "../../../src/extract/body.js";
import { parseQuickly } from "../../../src/parse/quick-tree.js";

export function read(
  html: string,
  url = "https://example.org/a/page",
  structure: "words" | "keep" = "keep",
): Document<LabelledLine> {
  const page = parseQuickly({ id: "page", url, html, keeps: "structure and images" });
  const outcome = createPageExtractor({ structure }).extract(page);
  if (!outcome.ok) return { id: "page", url, source: "html", meta: {}, notes: [], lines: [] };
  const lines = outcome.value.lines.map((line): LabelledLine => ({ ...line, score: 1, label: "content" }));
  return { ...outcome.value, lines };
}
