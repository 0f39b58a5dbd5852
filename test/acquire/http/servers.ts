/** Runs servers on loopback that answer with the bytes they are told, and that count the requests. */
import { createServer, type AddressInfo, type Server, type Socket } from "node:net";

export interface RawServer {
  readonly port: number;
  /** Connections that were made so far. */
  connections(): number;
  close(): Promise<void>;
}

/** Calls `answer` for each request that came whole; `count` tells how many came before it. */
export async function listenRaw(
  answer: (socket: Socket, request: string, count: number) => void,
  host = "127.0.0.1",
): Promise<RawServer> {
  let connections = 0;
  let requests = 0;
  const sockets = new Set<Socket>();
  const server = createServer((socket) => {
    connections += 1;
    sockets.add(socket);
    socket.on("close", () => sockets.delete(socket));
    // A server hangs up after a bad request.
    socket.on("error", () => undefined);
    let text = "";
    socket.on("data", (chunk) => {
      text += chunk.toString("latin1");
      for (let end = text.indexOf("\r\n\r\n"); end !== -1; end = text.indexOf("\r\n\r\n")) {
        const request = text.slice(0, end + 4);
        text = text.slice(end + 4);
        answer(socket, request, requests);
        requests += 1;
      }
    });
  });
  const port = await listen(server, host);
  return {
    port,
    connections: () => connections,
    close: () => {
      for (const socket of sockets) socket.destroy();
      return new Promise((resolve) => {
        server.close(() => {
          resolve();
        });
      });
    },
  };
}

export async function listen(server: Server, host = "127.0.0.1"): Promise<number> {
  await new Promise<void>((resolve) => server.listen(0, host, resolve));
  // A TCP server's address is an object.
  return (server.address() as AddressInfo).port;
}

export type Script = (socket: Socket) => void;

/** Writes as fast as the other side takes it, until that hangs up. */
export function pour(bytes: Uint8Array | string): Script {
  return (socket) => {
    const more = (): void => {
      while (!socket.destroyed && socket.write(bytes));
    };
    socket.on("drain", more);
    more();
  };
}

/** Writes again and again, however slowly that is. */
export function drip(bytes: string, everyMs: number): Script {
  return (socket) => {
    const timer = setInterval(() => socket.write(bytes), everyMs);
    socket.on("close", () => {
      clearInterval(timer);
    });
  };
}
