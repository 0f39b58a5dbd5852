/** Declares the types of a crawl: options, seeds, events in a fixed order, outcomes and figures. */
import type { TransportOptions } from "../acquire/http/transport.js";
import type { Page } from "../document.js";
import type { Outcome, Reason } from "../outcome.js";

/** How hosts are treated. A host is a name with all of its ports; two names for one address are two hosts. */
export interface PolitenessOptions {
  /**
   * Milliseconds between the end of an exchange with a host and the next one, unless robots.txt asks for more. Default
   * 1,000.
   */
  readonly delayMs: number;
  /**
   * The longest Crawl-delay in milliseconds: if the robots.txt of a host asks for more, its URLs are rejected as
   * `robots`. Default 60,000.
   */
  readonly maxDelayMs: number;
  /** Hosts that are fetched from at the same time, over one connection each. Default 64. */
  readonly hosts: number;
  /** Retries after a failure that may be temporary. Default 2. */
  readonly retries: number;
  /** Milliseconds before the first retry; doubles with each one, and varies at random by a half. Default 5,000. */
  readonly retryMs: number;
  /** Milliseconds to which a longer Retry-After is shortened. Default 600,000. */
  readonly maxRetryAfterMs: number;
  /** URLs of a host that may fail in a row; then the rest of its URLs is rejected. Default 10. */
  readonly failures: number;
  /** Milliseconds for which a robots.txt is valid, at least an hour. Default 24 hours. */
  readonly robotsMs: number;
  /** Makes the pauses before retries repeatable. */
  readonly randomSeed: number;
}

/** Which links are followed. */
export interface ReachOptions {
  /** Links from a seed; 0 follows no links. Default 0. */
  readonly depth: number;
  /**
   * host: the seed's host, with or without "www."; domain: all hosts of its registered domain; any: all hosts. Default
   * "host".
   */
  readonly reach: "host" | "domain" | "any";
  /** Globs, or "re:" and a regular expression; if there are any, a link must match one of them. Seeds need not. */
  readonly include: readonly string[];
  /** Patterns of the same kind; a URL that matches one is not fetched, not even a seed. */
  readonly exclude: readonly string[];
}

/**
 * Limits at which a crawl ends although URLs still wait; absent means no limit. A later run can go on with the rest.
 */
export interface Budgets {
  /** Pages that are fetched. */
  readonly pages?: number;
  /** Bytes of all bodies, unpacked. */
  readonly bytes?: number;
  /** Pages that are fetched from one host. */
  readonly pagesPerHost?: number;
}

/** Callbacks of the program that decide which URLs are fetched, with which delay, and which links are followed. */
export interface CrawlHooks {
  /** Called before a URL is fetched, after scope and robots.txt; false rejects it as `out-of-scope`. */
  readonly mayFetch?: (url: string) => boolean | Promise<boolean>;
  /** Returns the delay of a host in milliseconds instead of `delayMs`; a longer Crawl-delay still applies. */
  readonly delayFor?: (host: string) => number | undefined;
  /**
   * Returns the links of a page instead of those that the crawl finds itself; undefined keeps these. Only called if
   * `depth` allows another link.
   */
  readonly findLinks?: (page: Page) => readonly string[] | undefined | Promise<readonly string[] | undefined>;
}

/** The options of `openCrawl`. Only `dir` is necessary. */
export interface CrawlOptions {
  /** A folder for this crawl alone, in which `state/` and `warc/` are created. */
  readonly dir: string;
  /** The version of this program, for warcinfo and the user agent. Default: that of the package. */
  readonly version?: string;
  /**
   * How requests are made. Defaults: 10 MB and 60 s each, public addresses only, HTTP/2 if it is offered. The crawl
   * sets `keepRaw` and `connections`. `userAgent` selects the group of a robots.txt.
   */
  readonly transport?: Partial<TransportOptions>;
  /** How hosts are treated. Default: one request a second for each host. */
  readonly politeness?: Partial<PolitenessOptions>;
  /** Which links are followed. Default: none. */
  readonly scope?: Partial<ReachOptions>;
  /** Limits of the whole crawl. Default: none. */
  readonly budgets?: Budgets;
  /** Default "obey". */
  readonly robots?: "obey" | "ignore";
  /**
   * Whether the `/.well-known/tdmrep.json` of each site is read, which may reserve pages for text and data mining. It
   * takes one more request for each site. Default false.
   */
  readonly tdmrep?: boolean;
  /** Whether the Sitemap lines in the robots.txt of the seeds' hosts are seeds too. Default false. */
  readonly sitemaps?: boolean;
  /** Whether exchanges are kept as WARC. Default true. If not, a page that was not confirmed is fetched again. */
  readonly warc?: boolean;
  /** Bytes at which a WARC file is closed and the next one begins. Default 1,000,000,000. */
  readonly warcBytes?: number;
  /**
   * Whether URLs that an earlier crawl in `dir` finished are fetched again, if they have changed since. An interrupted
   * recrawl goes on if this is set again; after a complete one, a new one begins.
   */
  readonly recrawl?: boolean;
  /** Callbacks that decide instead of the options. */
  readonly hooks?: CrawlHooks;
}

/**
 * A URL to begin with. For a "list" (a sitemap or feed), the URLs that it names are the seeds; a "page" can turn out to
 * be a list.
 */
export interface Seed {
  readonly url: string;
  readonly kind?: "page" | "list";
}

/** The outcome of a URL. */
export type CrawlResult = "page" | "list" | "redirected" | "rejected" | "waiting";

