/** Pages into documents in the calling thread, those that wait in one go, under a clock that stops what takes too long. */
import { setImmediate } from "node:timers/promises";
import { createContext, Script } from "node:vm";
import type { Document, Page } from "../document.js";
import { reject, type Outcome } from "../outcome.js";
import { readOrCrash, type Guard, type GuardOptions } from "./guarded.js";
import { openReader, type PageReader } from "./read-page.js";

/** Pages that wait are read in one go, under one clock, until so many milliseconds are over. */
const GO_MS = 8;

interface Waiting {
  readonly page: Page;
  readonly signal: AbortSignal;
  /** Gives its outcome, and what reading took. */
  readonly resolve: (outcome: Outcome<Document>, ms: number) => void;
  readonly reject: (error: unknown) => void;
}

/** A page that is through with reading. */
interface Read {
  readonly outcome: Outcome<Document>;
  readonly ms: number;
}

/** Only for extractors whose memory is bounded: here a page can be stopped, and no more. */
export function createWatched(options: Omit<GuardOptions, "maxHeapMb">): Guard {
  const waiting: Waiting[] = [];
  let reader: Promise<PageReader> | undefined;
  let isAtWork = false;

  const work = async (): Promise<void> => {
    while (waiting.length > 0) {
      try {
        reader ??= openReader(options.extractor, options);
        const read = await reader;
        // Ctrl-C, timers and the network get a word in.
        await setImmediate();
        dropAborted(waiting);
        const { done, wasStopped } = readSome(read, waiting, options.timeoutMs);
        // What a page left behind that was stopped goes with its reader.
        if (wasStopped) reader = undefined;
        for (const { outcome, ms } of done) waiting.shift()?.resolve(outcome, ms);
      } catch (error) {
        for (const { reject: fail } of waiting.splice(0)) fail(error);
      }
    }
    isAtWork = false;
  };

  return {
    run: (page, signal, onTime) =>
      new Promise((resolve, fail) => {
        const give = (outcome: Outcome<Document>, ms: number): void => {
          onTime?.(ms);
          resolve(outcome);
        };
        waiting.push({ page, signal, resolve: give, reject: fail });
        if (isAtWork) return;
        isAtWork = true;
        void work();
      }),
    close: () => Promise.resolve(),
  };
}

/**
 * What became of the first page, and of those behind it that are watched as it is, or are not, as time allows. A page
 * that was stopped and is not the first one has not had all the time that it may take; it is none of those that are done.
 */
function readSome(
  read: PageReader,
  pages: readonly Pick<Waiting, "page">[],
  timeoutMs: number,
): { readonly done: readonly Read[]; readonly wasStopped: boolean } {
  const done: Read[] = [];
  const [first] = pages;
  if (first === undefined) return { done, wasStopped: false };
  const other = pages.findIndex((page) => isText(page) !== isText(first));
  const alike = other < 0 ? pages : pages.slice(0, other);
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
  try {
    if (isText(first)) go();
    else runWithin(timeoutMs, go);
    return { done, wasStopped: false };
  } catch (error) {
    if (!(error instanceof TookTooLong)) throw error;
    if (done.length > 0) return { done, wasStopped: true };
    const outcome = reject(first.page, "extract", "timeout", error.message);
    return { done: [{ outcome, ms: performance.now() - begun }], wasStopped: true };
  }
}

/** Text is parted at its line ends, and no more: many short texts would notice the clock. */
function isText({ page: { content } }: Pick<Waiting, "page">): boolean {
  if (content.kind === "bytes") return content.format === "text";
  return content.kind !== "html";
}

/** Whoever gave up is told with the reason of its signal. */
function dropAborted(waiting: Waiting[]): void {
  const all = waiting.splice(0);
  for (const one of all) {
    if (one.signal.aborted) one.reject(one.signal.reason);
    else waiting.push(one);
  }
}

/* MERGED src/work/watched.ts: Synchronous work into its result, or into an error once it took too long: what has no end is stopped where it stands. */

/** Thrown for work that was stopped. What it was changing is left half-changed, and must not be used again. */
export class TookTooLong extends Error {}

const nothing = (): void => undefined;
const box = { work: nothing };
const context = createContext(box);
/** V8 stops what a script calls, loops and regular expressions alike, in whichever realm that was made. */
const script = new Script("work()");

/** At most `ms` milliseconds of a clock on the wall, from 1 to 2^31 − 1. Each call starts a thread that waits: see `isWatched`. */
export function runWithin<T>(ms: number, work: () => T): T {
  let done: { readonly result: T } | undefined;
  box.work = () => {
    done = { result: work() };
  };
  try {
    script.runInContext(context, { timeout: Math.ceil(ms) });
  } catch (error) {
    throw isTimeout(error) ? new TookTooLong(`${ms} ms`) : error;
  } finally {
    box.work = nothing;
  }
  if (done === undefined) throw new Error("work that ended has no result");
  return done.result;
}

/** The error is made in the script's realm, so it is no `Error` of this one. */
function isTimeout(error: unknown): boolean {
  const isObject = typeof error === "object" && error !== null;
  return isObject && "code" in error && error.code === "ERR_SCRIPT_EXECUTION_TIMEOUT";
}
