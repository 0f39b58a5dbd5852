/** Opens servers and transports that `closeAll` closes, and checks what transports return. */
import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import type { Server, Socket } from "node:net";
import { expect } from "vitest";
import {
  openTransport,
  type ExchangeResult,
  type TransportOptions,
} from "../../../src/acquire/http/transport.js";
import { listen } from "./servers.js";

export const OPTIONS: TransportOptions = {
  maxBytes: 100_000,
  timeoutMs: 3000,
  addresses: "any",
  version: "1.2.3",
};
export const NEVER = new AbortController().signal;
export const HTML = "<p>Text of the page, grün.</p>";

export const closers: (() => unknown)[] = [];

/** Call this after each test. */
export async function closeAll(): Promise<void> {
  for (const close of closers.splice(0).reverse()) await close();
}

/** Starts a server that `closeAll` closes with all its connections. */
export async function serve(server: Server): Promise<number> {
  const sockets = new Set<Socket>();
  server.on("connection", (socket: Socket) => {
    sockets.add(socket);
    socket.on("error", () => undefined);
  });
  closers.push(() => {
    server.close();
    for (const socket of sockets) socket.destroy();
  });
  return listen(server);
}

type Handler = (request: IncomingMessage, response: ServerResponse) => void;
export const serveHttp = (handler: Handler): Promise<number> => serve(createServer(handler));

export function open(
  options: Partial<TransportOptions> = {},
): (url: string, more?: object) => Promise<ExchangeResult> {
  const transport = openTransport({ ...OPTIONS, ...options });
  closers.push(() => transport.close());
  return (url, more = {}) => transport.exchange({ url, ...more }, NEVER);
}

export async function exchangeOf(result: Promise<ExchangeResult>) {
  const settled = await result;
  if (!settled.ok) expect.unreachable(JSON.stringify(settled.failure));
  return settled.exchange;
}

export async function failureOf(result: Promise<ExchangeResult>) {
  const settled = await result;
  if (settled.ok) expect.unreachable(`answered ${settled.exchange.status}`);
  return settled;
}
