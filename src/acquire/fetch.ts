/** A URL into a page: redirects, time and size bounded, whatever the server does; the one door of undici. */
import { Agent, errors, request, type Dispatcher } from "undici";
import type { Page } from "../document.js";
import { reject, type Outcome, type Reason } from "../outcome.js";
import { DamagedError, decompress, isGzip, type Coding } from "./decompress.js";
import { chooseFormat, essenceOf, isBareXml, mayBePage, type InputKind } from "./kind.js";
import { toPage } from "./page-bytes.js";
import { codeOf } from "./read-errors.js";
import { collect, peek, type Chunks } from "./streams.js";

export interface FetchOptions {
  /** Decoded bytes a page may have. */
  readonly maxBytes: number;
  /** Of a fetch as a whole, redirects and body included. */
  readonly timeoutMs: number;
  /** Names us to servers: "Thresher/<version>". */
  readonly version?: string;
  /** What the page is, whatever the server says. */
  readonly from?: InputKind;
}

/** Fetches pages over connections that it keeps; `close` ends them. */
export interface Fetcher {
  /** Throws the signal's reason when it aborts; everything else that can happen is an outcome. */
  fetchPage(url: string, signal?: AbortSignal): Promise<Outcome<Page>>;
  close(): Promise<void>;
}

const MAX_REDIRECTS = 10;
const REDIRECTS: ReadonlySet<number> = new Set([301, 302, 303, 307, 308]);
/** Codings that may lie one over the other. */
const MAX_CODINGS = 3;
/** A server that says nothing for so long has gone, however much time the whole may take. */
const IDLE_MS = 30_000;
/** Bytes of a body that nobody wants, read so that the connection can be used again. */
const DUMP_BYTES = 16_384;

const CODINGS: Readonly<Record<string, Coding>> = {
  gzip: "gzip",
  "x-gzip": "gzip",
  deflate: "deflate",
  br: "br",
};
/** Types of which the page is what they hold. */
const GZIP_TYPES: ReadonlySet<string> = new Set(["application/gzip", "application/x-gzip"]);

/** An answer that is no page, thrown to the top of the fetch and there made a reject. */
class Refusal extends Error {
  readonly reason: Reason;
  constructor(reason: Reason, detail: string) {
    super(detail);
    this.reason = reason;
  }
}

export function openFetcher(options: FetchOptions): Fetcher {
  const idleMs = Math.min(options.timeoutMs, IDLE_MS);
  // One connection a host: with more, undici opens a second one while the first is still letting go.
  const agent = new Agent({
    connections: 1,
    connect: { timeout: idleMs },
    headersTimeout: idleMs,
    bodyTimeout: idleMs,
  });
  return {
    async fetchPage(url, signal) {
      const timeout = AbortSignal.timeout(options.timeoutMs);
      const either = signal === undefined ? timeout : AbortSignal.any([signal, timeout]);
      try {
        either.throwIfAborted();
        return await fetchFrom(url, { ...options, agent, signal: either });
      } catch (error) {
        signal?.throwIfAborted();
        const { reason, detail } = explain(error, timeout.aborted ? options.timeoutMs : undefined);
        return reject({ id: url, url }, "acquire", reason, detail);
      }
    },
    // Nothing in flight is worth waiting for once the caller closes.
    close: () => agent.destroy(),
  };
}

/** One page over a connection of its own. */
export async function fetchPage(
  url: string,
  options: FetchOptions & { readonly signal?: AbortSignal },
): Promise<Outcome<Page>> {
  const fetcher = openFetcher(options);
  try {
    return await fetcher.fetchPage(url, options.signal);
  } finally {
    await fetcher.close();
  }
}

interface Fetching extends FetchOptions {
  readonly agent: Dispatcher;
  readonly signal: AbortSignal;
}

interface Answer {
  readonly url: URL;
  readonly response: Dispatcher.ResponseData;
}

async function fetchFrom(id: string, fetching: Fetching): Promise<Outcome<Page>> {
  const { url, response } = await follow(parseUrl(id), fetching);
  const { body, statusCode } = response;
  // After we let go of a body its errors are nobody's.
  body.on("error", () => undefined);
  try {
    if (statusCode < 200 || statusCode > 299) throw new Refusal("http-status", `HTTP ${statusCode}`);
    const contentType = headerOf(response, "content-type");
    const { from } = fetching;
    const forced = from === "html" || from === "text" ? from : undefined;
    if (forced === undefined) checkType(contentType);
    const bytes = await readBody(response, fetching.maxBytes);
    const format = forced ?? chooseFormat(bytes ?? new Uint8Array(0), contentType);
    if (forced === undefined && isBareXml(format, contentType)) {
      throw new Refusal("unsupported-type", `${contentType ?? ""} that is not XHTML`);
    }
    const type = contentType === undefined ? {} : { contentType };
    return toPage({ id, url: url.href, format, ...type }, bytes, fetching.maxBytes);
  } finally {
    body.destroy();
  }
}

