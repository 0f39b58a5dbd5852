/** Runs loopback servers that send the bytes they are given and count the requests. */
import { createServer, type AddressInfo, type Server, type Socket } from "node:net";

export interface RawServer {
  readonly port: number;
  /** The number of connections so far. */
  connections(): number;
  close(): Promise<void>;
}

/** Calls `answer` for each complete request; `count` is the number of earlier requests. */
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
    // The client may reset the connection.
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
  // The address of a TCP server is an object.
  return (server.address() as AddressInfo).port;
}

export type Script = (socket: Socket) => void;

/** Writes as fast as the other side reads, until the other side hangs up. */
export function pour(bytes: Uint8Array | string): Script {
  return (socket) => {
    const more = (): void => {
      while (!socket.destroyed && socket.write(bytes));
    };
    socket.on("drain", more);
    more();
  };
}

/** Writes again and again, as slowly as the test wants. */
export function drip(bytes: string, everyMs: number): Script {
  return (socket) => {
    const timer = setInterval(() => socket.write(bytes), everyMs);
    socket.on("close", () => {
      clearInterval(timer);
    });
  };
}
