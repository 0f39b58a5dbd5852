/** The parts of a request and of its answer into one value. */
import { validateHeaderName, validateHeaderValue } from "node:http";
import { ACCEPT_ENCODING, type RawBody } from "./coded-body.js";
import type { Failure } from "./failure.js";
import type { Answer, HeaderPairs } from "./undici.js";

export interface ExchangeRequest {
  readonly url: string;
  /** Besides our own or in their place; such as HTTP cannot carry are left out. `accept-encoding` stays ours. */
  readonly headers?: Readonly<Record<string, string>>;
  readonly maxBytes?: number;
  /** Whether the body of a page of this type is wanted; otherwise it is not read, and the failure is `unsupported-type`. */
  readonly accepts?: (contentType: string | undefined) => boolean;
}

/** One request and its answer. */
export interface Exchange {
  /** As it was asked, in the spelling of the URL standard. */
  readonly url: string;
  readonly status: number;
  readonly reasonPhrase: string;
  readonly httpVersion: string;
  readonly requestHeaders: HeaderPairs;
  /** As they were sent, each byte a character. */
  readonly headers: HeaderPairs;
  readonly contentType?: string;
  /** Where a redirect leads to, resolved; may be what cannot be fetched. */
  readonly location?: string;
  /** The body without its content codings; of any status but 2xx nothing. */
  readonly bytes: Uint8Array;
  /** The body with them, if it was asked for; of any status but 2xx the first 1 MiB at most. */
  readonly rawBytes?: Uint8Array;
  /** `rawBytes` stop there because there was too much of them. */
  readonly truncated?: "length";
  /** Where the connection led to; "" where a proxy made it. */
  readonly address: string;
  readonly startedAt: Date;
  readonly ms: number;
}

export type ExchangeResult =
  | { readonly ok: true; readonly exchange: Exchange }
  | { readonly ok: false; readonly failure: Failure; readonly exchange?: Partial<Exchange> };

const REDIRECTS: ReadonlySet<number> = new Set([301, 302, 303, 307, 308]);
const ACCEPT = "text/html,application/xhtml+xml,text/plain;q=0.9,*/*;q=0.1";
/** What belongs to the connection, and not to who asks. */
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

/** What a program says of itself. */
export interface Sender {
  readonly version?: string;
  readonly userAgent?: string;
  readonly contact?: string;
}

export function chooseHeaders(
  { version, userAgent, contact }: Sender,
  wanted: Readonly<Record<string, string>> = {},
): Record<string, string> {
  const name = version === undefined ? "Thresher" : `Thresher/${version}`;
  const headers = {
    "user-agent": userAgent ?? (contact === undefined ? name : `${name} (+${contact})`),
    accept: ACCEPT,
    ...Object.fromEntries(Object.entries(wanted).map(([key, value]) => [key.toLowerCase(), value])),
  };
  const sendable = Object.entries(headers).filter(
    ([key, value]) => !NOT_FOR_CALLERS.has(key) && isSendable(key, value),
  );
  return { ...Object.fromEntries(sendable), "accept-encoding": ACCEPT_ENCODING };
}

/** What goes back to a server may be what it sent itself, and that can be anything. */
function isSendable(name: string, value: string): boolean {
  try {
    validateHeaderName(name);
    validateHeaderValue(name, value);
    return true;
  } catch {
    return false;
  }
}

/** What is there before the body. */
export type Head = Omit<Exchange, "bytes" | "rawBytes" | "truncated" | "startedAt" | "ms">;

/** What is known of an exchange while it goes on. */
export interface Draft {
  readonly startedAt: Date;
  readonly startMs: number;
  readonly raw: RawBody;
  readonly isKept: boolean;
  head?: Head;
}

export function toHead(url: URL, sent: Readonly<Record<string, string>>, answer: Answer): Head {
  const { status, reasonPhrase, httpVersion, headers, address } = answer;
  const contentType = valueOf(headers, "content-type");
  const location = REDIRECTS.has(status) ? resolveLocation(valueOf(headers, "location"), url) : undefined;
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

/** The value of a field, the first one, as HTTP wants of the fields that can be there once. */
export function valueOf(headers: HeaderPairs, name: string): string | undefined {
  return headers.find(([key]) => key.toLowerCase() === name)?.[1];
}

/** As it is written where it is no URL at all. */
function resolveLocation(value: string | undefined, base: URL): string | undefined {
  if (value === undefined) return undefined;
  // Addresses that are not escaped are UTF-8, whatever the standard says of headers.
  const text = Buffer.from(value, "latin1").toString("utf8");
  return URL.canParse(text, base.href) ? new URL(text, base.href).href : text;
}

/** Nothing that was kept is told of a body that broke off. */
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