/** Asks, and asks where the answer points to, until there is one that does not. */
async function follow(first: URL, { agent, signal, version }: Fetching): Promise<Answer> {
  const headers = {
    "user-agent": version === undefined ? "Thresher" : `Thresher/${version}`,
    accept: "text/html,application/xhtml+xml,text/plain;q=0.9,*/*;q=0.1",
    "accept-encoding": "gzip, br, deflate",
  };
  const seen = new Set<string>();
  let url = first;
  for (;;) {
    seen.add(withoutFragment(url));
    const response = await request(url, { dispatcher: agent, signal, headers });
    const location = headerOf(response, "location");
    if (!REDIRECTS.has(response.statusCode) || location === undefined) return { url, response };
    response.body.on("error", () => undefined);
    await response.body.dump({ limit: DUMP_BYTES, signal });
    const status = `HTTP ${response.statusCode}`;
    const next = toUrl(location, url.href);
    if (next === undefined || !isFetchable(next)) {
      throw new Refusal("http-status", `${status}: redirect to what cannot be fetched: ${location}`);
    }
    if (seen.has(withoutFragment(next)))
      throw new Refusal("http-status", `${status}: redirect loop at ${next.href}`);
    if (seen.size > MAX_REDIRECTS)
      throw new Refusal("http-status", `${status}: more than ${MAX_REDIRECTS} redirects`);
    url = next;
  }
}

function parseUrl(text: string): URL {
  const url = toUrl(text);
  if (url === undefined) throw new Refusal("bad-url", "not a URL");
  if (!isFetchable(url)) throw new Refusal("bad-url", `${url.protocol} is not http or https`);
  return url;
}

function toUrl(text: string, base?: string): URL | undefined {
  return URL.canParse(text, base) ? new URL(text, base) : undefined;
}

function isFetchable(url: URL): boolean {
  return url.protocol === "http:" || url.protocol === "https:";
}

function withoutFragment({ href, hash }: URL): string {
  return href.slice(0, href.length - hash.length);
}

function checkType(contentType: string | undefined): void {
  const essence = essenceOf(contentType);
  if (essence === undefined || mayBePage(contentType) || GZIP_TYPES.has(essence)) return;
  throw new Refusal("unsupported-type", essence);
}

/** The body without its codings; undefined where it is longer than the cap. */
async function readBody(
  response: Dispatcher.ResponseData,
  maxBytes: number,
): Promise<Uint8Array | undefined> {
  const codings = (headerOf(response, "content-encoding") ?? "")
    .split(",")
    .map((coding) => coding.trim().toLowerCase())
    .filter((coding) => coding !== "" && coding !== "identity");
  if (codings.length === 0 && Number(headerOf(response, "content-length")) > maxBytes) return undefined;
  if (codings.length > MAX_CODINGS)
    throw new Refusal("unsupported-type", `${codings.length} content codings`);
  let chunks: Chunks = response.body;
  for (const name of codings.reverse()) {
    const coding = CODINGS[name];
    if (coding === undefined) throw new Refusal("unsupported-type", `content-encoding ${name}`);
    chunks = decompress(chunks, coding, { maxBytes });
  }
  // A page that lies packed on the server's disk.
  const { head, chunks: whole } = await peek(chunks, 3);
  return collect(isGzip(head) ? decompress(whole, "gzip", { maxBytes }) : whole, maxBytes);
}

function headerOf(response: Dispatcher.ResponseData, name: string): string | undefined {
  const value = response.headers[name];
  return typeof value === "string" ? value : value?.[0];
}

const TIMEOUTS: ReadonlySet<string> = new Set([
  "UND_ERR_CONNECT_TIMEOUT",
  "UND_ERR_HEADERS_TIMEOUT",
  "UND_ERR_BODY_TIMEOUT",
]);

/** What to tell of a failure; bugs are thrown again. */
function explain(
  error: unknown,
  elapsedMs: number | undefined,
): { readonly reason: Reason; readonly detail: string } {
  if (error instanceof Refusal) return { reason: error.reason, detail: error.message };
  if (elapsedMs !== undefined) return { reason: "timeout", detail: `no complete answer in ${elapsedMs} ms` };
  if (error instanceof DamagedError) return { reason: "broken-gzip", detail: error.message };
  const code = error instanceof errors.HTTPParserError ? "HTTP_PARSER" : codeOf(error);
  if (code === undefined || code === "UND_ERR_INVALID_ARG" || code.startsWith("ERR_INVALID")) throw error;
  if (TIMEOUTS.has(code)) return { reason: "timeout", detail: code };
  const message = error instanceof Error ? error.message : "";
  return { reason: "fetch-failed", detail: message === "" ? code : `${code}: ${message}` };
}
