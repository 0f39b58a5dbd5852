/** The body of a worker thread: one page into one document of lines. Pure JavaScript, so it may be killed at any time. */
import { chooseFormat } from "../acquire/kind.js";
import type { Document, Page, PageContent, PageFormat } from "../document.js";
import type { ExtractorName, ExtractorOptions } from "../extract/extractor.js";
import { extractors } from "../extract/registry.js";
import { extractLines, extractText } from "../extract/text.js";
import type { Outcome } from "../outcome.js";
import { decodePage } from "../parse/charset.js";
import { parseHtml } from "../parse/tree.js";

export interface Task {
  readonly page: Page;
  readonly extractor: ExtractorName;
  readonly leftOut: ExtractorOptions["leftOut"];
}

export default function extractPage({ page, extractor, leftOut }: Task): Outcome<Document> {
  const { content, id, url } = page;
  if (content.kind === "lines") return extractLines({ id, url, lines: content.lines });
  const { format, text, notes } = decodeContent(content);
  if (format === "text") return extractText({ id, url, text, notes });
  return extractors[extractor]({ leftOut }).extract(parseHtml({ id, url, html: text, notes }));
}

interface Decoded {
  readonly format: PageFormat;
  readonly text: string;
  readonly notes: readonly string[];
}

function decodeContent(content: Exclude<PageContent, { readonly kind: "lines" }>): Decoded {
  if (content.kind === "html") return { format: "html", text: content.html, notes: [] };
  if (content.kind === "text") return { format: "text", text: content.text, notes: [] };
  const { bytes, contentType } = content;
  return { ...decodePage(bytes, contentType), format: content.format ?? chooseFormat(bytes, contentType) };
}
