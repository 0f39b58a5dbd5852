/** Describes one request and its answer as a value, and chooses the headers that a request is sent with. */
import { isUtf8 } from "node:buffer";
import { validateHeaderName, validateHeaderValue } from "node:http";
import { parseUrl } from "../../parse-url.js";
import { ACCEPT_ENCODING, type RawBody } from "./coded-body.js";
import type { Failure } from "./failure.js";
import type { Answer, HeaderPairs } from "./undici.js";

export interface ExchangeRequest {
  readonly url: string;
  /** Sent besides our own or in their place; what HTTP cannot carry is left out. `accept-encoding` stays ours. */
  readonly headers?: Readonly<Record<string, string>>;
  readonly maxBytes?: number;
  /** Whether a body of this type is wanted; otherwise it is not read, and the failure is `unsupported-type`. */
  readonly accepts?: (contentType: string | undefined) => boolean;
}

/** One request and its answer. */
export interface Exchange {
  /** As it was requested, in the spelling of the URL standard. */
  readonly url: string;
  readonly status: number;
  readonly reasonPhrase: string;
  readonly httpVersion: string;
  readonly requestHeaders: HeaderPairs;
  /** As they were sent, each byte a character. */
  readonly headers: HeaderPairs;
  readonly contentType?: string;
  /** The target of a redirect, resolved; may be a URL that cannot be fetched. */
  readonly location?: string;
  /** The body without its content codings; empty for any status but 2xx. */
  readonly bytes: Uint8Array;
  /** The body with them, if it was asked for; for any status but 2xx at most its first 1 MiB. */
  readonly rawBytes?: Uint8Array;
  /** Set where `rawBytes` are only the first part, because there was too much. */
  readonly truncated?: "length";
  /** The IP address at the other end of the connection; "" where a proxy made it. */
  readonly address: string;
  readonly startedAt: Date;
  readonly ms: number;
}

export type ExchangeResult =
  | { readonly ok: true; readonly exchange: Exchange }
  | { readonly ok: false; readonly failure: Failure; readonly exchange?: Partial<Exchange> };

const REDIRECTS: ReadonlySet<number> = new Set([301, 302, 303, 307, 308]);
const ACCEPT = "text/html,application/xhtml+xml,text/plain;q=0.9,*/*;q=0.1";
/** Headers that belong to the connection, which callers may not set. */
const NOT_FOR_CALLERS: ReadonlySet<string> = new Set([
  "accept-encoding",
  "connection",
  "content-length",
  "expect",
  "host",
  "keep-alive",
  "proxy-authorization",
  "te",
  "trailer",
  "transfer-encoding",
  "upgrade",
]);

/** How a program names itself to servers. */
interface Sender {
  readonly version?: string;
  readonly userAgent?: string;
  readonly contact?: string;
}

export function userAgentOf({ version, userAgent, contact }: Sender): string {
  const name = version === undefined ? "Thresher" : `Thresher/${version}`;
  return userAgent ?? (contact === undefined ? name : `${name} (+${contact})`);
}

/** Joins our headers with those that the caller wants; the caller's win where both are allowed. */
export function chooseHeaders(
  sender: Sender,
  wanted: Readonly<Record<string, string>> = {},
): Record<string, string> {
  const headers = {
    "user-agent": userAgentOf(sender),
    accept: ACCEPT,
    ...Object.fromEntries(Object.entries(wanted).map(([key, value]) => [key.toLowerCase(), value])),
  };
  const sendable = Object.entries(headers).filter(
    ([key, value]) => !NOT_FOR_CALLERS.has(key) && isSendable(key, value),
  );
  return { ...Object.fromEntries(sendable), "accept-encoding": ACCEPT_ENCODING };
}

/** Checks what HTTP can carry: a value such as an ETag may be what a server sent itself, and can be anything. */
function isSendable(name: string, value: string): boolean {
  try {
    validateHeaderName(name);
    validateHeaderValue(name, value);
    return true;
  } catch {
    return false;
  }
}

/** The part of an exchange that is known before the body. */
export type Head = Omit<Exchange, "bytes" | "rawBytes" | "truncated" | "startedAt" | "ms">;

/** What is known of an exchange while it goes on. */
export interface Draft {
  readonly startedAt: Date;
  readonly startMs: number;
  readonly raw: RawBody;
  readonly isKept: boolean;
  head?: Head;
}

/** Reads the head of an answer: its type, and where it redirects to. */
export function toHead(url: URL, sent: Readonly<Record<string, string>>, answer: Answer): Head {
  const { status, reasonPhrase, httpVersion, headers, address } = answer;
  const contentType = headerOf(headers, "content-type");
  const location = REDIRECTS.has(status) ? resolveLocation(headerOf(headers, "location"), url) : undefined;
  const connection = httpVersion === "2" ? [] : ([["connection", "keep-alive"]] as const);
  return {
    url: url.href,
    status,
    reasonPhrase,
    httpVersion,
    requestHeaders: [["host", url.host], ...connection, ...Object.entries(sent)],
    headers,
    ...(contentType === undefined ? {} : { contentType }),
    ...(location === undefined ? {} : { location }),
    address,
  };
}

/** Returns the first value of a header field, as HTTP prescribes for fields that may occur only once. */
export function headerOf(headers: HeaderPairs, name: string): string | undefined {
  return headers.find(([key]) => key.toLowerCase() === name)?.[1];
}

/** Joins the values of a header field that is a list, and may come in several lines (RFC 9110, 5.3). */
export function listOf(headers: HeaderPairs, name: string): string {
  return headers
    .filter(([key]) => key.toLowerCase() === name)
    .map(([, value]) => value)
    .join(", ");
}

/** Resolves the target of a redirect; what is not a URL at all stays as it is written. */
function resolveLocation(value: string | undefined, base: URL): string | undefined {
  if (value === undefined) return undefined;
  // URLs that are not escaped are UTF-8 in practice, although the standard says otherwise of headers. Bytes of another charset are
  // escaped one by one, as browsers do: the server knows what they mean.
  const bytes = Buffer.from(value, "latin1");
  const text = isUtf8(bytes) ? bytes.toString("utf8") : value.replace(/[\x80-\xff]/g, encodeByte);
  return parseUrl(text, base.href)?.href ?? text;
}

function encodeByte(byte: string): string {
  return `%${byte.charCodeAt(0).toString(16).toUpperCase()}`;
}

/** Completes an exchange. The raw bytes of a body that broke off are left out. */
export function finish(draft: Draft, head: Head, bytes: Uint8Array): Exchange {
  const { raw, isKept, startedAt, startMs } = draft;
  return {
    ...head,
    bytes,
    ...(isKept && (raw.isWhole || raw.isCut) && { rawBytes: Buffer.concat(raw.parts) }),
    ...(raw.isCut && { truncated: "length" as const }),
    startedAt,
    ms: performance.now() - startMs,
  };
}
