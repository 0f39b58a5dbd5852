/** What a crawl is told and what it tells: options, seeds, events in a fixed order, outcomes, figures. */
import type { TransportOptions } from "../acquire/http/transport.js";
import type { Page } from "../document.js";
import type { Outcome, Reason } from "../outcome.js";

/** How hosts are treated. A host is a name, whatever stands on its ports: two names on one address are two hosts. */
export interface PolitenessOptions {
  /** Between the end of an exchange with a host and the next one, where robots.txt does not ask for more. Default 1,000. */
  readonly delayMs: number;
  /** A host whose robots.txt asks for a longer Crawl-delay is not fetched from: its URLs end as `robots`. Default 60,000. */
  readonly maxDelayMs: number;
  /** Hosts that are talked to at the same time; one connection each. Default 64. */
  readonly hosts: number;
  /** Tries after the first one, where the failure may pass. Default 2. */
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
  /** Globs, or "re:" and a regular expression, one of which a link must fit; none lets every link in. Seeds are not asked. */
  readonly include: readonly string[];
  /** Of the same kind; what fits one is not fetched, seeds included. */
  readonly exclude: readonly string[];
}

/** Where a crawl ends although there is more; absent means no bound. What is left stays in the state and can be gone on with. */
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
  /** The links of a page, in place of those that the crawl finds itself; only called where depth allows one more. */
  readonly findLinks?: (page: Page) => readonly string[] | Promise<readonly string[]>;
}

export interface CrawlOptions {
  /** A folder for this crawl alone: `state/` and `warc/` are made in it. */
  readonly dir: string;
  /** Of this program, for warcinfo and the user agent. Default: that of the package. */
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
  /** Whether the exchanges are kept as WARC. Default true. Without, a page that was not confirmed is fetched again. */
  readonly warc?: boolean;
  /** Bytes from which on a WARC file is closed and the next one begins. Default 1,000,000,000. */
  readonly warcBytes?: number;
  /**
   * Whether what an earlier crawl into `dir` finished is asked for again, if it has changed since. A recrawl that was
   * interrupted goes on when this is set again, and a new one begins where the one before was complete.
   */
  readonly recrawl?: boolean;
  readonly hooks?: CrawlHooks;
}

/** A list is a sitemap or a feed: what it names are the seeds. "page" becomes a list where it turns out to be one. */
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
  /** Of the last answer. */
  readonly status?: number;
  readonly contentType?: string;
  readonly redirectedTo?: string;
  /** Of the body, unpacked. */
  readonly bytes?: number;
  /** Of the last exchange. */
  readonly ms?: number;
  /** ISO 8601. */
  readonly fetchedAt?: string;
  /** Exchanges that it took; 0 where nothing was asked of its host for it. */
  readonly attempts: number;
  /** Where the answer is kept: a name in `dir/warc`, and the offset of the record's gzip member. */
  readonly warcFile?: string;
  readonly warcOffset?: number;
  /** WARC-Record-ID of the answer that has the page, without angle brackets: of a page that is not modified, the earlier one. */
  readonly warcRecord?: string;
  /** Whether the caller has said that what it made of it is durable. */
  readonly isConfirmed: boolean;
}

/** A page or a reject, in the order in which it was recorded. A resumed crawl gives the same event the same number. */
export interface CrawlEvent {
  /** From 1 on, rising over all runs into one folder, without gaps where the exchanges are kept as WARC. */
  readonly number: number;
  /** For the pipeline. The id is the URL; the page's `url` is where it was found, which is the same. */
  readonly outcome: Outcome<Page>;
  readonly about: CrawlOutcome;
}

/** What cleaning made of the page of an event, where that is no document. */
export interface CleanReject {
  readonly number: number;
  readonly reason: Reason;
  readonly detail?: string;
}

export interface SeedFigures {
  readonly added: number;
  /** Known already, from this or an earlier run. */
  readonly known: number;
  /** No URLs, or such as nobody could fetch; recorded as rejects where they are URLs at all. */
  readonly refused: number;
}

export interface CrawlFigures {
  /** URLs by result, over all runs into this folder. */
  readonly results: Readonly<Record<CrawlResult, number>>;
  /** Rejects by reason, and pages of which cleaning left no document. */
  readonly reasons: Readonly<Partial<Record<Reason, number>>>;
  /** Of this run: pages, exchanges of any kind, bytes of bodies, failures that were tried again. */
  readonly pages: number;
  readonly exchanges: number;
  readonly bytes: number;
  readonly retried: number;
  /** Links of this run that were not followed, by why. Each is counted as often as it was found. */
  readonly leftOut: Readonly<Record<"out-of-scope" | "trap" | "nofollow", number>>;
  /** Hosts that are being talked to, and hosts with URLs that wait. */
  readonly hostsActive: number;
  readonly hostsWaiting: number;
  /** URLs that wait, in all. */
  readonly queued: number;
  /** Events that the caller has not confirmed. */
  readonly unconfirmed: number;
  /** What ended the run, where it ended although URLs wait. */
  readonly endedBy?: "budget" | "signal";
}

/** What a crawl would do with a URL, and nothing else is asked of its host than robots.txt. */
export interface PlannedFetch {
  readonly url: string;
  /** Undefined: it would be fetched. */
  readonly reason?: Reason;
  readonly detail?: string;
  /** Between two requests to its host. */
  readonly delayMs: number;
}

export interface Crawl {
  /** What is known already is not added again. Durable when it returns. */
  add(seeds: AsyncIterable<Seed> | Iterable<Seed>): Promise<SeedFigures>;
  /**
   * First what an earlier run recorded and nobody confirmed, then what is fetched. Pulls only while few events wait, so
   * memory is bounded. When the signal aborts, what is in flight is given up and stays in the state; the run ends
   * without an error. Each event is durable before it is handed over.
   */
  run(signal: AbortSignal): AsyncGenerator<CrawlEvent>;
  /**
   * All events up to and including `through` are durable at the caller's: they are not given again. Numbers that were
   * confirmed before change nothing, so a caller that keeps the last number beside its own output can begin with it.
   */
  confirm(through: number, rejects?: readonly CleanReject[]): Promise<void>;
  /** For `--dry-run`: what waits, asked of robots.txt only, which is recorded; at most `limit` URLs. */
  plan(signal: AbortSignal, limit?: number): AsyncGenerator<PlannedFetch>;
  /** Every URL that is known, in the order in which they were found. */
  outcomes(): AsyncGenerator<CrawlOutcome>;
  figures(): CrawlFigures;
  /** Ends a run that is under way. Closing again does nothing. */
  close(): Promise<void>;
}
