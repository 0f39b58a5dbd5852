/** Tests that the servers go on when a connection cannot be accepted, as when there are too many open files. */
import { mkdtempSync, writeFileSync } from "node:fs";
import { Server } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, it, vi } from "vitest";
import { createOrderReader } from "../../src/cli/serve/request-options.js";
import { startInspector } from "../../src/inspect/web/server.js";
import { startServer } from "../../src/serve/server.js";

interface Running {
  stop(): Promise<void>;
}

/** Starts a server, and returns the errors that it reports when Node.js tells it of `errors`. */
async function reported(start: (onBug: (error: unknown) => void) => Promise<Running>): Promise<unknown[]> {
  const bugs: unknown[] = [];
  const listen = vi.spyOn(Server.prototype, "listen");
  const running = await start((error) => bugs.push(error));
  const server = listen.mock.contexts.at(-1) as Server | undefined; // `listen` is a method of servers
  listen.mockRestore();
  for (const text of ["one", "two"]) server?.emit("error", new Error(`accept ${text}`));
  await running.stop();
  return bugs;
}

const TWO = [new Error("accept one"), new Error("accept two")];

it("the server for documents reports the errors", async () => {
  const flags = { timeout: 10_000 } as Parameters<typeof createOrderReader>[0]; // the others have defaults
  const options = {
    ...{ host: "127.0.0.1", port: 0, workers: 1, maxBytes: 1e9, timeoutMs: 10_000, queue: 1, streams: 1 },
    ...{ arrivalMs: 1000, graceMs: 1000, version: "0" },
  };
  const orders = createOrderReader(flags);
  expect(await reported((onBug) => startServer(options, { orders, onBug }))).toEqual(TWO);
});

it("the inspector reports the errors", async () => {
  const folder = mkdtempSync(join(tmpdir(), "thresher-accept-"));
  const page = join(folder, "page.html");
  writeFileSync(page, "<p>Some words of a page.");
  const journal = join(folder, "marks.jsonl");
  const options = { inputs: [page], clean: {}, port: 0, journal, annotator: "me" };
  const signal = new AbortController().signal;
  const start = (onBug: (error: unknown) => void): Promise<Running> =>
    startInspector(options, { signal, say: () => undefined, onBug });
  expect(await reported(start)).toEqual(TWO);
});
