/** The body of a worker thread: one page into one document of lines. Pure JavaScript, so it may be killed at any time. */
import type { Document, Page } from "../document.js";
import type { ExtractorOptions } from "../extract/extractor.js";
import type { ExtractorName } from "../extract/registry.js";
import type { Outcome } from "../outcome.js";
import { openReader, type PageReader } from "./read-page.js";

export interface Task extends ExtractorOptions {
  readonly page: Page;
  readonly extractor: ExtractorName;
}

/** One reader for each kind of task that came to this thread. */
const readers = new Map<string, Promise<PageReader>>();

/** What a page became, and how long that took here. */
export interface TaskResult {
  readonly outcome: Outcome<Document>;
  readonly ms: number;
}

export default async function extractPage({ page, extractor, ...options }: Task): Promise<TaskResult> {
  const key = `${extractor} ${options.leftOut} ${options.markup ?? ""}`;
  const reader = readers.get(key) ?? openReader(extractor, options);
  readers.set(key, reader);
  const read = await reader;
  const start = performance.now();
  const outcome = read(page);
  return { outcome, ms: performance.now() - start };
}
