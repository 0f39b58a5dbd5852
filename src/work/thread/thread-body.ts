/** Reads pages into documents of lines in a worker thread: pure JavaScript, so the thread can be killed at any time. */
import type { ReadPage } from "../../core/clean-page.js";
import { openReader, type PageReader } from "../../core/read-page.js";
import type { Page } from "../../document.js";
import type { ExtractorOptions } from "../../extract/extractor.js";
import type { ExtractorName } from "../../extract/registry.js";

export interface Task extends ExtractorOptions {
  readonly page: Page;
  readonly extractor: ExtractorName;
}

/** One reader for each set of options that came to this thread. */
const readers = new Map<string, Promise<PageReader>>();

export default async function readInThread({ page, extractor, ...options }: Task): Promise<ReadPage> {
  const key = JSON.stringify([extractor, options]);
  const reader = readers.get(key) ?? openReader(extractor, options);
  readers.set(key, reader);
  const read = await reader;
  const start = performance.now();
  const outcome = read(page);
  return { outcome, ms: performance.now() - start };
}
