/** Declares what a crawl is told and what it tells: options, seeds, events in a fixed order, outcomes, figures. */
import type { TransportOptions } from "../acquire/http/transport.js";
import type { Page } from "../document.js";
import type { Outcome, Reason } from "../outcome.js";

/** How hosts are treated. A host is a name with all of its ports; two names for one address are two hosts. */
export interface PolitenessOptions {
  /**
   * Between the end of an exchange with a host and the next one, where robots.txt does not ask for more. Default 1,000.
   */
  readonly delayMs: number;
  /**
   * A host whose robots.txt asks for a longer Crawl-delay is not fetched from: its URLs end as `robots`. Default
   * 60,000.
   */
  readonly maxDelayMs: number;
  /** Hosts that are fetched from at the same time, over one connection each. Default 64. */
  readonly hosts: number;
  /** Tries after the first one, where a failure may pass. Default 2. */
  readonly retries: number;
  /** The pause before the first further try; it doubles for each one after, give or take a half. Default 5,000. */
  readonly retryMs: number;
  /** A longer Retry-After is shortened to this. Default 600,000. */
  readonly maxRetryAfterMs: number;
  /** URLs of a host that may fail one after another; then the rest of its URLs is rejected. Default 10. */
  readonly failures: number;
  /** For how long a robots.txt holds, an hour at least. Default 24 hours. */
  readonly robotsMs: number;
  /** Makes the pauses before further tries repeatable. */
  readonly randomSeed: number;
}

/** Which links are followed. */
export interface ReachOptions {
  /** Links from a seed; 0 follows none. Default 0. */
  readonly depth: number;
  /** host: that of the seed, with or without "www."; domain: all hosts of its registered domain. Default "host". */
  readonly reach: "host" | "domain" | "any";
  /** Globs, or "re:" and a regular expression; a link must fit one of them, if there are any. Seeds need not. */
  readonly include: readonly string[];
  /** Patterns of the same kind; a URL that fits one is not fetched, seeds included. */
  readonly exclude: readonly string[];
}

/**
 * Bounds at which a crawl ends although there is more; absent means no bound. A later run can go on with what is left.
 */
export interface Budgets {
  /** Pages that are fetched. */
  readonly pages?: number;
  /** Bytes of all bodies, unpacked. */
  readonly bytes?: number;
  /** Pages that are fetched from one host. */
  readonly pagesPerHost?: number;
}

export interface CrawlHooks {
  /** Asked before a URL is fetched, after scope and robots.txt; false ends it as `out-of-scope`. */
  readonly mayFetch?: (url: string) => boolean | Promise<boolean>;
  /** The delay of a host, in place of `delayMs`; a longer Crawl-delay still holds. */
  readonly delayFor?: (host: string) => number | undefined;
  /**
   * The links of a page, in place of those that the crawl finds itself, which undefined leaves; only called where depth
   * allows one more.
   */
  readonly findLinks?: (page: Page) => readonly string[] | undefined | Promise<readonly string[] | undefined>;
}

export interface CrawlOptions {
  /** A folder for this crawl alone: `state/` and `warc/` are made in it. */
  readonly dir: string;
  /** The version of this program, for warcinfo and the user agent. Default: that of the package. */
  readonly version?: string;
  /**
   * How requests are made. Defaults: 10 MB and 60 s each, public addresses only, HTTP/2 where it is offered. `keepRaw`
   * and `connections` are set by the crawl. `userAgent` decides which group of a robots.txt counts.
   */
  readonly transport?: Partial<TransportOptions>;
  readonly politeness?: Partial<PolitenessOptions>;
  readonly scope?: Partial<ReachOptions>;
  readonly budgets?: Budgets;
  /** Default "obey". */
  readonly robots?: "obey" | "ignore";
  /** Whether the Sitemap lines in the robots.txt of the seeds' hosts are seeds too. Default false. */
  readonly sitemaps?: boolean;
  /** Whether exchanges are kept as WARC. Default true. If not, a page that was not confirmed is fetched again. */
  readonly warc?: boolean;
  /** Bytes at which a WARC file is closed and the next one begins. Default 1,000,000,000. */
  readonly warcBytes?: number;
  /**
   * Whether URLs that an earlier crawl into `dir` finished are fetched again, if they have changed since. A recrawl
   * that was interrupted goes on when this is set again; if the one before was complete, a new one begins.
   */
  readonly recrawl?: boolean;
  readonly hooks?: CrawlHooks;
}

/**
 * A URL to begin with. Of a "list", a sitemap or feed, the URLs that it names are the seeds; a "page" may turn out to
 * be one.
 */
export interface Seed {
  readonly url: string;
  readonly kind?: "page" | "list";
}

/** What became of a URL. */
export type CrawlResult = "page" | "list" | "redirected" | "rejected" | "waiting";

