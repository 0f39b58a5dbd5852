/**
 * Crawls as a library: fetches pages from seeds politely, archives them in a folder, and returns clean records; can be
 * resumed at any time.
 */
import type { TransportOptions } from "../acquire/http/transport.js";
import { checkValues, oneOf, takeOptions } from "../options/option-rules.js";
import { DEFAULTS, type CleanOptions } from "../options/options.js";
import { accept, UsageError, type Outcome } from "../outcome.js";
import { createPipeline, type Pipeline } from "../pipeline.js";
import { toPlainRecord, type DocumentRecord } from "../write/document-record.js";
import { cleanEvents, isCleanReject, type CleanEvent } from "./clean-events.js";
import { CRAWL_OPTIONS, TRANSPORT_OPTIONS } from "./crawl-options.js";
import type {
  CleanReject,
  Crawl,
  CrawlFigures,
  CrawlOptions,
  CrawlOutcome,
  PlannedFetch,
  Seed,
  SeedFigures,
} from "./types.js";

/** Options of the transport that the crawl sets itself. */
type OwnTransport = "keepRaw" | "connections";

/** The options of `createCrawler`: those of `openCrawl`, and how its pages become text. */
export interface CrawlerOptions extends Omit<CrawlOptions, "transport"> {
  /** How requests are made; the default of `maxBytes` is that of `clean`. */
  readonly transport?: Partial<Omit<TransportOptions, OwnTransport>>;
  /** How pages become text, as for `createThresher`. */
  readonly clean?: CleanOptions;
  /**
   * When a page counts as finished, so that a later crawler in the same folder does not return it again: "next" when
   * the page after it is read, "manual" when `confirm` is called. Default "next".
   */
  readonly confirm?: "next" | "manual";
}

/** A page, or the reason why it has no text. */
export interface CrawledPage {
  /** Counted from 1 over all crawlers in one folder; a page that is returned again has the same number. */
  readonly number: number;
  /** The same as from `createThresher`. */
  readonly outcome: Outcome<DocumentRecord>;
  /** What the crawl knows of its URL. */
  readonly about: CrawlOutcome;
}

/** A crawl that is open in a folder, with the pipeline that cleans its pages. */
export interface Crawler {
  /** Equal fingerprints mean the same code, options and models, and so the same text. */
  readonly fingerprint: string;
  /** Adds seeds that are not known yet. They are durable when it resolves. */
  add(seeds: AsyncIterable<string | Seed> | Iterable<string | Seed>): Promise<SeedFigures>;
  /**
   * Yields first the unfinished pages of an earlier crawler in the folder, then those that it fetches. When the signal
   * aborts, it fetches no more pages, still yields those that are fetched, and ends without an error.
   */
  run(signal?: AbortSignal): AsyncGenerator<CrawledPage>;
  /** Marks all pages up to and including this number as finished. */
  confirm(through: number): Promise<void>;
  /**
   * Lists what would be fetched, and what robots.txt forbids. It fetches only robots.txt files, and with `sitemaps` the
   * sitemaps that they name.
   */
  plan(signal?: AbortSignal, limit?: number): AsyncGenerator<PlannedFetch>;
  /** Lists every known URL. */
  outcomes(): AsyncGenerator<CrawlOutcome>;
  /** Counts what happened so far. */
  figures(): CrawlFigures;
  /** Ends a run in progress, and saves the state. A second call does nothing. */
  close(): Promise<void>;
}

/**
 * Milliseconds between two confirmations. After a crash, pages of this time are returned again, but each confirmation
 * is a slow write to disk.
 */
const CONFIRM_EVERY_MS = 1000;

/**
 * Opens only the crawl, for pages that are not cleaned by our pipeline. Throws UsageError if an option is wrong,
 * OutputError if the folder is in use or cannot be written.
 */
export async function openCrawl(options: CrawlOptions): Promise<Crawl> {
  // Imported only here, so that cleaning pages does not load the database.
  const crawl = await import("./crawl.js");
  return crawl.openCrawl(options);
}

