/**
 * Sends one request and returns its response: without redirects or cookies, with limits on time and size, and with
 * failures as values.
 */
import type { Reason } from "../../outcome.js";
import { isWebUrl, parseUrl } from "../../parse-url.js";
import { startDeadline } from "../../time/stop.js";
import { essenceOf } from "../kind.js";
import { createResolver, DnsError, type AddressPolicy, type Lookup, type Resolver } from "./addresses.js";
import { createRawBody, readCodedBody, skimBody, type CodedReading } from "./coded-body.js";
import {
  chooseHeaders,
  finish,
  headerOf,
  listOf,
  toHead,
  type Draft,
  type ExchangeRequest,
  type ExchangeResult,
  type Head,
} from "./exchange.js";
import { explainFailure, fail, Refusal, type Failure } from "./failure.js";
import { createProxyChooser, type Proxies } from "./proxies.js";
import { openClients, type Answer } from "./undici.js";
import { isSuccess } from "./status.js";

export type { Exchange, ExchangeRequest, ExchangeResult } from "./exchange.js";
export type { Failure } from "./failure.js";
export type { AddressPolicy, Lookup } from "./addresses.js";

/** How requests are made. Times are in milliseconds. */
export interface TransportOptions {
  /** The version in our `user-agent` header: "Thresher/<version>". */
  readonly version?: string;
  /** The whole `user-agent` header, replacing the one made from `version` and `contact`. */
  readonly userAgent?: string;
  /** A URL or mail address for the default header: "Thresher/0.1 (+contact)". */
  readonly contact?: string;
  /** The most decoded bytes of a body. */
  readonly maxBytes: number;
  /** Default 64 KiB. */
  readonly maxHeaderBytes?: number;
  /** Milliseconds for a whole exchange. */
  readonly timeoutMs: number;
  /** Milliseconds for which a server may send nothing. Default 30 s, or `timeoutMs` if that is less. */
  readonly idleMs?: number;
  /** Simultaneous connections to a host. Default 1. */
  readonly connections?: number;
  /** Whether private, local and reserved addresses are refused. */
  readonly addresses: AddressPolicy;
  /**
   * The URL of an http or https proxy for all hosts, or several proxies. Its own address is not checked, because the
   * caller chose it. The proxy resolves names itself. So with "public" addresses, a name that resolves to another
   * address here is still refused, but a name that only the proxy can resolve is not, and the address that the proxy
   * connects to cannot be pinned.
   */
  readonly proxy?: string | Proxies;
  /** Resolves names. Default: the operating system. */
  readonly lookup?: Lookup;
  /** Whether to use HTTP/2 with servers that offer it (not through a proxy). Default false. */
  readonly http2?: boolean;
  /** Whether the result also has the bytes as they were received. */
  readonly keepRaw?: boolean;
  /** A certificate authority (PEM) that is trusted in addition to the usual ones. */
  readonly ca?: string;
}

/** Keeps connections open until `close`. */
export interface Transport {
  /** Throws the signal's reason when it aborts; returns everything else as a result. */
  exchange(request: ExchangeRequest, signal: AbortSignal): Promise<ExchangeResult>;
  close(): Promise<void>;
}

/**
 * Bytes of the body of an error response: kept if raw bytes are wanted, or read so that the connection can be reused.
 */
const KEPT_BYTES = 1 << 20;
const SKIMMED_BYTES = 1 << 14;
const SKIM_MS = 5000;
/** A server that sends nothing for this long is gone, however long the whole exchange may take. */
const IDLE_MS = 30_000;
const MAX_HEADER_BYTES = 1 << 16;

