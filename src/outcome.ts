/**
 * Defines the outcome of a page: a value, or a reject with its reason. Expected failures are data in the stream, not
 * exceptions.
 */

/** The stages of the pipeline, in order. */
export const STAGES = ["acquire", "parse", "extract", "label", "filter", "write"] as const;

/** The stage at which a page was rejected. */
export type StageName = (typeof STAGES)[number];

/** Every reason for a reject, with the sentence that `--help` prints for it. */
export const REASONS = {
  "not-found": "the file does not exist",
  unreadable: "the file or stream cannot be read",
  "broken-gzip": "the compressed data is damaged or cut short",
  "too-large": "more bytes than --max-bytes",
  empty: "no bytes, or only white space",
  binary: "not text in any encoding (an image, a PDF, an archive …)",
  "not-a-page": "neither a page nor a text (a feed, a sitemap, JSON, a table, a list of URLs …)",
  "not-a-list": "neither a sitemap, nor a feed, nor a list of URLs",
  "not-json": "the line of a JSONL input is not a JSON object",
  "bad-record": "the record has no html, text, lines or bytes, or no server response",
  "broken-warc": "a WARC record is damaged or cut short, or there are stray bytes between two records",
  "broken-parquet": "the Parquet file or some of its rows are damaged or cannot be read",
  "no-decoder": "this version of Node.js cannot decompress the data",
  "unsupported-type": "the server sent a type that is neither HTML nor text",
  "bad-url": "the URL cannot be used (only http and https can)",
  dns: "the host name was not found",
  tls: "no secure connection: the certificate or the handshake is wrong",
  "blocked-address":
    "the address is private, local or reserved (crawl --allow-private is for your own servers)",
  "fetch-failed": "no answer: connection refused or broken",
  "http-status": "the server answered with an error status",
  timeout: "took longer than --timeout",
  robots: "the robots.txt of the host forbids it",
  "not-modified": "unchanged since it was last fetched",
  "out-of-scope": "outside the scope of the crawl",
  trap: "looks like a trap: a calendar, session ids, ever longer paths",
  budget: "the budget of pages or bytes was used up",
  "out-of-memory": "needed more memory than one page may have",
  crashed: "the code that read the page failed; please report it",
  "killed-process": "each process that read the page crashed or was killed (only in shards)",
  "no-lines": "the page has no visible text",
  "script-only": "the page shows its text only when its scripts run",
  "needs-page": "plain text, but the labeller needs the tags of a page; --labeller text labels both",
  "no-content": "no line of the page was labelled main content",
  filtered: "a document filter rejected it; the detail names the filter, its value and its limit",
  "wrong-language": "not in a language of --lang",
  duplicate: "the same text as an earlier document that was kept",
  "near-duplicate": "nearly the same text as an earlier document that was kept",
} as const;

/** A key of `REASONS`. */
export type Reason = keyof typeof REASONS;

/** A page that did not become text, with the stage and the reason. */
export interface Reject {
  readonly ok: false;
  readonly id: string;
  readonly url: string;
  readonly stage: StageName;
  readonly reason: Reason;
  readonly detail?: string;
  /** The `Metadata` fields that were read from a page that has no text. */
  readonly meta?: Readonly<Record<string, unknown>>;
}

/** A value, or the reject that takes its place. */
export type Outcome<T> = { readonly ok: true; readonly value: T } | Reject;

export function accept<T>(value: T): Outcome<T> {
  return { ok: true, value };
}

/** The names of a page in all outputs. */
export interface PageName {
  readonly id: string;
  readonly url: string;
}

/** Half a surrogate pair, as in a quotation that was cut: strict readers of JSON refuse it. */
const HALF_PAIR = /\p{Surrogate}/gu;

export function reject(of: PageName, stage: StageName, reason: Reason, detail?: string): Reject {
  const told = detail === undefined ? {} : { detail: detail.replace(HALF_PAIR, "\ufffd") };
  return { ok: false, id: of.id, url: of.url, stage, reason, ...told };
}

/** Adds metadata to a reject, unless it is empty. */
export function addMeta(rejected: Reject, meta: object): Reject {
  return Object.keys(meta).length === 0 ? rejected : { ...rejected, meta: { ...meta } };
}

/** Exit codes of every command (see the interface in the README). */
export const EXIT = {
  done: 0,
  nothing: 1,
  usage: 2,
  badShard: 65,
  cannotWrite: 74,
  tryAgain: 75,
  interrupted: 130,
} as const;

/** Thrown for a wrong call: an unknown option, a model that does not fit. `message` says how to fix it. */
export class UsageError extends Error {
  override readonly name = "UsageError";
}

/** Thrown when output cannot be written; `cause` holds the system's error. */
export class OutputError extends Error {
  override readonly name = "OutputError";
}
