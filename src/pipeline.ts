/** Joins the rooms into one stream, which turns pages into labelled documents and rejects, in order and in bounded memory. */
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

/** What is told of an outcome besides itself. */
export interface Account {
  /** Time that the page itself took to be read, labelled and judged; 0 where there was no page. */
  readonly ms: number;
  /** Of a page that was labelled, whether its document stays or not. */
  readonly labelled?: Labelled;
  /** What another run has to know of a document that stays, in order to find its duplicates. */
  readonly entry?: string;
  /** The document as it goes into a file, where it comes in a form and not in lines. */
  readonly formatted?: string;
}

export interface Labelled extends LineCounts {
  /** As the page states it, or as its text shows, where that was asked. */
  readonly lang: string | undefined;
}

/** A page, or why there is none, and what its caller wants to have back with what becomes of it. */
export interface TaggedPage<T> {
  readonly page: Outcome<Page>;
  readonly tag: T;
}

/** Pages of a caller who wants nothing back with what becomes of them. */
export async function* untagged(
  pages: AsyncIterable<Outcome<Page>> | Iterable<Outcome<Page>>,
): AsyncGenerator<TaggedPage<undefined>> {
  for await (const page of pages) yield { page, tag: undefined };
}

/** What became of a page, the account of that, and the caller's tag. */
export interface Result<T> {
  readonly outcome: Outcome<Document<LabelledLine>>;
  readonly account: Account;
  readonly tag: T;
}

export interface RunOptions {
  /** The entries of all documents that an earlier run over the same input kept before these pages. */
  readonly recall?: AsyncIterable<string>;
}

export interface Pipeline {
  /** Digest of code version, options that shape the text, and models: the same fingerprint means the same text. */
  readonly fingerprint: string;
  /** The same without the bytes that a page may have: it stays where more or fewer pages become texts, and each the same. */
  readonly shape: string;
  /** What runs networks here, for people; nothing where no labeller has one. */
  engine(): Promise<string | undefined>;
  /** One result for each page, in order. */
  run<T>(
    pages: AsyncIterable<TaggedPage<T>>,
    signal: AbortSignal,
    options?: RunOptions,
  ): AsyncGenerator<Result<T>>;
  /** Ends what still runs with an error. Closing again does nothing. */
  close(): Promise<void>;
}

/** Pages that may be under way, or wait for a slow page before them: enough that no process waits for this one. */
function countAhead(workers: number): number {
  return workers === 1 ? PAGES_AT_ONCE : workers * 2 * PAGES_AHEAD;
}

/** Pages of one caller for each process that others use as well: so many that it need not wait, and no more. */
const AHEAD_OF_SHARED = 4;

/** What a program may ask for besides what shapes the text. */
export interface PipelineWishes {
  /** Where no filter needs the lines of documents, they come in this form, and without lines. */
  readonly form?: Omit<Form, "fingerprint"> | undefined;
  /** Whether this process, which has nothing else to do, is one of the workers. */
  readonly takesPart?: boolean;
  /** Processes that clean for others too, in place of its own. */
  readonly shared?: SharedCleaners;
}

/** A wrong selector is told before any page is read. */
async function checkSelectors({ keep, remove }: PipelineOptions): Promise<void> {
  if (keep.length + remove.length > 0)
    (await import("./extract/selection.js")).openSelection({ keep, remove });
}

/** Checks the options and loads a model that they name. Throws UsageError when something does not fit. */
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
    for (const stop of running) stop.abort(new UsageError("closed while it was at work"));
    await cleaner.close();
    await choice.close();
  };
  return {
    fingerprint: digest,
    shape: fingerprint({ ...options, maxBytes: DEFAULTS.maxBytes }, choice.names, filters.settings),
    engine: () => choice.engine(),
    async *run(pages, signal, more = {}) {
      if (closing !== undefined) throw new UsageError("it is closed; make another one");
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
  /** Whether what a page carries along is made a part of its document's form. */
  readonly needsCarried: boolean;
}

async function cleanOutcome(page: Outcome<Page>, tools: PageTools): Promise<Cleaned> {
  const { cleaner, signal, maxBytes, needsCarried } = tools;
  if (!page.ok) return { outcome: page, ms: 0 };
  const refused = refuseLarge(page.value, { maxBytes });
  if (refused !== undefined) return { outcome: refused, ms: 0 };
  if (needsCarried || page.value.carried === undefined) return cleaner.clean(page.value, signal);
  // What is only carried along need not travel to a process and back.
  const { carried, ...bare } = page.value;
  const cleaned = await cleaner.clean(bare, signal);
  if (!cleaned.outcome.ok) return cleaned;
  return { ...cleaned, outcome: accept(addCarried(cleaned.outcome.value, carried)) };
}

/** What the filters say of a document, and the account of it. */
function judge(
  { outcome, ms, counts, lang, formatted }: Cleaned,
  filter: FilterRun,
): Omit<Result<never>, "tag"> {
  if (!outcome.ok) return { outcome, account: { ms, ...(counts && { labelled: { lang, ...counts } }) } };
  const start = performance.now();
  const judged = filter.judge(outcome.value);
  const { outcome: last, lang: found, ...entry } = judged;
  // A filter may have taken lines away.
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
