/**
 * Sends requests over pooled connections and returns the head and body of each response, as the only module that
 * imports undici.
 */
import { isIP, type LookupFunction, type Socket } from "node:net";
import { rootCertificates, type TLSSocket } from "node:tls";
import { Agent, buildConnector, Client, parseCookie, Pool, ProxyAgent, type Dispatcher } from "undici";
import { UsageError } from "../../outcome.js";
import type { Chunks } from "../streams.js";
import type { Resolver } from "./addresses.js";
import { toError } from "../../thrown.js";

/** A cookie as a server sets it. */
export interface SetCookie {
  readonly name: string;
  readonly value: string;
  readonly domain?: string;
  readonly path?: string;
  readonly secure?: boolean;
  /** In seconds. */
  readonly maxAge?: number;
  readonly expires?: Date | number;
}

/** Reads the value of a `set-cookie` header; undefined if it is broken. */
export function parseSetCookie(line: string): SetCookie | undefined {
  return parseCookie(line) ?? undefined;
}

interface ClientOptions {
  readonly resolver: Resolver;
  readonly maxHeaderBytes: number;
  /** Milliseconds for which a server may send nothing. */
  readonly idleMs: number;
  /** Simultaneous connections to a host. */
  readonly connections: number;
  readonly allowsHttp2: boolean;
  /** A certificate authority (PEM) that is trusted in addition to the usual ones. */
  readonly ca?: string;
}

export type HeaderPairs = readonly (readonly [name: string, value: string])[];

export interface Answer {
  readonly status: number;
  readonly reasonPhrase: string;
  /** "1.1" or "2". */
  readonly httpVersion: string;
  readonly headers: HeaderPairs;
  readonly body: Chunks;
  /** The IP address at the other end of the connection; "" if a proxy made the connection. */
  readonly address: string;
  /** Ends the body. Closes the connection, too, unless the body was read to its end. */
  readonly letGo: () => void;
}

interface Call {
  readonly url: URL;
  /** The URL of a proxy. */
  readonly proxy?: string | undefined;
  readonly headers: Readonly<Record<string, string>>;
  readonly signal: AbortSignal;
}

interface Clients {
  /** Sends a request. `use` reads as much of the body as it wants; if it leaves some, the connection is closed. */
  ask<T>(call: Call, use: (answer: Answer) => Promise<T>): Promise<T>;
  close(): Promise<void>;
}

/** The only connection that a lane has to a host. */
interface Host {
  calls: number;
  socket?: Socket | TLSSocket;
  address: string;
  httpVersion: string;
}

/** Has one connection to each host: with more in one agent, the connection of a response would be unknown. */
interface Lane {
  /** Opened on its first use; `proxy` is the URL of a proxy. */
  dispatcherFor(proxy: string | undefined): Dispatcher;
  destroy(): Promise<unknown>;
  readonly hosts: Map<string, Host>;
}

/**
 * Throws UsageError if another runtime replaces undici with its own code: Bun's does not call our resolver to check
 * addresses, and keeps no connections.
 */
export function refuseStandIn(agent: object): void {
  if (!("request" in agent))
    throw new UsageError(
      "fetching needs undici, which this runtime replaces with its own code; use Node.js or Deno to fetch pages " +
        "(files and stdin work here)",
    );
}

/** Throws UsageError in a runtime that replaces undici. Opens no connection yet. */
export function openClients(options: ClientOptions): Clients {
  refuseStandIn(Agent.prototype);
  const lanes = Array.from({ length: options.connections }, () => openLane(options));
  return {
    async ask({ url, proxy, headers, signal }, use) {
      const lane = chooseLane(lanes, url.origin);
      const host = hostOf(lane, url.origin);
      host.calls += 1;
      try {
        const response = await lane.dispatcherFor(proxy).request({
          origin: url.origin,
          path: `${url.pathname}${url.search}`,
          method: "GET",
          headers: { ...headers },
          signal,
          responseHeaders: "raw",
        });
        // Errors of an abandoned body are ignored.
        response.body.on("error", () => undefined);
        try {
          return await use(toAnswer(response, host));
        } finally {
          response.body.destroy();
        }
      } finally {
        host.calls -= 1;
        forget(lane, url.origin);
      }
    },
    async close() {
      await Promise.all(lanes.map((lane) => lane.destroy()));
    },
  };
}

