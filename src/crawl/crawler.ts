/** The library of crawling: seeds into an archive in a folder and clean records, politely, and on after any break. */
import type { TransportOptions } from "../acquire/http/transport.js";
import { cleanEvents, isCleanReject } from "./clean-events.js";
import { CRAWL_OPTIONS } from "./options.js";
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
import { accept, UsageError, type Outcome } from "../outcome.js";
import { takeOptions } from "../option-rules.js";
import { DEFAULTS, type CleanOptions } from "../options.js";
import { createPipeline, type Pipeline } from "../pipeline.js";
import { toRecord, type DocumentRecord } from "../write/record.js";

/** What the crawl itself sets. */
type OwnTransport = "keepRaw" | "connections";

export interface CrawlerOptions extends Omit<CrawlOptions, "transport"> {
  /** How requests are made; `maxBytes` is by default that of `clean`. */
  readonly transport?: Partial<Omit<TransportOptions, OwnTransport>>;
  /** How pages become text, as for `createThresher`. */
  readonly clean?: CleanOptions;
  /**
   * When a page is finished, so that a later crawler into the same folder does not give it again: "next" when the page
   * after it is asked for, "manual" when `confirm` says so. Default "next".
   */
  readonly confirm?: "next" | "manual";
}

/** A page, or what could not become one. */
export interface CrawledPage {
  /** From 1 on, over all crawlers into one folder; the same page has the same number when it is given again. */
  readonly number: number;
  /** As from `createThresher`. */
  readonly outcome: Outcome<DocumentRecord>;
  /** What is known of its URL. */
  readonly about: CrawlOutcome;
}

export interface Crawler {
  readonly fingerprint: string;
  /** What is known already is not added again. Durable when it returns. */
  add(seeds: AsyncIterable<string | Seed> | Iterable<string | Seed>): Promise<SeedFigures>;
  /**
   * First what an earlier crawler into the folder fetched and nobody finished, then what is fetched. When the signal
   * aborts, nothing more is fetched, what is fetched already still comes, and then it ends without an error.
   */
  run(signal?: AbortSignal): AsyncGenerator<CrawledPage>;
  /** All pages up to this number are safe with the caller. */
  confirm(through: number): Promise<void>;
  /** What would be fetched, and what robots.txt forbids; nothing else is asked for. */
  plan(signal?: AbortSignal, limit?: number): AsyncGenerator<PlannedFetch>;
  /** Every URL that is known. */
  outcomes(): AsyncGenerator<CrawlOutcome>;
  figures(): CrawlFigures;
  /** Ends what still runs, and saves. Closing again does nothing. */
  close(): Promise<void>;
}

/** What a break may cost, against the disk's time. */
const CONFIRM_EVERY_MS = 1000;

/**
 * The crawl itself, for pages that go another way than ours. Throws UsageError where options make no sense, OutputError
 * where the folder is in use or cannot be written.
 */
export async function openCrawl(options: CrawlOptions): Promise<Crawl> {
  // Who only cleans pages waits for no database.
  const crawl = await import("./crawl.js");
  return crawl.openCrawl(options);
}

/** Throws as `openCrawl` does. */
export async function createCrawler(options: CrawlerOptions): Promise<Crawler> {
  const {
    clean,
    transport,
    confirm = "next",
    ...rest
  } = takeOptions("createCrawler", options, {
    ...CRAWL_OPTIONS,
    clean: true,
    confirm: true,
  });
  if (!["next", "manual"].includes(confirm)) throw new UsageError("confirm must be one of next, manual");
  const { dir = "" } = rest;
  const pipeline = await createPipeline(clean ?? {});
  try {
    const maxBytes = clean?.maxBytes ?? DEFAULTS.maxBytes;
    const crawl = await openCrawl({ ...rest, dir, transport: { maxBytes, ...transport } });
    return join(crawl, pipeline, confirm);
  } catch (error) {
    await pipeline.close();
    throw error;
  }
}

function join(crawl: Crawl, pipeline: Pipeline, confirmation: "next" | "manual"): Crawler {
  const { fingerprint } = pipeline;
  let untold: CleanReject[] = [];
  const confirm = async (through: number): Promise<void> => {
    const told = untold.filter(({ number }) => number <= through);
    untold = untold.filter(({ number }) => number > through);
    await crawl.confirm(through, told);
  };
  const never = new AbortController().signal;
  let closing: Promise<void> | undefined;
  const closeAll = async (): Promise<void> => {
    await crawl.close();
    await pipeline.close();
  };
  return {
    fingerprint,
    confirm,
    add: (seeds) => crawl.add(toSeeds(seeds)),
    async *run(signal = never) {
      let [taken, told, toldAt] = [0, 0, Date.now()];
      try {
        for await (const event of cleanEvents(crawl, pipeline, { signal })) {
          const { number, about, outcome } = event;
          if (!outcome.ok && isCleanReject(event)) {
            const { reason, detail } = outcome;
            untold.push({ number, reason, ...(detail === undefined ? {} : { detail }) });
          }
          yield {
            number,
            about,
            outcome: outcome.ok ? accept(toRecord(outcome.value, { lines: "all", fingerprint })) : outcome,
          };
          taken = number;
          if (confirmation === "manual" || Date.now() - toldAt < CONFIRM_EVERY_MS) continue;
          await confirm(taken);
          [told, toldAt] = [taken, Date.now()];
        }
      } finally {
        if (confirmation === "next" && taken > told && closing === undefined) await confirm(taken);
      }
    },
    plan: (signal = never, limit) => crawl.plan(signal, limit),
    outcomes: () => crawl.outcomes(),
    figures: () => crawl.figures(),
    close: () => (closing ??= closeAll()),
  };
}

async function* toSeeds(seeds: AsyncIterable<string | Seed> | Iterable<string | Seed>): AsyncGenerator<Seed> {
  for await (const seed of seeds) {
    if (typeof seed === "string") yield { url: seed };
    // Programs written in JavaScript hand in anything.
    else if (typeof (seed as Partial<Seed> | null)?.url === "string") yield seed;
    else throw new UsageError("a seed must be a URL, or have one as its url");
  }
}
