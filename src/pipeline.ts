/**
 * Runs pages through cleaning, labelling and filters as one stream: yields a labelled document or a reject for each
 * page, in order and in bounded memory.
 */
import { addCarried } from "./core/carried.js";
import { countLabels, refuseLarge, type Cleaned, type LineCounts } from "./core/clean-page.js";
import { fingerprint } from "./core/fingerprint.js";
import type { Document, LabelledLine, Page } from "./document.js";
import { openFilters, type FilterRun } from "./filter/document-filters.js";
import { DEFAULTS, resolveCleanOptions, type CleanOptions, type PipelineOptions } from "./options/options.js";
import { mapOrdered } from "./ordered.js";
import { accept, UsageError, type Outcome } from "./outcome.js";
import { openLabellers, PAGES_AHEAD, PAGES_AT_ONCE, type Cleaner } from "./work/cleaner.js";
import { createCleaners } from "./work/cleaners.js";
import type { SharedCleaners } from "./work/shared-cleaners.js";
import { followSignal, type Stop } from "./time/stop.js";
import type { Form } from "./write/registry.js";

/** Measurements and by-products of an outcome, reported beside it. */
export interface Account {
  /** Milliseconds that reading, labelling and filtering the page took; 0 when there was no page. */
  readonly ms: number;
  /** Set when the page was labelled, even if a filter rejected its document afterwards. */
  readonly labelled?: Labelled;
  /** Set on a kept document: what a later run must read back (`RunOptions.recall`) to find duplicates of it. */
  readonly entry?: string;
  /** The document as it is written to a file. Only set when the pipeline formats documents. */
  readonly formatted?: string;
}

export interface Labelled extends LineCounts {
  /** The language as the page states it or, if detection was requested, as detected from its text. */
  readonly lang: string | undefined;
}

/** A page, or the reject that replaced it, and a tag of the caller that its result returns. */
export interface TaggedPage<T> {
  readonly page: Outcome<Page>;
  readonly tag: T;
}

/** Wraps pages for callers that need no tag. */
export async function* untagged(
  pages: AsyncIterable<Outcome<Page>> | Iterable<Outcome<Page>>,
): AsyncGenerator<TaggedPage<undefined>> {
  for await (const page of pages) yield { page, tag: undefined };
}

/** The outcome of a page, its measurements and the caller's tag. */
export interface Result<T> {
  readonly outcome: Outcome<Document<LabelledLine>>;
  readonly account: Account;
  readonly tag: T;
}

export interface RunOptions {
  /** The `entry` of every document that an earlier run over the same input kept, for duplicate detection. */
  readonly recall?: AsyncIterable<string>;
}

export interface Pipeline {
  /**
   * Digest of the code version, the options that shape the text, and the models: equal fingerprints mean equal text.
   */
  readonly fingerprint: string;
  /** The fingerprint without `maxBytes`, which changes how many pages become text but not the text of any page. */
  readonly shape: string;
  /** The runtime that runs neural networks, for display; undefined when no labeller uses one. */
  engine(): Promise<string | undefined>;
  /**
   * Yields one result for each page, in order. Throws the signal's reason when it aborts, and UsageError after `close`.
   */
  run<T>(
    pages: AsyncIterable<TaggedPage<T>>,
    signal: AbortSignal,
    options?: RunOptions,
  ): AsyncGenerator<Result<T>>;
  /** Aborts runs that are still going with a UsageError and stops the workers. Closing again does nothing. */
  close(): Promise<void>;
}

/** How many pages may be in progress or wait for a slow page before them: enough to keep every worker busy. */
function countAhead(workers: number): number {
  return workers === 1 ? PAGES_AT_ONCE : workers * 2 * PAGES_AHEAD;
}

/** The same for one caller of shared workers, per worker: just enough that the caller need not wait. */
const AHEAD_OF_SHARED = 4;

/** Options of the pipeline that do not change the text. */
export interface PipelineWishes {
  /** Documents are returned formatted like this and without lines, unless a filter needs their lines. */
  readonly form?: Omit<Form, "fingerprint"> | undefined;
  /** Whether this process works as one of the workers, because it has nothing else to do. */
  readonly takesPart?: boolean;
  /** A worker pool shared with other pipelines, used instead of starting its own. */
  readonly shared?: SharedCleaners;
}

/** Throws for an invalid selector before any page is read. */
async function checkSelectors({ keep, remove }: PipelineOptions): Promise<void> {
  if (keep.length + remove.length > 0)
    (await import("./extract/selection.js")).openSelection({ keep, remove });
}

