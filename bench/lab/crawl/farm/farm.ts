/** Serves sites that are written in code from this machine: many names, HTTP and HTTPS, every request on record. */
import { createServer as createHttpServer, type IncomingMessage, type ServerResponse } from "node:http";
import { createSecureServer, type Http2ServerRequest, type Http2ServerResponse } from "node:http2";
import { createServer, type AddressInfo, type Server, type Socket } from "node:net";
import { createSecureContext, type SecureContext } from "node:tls";
import { AUTHORITY, BAD, GOOD, KEY, type BadCertificate } from "./certificates.js";
import type { Visit } from "./log.js";
import { listAddresses, lookUp, nameModule, spreadNames } from "./names.js";

/** One request, and where to answer it. */
export interface Hit {
  /** Name and port. */
  readonly host: string;
  readonly path: string;
  readonly url: string;
  /** How often this path was asked for before. */
  readonly before: number;
  readonly headers: IncomingMessage["headers"];
  readonly response: ServerResponse;
  /** Of HTTP/1.1, for those who want to break its rules. */
  readonly socket: Socket;
}

export type Answer = (hit: Hit) => void;

/** A path, with its query, into how it is answered; undefined is 404. */
export type Site = (path: string) => Answer | undefined;

export interface FarmOptions {
  /** By the first part of the name: "news" is news.farm.test, a name that nobody can own (RFC 6761). */
  readonly sites: Readonly<Record<string, Site>>;
  /** Sites whose HTTPS nobody may believe. */
  readonly certificates?: Readonly<Record<string, BadCertificate>>;
}

export interface Farm {
  /** Where a path of a site is. */
  url(site: string, path?: string): string;
  secureUrl(site: string, path?: string): string;
  /** A name of the farm into its addresses; throws ENOTFOUND for all others. */
  readonly lookup: (name: string) => Promise<readonly string[]>;
  /** For `node --import`, so that another process finds the names. */
  readonly names: string;
  /** Certificate of the authority (PEM). */
  readonly authority: string;
  /** In the order in which they came. */
  visits(): Visit[];
  forget(): void;
  /** Ends every connection. */
  close(): Promise<void>;
}

const PORT_TRIES = 20;

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
    // The answers of this farm use what both kinds of request and response have.
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

/** One port on all addresses, and on none that others can reach. */
async function listenAll(addresses: readonly string[], accept: (socket: Socket) => void): Promise<Front> {
  const open = new Set<Socket>();
  const onSocket = (socket: Socket): void => {
    open.add(socket);
    socket.on("close", () => open.delete(socket));
    socket.on("error", () => undefined); // clients that leave are what this farm is for
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
        port = (server.address() as AddressInfo).port; // it listens on a port, not on a path
      }
      return { port, close };
    } catch (error) {
      // Somebody else has that port on one of the addresses.
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
    // HTTP/2 says it in a header of its own.
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
