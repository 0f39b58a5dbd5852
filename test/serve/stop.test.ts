/** Tests how a server stops: it finishes all running work, and does not wait for idle connections. */
import { once } from "node:events";
import { afterAll, describe, expect, it } from "vitest";
import { longestStill } from "../../src/serve/server.js";

import { dial, figure, LONG_PAGE, serve, stopServers, waitFor } from "./serving.js";

afterAll(stopServers);

describe("a server that is stopped", () => {
  it("does not wait for a connection that has sent nothing", async () => {
    const server = await serve(["--grace", "60s"]);
    const { socket, received } = dial(server.port);
    await once(socket, "connect");
    const begun = performance.now();
    expect(await server.stop()).toBe(0);
    expect(performance.now() - begun).toBeLessThan(20_000);
    expect(await received).toBe("");
  });

  it("tells its clients that the connection ends", async () => {
    const server = await serve(["--grace", "60s", "--timeout", "1s", "--max-bytes", "20M"]);
    const { socket, received } = dial(server.port);
    socket.write(
      `POST /clean HTTP/1.1\r\nHost: x\r\nContent-Type: text/html\r\nContent-Length: ${LONG_PAGE.length}\r\n\r\n${LONG_PAGE}`,
    );
    await waitFor(async () =>
      (await figure(server.url, "thresher_documents_running")) === 1 ? true : undefined,
    );
    expect(await server.stop()).toBe(0);
    expect(await received).toMatch(/^HTTP\/1\.1 422 [^]*\r\nConnection: close\r\n/);
  });

  it("does not report an aborted stream as a bug", async () => {
    const server = await serve(["--arrival", "20s", "--grace", "300ms"]);
    const { socket, received } = dial(server.port);
    socket.write(
      "POST /clean/stream HTTP/1.1\r\nHost: x\r\nContent-Type: application/x-ndjson\r\nTransfer-Encoding: chunked\r\n\r\n",
    );
    await waitFor(async () =>
      (await figure(server.url, "thresher_streams_running")) === 1 ? true : undefined,
    );
    expect(await server.stop()).toBe(0);
    expect((await received).endsWith("0\r\n\r\n")).toBe(false);
    expect(server.stderr()).toMatch(/^thresher: listening on \S+\nthresher: stopping\n$/);
  });
});

describe("an idle connection", () => {
  it("stays longer than a request may take to arrive, and than a document may take", () => {
    for (const [arrivalMs, timeoutMs] of [
      [30_000, 10_000],
      [75_000, 10_000],
      [600_000, 1000],
      [1000, 600_000],
    ] as const)
      expect(longestStill({ arrivalMs, timeoutMs })).toBeGreaterThanOrEqual(
        Math.max(60_000, 2 * arrivalMs, 2 * timeoutMs),
      );
    expect(longestStill({ arrivalMs: 2 ** 31 - 1, timeoutMs: 2 ** 31 - 1 })).toBeLessThan(2 ** 31);
  });
});
