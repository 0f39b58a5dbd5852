/** Reads pages into lines so that no page harms the others: here in the calling thread, under a clock that stops it. */
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
   * Whether a page that takes too long is stopped in the calling thread as well. A page that comes alone pays .35 ms of
   * CPU time for it, those of a batch little.
   */
  readonly isWatched?: boolean;
  /** Heap of one thread, for the extractors that run in one. */
  readonly maxHeapMb?: number;
}

export interface PageToRead {
  readonly page: Page;
  readonly signal: AbortSignal;
}

/** Reads one page after another; the next call comes when the one before has ended. */
export interface Guard {
  /**
   * Reads the first page, and as many behind it as go with it. Whatever happens to a page is an outcome; only the first
   * one's signal throws, and a reader that cannot be loaded.
   */
  read(pages: readonly [PageToRead, ...PageToRead[]]): Promise<readonly [ReadPage, ...ReadPage[]]>;
  close(): Promise<void>;
}

/** Pages that wait are read in one go, under one clock, until so many milliseconds are over. */
const GO_MS = 50;

/**
 * In the calling thread: nothing to start, and nothing to copy. Only for extractors whose memory is bounded, and whose
 * time is unless `isWatched`: here a page can be stopped, and no more.
 */
export function createLocalGuard(options: Omit<GuardOptions, "maxHeapMb">): Guard {
  let reader: Promise<PageReader> | undefined;
  return {
    async read(pages) {
      reader ??= openReader(options.extractor, options);
      const { done, wasStopped } = readSome(await reader, pages, options);
      // What a page left behind that was stopped goes with its reader.
      if (wasStopped) reader = undefined;
      return done;
    },
    close: () => Promise.resolve(),
  };
}

/**
 * What became of the first page, and of those behind it that are watched as it is, or are not, as time allows. A page
 * that was stopped and is not the first one has not had all the time that it may take; it is none of those that are done.
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
  // The first page is done in any case: it was read, or it is a reject.
  return { done: done as [ReadPage, ...ReadPage[]], wasStopped };
}

/** Text is parted at its line ends, and no more: many short texts would notice the clock. */
function isText({ content }: Page): boolean {
  if (content.kind === "bytes") return content.format === "text";
  return content.kind !== "html";
}