export function openTransport(options: TransportOptions): Transport {
  const { timeoutMs, addresses, ca } = options;
  const chooseProxy = createProxyChooser(options.proxy);
  const resolver = createResolver(addresses, options.lookup);
  const clients = openClients({
    resolver,
    maxHeaderBytes: options.maxHeaderBytes ?? MAX_HEADER_BYTES,
    idleMs: options.idleMs ?? Math.min(timeoutMs, IDLE_MS),
    connections: options.connections ?? 1,
    allowsHttp2: options.http2 === true,
    ...(ca === undefined ? {} : { ca }),
  });
  return {
    async exchange(request, signal) {
      signal.throwIfAborted();
      const deadline = startDeadline(timeoutMs, signal);
      const isKept = options.keepRaw === true;
      const start = { startedAt: new Date(), startMs: performance.now() };
      const draft: Draft = { ...start, raw: createRawBody(), isKept };
      let proxy: string | undefined;
      try {
        const url = readUrl(request.url);
        resolver.checkLiteral(url.hostname);
        proxy = chooseProxy(url);
        if (proxy !== undefined && addresses === "public")
          await deadline.race(checkBehindProxy(resolver, url));
        const headers = chooseHeaders(options, request.headers);
        const { maxBytes = options.maxBytes, longer } = request;
        // undici cannot be stopped while it connects, so the call is raced against the deadline.
        const asked = clients.ask({ url, proxy, headers, signal: deadline.signal }, async (answer) => {
          const head = toHead(url, headers, answer);
          draft.head = head;
          checkType(head, request.accepts);
          return { head, bytes: await readBody(answer, head, { maxBytes, longer, isKept, raw: draft.raw }) };
        });
        const { head, bytes } = await deadline.race(asked);
        return { ok: true, exchange: finish(draft, head, bytes) };
      } catch (error) {
        signal.throwIfAborted();
        const { head } = draft;
        const exchange = head && finish(draft, head, NOTHING);
        // Only the status of an error response counts, and it has arrived.
        if (deadline.isOver() && exchange !== undefined && !isSuccess(exchange.status))
          return { ok: true, exchange };
        const failure = deadline.isOver()
          ? fail("timeout", `no complete answer in ${timeoutMs} ms`, true)
          : explainFailure(error, proxy !== undefined);
        return { ok: false, failure: tellProxy(failure, proxy), ...(exchange && { exchange }) };
      } finally {
        deadline.end();
      }
    },
    close: () => clients.close(),
  };
}

const NOTHING = new Uint8Array(0);

function readUrl(text: string): URL {
  const url = parseUrl(text);
  if (url === undefined) throw new Refusal("bad-url", "not a URL");
  if (isWebUrl(url)) return url;
  throw new Refusal("bad-url", `${url.protocol} is not http or https`);
}

async function checkBehindProxy(resolver: Resolver, { hostname }: URL): Promise<void> {
  try {
    await resolver.resolve(hostname);
  } catch (error) {
    // Names of public hosts often cannot be resolved behind a proxy.
    if (!(error instanceof DnsError)) throw error;
  }
}

/** The failures that the network between us and the server can cause. */
const OF_NETWORK: ReadonlySet<string> = new Set<Reason>(["fetch-failed", "timeout", "tls"]);

/** Names the proxy in the detail of a failure that it may have caused: users forget that a variable sets one. */
function tellProxy(failure: Failure, proxy: string | undefined): Failure {
  if (proxy === undefined || !OF_NETWORK.has(failure.reason)) return failure;
  return { ...failure, detail: `${failure.detail} (through the proxy ${new URL(proxy).host})` };
}

function checkType({ status, contentType }: Head, accepts: ExchangeRequest["accepts"]): void {
  if (accepts === undefined || !isSuccess(status) || accepts(contentType)) return;
  throw new Refusal("unsupported-type", essenceOf(contentType) ?? "no type");
}

async function readBody(answer: Answer, head: Head, reading: CodedReading): Promise<Uint8Array> {
  if (!isSuccess(head.status)) {
    const timer = setTimeout(answer.letGo, SKIM_MS);
    const most = reading.isKept ? KEPT_BYTES : SKIMMED_BYTES;
    try {
      await skimBody(answer.body, { ...reading, maxBytes: Math.min(most, reading.maxBytes) });
    } finally {
      clearTimeout(timer);
    }
    return NOTHING;
  }
  return readCodedBody(answer.body, listOf(head.headers, "content-encoding"), {
    ...reading,
    expectedBytes: Number(headerOf(head.headers, "content-length") ?? 0),
    takesText: true,
  });
}
