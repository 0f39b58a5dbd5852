/** Describes one request and its response as a value, and chooses the request headers. */
import { isUtf8 } from "node:buffer";
import { validateHeaderName, validateHeaderValue } from "node:http";
import { parseUrl } from "../../parse-url.js";
import { chooseType } from "../kind.js";
import { ACCEPT_ENCODING, type RawBody } from "./coded-body.js";
import type { Failure } from "./failure.js";
import type { Answer, HeaderPairs } from "./undici.js";

export interface ExchangeRequest {
  readonly url: string;
  /**
   * Added to our own headers, or replacing them. Those that HTTP cannot send are left out, and `accept-encoding` stays
   * ours.
   */
  readonly headers?: Readonly<Record<string, string>>;
  readonly maxBytes?: number;
  /** Set if a body that is longer than `maxBytes` is cut, and not refused. */
  readonly longer?: "cut";
  /** Returns whether a body of this type is wanted. If not, it is not read, and the failure is `unsupported-type`. */
  readonly accepts?: (contentType: string | undefined) => boolean;
}

/** One request and its response. */
export interface Exchange {
  /** The requested URL, normalised as the URL standard says. */
  readonly url: string;
  readonly status: number;
  readonly reasonPhrase: string;
  readonly httpVersion: string;
  readonly requestHeaders: HeaderPairs;
  /** As they were sent, one character per byte. */
  readonly headers: HeaderPairs;
  readonly contentType?: string;
  /** The resolved target of a redirect; may be a URL that cannot be fetched. */
  readonly location?: string;
  /** The decoded body; empty unless the status is 2xx. */
  readonly bytes: Uint8Array;
  /** The body before decoding, if `keepRaw` is set; at most its first 1 MiB unless the status is 2xx. */
  readonly rawBytes?: Uint8Array;
  /** Set if `rawBytes` are only the first part, because the body was too large. */
  readonly truncated?: "length";
  /** The IP address at the other end of the connection; "" if a proxy made the connection. */
  readonly address: string;
  readonly startedAt: Date;
  readonly ms: number;
}

export type ExchangeResult =
  | { readonly ok: true; readonly exchange: Exchange }
  | { readonly ok: false; readonly failure: Failure; readonly exchange?: Partial<Exchange> };

const REDIRECTS: ReadonlySet<number> = new Set([301, 302, 303, 307, 308]);
const ACCEPT = "text/html,application/xhtml+xml,text/plain;q=0.9,*/*;q=0.1";
/** Headers of the connection itself, which callers may not set. */
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

/** What the `user-agent` header is made of. */
interface Sender {
  readonly version?: string;
  readonly userAgent?: string;
  readonly contact?: string;
}

export function userAgentOf({ version, userAgent, contact }: Sender): string {
  const name = version === undefined ? "Thresher" : `Thresher/${version}`;
  return userAgent ?? (contact === undefined ? name : `${name} (+${contact})`);
}

/** Merges our headers with those that the caller wants. The caller's headers win if they are allowed. */
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

/** Checks whether HTTP can send a header: its value may come from a server, like an ETag, and can be anything. */
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

/** What is known of an exchange while it is in progress. */
export interface Draft {
  readonly startedAt: Date;
  readonly startMs: number;
  readonly raw: RawBody;
  readonly isKept: boolean;
  head?: Head;
}

/** Reads the head of a response, with its type and redirect target. */
export function toHead(url: URL, sent: Readonly<Record<string, string>>, answer: Answer): Head {
  const { status, reasonPhrase, httpVersion, headers, address } = answer;
  const types = valuesOf(headers, "content-type");
  const contentType = chooseType(types) ?? types[0];
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

/** Returns the first value of a header field, which is the rule for fields that may occur only once. */
export function headerOf(headers: HeaderPairs, name: string): string | undefined {
  return headers.find(([key]) => key.toLowerCase() === name)?.[1];
}

/** Joins the values of a list header, which may be sent in several lines (RFC 9110, 5.3). */
export function listOf(headers: HeaderPairs, name: string): string {
  return valuesOf(headers, name).join(", ");
}

/** Returns all values of a header field, in order. */
export function valuesOf(headers: HeaderPairs, name: string): string[] {
  return headers.filter(([key]) => key.toLowerCase() === name).map(([, value]) => value);
}

/** Resolves the target of a redirect. A target that is not a valid URL is returned unresolved. */
function resolveLocation(value: string | undefined, base: URL): string | undefined {
  if (value === undefined) return undefined;
  // Unescaped URLs are UTF-8 in practice, although the standard says otherwise for headers. Bytes of another charset
  // are escaped one by one, as browsers do, because the server knows their charset.
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
