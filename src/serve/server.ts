/** Runs the HTTP server: opens what its endpoints share, listens, and stops without losing running requests. */
import { once } from "node:events";
import { createServer, type IncomingMessage, type Server, type ServerResponse } from "node:http";
import { isIPv6, type AddressInfo, type Socket } from "node:net";
import { openFetcher } from "../acquire/http/fetch.js";
import type { Page } from "../document.js";
import type { Handler } from "../koa.js";
import { accept, UsageError, type Outcome } from "../outcome.js";
import { untagged } from "../pipeline.js";
import { createSharedCleaners } from "../work/shared-cleaners.js";
import { createApp } from "./app.js";
import { createEndpoints } from "./endpoints.js";
import { mostBodyBytes } from "./clean-one.js";
import { FORMATS } from "./formats.js";
import { createGate } from "./gate.js";
import { createJsonReader } from "./request/json-thread.js";
import { createMetrics } from "./metrics.js";
import type { OrderReader, ServeOptions } from "./options.js";
import { createOrders } from "./request/orders.js";
import { Problem } from "./problem.js";
import { createTokenCheck } from "./token.js";
import { codeOf } from "../thrown.js";
import { MAX_TIMER_MS } from "../time/max-timer.js";

export interface Serving {
  /** For example "http://127.0.0.1:8080". */
  readonly url: string;
  /** Answers running requests, within the grace time, and then closes everything. A second call waits for the first. */
  stop(): Promise<void>;
}

export interface ServeTools {
  readonly orders: OrderReader;
  /** Reports bugs to the operator of the server. */
  readonly onBug: (error: unknown) => void;
}

/** Milliseconds for which a connection may wait for its next request. */
const KEEP_ALIVE_MS = 30_000;
/**
 * Longest time without data on a connection: at least `STILL_MS`, and a multiple of the time for a document or for
 * arrival.
 */
const STILL_MS = 60_000;
const STILL_FACTOR = 3;
const ARRIVAL_FACTOR = 2;
/** Most clients at the same time, including idle connections. */
const MOST_CONNECTIONS = 2000;

/** Cleans one page first, so that errors show at once. Throws UsageError if the server cannot listen. */
export async function startServer(
  options: ServeOptions,
  { orders: reader, onBug }: ServeTools,
): Promise<Serving> {
  const { workers, queue, streams, version, fetch } = options;
  const usual = reader.read([], FORMATS.json.to);
  const shared = createSharedCleaners({ workers, usual: usual.options });
  const orders = createOrders(reader, options, shared);
  const gates = { documents: createGate(workers + queue), streams: createGate(streams) };
  const metrics = createMetrics([
    gauge("thresher_documents_running", "Documents not answered yet.", () => gates.documents.inside),
    gauge("thresher_documents_places", "Places for such documents.", () => gates.documents.places),
    gauge("thresher_streams_running", "Streams that are open.", () => gates.streams.inside),
    gauge("thresher_workers", "The most processes that clean.", () => workers),
  ]);
  const fetcher = fetch === undefined ? undefined : openFetcher({ ...options, addresses: fetch });
  const json = createJsonReader(options.timeoutMs);
  const tools = { options, orders, metrics, json, ...gates, ...(fetcher && { fetcher }) };
  let isStopping = false;
  const handler = createApp({
    endpoints: createEndpoints(tools, { shapes: reader.shapes, isStopping: () => isStopping }),
    checkToken: createTokenCheck(options.token),
    ...{ cors: options.cors, readMs: options.arrivalMs },
    isClosing: () => isStopping,
    onEnd: (...request) => {
      metrics.countRequest(...request);
      // A connection that was busy when the server was stopped becomes idle only after this.
      if (isStopping)
        setImmediate(() => {
          server.closeIdleConnections();
        });
    },
    onBug,
  });
  const server = openHttp(handler, options);
  const sockets = trackSockets(server);
  const closeAll = async (): Promise<void> => {
    await orders.close();
    await json.close();
    await shared.close();
    await fetcher?.close();
  };
  try {
    const { fingerprint } = await warmUp(orders);
    metrics.tell({ version, fingerprint });
    await listen(server, options);
    // Node.js reports a connection that it could not accept.
    server.on("error", onBug);
  } catch (error) {
    await closeAll();
    throw error instanceof Problem ? new UsageError(error.message, { cause: error }) : error;
  }
  const stop = async (): Promise<void> => {
    isStopping = true;
    const closed = close(server, options.graceMs);
    closeSilent(sockets);
    await closed;
    await closeAll();
  };
  let stopped: Promise<void> | undefined;
  return { url: urlOf(server), stop: () => (stopped ??= stop()) };
}