/** One row of the table of outcomes: one for each URL that the crawl knows. */
export interface CrawlOutcome {
  readonly url: string;
  readonly result: CrawlResult;
  /** The seed from which it was reached, and over how many links. */
  readonly seed: string;
  readonly depth: number;
  /** Why it was rejected, or why it waits; of a page that was fetched, why cleaning left no document. */
  readonly reason?: Reason;
  readonly detail?: string;
  /** The status of the last answer. */
  readonly status?: number;
  readonly contentType?: string;
  readonly redirectedTo?: string;
  /** Bytes of the body, unpacked. */
  readonly bytes?: number;
  /** Milliseconds that the last exchange took. */
  readonly ms?: number;
  /** When the last exchange began, in ISO 8601. */
  readonly fetchedAt?: string;
  /** Exchanges that it took; 0 where no request was sent for it. */
  readonly attempts: number;
  /** Where the answer is kept: a name in `dir/warc`, and the offset of the record's gzip member. */
  readonly warcFile?: string;
  readonly warcOffset?: number;
  /**
   * WARC-Record-ID, without angle brackets, of the answer with the page: for a page that is not modified, the earlier
   * one.
   */
  readonly warcRecord?: string;
  /** Whether the caller has confirmed its event. */
  readonly isConfirmed: boolean;
}

/** A page or a reject, in the order in which it was recorded. A resumed crawl gives the same event the same number. */
export interface CrawlEvent {
  /** Counted from 1 over all runs into one folder, without gaps where exchanges are kept as WARC. */
  readonly number: number;
  /** For the pipeline. The id of the page is its URL, and so is its `url`. */
  readonly outcome: Outcome<Page>;
  readonly about: CrawlOutcome;
}

/** Why cleaning made no document of the page of an event. */
export interface CleanReject {
  readonly number: number;
  readonly reason: Reason;
  readonly detail?: string;
}

export interface SeedFigures {
  readonly added: number;
  /** Seeds that were known already, from this or an earlier run. */
  readonly known: number;
  /** Seeds that are not URLs, or that may not be fetched; the latter are recorded as rejects. */
  readonly refused: number;
}

export interface CrawlFigures {
  /** URLs by result, over all runs into this folder. */
  readonly results: Readonly<Record<CrawlResult, number>>;
  /** Rejects by reason, and pages of which cleaning left no document. */
  readonly reasons: Readonly<Partial<Record<Reason, number>>>;
  /**
   * Pages of this run, its exchanges of any kind, the bytes of their bodies, and the failures that were tried again.
   */
  readonly pages: number;
  readonly exchanges: number;
  readonly bytes: number;
  readonly retried: number;
  /**
   * Links of this run that were not followed, by reason. Each is counted as often as it was found; too many are those of a
   * page beyond its first 50,000.
   */
  readonly leftOut: Readonly<Record<"out-of-scope" | "trap" | "nofollow" | "too-many", number>>;
  /** Hosts that are being fetched from, and hosts with URLs that wait. */
  readonly hostsActive: number;
  readonly hostsWaiting: number;
  /** All URLs that wait. */
  readonly queued: number;
  /** Events that the caller has not confirmed. */
  readonly unconfirmed: number;
  /**
   * Milliseconds that the run still needs for what waits, by its rate so far and the delay of its hosts; absent where that
   * cannot be known: before its first answers, and while lists or links may still add URLs.
   */
  readonly msLeft?: number;
  /** What ended the run, if it ended although URLs wait. */
  readonly endedBy?: "budget" | "signal";
}

/** What a crawl would do with a URL. */
export interface PlannedFetch {
  readonly url: string;
  /** Why it would be rejected; undefined where it would be fetched. */
  readonly reason?: Reason;
  readonly detail?: string;
  /** The delay between two requests to its host. */
  readonly delayMs: number;
}

/** A crawl that is open in a folder. */
export interface Crawl {
  /** Adds seeds that are not known yet. They are durable when it returns. */
  add(seeds: AsyncIterable<string | Seed> | Iterable<string | Seed>): Promise<SeedFigures>;
  /**
   * Gives first the events that an earlier run recorded and that were not confirmed, then those of what it fetches. It
   * fetches only while few events wait, so memory is bounded. When the signal aborts, requests in flight are given up
   * and their URLs wait on; the run ends without an error. Each event is durable before it is handed over.
   */
  run(signal: AbortSignal): AsyncGenerator<CrawlEvent>;
  /**
   * Says that the caller has made all events up to and including `through` durable: they are not given again. Numbers
   * that were confirmed before change nothing, so a caller that keeps the last number beside its output can begin with
   * it.
   */
  confirm(through: number, rejects?: readonly CleanReject[]): Promise<void>;
  /**
   * Plans at most `limit` of the URLs that wait, for `--dry-run`. Fetches only robots.txt files, and sitemaps where
   * `sitemaps` is set; records what they say.
   */
  plan(signal: AbortSignal, limit?: number): AsyncGenerator<PlannedFetch>;
  /** Lists every URL that is known, in the order in which they were found. */
  outcomes(): AsyncGenerator<CrawlOutcome>;
  figures(): CrawlFigures;
  /** Ends a run that is under way. Closing again does nothing. */
  close(): Promise<void>;
}
