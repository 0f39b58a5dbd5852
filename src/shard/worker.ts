/** The body of a worker thread: one page into one document of lines. Pure JavaScript, so it may be killed at any time. */
import { chooseFormat } from "../acquire/kind.js";
import type { Document, Page } from "../document.js";
import type { Extractor, ExtractorOptions } from "../extract/extractor.js";
import { extractors, type ExtractorName } from "../extract/registry.js";
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
  const create = (): Extractor => extractors[extractor]({ leftOut });
  if (content.kind === "lines") return extractLines({ id, url, lines: content.lines, notes: [] });
  if (content.kind === "text") return extractText({ id, url, text: content.text, notes: [] });
  if (content.kind === "html") return extractHtml({ id, url, html: content.html, notes: [] }, create());
  const { text, notes } = decodePage(content.bytes, content.contentType);
  const format = content.format ?? chooseFormat(content.bytes, content.contentType);
  if (format === "text") return extractText({ id, url, text, notes });
  return extractHtml({ id, url, html: text, notes }, create());
}

interface DecodedHtml {
  readonly id: string;
  readonly url: string;
  readonly html: string;
  readonly notes: readonly string[];
}

function extractHtml(page: DecodedHtml, extractor: Extractor): Outcome<Document> {
  return extractor.extract(parseHtml(page));
}