/** Opens a crawl and the pipeline that cleans its pages. Throws like `openCrawl`. */
export async function createCrawler(options: CrawlerOptions): Promise<Crawler> {
  const {
    clean = {},
    transport,
    confirm = "next",
    ...rest
  } = takeOptions("createCrawler", options, {
    ...CRAWL_OPTIONS,
    clean: true,
    confirm: true,
  });
  checkValues({ confirm }, { confirm: oneOf(["next", "manual"]) });
  const { dir = "" } = rest;
  const pipeline = await createPipeline(clean);
  try {
    const { maxBytes = DEFAULTS.maxBytes } = clean;
    const own = takeOptions("transport", transport, TRANSPORT_OPTIONS);
    const crawl = await openCrawl({ ...rest, dir, transport: { maxBytes, ...own } });
    return join(crawl, pipeline, confirm);
  } catch (error) {
    await pipeline.close();
    throw error;
  }
}

/** Confirms pages, with the reasons why cleaning made no documents of some of them. */
function createConfirmer(crawl: Crawl, confirmation: "next" | "manual") {
  let untold: CleanReject[] = [];
  /** The last page that counts as finished, and the last one that was confirmed. */
  let [taken, confirmed] = [0, 0];
  const confirm = async (through: number): Promise<void> => {
    const told = untold.filter(({ number }) => number <= through);
    untold = untold.filter(({ number }) => number > through);
    await crawl.confirm(through, told);
  };
  return {
    confirm,
    note(event: CleanEvent): void {
      const { number, outcome } = event;
      if (outcome.ok || !isCleanReject(event)) return;
      const { reason, detail } = outcome;
      untold.push({ number, reason, ...(detail === undefined ? {} : { detail }) });
    },
    take(number: number): void {
      taken = number;
    },
    async confirmTaken(): Promise<void> {
      if (confirmation === "manual" || taken <= confirmed) return;
      confirmed = taken;
      await confirm(taken);
    },
    /** After a failure, as after a crash, the last pages are returned again. */
    forgetTaken(): void {
      taken = confirmed;
    },
  };
}

function join(crawl: Crawl, pipeline: Pipeline, confirmation: "next" | "manual"): Crawler {
  const { fingerprint } = pipeline;
  const confirmer = createConfirmer(crawl, confirmation);
  const never = new AbortController().signal;
  let closing: Promise<void> | undefined;
  const closeAll = async (): Promise<void> => {
    try {
      await confirmer.confirmTaken();
    } finally {
      await crawl.close();
      await pipeline.close();
    }
  };
  return {
    fingerprint,
    confirm: (through) => confirmer.confirm(through),
    add: (seeds) => crawl.add(seeds),
    async *run(signal = never) {
      const isOpen = closing === undefined;
      let confirmedAt = Date.now();
      try {
        for await (const event of cleanEvents(crawl, pipeline, { signal })) {
          const { number, about, outcome, account } = event;
          const words = account.labelled?.words;
          confirmer.note(event);
          yield {
            number,
            about,
            outcome: outcome.ok
              ? accept(toPlainRecord(outcome.value, { lines: "all", fingerprint }, words))
              : outcome,
          };
          confirmer.take(number);
          if (Date.now() - confirmedAt < CONFIRM_EVERY_MS) continue;
          await confirmer.confirmTaken();
          confirmedAt = Date.now();
        }
      } catch (error) {
        // The crawler was closed while the pipeline was cleaning pages.
        if (isOpen && closing !== undefined && error instanceof UsageError) return;
        confirmer.forgetTaken();
        throw error;
      } finally {
        if (closing === undefined) await confirmer.confirmTaken();
      }
    },
    plan: (signal = never, limit) => crawl.plan(signal, limit),
    outcomes: () => crawl.outcomes(),
    figures: () => crawl.figures(),
    close: () => (closing ??= closeAll()),
  };
}