/** One row of the table of outcomes; each URL that the crawl knows has one. */
export interface CrawlOutcome {
  readonly url: string;
  readonly result: CrawlResult;
  /** The seed from which it was reached, and over how many links. */
  readonly seed: string;
  readonly depth: number;
  /** Why it was rejected, or why it waits; for a page that was fetched, why cleaning made no document. */
  readonly reason?: Reason;
  readonly detail?: string;
  /** The status of the last answer. */
  readonly status?: number;
  /** The Content-Type of the last answer. */
  readonly contentType?: string;
  /** Where the server, or a `<meta http-equiv="refresh">`, sends its readers. */
  readonly redirectedTo?: string;
  /** Bytes of the body, unpacked. */
  readonly bytes?: number;
  /** Milliseconds that the last exchange took. */
  readonly ms?: number;
  /** When the last exchange began, in ISO 8601. */
  readonly fetchedAt?: string;
  /** The number of exchanges; 0 if no request was sent for it. */
  readonly attempts: number;
  /** Where the answer is stored: a file name in `dir/warc`, and the offset of the record's gzip member. */
  readonly warcFile?: string;
  readonly warcOffset?: number;
  /**
   * WARC-Record-ID, without angle brackets, of the answer with the page. If the page was not modified, it is the
   * earlier one.
   */
  readonly warcRecord?: string;
  /** Whether the caller has confirmed its event. */
  readonly isConfirmed: boolean;
}

/**
 * A page or a reject, in the order in which it was recorded. In a resumed crawl, the same event has the same number.
 */
export interface CrawlEvent {
  /** Counted from 1 over all runs in one folder, without gaps if exchanges are kept as WARC. */
  readonly number: number;
  /** The page for the pipeline, with its URL as `id` and `url`; or a reject. */
  readonly outcome: Outcome<Page>;
  /** What the crawl knows of its URL. */
  readonly about: CrawlOutcome;
}

/** Why cleaning made no document of the page of an event. */
export interface CleanReject {
  readonly number: number;
  readonly reason: Reason;
  readonly detail?: string;
}

/** What became of the seeds of one call of `add`. */
export interface SeedFigures {
  /** New seeds. */
  readonly added: number;
  /** Seeds that were known already, from this or an earlier run. */
  readonly known: number;
  /** Seeds that are not URLs, or that may not be fetched; the latter are recorded as rejects. */
  readonly refused: number;
}

/** Counts of a crawl, for its progress and its report. */
export interface CrawlFigures {
  /** URLs by result, over all runs in this folder. */
  readonly results: Readonly<Record<CrawlResult, number>>;
  /** Rejects by reason, and pages of which cleaning made no document. */
  readonly reasons: Readonly<Partial<Record<Reason, number>>>;
  /**
   * Pages of this run, its exchanges of any kind, the bytes of their bodies, and the failures that were tried again.
   */
  readonly pages: number;
  readonly exchanges: number;
  readonly bytes: number;
  readonly retried: number;
  /**
   * Links of this run that were not followed, by reason. A link counts each time that it is found; "too-many" are the
   * links of a page beyond its first 50,000.
   */
  readonly leftOut: Readonly<Record<"out-of-scope" | "trap" | "nofollow" | "too-many", number>>;
  /** Hosts that are being fetched from, and hosts with waiting URLs. */
  readonly hostsActive: number;
  readonly hostsWaiting: number;
  /** All URLs that wait. */
  readonly queued: number;
  /** Events that the caller has not confirmed. */
  readonly unconfirmed: number;
  /**
   * Milliseconds that the run still needs for the waiting URLs, from its rate so far and the delay of its hosts. Absent
   * if it is unknown: before the first answers, and while lists or links may still add URLs.
   */
  readonly msLeft?: number;
  /** What ended the run, if it ended although URLs wait. */
  readonly endedBy?: "budget" | "signal";
}

/** What a crawl would do with a URL. */
export interface PlannedFetch {
  readonly url: string;
  /** Why it would be rejected; undefined if it would be fetched. */
  readonly reason?: Reason;
  readonly detail?: string;
  /** The delay between two requests to its host, in milliseconds. */
  readonly delayMs: number;
}

/** A crawl that is open in a folder. */
export interface Crawl {
  /** Adds seeds that are not known yet. They are durable when it resolves. */
  add(seeds: AsyncIterable<string | Seed> | Iterable<string | Seed>): Promise<SeedFigures>;
  /**
   * Yields first the events that an earlier run recorded and that were not confirmed, then those of what it fetches. It
   * fetches only while few events wait, so memory is bounded. When the signal aborts, requests in progress are aborted,
   * their URLs stay queued, and the run ends without an error. Each event is durable before it is yielded.
   */
  run(signal: AbortSignal): AsyncGenerator<CrawlEvent>;
  /**
   * Says that the caller has made all events up to and including `through` durable, so they are not yielded again.
   * Confirming a number again changes nothing, so a caller that stores the last number with its output can start by
   * confirming it.
   */
  confirm(through: number, rejects?: readonly CleanReject[]): Promise<void>;
  /**
   * Plans at most `limit` of the waiting URLs, for `--dry-run`. Fetches only robots.txt files, and sitemaps if
   * `sitemaps` is set, and records what they say.
   */
  plan(signal: AbortSignal, limit?: number): AsyncGenerator<PlannedFetch>;
  /** Lists every known URL, in the order of discovery. */
  outcomes(): AsyncGenerator<CrawlOutcome>;
  figures(): CrawlFigures;
  /** Ends a run in progress. A second call does nothing. */
  close(): Promise<void>;
}
