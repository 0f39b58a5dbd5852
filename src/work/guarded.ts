/** What keeps one page from harming the others: the promise that a thread of its own and the calling thread both keep. */
import type { Document, Page } from "../document.js";
import type { ExtractorOptions } from "../extract/extractor.js";
import type { ExtractorName } from "../extract/registry.js";
import { reject, type Outcome } from "../outcome.js";
import type { PageReader } from "./read-page.js";

export interface GuardOptions extends ExtractorOptions {
  readonly extractor: ExtractorName;
  /** Wall-clock limit for one page in one extractor, in milliseconds. */
  readonly timeoutMs: number;
  /**
   * Whether a page that takes too long is stopped in the calling thread as well. A page that comes alone pays .35 ms of
   * CPU time for it, those of a batch little.
   */
  readonly isWatched?: boolean;
  /** Heap of one thread, for the extractors that run in one. */
  readonly maxHeapMb?: number;
}

export interface Guard {
  /** Whatever happens to the page is an outcome; only the signal throws. `onTime` is told how long each try took. */
  run(page: Page, signal: AbortSignal, onTime?: (ms: number) => void): Promise<Outcome<Document>>;
  close(): Promise<void>;
}

/** What a crash is told by. */
export function messageOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}

/** What a reader made of a page; where it crashed, the reject of that page. */
export function readOrCrash(read: PageReader, page: Page): Outcome<Document> {
  try {
    return read(page);
  } catch (error) {
    return reject(page, "extract", "crashed", messageOf(error));
  }
}
