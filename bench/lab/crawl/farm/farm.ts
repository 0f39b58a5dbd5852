/** Serves sites that are written in code, over HTTP and HTTPS with many host names, and logs every request. */
import { createServer as createHttpServer, type IncomingMessage, type ServerResponse } from "node:http";
import { createSecureServer, type Http2ServerRequest, type Http2ServerResponse } from "node:http2";
import { createServer, type AddressInfo, type Server, type Socket } from "node:net";
import { createSecureContext, type SecureContext } from "node:tls";
import { AUTHORITY, BAD, GOOD, KEY, type BadCertificate } from "./certificates.js";
import type { Visit } from "./log.js";
import { listAddresses, lookUp, nameModule, spreadNames } from "./names.js";

/** One request, and the objects with which to answer it. */
export interface Hit {
  /** Host name and port. */
  readonly host: string;
  readonly path: string;
  readonly url: string;
  /** How often this path was requested before. */
  readonly before: number;
  readonly headers: IncomingMessage["headers"];
  readonly response: ServerResponse;
  /** The raw socket, for answers that break the rules of HTTP/1.1. */
  readonly socket: Socket;
}

export type Answer = (hit: Hit) => void;

/** Maps a path with its query to an answer; undefined means 404. */
export type Site = (path: string) => Answer | undefined;

export interface FarmOptions {
  /** Sites by the first label of their host name: "news" is news.farm.test. RFC 6761 reserves `.test`. */
  readonly sites: Readonly<Record<string, Site>>;
  /** The sites with a bad HTTPS certificate, and the kind of each. */
  readonly certificates?: Readonly<Record<string, BadCertificate>>;
}

export interface Farm {
  /** Returns the URL of a path on a site. */
  url(site: string, path?: string): string;
  secureUrl(site: string, path?: string): string;
  /** Resolves a host name of the farm; rejects with ENOTFOUND for all other names. */
  readonly lookup: (name: string) => Promise<readonly string[]>;
  /** A module for `node --import`, so that another process resolves the names. */
  readonly names: string;
  /** The authority's certificate in PEM. */
  readonly authority: string;
  /** Returns the requests in the order in which they came. */
  visits(): Visit[];
  forget(): void;
  /** Closes every connection. */
  close(): Promise<void>;
}

const PORT_TRIES = 20;

/** Starts the HTTP and HTTPS servers of a farm on free ports of the loopback addresses. */
export async function openFarm({ sites, certificates = {} }: FarmOptions): Promise<Farm> {
  const addresses = listAddresses();
  const table = spreadNames(
    Object.keys(sites).map((site) => `${site}.farm.test`),
    addresses,
  );
  const log = openLog(sites);
  const plain = createHttpServer({ maxHeaderSize: 1 << 20, keepAliveTimeout: 60_000 }, log.serve);
  const contexts = new Map<string, SecureContext>(
    Object.entries(certificates).map(([site, kind]) => [
      `${site}.farm.test`,
      createSecureContext({ key: KEY, cert: BAD[kind] }),
    ]),
  );
  const secure = createSecureServer(
    {
      allowHTTP1: true,
      key: KEY,
      cert: GOOD,
      SNICallback: (name, done) => {
        done(null, contexts.get(name));
      },
    },
    // The answers of this farm only use what HTTP/1.1 and HTTP/2 requests and responses share.
    log.serve as unknown as (request: Http2ServerRequest, response: Http2ServerResponse) => void,
  );
  const fronts = [
    await listenAll(addresses, (socket) => plain.emit("connection", socket)),
    await listenAll(addresses, (socket) => secure.emit("connection", socket)),
  ] as const;
  const [{ port }, { port: securePort }] = fronts;
  return {
    url: (site, path = "/") => `http://${site}.farm.test:${port}${path}`,
    secureUrl: (site, path = "/") => `https://${site}.farm.test:${securePort}${path}`,
    lookup: (name) => lookUp(table, name),
    names: nameModule(table),
    authority: AUTHORITY,
    visits: () => log.visits(),
    forget: () => {
      log.forget();
    },
    async close() {
      for (const front of fronts) await front.close();
    },
  };
}

interface Front {
  readonly port: number;
  close(): Promise<void>;
}

/**
 * Listens on one port of all these loopback addresses, which other machines cannot reach. Throws an Error when no port
 * is free on all of them.
 */
async function listenAll(addresses: readonly string[], accept: (socket: Socket) => void): Promise<Front> {
  const open = new Set<Socket>();
  const onSocket = (socket: Socket): void => {
    open.add(socket);
    socket.on("close", () => open.delete(socket));
    socket.on("error", () => undefined); // tests make clients disconnect
    socket.setNoDelay(true);
    accept(socket);
  };
  for (let tries = 0; tries < PORT_TRIES; tries += 1) {
    const servers: Server[] = [];
    const close = async (): Promise<void> => {
      for (const socket of open) socket.destroy();
      for (const server of servers) await new Promise((resolve) => server.close(resolve));
    };
    try {
      let port = 0;
      for (const address of addresses) {
        const server = createServer(onSocket);
        await new Promise<void>((resolve, reject) => {
          server.once("error", reject).listen(port, address, 511, resolve);
        });
        servers.push(server);
        port = (server.address() as AddressInfo).port; // it listens on a port, not on a pipe
      }
      return { port, close };
    } catch (error) {
      // Another process uses the port on one of the addresses.
      await close();
      if (!(error instanceof Error && "code" in error && error.code === "EADDRINUSE")) throw error;
    }
  }
  throw new Error("no port is free on all addresses of the farm");
}

interface Log {
  readonly serve: (request: IncomingMessage, response: ServerResponse) => void;
  visits(): Visit[];
  forget(): void;
}

const NOWHERE: Answer = ({ response }) => {
  response.writeHead(404, { "content-type": "text/html" }).end("<p>Nothing here.</p>");
};

function openLog(sites: Readonly<Record<string, Site>>): Log {
  let visits: { -readonly [K in keyof Visit]: Visit[K] }[] = [];
  const counts = new Map<string, number>();
  const serve = (request: IncomingMessage, response: ServerResponse): void => {
    // HTTP/2 sends the host in a header of its own.
    const host = String(request.headers[":authority"] ?? request.headers.host ?? "");
    const path = request.url ?? "/";
    const isSecure = "encrypted" in request.socket;
    const visit: (typeof visits)[number] = {
      host,
      path,
      protocol: `${isSecure ? "https" : "http"}/${request.httpVersionMajor === 2 ? "2" : "1.1"}`,
      address: request.socket.localAddress ?? "",
      userAgent: request.headers["user-agent"] ?? "",
      isConditional: "if-none-match" in request.headers || "if-modified-since" in request.headers,
      begin: performance.now(),
      end: undefined,
      status: 0,
    };
    visits.push(visit);
    const end = (): void => {
      visit.end ??= performance.now();
      visit.status = response.statusCode;
    };
    response.on("finish", end);
    response.on("close", end);
    response.on("error", () => undefined); // as with sockets
    const name = `${host}${path}`;
    const before = counts.get(name) ?? 0;
    counts.set(name, before + 1);
    const { headers, socket } = request;
    const site = sites[host.replace(/\.farm\.test(:\d+)?$/, "")];
    const url = `${isSecure ? "https" : "http"}://${name}`;
    (site?.(path) ?? NOWHERE)({ host, path, url, before, headers, response, socket });
  };
  return {
    serve,
    visits: () => visits.map((visit) => ({ ...visit })),
    forget() {
      visits = [];
      counts.clear();
    },
  };
}