/** Checks the options and loads the model that they name, if any. Throws UsageError for an invalid option or model. */
export async function createPipeline(
  given: CleanOptions,
  { form: wanted, takesPart = false, shared }: PipelineWishes = {},
): Promise<Pipeline> {
  const options = resolveCleanOptions(given);
  await checkSelectors(options);
  const filters = await openFilters(options);
  const choice = await openLabellers(options);
  const digest = fingerprint(options, choice.names, filters.settings);
  const form = filters.settings === undefined && wanted && { ...wanted, fingerprint: digest };
  const cleaning = { ...options, ...(form && { form }) };
  const cleaner = shared?.withOptions(cleaning) ?? createCleaners({ ...cleaning, takesPart }, choice);
  const ahead = shared === undefined ? countAhead(options.workers) : shared.workers * AHEAD_OF_SHARED;

  async function* run<T>(
    pages: AsyncIterable<TaggedPage<T>>,
    signal: AbortSignal,
    { recall }: RunOptions,
  ): AsyncGenerator<Result<T>> {
    const filter = filters.start();
    const tools = { cleaner, signal, maxBytes: options.maxBytes, needsCarried: form !== undefined };
    const clean = async ({ page, tag }: TaggedPage<T>): Promise<{ cleaned: Cleaned; tag: T }> => ({
      cleaned: await cleanOutcome(page, tools),
      tag,
    });
    try {
      if (recall !== undefined) for await (const entry of recall) filter.recall(entry);
      for await (const { cleaned, tag } of mapOrdered(pages, ahead, clean, signal)) {
        signal.throwIfAborted();
        yield { ...judge(cleaned, filter), tag };
      }
    } finally {
      filter.close();
    }
  }

  const running = new Set<Stop>();
  let closing: Promise<void> | undefined;
  const closeAll = async (): Promise<void> => {
    for (const stop of running) stop.abort(new UsageError("closed while it was working"));
    await cleaner.close();
    await choice.close();
  };
  return {
    fingerprint: digest,
    shape: fingerprint({ ...options, maxBytes: DEFAULTS.maxBytes }, choice.names, filters.settings),
    engine: () => choice.engine(),
    async *run(pages, signal, more = {}) {
      if (closing !== undefined) throw new UsageError("it is closed; create another one");
      const stop = followSignal(signal);
      running.add(stop);
      try {
        yield* run(pages, stop.signal, more);
      } finally {
        stop.release();
        running.delete(stop);
      }
    },
    close: () => (closing ??= closeAll()),
  };
}

interface PageTools extends Pick<PipelineOptions, "maxBytes"> {
  readonly cleaner: Cleaner;
  readonly signal: AbortSignal;
  /** Whether the formatted document includes the carried fields of the page's record. */
  readonly needsCarried: boolean;
}

async function cleanOutcome(page: Outcome<Page>, tools: PageTools): Promise<Cleaned> {
  const { cleaner, signal, maxBytes, needsCarried } = tools;
  if (!page.ok) return { outcome: page, ms: 0 };
  const refused = refuseLarge(page.value, { maxBytes });
  if (refused !== undefined) return { outcome: refused, ms: 0 };
  if (needsCarried || page.value.carried === undefined) return cleaner.clean(page.value, signal);
  // Carried fields are only added to the result, so they need not travel to a worker and back.
  const { carried, ...bare } = page.value;
  const cleaned = await cleaner.clean(bare, signal);
  if (!cleaned.outcome.ok) return cleaned;
  return { ...cleaned, outcome: accept(addCarried(cleaned.outcome.value, carried)) };
}

/** Passes a document through the filters and collects its measurements. */
function judge(
  { outcome, ms, counts, lang, formatted }: Cleaned,
  filter: FilterRun,
): Omit<Result<never>, "tag"> {
  if (!outcome.ok) return { outcome, account: { ms, ...(counts && { labelled: { lang, ...counts } }) } };
  const start = performance.now();
  const judged = filter.judge(outcome.value);
  const { outcome: last, lang: found, ...entry } = judged;
  // A filter may have removed lines.
  const isWhole = !last.ok || last.value.lines === outcome.value.lines;
  const labelled = counts && {
    ...{ lang: found, ...counts },
    ...(isWhole ? {} : { words: countLabels(last.value).words }),
  };
  return {
    outcome: last,
    account: {
      ms: ms + performance.now() - start,
      ...(labelled && { labelled }),
      ...(formatted !== undefined && { formatted }),
      ...entry,
    },
  };
}
