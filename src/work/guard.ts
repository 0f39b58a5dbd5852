/** Reads pages into lines so that no page harms the others: here in the calling thread, with a timeout. */
import type { ReadPage } from "../core/clean-page.js";
import { openReader, readOrCrash, type PageReader } from "../core/read-page.js";
import type { Page } from "../document.js";
import type { ExtractorOptions } from "../extract/extractor.js";
import type { ExtractorName } from "../extract/registry.js";
import { reject } from "../outcome.js";
import { TookTooLong } from "../time/time-limit.js";
import { runWithin } from "./watch-time.js";

export interface GuardOptions extends ExtractorOptions {
  readonly extractor: ExtractorName;
  /** Wall-clock limit for one page, in milliseconds. */
  readonly timeoutMs: number;
  /**
   * Whether a page that takes too long is stopped in the calling thread as well. This costs .35 ms of CPU time for a
   * page that comes alone, and little for each page of a batch.
   */
  readonly isWatched?: boolean;
  /** Heap of one thread in MB, for the extractors that run in one. */
  readonly maxHeapMb?: number;
}

export interface PageToRead {
  readonly page: Page;
  readonly signal: AbortSignal;
}

/** Reads pages, one call at a time: the next call comes when the one before has ended. */
export interface Guard {
  /**
   * Reads the first page, and as many of the following ones as can be read with it. Every problem of a page becomes a
   * reject. Throws only for the signal of the first page, and if the reader cannot be loaded.
   */
  read(pages: readonly [PageToRead, ...PageToRead[]]): Promise<readonly [ReadPage, ...ReadPage[]]>;
  close(): Promise<void>;
}

/** Milliseconds after which no further page is read under the same timeout. */
const GO_MS = 50;

/**
 * Reads pages in the calling thread, which starts no thread and copies nothing. Only for extractors whose memory is
 * bounded, and whose time is bounded too unless `isWatched` is set: this guard can stop a page, and no more.
 */
export function createLocalGuard(options: Omit<GuardOptions, "maxHeapMb">): Guard {
  let reader: Promise<PageReader> | undefined;
  return {
    async read(pages) {
      reader ??= openReader(options.extractor, options);
      const { done, wasStopped } = readSome(await reader, pages, options);
      // A page that was stopped may leave data in the reader, so the reader is opened anew.
      if (wasStopped) reader = undefined;
      return done;
    },
    close: () => Promise.resolve(),
  };
}

/**
 * Reads the first page, and the following ones that are watched (or not) like it, as time allows. If a later page was
 * stopped, it has not had its full time, so it is not part of `done`.
 */
function readSome(
  read: PageReader,
  pages: readonly [PageToRead, ...PageToRead[]],
  { timeoutMs, isWatched = false }: Pick<GuardOptions, "timeoutMs" | "isWatched">,
): { readonly done: readonly [ReadPage, ...ReadPage[]]; readonly wasStopped: boolean } {
  const [{ page: first }] = pages;
  const other = pages.findIndex(({ page }) => isText(page) !== isText(first));
  const alike = other < 0 ? pages : pages.slice(0, other);
  const done: ReadPage[] = [];
  const begun = performance.now();
  const go = (): void => {
    let start = begun;
    for (const { page } of alike) {
      const outcome = readOrCrash(read, page);
      const end = performance.now();
      done.push({ outcome, ms: end - start });
      if (end - begun > GO_MS) break;
      start = end;
    }
  };
  let wasStopped = false;
  try {
    if (isWatched && !isText(first)) runWithin(timeoutMs, go);
    else go();
  } catch (error) {
    if (!(error instanceof TookTooLong)) throw error;
    wasStopped = true;
    if (done.length === 0) {
      const outcome = reject(first, "extract", "timeout", error.message);
      done.push({ outcome, ms: performance.now() - begun });
    }
  }
  // The first page is always done: it was read, or it is a reject.
  return { done: done as [ReadPage, ...ReadPage[]], wasStopped };
}

/**
 * Whether a page is not HTML. Text is only split at line ends, and for many short texts the timeout would cost
 * noticeable time.
 */
function isText({ content }: Page): boolean {
  if (content.kind === "bytes") return content.format === "text";
  return content.kind !== "html";
}