function openLane({ resolver, ...options }: ClientOptions): Lane {
  const hosts = new Map<string, Host>();
  const tls = options.ca === undefined ? {} : { ca: [...rootCertificates, options.ca] };
  const connect = { ...tls, timeout: options.idleMs };
  const limits = {
    headersTimeout: options.idleMs,
    bodyTimeout: options.idleMs,
    maxHeaderSize: options.maxHeaderBytes,
  };
  const connectTo = buildConnector({
    ...connect,
    allowH2: options.allowsHttp2,
    lookup: lookUpWith(resolver),
  });
  const openDirect = (): Agent =>
    new Agent({
      ...limits,
      connections: 1,
      allowH2: options.allowsHttp2,
      connect: (target, callback) => {
        connectTo(target, (...[error, socket]) => {
          if (error !== null) {
            callback(error, null);
            return;
          }
          try {
            // The address was checked before connecting; this check is the last barrier.
            resolver.checkLiteral(socket.remoteAddress ?? "");
          } catch (refused) {
            socket.destroy();
            callback(toError(refused), null);
            return;
          }
          note(lane, target, socket);
          callback(null, socket);
        });
      },
    });
  const opened = new Map<string | undefined, Dispatcher>();
  const lane: Lane = {
    hosts,
    dispatcherFor(proxy) {
      const dispatcher =
        opened.get(proxy) ?? (proxy === undefined ? openDirect() : openProxy(proxy, connect, limits));
      opened.set(proxy, dispatcher);
      return dispatcher;
    },
    // Closing does not wait for requests in flight.
    destroy: () => Promise.all(Array.from(opened.values(), (dispatcher) => dispatcher.destroy())),
  };
  return lane;
}

function openProxy(
  uri: string,
  connect: { readonly timeout: number; readonly ca?: string[] },
  limits: Client.Options,
): ProxyAgent {
  return new ProxyAgent({
    ...limits,
    connections: 1,
    uri,
    // As other programs do, plain http is requested from the proxy itself, because many proxies tunnel only to port
    // 443.
    proxyTunnel: false,
    proxyTls: connect,
    requestTls: connect,
    // By default, a ProxyAgent creates its clients without our limits.
    clientFactory: (origin, made: Pool.Options) => new Pool(origin, { ...limits, ...made }),
    factory: (origin, made: Client.Options) => new Client(origin, { ...made, ...limits }),
  });
}

/** Resolves a name while connecting, so that the checked address is the one connected to. */
function lookUpWith(resolver: Resolver): LookupFunction {
  return (hostname, { all }, callback) => {
    resolver.resolve(hostname).then(
      (addresses) => {
        const found = addresses.map((address) => ({ address, family: isIP(address) }));
        const [first = { address: "", family: 0 }] = found;
        if (all === true) callback(null, found);
        else callback(null, first.address, first.family);
      },
      (error: unknown) => {
        callback(toError(error), "", 0);
      },
    );
  };
}

function note(
  lane: Lane,
  { protocol, host: name }: buildConnector.Options,
  socket: Socket | TLSSocket,
): void {
  const origin = `${protocol}//${name ?? ""}`;
  // The call may have ended while the connection was made; then the next call uses it.
  const host = hostOf(lane, origin);
  host.socket = socket;
  host.address = socket.remoteAddress ?? "";
  host.httpVersion = "alpnProtocol" in socket && socket.alpnProtocol === "h2" ? "2" : "1.1";
  socket.once("close", () => {
    forget(lane, origin);
  });
}

function hostOf({ hosts }: Lane, origin: string): Host {
  const known = hosts.get(origin);
  if (known !== undefined) return known;
  const host: Host = { calls: 0, address: "", httpVersion: "1.1" };
  hosts.set(origin, host);
  return host;
}

/** Forgets a host that has neither calls nor a connection. */
function forget({ hosts }: Lane, origin: string): void {
  const host = hosts.get(origin);
  if (host?.calls === 0 && host.socket?.destroyed !== false) hosts.delete(origin);
}

function chooseLane(lanes: readonly Lane[], origin: string): Lane {
  const calls = (lane: Lane): number => lane.hosts.get(origin)?.calls ?? 0;
  return lanes.reduce((best, lane) => (calls(lane) < calls(best) ? lane : best));
}

function toAnswer(response: Dispatcher.ResponseData, { address, httpVersion }: Host): Answer {
  return {
    status: response.statusCode,
    reasonPhrase: response.statusText,
    httpVersion,
    headers: toPairs(response.headers),
    body: response.body,
    address,
    letGo: () => void response.body.destroy(),
  };
}

/**
 * Pairs the headers. `responseHeaders: "raw"` gives a flat list of alternating names and values, which undici's types
 * do not declare.
 */
function toPairs(headers: unknown): HeaderPairs {
  const flat = Array.isArray(headers) ? headers.map(String) : [];
  const pairs: (readonly [string, string])[] = [];
  for (let at = 0; at + 1 < flat.length; at += 2) pairs.push([flat[at] ?? "", flat[at + 1] ?? ""]);
  return pairs;
}