function gauge(name: string, says: string, read: () => number): Parameters<typeof createMetrics>[0][number] {
  return { name, says, read };
}

/** Loads the models by cleaning a first page. Throws Error if they cannot be loaded. */
async function warmUp(orders: ReturnType<typeof createOrders>): Promise<{ readonly fingerprint: string }> {
  const lease = await orders.lease([], FORMATS.json.to);
  const { pipeline } = lease;
  for await (const { outcome } of pipeline.run(untagged([WARM]), new AbortController().signal))
    if (!outcome.ok && outcome.reason === "crashed") throw new Error(outcome.detail);
  lease.release();
  return pipeline;
}

const WARM: Outcome<Page> = accept({
  id: "",
  url: "",
  content: { kind: "html", html: "<p>The first page loads the model." },
});

function openHttp(handler: Handler, options: ServeOptions): Server {
  const { arrivalMs } = options;
  const server = createServer(
    {
      headersTimeout: arrivalMs,
      // Bodies have their own time limits: a stream may last for hours.
      requestTimeout: 0,
      connectionsCheckingInterval: Math.min(1000, Math.ceil(arrivalMs / 4)),
      keepAliveTimeout: KEEP_ALIVE_MS,
    },
    (request, response) => void handler(request, response),
  );
  server.timeout = longestStill(options);
  server.maxConnections = MOST_CONNECTIONS;
  server.on("checkContinue", (request: IncomingMessage, response: ServerResponse) => {
    // A document that is too long is refused before it is sent; a stream may have any length.
    const bytes = Number(request.headers["content-length"] ?? 0);
    const isStream = request.url?.startsWith("/clean/stream") ?? false;
    if (isStream || bytes <= mostBodyBytes(options)) response.writeContinue();
    void handler(request, response);
  });
  return server;
}

/**
 * Returns the idle timeout in ms, for a client that neither reads nor writes. Data that does not arrive is reported
 * before.
 */
export function longestStill({
  arrivalMs,
  timeoutMs,
}: Pick<ServeOptions, "arrivalMs" | "timeoutMs">): number {
  return Math.min(MAX_TIMER_MS, Math.max(STILL_MS, STILL_FACTOR * timeoutMs, ARRIVAL_FACTOR * arrivalMs));
}

function trackSockets(server: Server): ReadonlySet<Socket> {
  const sockets = new Set<Socket>();
  server.on("connection", (socket) => {
    sockets.add(socket);
    // Each answer listens for the end of its connection, and a client may send many requests before it reads.
    socket.setMaxListeners(0);
    socket.once("close", () => sockets.delete(socket));
  });
  return sockets;
}

/** Closes connections that have sent nothing. Node.js treats them as if a request were in progress. */
function closeSilent(sockets: ReadonlySet<Socket>): void {
  // Data that has already arrived is read first.
  setImmediate(() => {
    for (const socket of sockets) if (socket.bytesRead === 0) socket.destroy();
  });
}

async function listen(server: Server, { host, port }: ServeOptions): Promise<void> {
  server.listen({ host, port });
  try {
    await once(server, "listening");
  } catch (error) {
    throw explain(error, host, port);
  }
}

const WHY: Readonly<Record<string, string>> = {
  EADDRINUSE: "another program listens there; --port 0 takes any free port",
  EACCES: "only the administrator can use ports below 1024",
  EADDRNOTAVAIL: "this machine has no such address",
  ENOTFOUND: "there is no such host",
};

function explain(error: unknown, host: string, port: number): unknown {
  const why = WHY[codeOf(error) ?? ""];
  if (why === undefined) return error;
  return new UsageError(`cannot listen on ${host} port ${port}: ${why}`, { cause: error });
}

function urlOf(server: Server): string {
  // A server that listens on a port has an address of this type.
  const { address, port } = server.address() as AddressInfo;
  return `http://${isIPv6(address) ? `[${address}]` : address}:${port}`;
}

function close(server: Server, graceMs: number): Promise<void> {
  return new Promise((resolve) => {
    const timer = setTimeout(() => {
      server.closeAllConnections();
    }, graceMs);
    server.close(() => {
      clearTimeout(timer);
      resolve();
    });
    server.closeIdleConnections();
  });
}
